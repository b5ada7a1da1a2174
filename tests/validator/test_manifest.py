"""A manifest is read strictly: what is wrong is named, with the nearest right name."""

from pathlib import Path

import pytest

from validator.errors import SettingsError
from validator.manifest import Manifest, read_manifest

EVERYTHING = """
validation:
  reward: {range: [0.0, 1.0], oracle_tolerance: 0.0, floor_margin: 0.5}
  capabilities: {verifier: {kind: reward_channel}, llm_judged: false, declared_tools: [],
                 declared_task_count: {train: 20}}
envassay:
  score: sum
  reward_timing: step
  score_range: [0.0, 1.0]
  success_threshold: 1.0
  stochastic: {score_sd: 0.1}
  seedless_reset: any
  carry_over: none
  horizon: 30
  truncation_field: observation.truncated
  concurrency: 8
  noop: {move: stay}
  tasks: {select: {task_id: "{task}"}, ids: [t0, t1], refuse: [t7]}
  oracle: {trajectories: oracle.jsonl, policy: "solver.py:solve"}
  canaries: hacks.jsonl
  answers: answers.jsonl
  answer_in_observation: false
  success_field: state.solved
  operator_switches: [debug]
"""


def read(tmp_path: Path, text: str) -> Manifest:
    path = tmp_path / "envassay.yaml"
    path.write_text(text)
    return read_manifest(path)


def test_every_field_of_the_contract_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, EVERYTHING)
    assert found.reward_range == (0.0, 1.0)
    assert found.floor_margin == 0.5
    assert found.success_threshold == 1.0
    assert found.envassay.noop == {"move": "stay"}
    assert found.declared is not None
    assert set(found.declared) == {"validation", "envassay"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("envassay: {scor: sum}", "unknown field 'envassay.scor'. Did you mean 'score'?"),
        ("envassay: {score: mean}", "envassay.score"),
        ("envassay: {horizon: -1}", "envassay.horizon"),
        ("envassay: {horizon: true}", "envassay.horizon"),
        ("envassay: {concurrency: 0}", "envassay.concurrency"),
        ("envassay: {score_range: [1, 0]}", "score_range must rise"),
        ("envassay: {score_range: [0, .nan]}", "envassay.score_range"),
        ("envassay: {score_range: [0, 1], success_threshold: 2}", "success_threshold 2 is above"),
        ("envassay: {tasks: {ids: [a], count: 2}}", "ids or count, not both"),
        (
            "envassay: {tasks: {idz: [a]}}",
            "unknown field 'envassay.tasks.idz'. Did you mean 'ids'?",
        ),
        ("envasay: {}", "unknown block 'envasay'. Did you mean 'envassay'?"),
        ("validation: {reward: {rang: [0, 1]}}", "Did you mean 'range'?"),
        ("- a\n- b", "is no mapping"),
        ("a: [", "is no YAML"),
        ("!!python/object/apply:os.system ['true']", "is no YAML"),
        ("\x00", "is no YAML"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(tmp_path, text)
    line = str(caught.value)
    assert said in line
    assert "\n" not in line
    assert str(tmp_path / "envassay.yaml") in line
    assert caught.value.exit_code == 3


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.yaml: cannot be read"):
        read_manifest(tmp_path / "nowhere.yaml")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="larger than 1 MiB"):
        read(tmp_path, "a: " + "x" * 2**20)


def test_an_empty_file_declares_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, "{}").declared is None
    assert read(tmp_path, "title: my space").declared is None
