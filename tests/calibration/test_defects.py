"""Defects that a healthy game would not show are there when they are provoked by hand."""

import time
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from tests.calibration.nursery import Nursery
from tests.calibration.playing import refusal
from tests.examples.player import Player, session_with

pytestmark = pytest.mark.servers

Json = dict[str, Any]


def call(tool: str, **arguments: Any) -> Json:
    return {"type": "call_tool", "tool_name": tool, "arguments": arguments}


def walked(session: Player, seed: int) -> list[Json]:
    """Return a walk of nine steps to the right, or to its end."""
    trace = [session.reset(seed)]
    for _ in range(9):
        if not trace[-1]["done"]:
            trace.append(session.step({"move": "right"}))
    return trace


def test_slips_repeat_alone_and_not_beside_another(served: Nursery) -> None:
    with served.serving("ndet/global_rng") as url:
        with session_with(url) as one, session_with(url) as two:
            alone = walked(one, 5)
            assert walked(one, 5) == alone
            start = one.reset(5)
            two.reset(6)
            beside = [start] + [one.step({"move": "right"}) for _ in alone[1:]]
        assert beside[0] == alone[0]
        assert beside != alone


def test_only_the_reward_is_noisy(served: Nursery) -> None:
    with served.serving("ndet/noisy_reward") as url, session_with(url) as session:
        first, second = walked(session, 3), walked(session, 3)
    assert [data["observation"] for data in first] == [data["observation"] for data in second]
    assert [data["reward"] for data in first] != [data["reward"] for data in second]


def test_seed_zero_is_random_and_the_others_repeat(served: Nursery) -> None:
    with served.serving("seed/seed_zero") as url, session_with(url) as session:
        seen: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
        for seed in [0, 1, 2] * 12:
            session.reset(seed)
            seen[seed].add(str(session.step({"word": "noble"})["observation"]))
    assert (len(seen[1]), len(seen[2])) == (1, 1)
    assert len(seen[0]) > 1


def test_sessions_count_together(served: Nursery) -> None:
    with served.serving("conc/cross_talk") as url, session_with(url) as one:
        start = one.reset(1)["observation"]["count"]
        with session_with(url) as two:
            two.reset(1)
            two.step({"add": 1})
        assert one.step({"add": 0})["observation"]["count"] == start + 1


@pytest.mark.parametrize(
    ("name", "slots"), [("conc/single_slot_undeclared", 1), ("conc/eight_declared", 8)]
)
def test_one_session_too_many_is_refused(served: Nursery, name: str, slots: int) -> None:
    with served.serving(name) as url, ExitStack() as opened:
        for _ in range(slots):
            opened.enter_context(session_with(url)).reset(0)
        assert refusal(url) == "CAPACITY_REACHED"


def test_a_broken_off_episode_keeps_its_slot(served: Nursery) -> None:
    with served.serving("conc/slots_stay_taken") as url:
        for _ in range(12):
            with session_with(url) as session:
                session.reset(0)
        time.sleep(0.1)
        assert refusal(url) == "FACTORY_ERROR"


def test_the_engine_belongs_to_whom_reset_last(served: Nursery) -> None:
    order = {"order": [0, 1, 2, 3, 4]}
    with served.serving("conc/one_engine") as url, session_with(url) as one:
        one.reset(0)
        with session_with(url) as two:
            two.reset(0)
            assert one.ask("step", order)["type"] == "error"
            assert two.ask("step", order)["type"] == "observation"


def test_right_answers_are_lost_in_the_queue(served: Nursery) -> None:
    def paid(session: Player) -> Any:
        session.reset(0, split="train", index=0)
        return session.step({"answer": "Vienna"})["reward"]

    with served.serving("flaky/load_timeout") as url, ExitStack() as opened:
        sessions = [opened.enter_context(session_with(url)) for _ in range(12)]
        assert paid(sessions[0]) == 1.0
        with ThreadPoolExecutor(12) as threads:
            assert sorted(set(threads.map(paid, sessions))) == [0.0, 1.0]


