"""A passing fault is told from the environment's own by playing the episode again."""

from collections.abc import Sequence
from dataclasses import replace

from validator.client.frames import Frame
from validator.episodes import Boundary, Episode, EpisodeKey, Failed, Outcome, Scored
from validator.rollouts.faults import BELIEVED, BROKEN, NEVER_STARTED, PAUSES, Faults


def episode(outcome: Outcome, *, seed: int = 0, frames: int = 3, answered: bool = False) -> Episode:
    sent = [Frame("sent", "{}", 0.0), Frame("received", "{}", 0.0)] * frames
    return Episode(
        key=EpisodeKey(task="-", seed=seed, probe="p", repeat=0),
        position=0,
        outcome=outcome,
        ended="failed" if isinstance(outcome, Failed) else "done",
        start={},
        steps=(),
        frames=tuple(sent if answered else sent[:-1]),
        open_seconds=None,
        reset_seconds=None,
        seconds=0.0,
    )


def lost(seed: int = 0, frames: int = 3, boundary: Boundary = "error") -> Episode:
    why = "step: the connection was dropped"
    return episode(Failed(boundary=boundary, why=why), seed=seed, frames=frames)


def pauses(faults: Faults, attempts: Sequence[Episode]) -> list[float | None]:
    return [faults.pause(one) for one in attempts]


def test_what_passes_at_another_try_was_lost_on_the_way() -> None:
    faults = Faults(any_started=True)
    assert pauses(faults, [lost(), lost(), episode(Scored(1.0))]) == [*PAUSES, None]
    assert faults.passing == 2


def test_what_breaks_at_the_same_frame_each_time_is_its_own() -> None:
    faults = Faults(any_started=True)
    assert pauses(faults, [lost()] * 3) == [*PAUSES, None]
    assert faults.passing == 0


def test_what_breaks_at_another_frame_each_time_is_not_its_own() -> None:
    faults = Faults(any_started=True)
    assert pauses(faults, [lost(frames=n) for n in (1, 4, 2)]) == [*PAUSES, None]
    assert faults.passing == 2


def test_a_fault_that_never_passes_is_believed_in_the_end() -> None:
    faults = Faults(any_started=True)
    for seed in range(BELIEVED):
        pauses(faults, [lost(seed)] * 3)
    assert faults.pause(lost(99)) is None
    assert faults.pause(lost(99, boundary="timeout")) is not None


def test_a_fault_that_has_passed_once_is_always_tried_again() -> None:
    faults = Faults(any_started=True)
    pauses(faults, [lost(77), episode(Scored(0.0), seed=77)])
    for seed in range(BELIEVED):
        pauses(faults, [lost(seed)] * 3)
    assert faults.pause(lost(99)) == PAUSES[0]


def test_an_answer_is_no_fault_of_the_way_be_it_an_error() -> None:
    faults = Faults(any_started=True)
    told = Failed(boundary="error", why="reset: EXECUTION_ERROR: no such task")
    assert faults.pause(episode(told, answered=True)) is None
    torn = Failed(boundary="error", why="step: unreadable answer: invalid JSON")
    assert faults.pause(episode(torn, seed=1, answered=True)) == PAUSES[0]
    assert faults.passing == 0


def test_what_breaks_under_load_stands() -> None:
    faults = Faults(any_started=True)
    one = lost()
    assert faults.pause(replace(one, key=replace(one.key, replay=1, condition="loaded"))) is None
    assert faults.pause(replace(one, key=replace(one.key, replay=1))) == PAUSES[0]


def test_a_server_that_has_gone_or_never_began_ends_the_run() -> None:
    faults = Faults(any_started=True)
    said = [faults.stops(lost()) for _ in range(BROKEN)]
    assert said[:-1] == [""] * (BROKEN - 1)
    assert said[-1].startswith(f"{BROKEN} episodes in a row failed")
    never = Faults(any_started=False)
    assert [bool(never.stops(lost())) for _ in range(NEVER_STARTED)] == [False, False, True]
    assert never.pause(lost()) is None
    again = Faults(any_started=True)
    for _ in range(3):
        assert not any(again.stops(lost()) for _ in range(BROKEN - 1))
        assert not again.stops(episode(Scored(0.0)))
