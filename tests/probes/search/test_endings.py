"""Ends tell which action ends every episode, and show values that nothing else shows."""

from probes.base import Json
from probes.campaign import Result
from probes.search.cells import leaves_of
from probes.search.endings import MOST_REVEALED, TRIED, Endings
from probes.search.log import Log


def played(*actions: str, refused: int = -1) -> Log:
    """Return an episode of these actions; the one of that number was refused."""
    log = Log()
    for step, action in enumerate(actions):
        log.see(leaves_of({"at": step}), 0.0, refused=step - 1 == refused)
        log.take(action)
    return log


def end(observation: Json = None, *, done: bool = True) -> Result:
    return Result(score=0.0, reward=0.0, done=done, observation=observation)


def test_an_ender_ended_episodes_at_two_steps_and_none_went_on_after_it() -> None:
    endings = Endings()
    endings.note(played("go", "stop"), end())
    assert endings.enders == [], "it may have been the length"
    endings.note(played("go", "go", "stop"), end())
    assert endings.enders == ['"stop"']
    assert endings.is_ender('"stop"')
    assert not endings.is_ender('"go"')
    endings.note(played("stop", "go", refused=0), end(done=False))
    assert endings.enders == ['"stop"'], "it was refused, and did nothing"
    endings.note(played("stop", "go"), end(done=False))
    assert endings.enders == []
    endings.note(played("go", "go", "go", "stop"), end())
    assert endings.enders == [], "an episode once went on after it"


def test_what_an_end_reveals_is_kept_until_it_was_tried() -> None:
    endings = Endings()
    endings.note(played("a"), end({"answer": "Zorro", "at": 0, "won": False, "said": ""}))
    members = 4
    assert endings.revealed == ["Zorro", members], "0 was seen before, and the others say little"
    assert endings.news == 2
    for _ in range(TRIED):
        assert "Zorro" in endings.revealed
        endings.note(played("Zorro"), end())
    endings.note(played("a"), end({"answer": "Zorro"}))
    assert "Zorro" not in endings.revealed


def test_of_many_values_the_newest_are_kept() -> None:
    endings = Endings()
    endings.note(played("a"), end([f"word{n}" for n in range(3 * MOST_REVEALED)]))
    assert len(endings.revealed) == MOST_REVEALED
    assert endings.revealed[0] == f"word{3 * MOST_REVEALED - 1}"
