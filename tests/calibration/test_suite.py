"""The calibration environments are what their labels say, as far as that needs no check."""

import os
import subprocess
from collections import Counter

import pytest

from tests.calibration.labels import CHECKS, CLASSES, HERE, names, read
from tests.calibration.nursery import COMMAND, Nursery, nursery
from tests.calibration.playing import (
    begin,
    manifest_of,
    play,
    score_of,
    solutions,
    solver,
    wait_for_slot,
)
from tests.calibration.table import README, written
from tests.examples.player import session_with

NAMES = names()
EVERY = {name: read(name) for name in NAMES}
HEALTHY = [name for name in NAMES if EVERY[name].healthy]

UNPAID = {
    "flaky/each_third_lost", "flaky/moody_judge", "flaky/order_exact", "fneg/case_of_letters",
    "fneg/last_move_lost", "fneg/marker_literal", "fneg/strict_rounding", "infra/error_is_zero",
    "ndet/late_draught", "signal/always_zero", "signal/constant_half", "signal/seed_decides",
    "flaky/louder_than_declared", "signal/out_of_reach", "signal/wrong_way_round",
    "signal/six_tenths_at_most", "signal/wrong_lamps",
    "state/residue", "state/steps_not_cleared", "task/instant_end", "term/never_done",
    "wire/extra_type",
}  # fmt: skip
"""Their defect keeps the right work from its pay."""

NEVER_BEGINS = "infra/never_begins"

VARYING = {
    "flaky/as_loud_as_declared",
    "hub/names_its_host",
    "ndet/edition_in_the_corner",
    "ndet/declared_dice",
    "ndet/ids_and_clocks",
    "flaky/judge_with_tolerance",
}
"""Healthy, and no two episodes are equal to the letter."""


def test_every_class_has_its_twins() -> None:
    counts = Counter((EVERY[name].kind, EVERY[name].healthy) for name in NAMES)
    for kind in CLASSES:
        assert counts[kind, False] >= 3, kind
        assert counts[kind, True] >= 3, kind
    assert len(NAMES) >= 130


def test_every_module_has_labels_and_every_label_file_a_module() -> None:
    modules = [path for kind in CLASSES for path in (HERE / kind).glob("*.py")]
    assert sorted(f"{path.parent.name}/{path.stem}" for path in modules) == sorted(NAMES)


def test_a_look_alike_says_so_and_leaves_nothing_open() -> None:
    for name, one in EVERY.items():
        assert one.title.startswith("Healthy: ") == one.healthy, name
        if one.healthy:
            assert one.never == CHECKS, name
        assert not one.must & one.never, name


def test_all_defects_together_ask_for_most_checks() -> None:
    asked = frozenset[str]().union(*(one.must for one in EVERY.values()))
    assert len(asked) >= 25
    assert {check.partition(".")[0] for check in asked} >= {
        "runtime", "semantic", "statistical", "wire", "episode", "session", "reward", "drift",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_manifest_is_read_and_names_files_that_are_there(name: str) -> None:
    block = manifest_of(EVERY[name]).envassay
    oracle = block.oracle
    named: list[str | None] = [
        block.answers,
        block.canaries,
        oracle.trajectories if oracle else None,
    ]
    if oracle and oracle.policy:
        named.append(oracle.policy.partition(":")[0])
        assert callable(solver(EVERY[name].folder, oracle.policy))
    for path in filter(None, named):
        assert (EVERY[name].folder / path).is_file()


def test_the_table_is_current() -> None:
    text = README.read_text("utf-8")
    assert written(text) == text, "run .venv/bin/python -m tests.calibration.table"


@pytest.mark.servers
@pytest.mark.slow
def test_recordings_are_current() -> None:
    script = str(HERE / "recordings.py")
    ended = subprocess.run(
        [COMMAND[0], script, "--check"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


# Served.


@pytest.mark.servers
@pytest.mark.parametrize("name", [name for name in NAMES if name != NEVER_BEGINS])
def test_its_solution_earns_the_top_and_a_healthy_one_repeats(served: Nursery, name: str) -> None:
    one = EVERY[name]
    manifest = manifest_of(one)
    block = manifest.envassay
    with served.serving(name) as url:
        with session_with(url) as session:
            assert "observation" in begin(session, {"seed": 3})
        if block.concurrency == 1:
            wait_for_slot(url)
        with session_with(url) as session:  # another: what was begun above is left half-way
            traces = [] if name in UNPAID else [
                play(session, start, solve) for start, solve in solutions(one)
            ]  # fmt: skip
        for trace in traces:
            assert trace[-1]["done"] is (block.horizon != "unbounded")
            if manifest.success_threshold is not None:
                assert score_of(trace, block.score) >= manifest.success_threshold - 1e-9
        if one.healthy:
            assert traces
            if block.concurrency == 1:
                wait_for_slot(url)
            with session_with(url) as session:
                start, solve = next(solutions(one))
                again = play(session, start, solve)
                assert again == traces[0] or name in VARYING
                after = session.ask("step", solve(again[-1]["observation"], None, 0))
                assert after["type"] == "error" or after["data"]["reward"] == 0.0


# The server of them all.


@pytest.mark.servers
def test_what_is_asked_wrongly_is_an_error_and_nothing_ends(served: Nursery) -> None:
    assert served.ask({"list": True}) == {"names": sorted(NAMES)}
    assert "no environment" in served.ask({"start": "seed/../serve"})["error"]
    assert "not served" in served.ask({"stop": "seed/seed_zero"})["error"]
    assert "ask for" in served.ask([1])["error"]
    assert served.ask({"start": "seed/seed_zero"}) == served.ask({"start": "seed/seed_zero"})
    assert served.ask({"stop": "seed/seed_zero"}) == {"stopped": "seed/seed_zero"}


@pytest.mark.servers
def test_what_one_process_keeps_is_gone_in_the_next(served: Nursery) -> None:
    for _ in range(2):
        with served.serving("infra/error_is_zero") as url, session_with(url) as session:
            done = [session.reset(seed)["done"] for seed in range(10)]
        assert done == [False] * 9 + [True]


@pytest.mark.servers
@pytest.mark.parametrize(
    "how", [pytest.param("its input ends", marks=pytest.mark.slow), "it is killed"]
)
def test_none_outlives_the_server_of_them_all(how: str) -> None:
    with nursery() as running:
        urls = [running.ask({"start": name})["url"] for name in NAMES[:2]]
        sessions = [session_with(url) for url in urls]
        players = [session.__enter__() for session in sessions]
        assert running.child.stdin is not None
        if how == "it is killed":
            os.kill(running.child.pid, 9)
        else:
            running.child.stdin.close()
        for player in players:
            player.wait_for_the_end()
        for session in sessions:
            session.__exit__(None, None, None)
