"""Language models and harnesses as the user names them."""

from pathlib import Path

import pytest

from probes.harness.tier import HarnessProbe
from probes.model.tier import ModelProbe
from tests.servers.endpoint import KEY
from validator.errors import SettingsError
from validator.tiers import KEY_VARIABLE, read_tiers

FILE = """\
models:
  small: {url: "http://127.0.0.1:1/v1", mode: text}
  large:
    url: https://api.example.com
    model: large-1
    key_variable: OTHER_KEY
    temperature: 0.5
    repeats: 3
    prices: {prompt: 1, completion: 2}
    budget: {calls: 5, money: 0.5}
harnesses:
  mine: {command: "python 'my agent.py'", environment: [WANTED]}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiers.yaml"
    path.write_text(FILE)
    return path


def test_file_and_flags_make_probes_in_their_order(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_KEY", KEY)
    monkeypatch.setenv("WANTED", "w")
    monkeypatch.setenv("UNWANTED", "u")
    tiers = read_tiers(file, ["more=http://localhost:9/v1#tiny"], ["cat=cat -"])
    probes = tiers.probes(None)
    assert [probe.name for probe in probes] == [
        "model:small", "model:large", "model:more", "harness:mine", "harness:cat",
    ]  # fmt: skip
    small, large, more, mine, _ = probes
    assert isinstance(small, ModelProbe)
    assert isinstance(large, ModelProbe)
    assert isinstance(more, ModelProbe)
    assert isinstance(mine, HarnessProbe)
    assert (small.mode, large.model, large.most, more.model) == ("text", "large-1", (20, 3), "tiny")
    assert large.url == "https://api.example.com/v1"
    assert (large.ledger.budget.calls, large.ledger.budget.money) == (5, 0.5)
    assert mine.harness.command == ("python", "my agent.py")
    assert mine.harness.environment["WANTED"] == "w"
    assert "UNWANTED" not in mine.harness.environment
    assert "OTHER_KEY" not in mine.harness.environment
    told = repr(tiers.told)
    assert KEY not in told
    assert "my agent" not in told


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://api.example.com/v1", True),
        ("http://127.0.0.1:8/v1", True),
        ("http://models.example.com/v1", False),
    ],
)
def test_the_key_for_all_goes_nowhere_in_the_clear(
    url: str, sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    (probe,) = read_tiers(None, [f"x={url}"]).probes(None)
    assert isinstance(probe, ModelProbe)
    assert (probe._endpoint.place.key == KEY) is sent


@pytest.mark.parametrize(
    ("models", "harnesses", "why"),
    [
        (["http://h/v1"], [], "Write it as NAME=URL"),
        (["a b=http://h/v1"], [], "is no name"),
        (["x=http://h/v1", "x=http://i/v1"], [], "is named twice"),
        (["x=http://me:secret@h/v1"], [], "holds a password"),
        (["x=file:///etc"], [], "is no address of http or https"),
        ([], ["x="], "Write it as NAME=COMMAND"),
        ([], ["x=echo 'open"], "has no command that can be run"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(
    models: list[str], harnesses: list[str], why: str
) -> None:
    with pytest.raises(SettingsError, match=why) as caught:
        read_tiers(None, models, harnesses).probes(None)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("models: {x: {}}", r"models\.x\.url: Field required"),
        ("models: {x: {url: 'http://h', heat: 1}}", r"models\.x\.heat: Extra inputs"),
        ("models: {x: {url: 'http://h', repeats: 2}}", "at temperature 0, which repeats"),
        ("models: {x: {url: 'http://h', budget: {money: 1}}}", "money and no prices"),
        ("models: {x: {url: 'http://h', key_variable: NOT_SET_HERE}}", "NOT_SET_HERE is empty"),
        ("harnesses: {x: {command: cat, environment: [NOT_SET_HERE]}}", "NOT_SET_HERE is not set"),
        ("models: [", "is no YAML"),
    ],
)
def test_a_file_is_read_strictly(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "tiers.yaml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=why):
        read_tiers(path).probes(None)


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_tiers(Path("/no/such/file"))


def test_a_harness_speaks_mcp_where_its_command_has_a_place_for_it(tmp_path: Path) -> None:
    path = tmp_path / "tiers.yaml"
    path.write_text("harnesses: {told: {command: agent, speaks: mcp}}")
    tiers = read_tiers(path, harnesses=["seen=agent -p {task}", "lines=agent -p"])
    found = {probe.name: probe for probe in tiers.probes(None) if isinstance(probe, HarnessProbe)}
    spoken = {"harness:told": "mcp", "harness:seen": "mcp", "harness:lines": "lines"}
    assert {name: probe.harness.speaks for name, probe in found.items()} == spoken
    told = tiers.told
    for name, speaks in spoken.items():
        block = told[name]
        assert isinstance(block, dict)
        assert block["speaks"] == speaks


def test_what_speaks_mcp_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validator.tiers.find_spec", lambda name: None)
    with pytest.raises(SettingsError, match="mcp is not installed"):
        read_tiers(None, harnesses=["x=agent {mcp_config}"]).probes(None)
    read_tiers(None, harnesses=["x=agent"]).probes(None)
