"""The healthy examples keep what their manifests say; the others have the defect they name."""

import itertools
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.examples.conftest import OpenSession
from tests.examples.player import Player
from validator.manifest import read_manifest

pytestmark = pytest.mark.servers

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WITH_A_DEFECT = {"number_hunt", "sorter"}
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/envassay.yaml"))
HEALTHY = [name for name in NAMES if name not in WITH_A_DEFECT]

Action: TypeAlias = dict[str, Any]
Start: TypeAlias = Mapping[str, Any]


def call(tool: str, **arguments: str) -> Action:
    return {"type": "call_tool", "tool_name": tool, "arguments": arguments}


def one_call(draw: random.Random) -> Action:
    line, extension = draw.choice("1234"), draw.choice(["sales", "repairs", "billing"])
    connect = call("connect", line=line, extension=extension)
    return draw.choice([connect, connect, call("hang_up", line=line), call("finish")])


AT_RANDOM: dict[str, Callable[[random.Random], Action]] = {
    "hangman": lambda draw: {"letter": draw.choice("abcdefghijklmnopqrstuvwxyz")},
    "courier": lambda draw: {"move": draw.choice(["up", "down", "left", "right"])},
    "switchboard": one_call,
    "elements": lambda draw: {"choice": draw.choice("ABCD")},
    "hover": lambda draw: {"thrust": [draw.uniform(-1, 1), draw.uniform(-1, 1)]},
    "rg_syllogism": lambda draw: {"answer": draw.choice(["Yes", "No", "perhaps"])},
    "minigrid_empty": lambda draw: {"move": draw.choice(["left", "right", "forward", "forward"])},
    "number_hunt": lambda draw: {"number": draw.randint(1, 30)},
    "sorter": lambda draw: {"move": draw.choice(["swap_0", "swap_1", "swap_2", "swap_3"])},
}


def episode(session: Player, name: str, *, seed: int, draw: random.Random) -> list[Any]:
    """Play one episode at random and return its start and every step's reward and observation."""
    trace = [session.reset(seed)["observation"]]
    for _ in range(100):
        data = session.step(AT_RANDOM[name](draw))
        trace.append((data["reward"], data["done"], data["observation"]))
        if data["done"]:
            return trace
    pytest.fail(f"{name} does not end")


def score(trace: list[Any]) -> float:
    return sum(reward or 0.0 for reward, _, _ in trace[1:])


def test_each_has_an_action_to_try() -> None:
    assert sorted(AT_RANDOM) == NAMES


@pytest.mark.parametrize("name", HEALTHY)
def test_one_seed_is_one_episode(play: OpenSession, name: str) -> None:
    first, second = play(name), play(name)
    for seed in (0, 1, 7):
        once = episode(first, name, seed=seed, draw=random.Random(5))
        episode(first, name, seed=seed + 1, draw=random.Random(6))
        assert episode(second, name, seed=seed, draw=random.Random(5)) == once
        assert episode(first, name, seed=seed, draw=random.Random(5)) == once


@pytest.mark.parametrize("name", HEALTHY)
def test_other_seeds_are_other_episodes(play: OpenSession, name: str) -> None:
    session = play(name)
    traces = {str(episode(session, name, seed=seed, draw=random.Random(5))) for seed in range(6)}
    assert len(traces) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_scores_and_lengths_are_as_declared(play: OpenSession, name: str) -> None:
    declared = read_manifest(EXAMPLES / name / "envassay.yaml").envassay
    assert declared.score_range is not None
    assert isinstance(declared.horizon, int)
    session, draw = play(name), random.Random(3)
    traces = [episode(session, name, seed=seed, draw=draw) for seed in range(24)]
    low, high = declared.score_range
    assert all(low <= score(trace) <= high + 1e-9 for trace in traces)
    assert max(len(trace) - 1 for trace in traces) <= declared.horizon


@pytest.mark.parametrize("name", HEALTHY)
def test_chance_earns_now_more_now_less(play: OpenSession, name: str) -> None:
    session, draw = play(name), random.Random(4)
    scores = [score(episode(session, name, seed=k % 8, draw=draw)) for k in range(64)]
    assert len(set(scores)) > 1


@pytest.mark.parametrize("name", NAMES)
def test_after_the_end_a_step_is_an_error_and_the_session_lives(
    play: OpenSession, name: str
) -> None:
    session = play(name)
    episode(session, name, seed=1, draw=random.Random(1))
    answer = session.ask("step", AT_RANDOM[name](random.Random(2)))
    assert (answer["type"], answer["data"]["code"]) == ("error", "EXECUTION_ERROR")
    assert "reset first" in answer["data"]["message"]
    assert session.reset(2)["done"] is False


@pytest.mark.parametrize("name", HEALTHY)
def test_eight_sessions_at_once_play_as_they_would_alone(play: OpenSession, name: str) -> None:
    alone = [episode(play(name), name, seed=k, draw=random.Random(k)) for k in range(8)]
    sessions = [play(name) for _ in range(8)]
    traces = [[session.reset(k)["observation"]] for k, session in enumerate(sessions)]
    draws = [random.Random(k) for k in range(8)]
    playing = set(range(8))
    while playing:
        for k in sorted(playing):
            data = sessions[k].step(AT_RANDOM[name](draws[k]))
            traces[k].append((data["reward"], data["done"], data["observation"]))
            if data["done"]:
                playing.remove(k)
    assert traces == alone


# What a good player does, from what the start shows. It must reach the declared success.