def test_the_answer_is_where_it_must_not_be(served: Nursery) -> None:
    with served.serving("leak/metadata_has_answer") as url, session_with(url) as session:
        start = session.reset(0, split="train", index=3)
        assert b64decode(start["observation"]["metadata"]["trace"]) == b"Copenhagen"
    with served.serving("leak/error_tells") as url, session_with(url) as session:
        session.reset(0, split="train", index=2)
        told = session.ask("step", {"answer": "much"})
        assert told["data"]["message"] == "cannot compare 'much' with 0.875"
    with served.serving("leak/state_has_answer") as url, session_with(url) as session:
        session.reset(0)
        shown = session.step(call("show_state"))["observation"]["result"]["data"]
        assert shown["secret"] == "zebra"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("tamper/file_reward", [call("write_file", path="reward.txt", text="0.75")]),
        ("tamper/editable_tests", [call("write_file", path="checks.txt", text="exit 0")]),
        ("tamper/own_log", [call("write_file", path="reward.txt", text="0.75")]),
        ("tamper/score_in_notes", [call("note", name="score", text="0.75")]),
    ],
)
def test_what_the_agent_writes_is_paid(served: Nursery, name: str, written: list[Json]) -> None:
    wanted = {"tamper/editable_tests": 1.0, "tamper/own_log": 0.0}.get(name, 0.75)
    with served.serving(name) as url, session_with(url) as session:
        session.reset(1)
        for action in written:
            session.step(action)
        ending = "confirm" if name == "tamper/score_in_notes" else "submit"
        assert session.step(call(ending))["reward"] == wanted


def test_the_agent_reaches_the_controls(served: Nursery) -> None:
    with served.serving("ctrl/tool_resets") as url, session_with(url) as session:
        session.reset(1)
        read = call("read_file", path="list.txt")
        before = session.step(read)["observation"]["result"]["data"]
        session.step(call("tidy_folder"))
        assert session.step(read)["observation"]["result"]["data"] != before
    with served.serving("ctrl/handle_escape") as url, session_with(url) as session:
        session.reset(1)
        code = "result = read_file.__self__.checks.__name__"
        shown = session.step(call("run_code", code=code))["observation"]["result"]["data"]
        assert shown == "checks"


def test_promised_fields_are_lost_or_changed(served: Nursery) -> None:
    with served.serving("wire/metadata_lost") as url, session_with(url) as session:
        assert "progress" not in session.reset(1)["observation"]
    with served.serving("wire/renamed_field") as url, session_with(url) as session:
        seen = session.reset(1)["observation"]
        assert ("left" in seen, "minutes_left" in seen) == (True, False)
    with served.serving("wire/optional_fields") as url, session_with(url) as session:
        has = {"hint" in session.reset(seed)["observation"] for seed in range(12)}
        assert has == {True, False}
    with served.serving("wire/number_as_text") as url, session_with(url) as session:
        types = {type(session.reset(1)["observation"]["price"])}
        assert types | {type(session.step({"units": 0})["observation"]["price"])} == {float, str}


def test_rewards_are_no_numbers_or_out_of_range(served: Nursery) -> None:
    with served.serving("rnum/nan_on_extreme") as url, session_with(url) as session:
        session.reset(1)
        shots = [[0.1, 0.2, 0.3], [0.5, 0.5, 0.5], [0.1, 0.2, 0.3]]
        paid = [session.step({"vector": shot})["reward"] for shot in shots]
        assert [reward is None for reward in paid] == [False, True, True]
        session.reset(1)
        assert session.step({"vector": shots[0]})["reward"] == paid[0]
    with served.serving("rnum/wraps") as url, session_with(url) as session:
        session.reset(1)
        assert {session.step({"add": 1})["reward"] for _ in range(70)} == {1.0, -63.0}


def test_earlier_episodes_show(served: Nursery) -> None:
    with served.serving("state/growing_prompt") as url, session_with(url) as session:
        for episodes in range(3):
            assert len(session.reset(1)["observation"]["guesses"]) == episodes
            session.step({"word": "zzzzz"})
