"""What is the same later, and looks the same to equal tasks."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, World

HEALTHY: dict[str, Any] = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


def tiring(after: int = 100) -> type[World]:
    """Return a world that pays nothing after some episodes: by default, those of a first round."""
    episodes = itertools.count()

    class Tiring(Guess):
        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            self.tired = next(episodes) >= after
            return super().reset(data)

        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            return found | {"reward": 0.0} if self.tired else found

    return Tiring


@pytest.mark.parametrize(
    ("world", "declared", "status", "question"),
    [
        (Guess, {}, "pass", False),
        (tiring(), {}, "fail", True),
        (tiring(), {"stochastic": False}, "fail", False),
        (tiring(), {"stochastic": True}, "pass", False),
    ],
)
def test_a_recorded_trajectory_comes_to_the_same_outcome(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, question: bool
) -> None:
    report = judge(world, tmp_path, declared=HEALTHY | declared, fixed=True)
    found = answer(report, "semantic.replayability")
    assert (found.status, found.question) == (status, question), found.reason
    if status == "fail":
        assert found.findings[0].claim.endswith("another reward")
        assert found.measured["outcome_agreement"].estimate == 0.0


def paid_by_turns() -> type[World]:
    """Return a world that pays in every second episode only."""
    episodes = itertools.count()

    class ByTurns(Guess):
        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            self.unpaid = next(episodes) % 2
            return super().reset(data)

        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            return found | {"reward": 0.0} if self.unpaid else found

    return ByTurns


@pytest.mark.parametrize(
    ("world", "status", "told"),
    [
        (lambda: tiring(after=12), "fail", "came to another outcome"),
        (lambda: tiring(after=40), "fail", "came to another outcome"),
        (paid_by_turns, "skip", "episodes do not repeat at once either"),
    ],
)
def test_a_change_that_comes_once_and_stays_is_no_lack_of_repetition(
    tmp_path: Path, world: Callable[[], type[World]], status: str, told: str
) -> None:
    report = judge(world(), tmp_path, declared=HEALTHY | {"stochastic": False})
    assert answer(report, "runtime.episode_determinism").status == "fail"
    found = answer(report, "semantic.replayability")
    assert found.status == status, found.reason
    assert found.reason.endswith(told)


class WarmsUp(Guess):
    """Pays from the second episode of a session on."""

    episodes = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.episodes += 1
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": 0.0} if self.episodes == 1 else found


@pytest.mark.parametrize(("carried", "status"), [("none", "fail"), ("curriculum", "pass")])
def test_what_came_after_others_may_differ_alone_where_that_is_declared(
    tmp_path: Path, carried: str, status: str
) -> None:
    report = judge(WarmsUp, tmp_path, declared=HEALTHY | {"carry_over": carried})
    found = answer(report, "semantic.replayability")
    assert found.status == status, found.reason
    if status == "pass":
        assert found.reason.endswith("recorded after other episodes, as declared (`carry_over`)")


class GrowingPrompt(Guess):
    """Puts all earlier episodes of the session in front of the first observation."""

    past = ""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["text"] = f"{self.past}Guess a move."
        self.past += "An episode was played. "
        return found


class Decorated(Guess):
    """Greets otherwise each time."""

    greetings = itertools.cycle(["Hello", "Good day", "Welcome"])

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["text"] = next(self.greetings)
        return found


class Total(Guess):
    """Shows how many tries its session has seen."""

    seen = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return self.shown(super().reset(data))

    def step(self, action: Any) -> dict[str, Any]:
        self.seen += 1
        return self.shown(super().step(action))

    def shown(self, found: dict[str, Any]) -> dict[str, Any]:
        found["observation"]["total"] = self.seen
        return found


class Tiring(Total):
    """Shows the same, and pays less and less for it."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["reward"] -= 0.01 * self.seen
        return found


class Wandering(Total):
    """Shows a number that later episodes have up and down."""

    def shown(self, found: dict[str, Any]) -> dict[str, Any]:
        found["observation"]["total"] = self.seen * 7 % 5
        return found


class OtherTask(Guess):
    """Ignores the seed, and shows its task: no noise, but another task."""

    numbers = itertools.count()

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        number = next(self.numbers)
        found = super().reset({"seed": number * number})
        found["observation"]["number"] = number
        return found


@pytest.mark.parametrize(
    ("world", "declared", "status", "question"),
    [
        (Guess, {}, "pass", False),
        (GrowingPrompt, {}, "fail", False),
        (GrowingPrompt, {"carry_over": "curriculum"}, "pass", False),
        (Decorated, {}, "fail", True),
        (Decorated, {"stochastic": True}, "pass", False),
        (Decorated, {"stochastic": False}, "fail", False),
        (OtherTask, {}, "skip", False),
        (Total, {}, "fail", True),
        (Total, {"stochastic": False}, "fail", True),
        (Total, {"carry_over": "curriculum"}, "pass", False),
        (Wandering, {}, "fail", False),
    ],
)
def test_equal_tasks_look_equal(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, question: bool
) -> None:
    report = judge(world, tmp_path, declared=HEALTHY | declared)
    found = answer(report, "episode.observation_noise")
    assert (found.status, found.question) == (status, question), found.reason
    if world is GrowingPrompt and status == "fail":
        assert found.findings[0].expected.startswith('"Guess a move."')
        assert "An episode was played" in found.findings[0].saw


@pytest.mark.parametrize(
    ("world", "declared", "status", "question"),
    [
        (Guess, {}, "pass", False),
        (Total, {}, "fail", True),
        (Total, {"carry_over": "curriculum"}, "pass", False),
        (Tiring, {}, "fail", False),
        (Wandering, {}, "fail", False),
    ],
)
def test_a_total_of_the_session_is_a_question(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, question: bool
) -> None:
    report = judge(world, tmp_path, declared=HEALTHY | declared)
    found = answer(report, "runtime.episode_isolation")
    assert (found.status, found.question) == (status, question), found.reason
    if question:
        assert found.reason.endswith("in nothing but what counts the session on")


class Marked(Guess):
    """Healthy: marks what ran out of tries."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["truncated"] = self.mark(found)
        return found

    def mark(self, found: dict[str, Any]) -> Any:
        return bool(found["done"] and not found["reward"])


class NeverMarked(Marked):
    """Promises the mark and never sets it."""

    def mark(self, found: dict[str, Any]) -> Any:
        return False


class MarksAll(Marked):
    """Marks every end."""

    def mark(self, found: dict[str, Any]) -> Any:
        return found["done"]


MARK = {"truncation_field": "observation.truncated"}


@pytest.mark.parametrize(
    ("world", "declared", "status", "told"),
    [
        (Marked, MARK, "pass", "and none of"),
        (NeverMarked, MARK, "fail", "that ran out of steps is marked in `observation.truncated`"),
        (MarksAll, MARK, "fail", "before the last step are marked as cut"),
        (Guess, MARK, "fail", "that ran out of steps is marked"),
        (Guess, {}, "skip", "no field is declared"),
    ],
)
def test_what_is_cut_short_is_marked(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, told: str
) -> None:
    report = judge(world, tmp_path, declared=HEALTHY | declared)
    found = answer(report, "episode.truncation_mark")
    assert (found.status, found.question) == (status, False), found.reason
    assert told in found.reason