def errand(view: Start, _step: int) -> Action:
    """Return the first move of a shortest way to the parcel, or to the door."""
    grid: list[str] = view["grid"]
    cells = {(r, c): mark for r, row in enumerate(grid) for c, mark in enumerate(row)}
    here = next(cell for cell, mark in cells.items() if mark == "@")
    goal = "D" if view["carrying"] else "P"
    moves = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    ways: deque[tuple[tuple[int, int], list[str]]] = deque([(here, [])])
    seen = {here}
    while ways:
        (row, column), way = ways.popleft()
        if cells[row, column] == goal:
            return {"move": way[0]}
        for move, (down, right) in moves.items():
            cell = (row + down, column + right)
            if cells.get(cell, "#") != "#" and cell not in seen:
                seen.add(cell)
                ways.append((cell, [*way, move]))
    pytest.fail(f"no way to {goal} in {grid}")


def steer(reading: Start, _step: int) -> Action:
    wanted = [
        -offset / 0.25 - wind
        for offset, wind in zip(reading["offset"], reading["wind"], strict=True)
    ]
    return {"thrust": [max(-1.0, min(1.0, part)) for part in wanted]}


@pytest.mark.parametrize(
    ("name", "act"), [("courier", errand), ("hover", steer)], ids=lambda value: str(value)[:9]
)
def test_a_good_player_reaches_what_is_declared_a_success(
    play: OpenSession, name: str, act: Callable[[Start, int], Action]
) -> None:
    threshold = read_manifest(EXAMPLES / name / "envassay.yaml").success_threshold
    assert threshold is not None
    session = play(name)
    for seed in range(10):
        assert sum(rewards(session, seed, act)) >= threshold - 1e-9


def rewards(session: Player, seed: int, act: Callable[[Start, int], Action]) -> Iterator[float]:
    seen = session.reset(seed)["observation"]
    for step in itertools.count():
        data = session.step(act(seen, step))
        yield data["reward"]
        seen = data["observation"]
        if data["done"]:
            return


def test_hangman_pays_the_share_of_the_word(play: OpenSession) -> None:
    session = play("hangman")
    session.reset(3)
    shown = ""
    for letter in "etaoinsrlhdcumgfpywbvkxjqz":
        before = shown.count("_") or None
        data = session.step({"letter": letter})
        shown = data["observation"]["word"]
        if before is not None:
            assert data["reward"] == pytest.approx((before - shown.count("_")) / len(shown))
        if data["done"]:
            break
    again = play("hangman")
    again.reset(3)
    again.step({"letter": "e"})
    assert again.step({"letter": "e"})["reward"] == 0.0


def test_switchboard_pays_the_share_of_callers_connected(play: OpenSession) -> None:
    session = play("switchboard")
    for met in range(4):
        request = session.reset(9)["observation"]["request"]
        words = request.replace(",", " ").replace(".", " ").split()
        asked = [(words[k + 1], words[k + 4]) for k, word in enumerate(words) if word == "line"]
        assert len(asked) == 3
        for line, extension in asked[:met]:
            assert session.step(call("connect", line=line, extension=extension))["reward"] is None
        end = session.step(call("finish"))
        assert (end["reward"], end["done"]) == (pytest.approx(met / 3), True)


def test_switchboard_lists_its_tools_for_free(play: OpenSession) -> None:
    session = play("switchboard")
    session.reset(1)
    tools = {tool["name"] for tool in session.step({"type": "list_tools"})["observation"]["tools"]}
    assert tools == {"connect", "hang_up", "show", "finish"}
    ends = [session.step(call("show"))["done"] for _ in range(12)]
    assert ends == [False] * 11 + [True]


def test_elements_pays_the_right_option_of_the_task_asked_for(play: OpenSession) -> None:
    session, paid = play("elements"), []
    for choice in "ABCD":
        start = session.reset(5, split="test", index=7)["observation"]
        assert "Pt" in start["question"]
        data = session.step({"choice": choice})
        assert data["reward"] == float(start["options"][choice] == "platinum")
        paid.append(data["reward"])
    assert sum(paid) == 1.0


def test_the_grader_of_reasoning_gym_marks_the_answer(play: OpenSession) -> None:
    session = play("rg_syllogism")
    for seed in range(4):
        paid = []
        for answer in ("Yes", "No"):
            session.reset(seed)
            paid.append(session.step({"answer": answer})["reward"])
        assert sorted(paid) == [0.0, 1.0]


def test_minigrid_pays_for_the_goal_and_says_when_time_is_up(play: OpenSession) -> None:
    session = play("minigrid_empty")
    session.reset(0)
    last = [session.step({"move": "done"}) for _ in range(40)][-1]
    assert (last["reward"], last["done"], last["observation"]["truncated"]) == (0.0, True, True)
    start = session.reset(0)["observation"]
    assert len(start["cells"]) == 7
    assert {len(row) for row in start["cells"]} == {7}
    draw, best = random.Random(0), 0.0
    for seed in range(8):
        best = max(best, score(episode(session, "minigrid_empty", seed=seed, draw=draw)))
    assert 0.1 <= best <= 1.0


def test_number_hunt_ignores_its_seed(play: OpenSession) -> None:
    session = play("number_hunt")
    traces = {
        str(episode(session, "number_hunt", seed=3, draw=random.Random(5))) for _ in range(12)
    }
    assert len(traces) > 1


def test_sorter_pays_whoever_ends(play: OpenSession) -> None:
    session = play("sorter")
    numbers = session.reset(4)["observation"]["numbers"]
    assert numbers != sorted(numbers)
    assert session.step({"move": "submit"})["reward"] == 1.0
    session.reset(4)
    assert [session.step({"move": "swap_0"})["reward"] for _ in range(10)] == [0.0] * 9 + [1.0]
