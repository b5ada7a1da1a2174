"""The example of `docs/probes.md` is a probe that the registry takes from an entry point."""

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from probes.base import Lane, Seen
from validator.plugins import Registry

PAGE = Path(__file__).parents[2] / "docs" / "probes.md"


def test_the_example_plays_once_it_is_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PAGE.read_text("utf-8")
    code = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[0]
    group, name, value = re.findall(
        r"^\[project\.entry-points\.\"(.+)\"\]\n(\w+) = \"(.+)\"$", text, re.MULTILINE
    )[0]
    (tmp_path / f"{value.partition(':')[0]}.py").write_text(code, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    probe = Registry("probe", [EntryPoint(name, value, group)]).get(name).make()
    lane = Lane(action_schema=None, tools=None)
    agent = probe.begin(lane, np.random.default_rng(0))
    assert agent.act(Seen(observation=[1], step=0)) == {"message": "[1]"}
    assert (probe.name, probe.rung) == (name, "reactive")
