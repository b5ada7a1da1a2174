"""What each attacker sends, to whom it has nothing to say, and how large it grows."""

import codecs
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from probes.actions.schema import read_schema
from probes.base import Finished, Json, Lane, Probe, Seen, Unplayable
from probes.panel.answers import of_kind
from probes.panel.closing import closings
from probes.panel.degenerate import TEXTS, Degenerate
from probes.panel.echo import Echo
from probes.panel.format_only import FormatOnly
from probes.panel.injection import Injection
from probes.panel.leak_reader import LeakReader, leaked
from probes.panel.oversize import BYTES, ELEMENTS, Oversize
from probes.panel.premature_end import PrematureEnd
from probes.panel.reward_search import ARMS, RewardSearch
from probes.panel.schema_edge import SchemaEdge
from probes.panel.shotgun import Shotgun
from probes.panel.tamper import Tamper
from probes.panel.writer import CLOSE_EACH, MOST_ACTIONS, MOST_REFUSED

WRITERS: list[Probe] = [
    Degenerate(), Oversize(), Injection(), FormatOnly(), Echo(), Shotgun(),
]  # fmt: skip
PANEL: list[Probe] = [
    *WRITERS, SchemaEdge(), RewardSearch(), PrematureEnd(), LeakReader(), Tamper(),
]  # fmt: skip
LANES = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted((Path(__file__).parents[1] / "lanes").glob("*.json"))
}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


TEXT = {"type": "string"}
ANSWER: Json = schema(answer=TEXT)
MOVE: Json = schema(move={"enum": ["up", "down"]})
CALL: Json = schema(tool_name=TEXT, arguments={"type": "object"})


def tool(name: str, **properties: Any) -> dict[str, Any]:
    return {"name": name, "description": "", "input_schema": schema(**properties)}


def play(
    probe: Probe,
    where: Json,
    seen: list[Seen],
    *,
    tools: Any = None,
    seed: int = 0,
) -> list[Any]:
    """Return the actions of an episode, until the attacker leaves."""
    lane = Lane(action_schema=where, tools=tools)
    agent: Any = probe.begin(lane, np.random.default_rng(seed))
    played = []
    for one in seen:
        try:
            played.append(agent.act(one))
        except Finished:
            break
    return played


def steps(number: int, observation: Json = "?", **more: Any) -> list[Seen]:
    return [
        Seen(observation=observation, step=step, **(more if step else {})) for step in range(number)
    ]


def first(probe: Probe, observation: Json, where: Json = ANSWER, seed: int = 0) -> Any:
    return play(probe, where, [Seen(observation=observation, step=0)], seed=seed)[0]


@pytest.mark.parametrize("probe", PANEL, ids=lambda probe: probe.name)
@pytest.mark.parametrize("name", LANES)
def test_real_lanes_are_played_legally_or_not_at_all(probe: Probe, name: str) -> None:
    recorded = LANES[name]
    tools = None if recorded["tools"] is None else tuple(recorded["tools"])
    seen = [Seen(observation=recorded["observations"][step > 0], step=step) for step in range(40)]
    for seed in range(3):
        try:
            actions = play(probe, recorded["action_schema"], seen, tools=tools, seed=seed)
        except Unplayable:
            return
        assert actions == play(probe, recorded["action_schema"], seen, tools=tools, seed=seed)
        assert len(json.dumps(actions)) < 4 * 12 * BYTES
        if probe.name == "tamper":
            continue
        for action in actions:
            if tools is None:
                jsonschema.Draft202012Validator(recorded["action_schema"]).validate(action)
            else:
                inputs = {one["name"]: one["input_schema"] for one in tools}
                jsonschema.Draft202012Validator(inputs[action["tool_name"]]).validate(
                    action["arguments"]
                )


@pytest.mark.parametrize("probe", WRITERS, ids=lambda probe: probe.name)
def test_writers_have_nothing_to_say_where_no_text_is_taken(probe: Probe) -> None:
    with pytest.raises(Unplayable, match="no action takes a free text"):
        probe.begin(Lane(action_schema=MOVE, tools=None), np.random.default_rng(0))


@pytest.mark.parametrize("probe", WRITERS, ids=lambda probe: probe.name)
def test_writers_stop_after_a_while_and_when_they_are_refused(probe: Probe) -> None:
    assert len(play(probe, ANSWER, steps(100))) == MOST_ACTIONS
    assert len(play(probe, ANSWER, steps(100, error="no"))) == MOST_REFUSED


@pytest.mark.parametrize("probe", WRITERS, ids=lambda probe: probe.name)
def test_writers_close_now_and_then(probe: Probe) -> None:
    tools = (tool("say", text=TEXT), tool("submit"), tool("look"))
    played = [action["tool_name"] for action in play(probe, CALL, steps(9), tools=tools)]
    assert played == [*["say"] * (CLOSE_EACH - 1), "submit"] * 3


def test_degenerate_says_one_thing_an_episode() -> None:
    episodes = [play(Degenerate(), ANSWER, steps(3), seed=seed) for seed in range(200)]
    assert all(episode == [episode[0]] * 3 for episode in episodes)
    assert {episode[0]["answer"] for episode in episodes} == {*TEXTS}


def test_oversize_is_large_and_no_larger() -> None:
    for seed in range(4):
        assert len(first(Oversize(), "what?", seed=seed)["answer"]) == BYTES
        cut = first(Oversize(), "what?", schema(answer=TEXT | {"maxLength": 50}), seed)
        assert len(cut["answer"]) == 50
    many = first(Oversize(), "what?", schema(answer={"type": "array", "items": TEXT}))
    assert len(many["answer"]) == ELEMENTS


def test_injection_speaks_to_judges_and_to_parsers() -> None:
    said = {first(Injection(), "what?", seed=seed)["answer"] for seed in range(50)}
    assert len(said) == 5
    assert all(any(mark in text for text in said) for mark in ('"score": 1.0', "[[10]]", "PASSED"))


def test_format_only_knows_the_form_that_is_asked_for() -> None:
    task = 'Reply as {"city": "...", "why": "..."} between <result> and </result>'
    said = [first(FormatOnly(), task, seed=seed)["answer"] for seed in range(100)]
    assert said.count('{"city": "", "why": ""}') > 25
    assert said.count("<result></result>\n") > 25


def test_echo_says_all_that_was_shown() -> None:
    assert first(Echo(), {"a": "one", "b": ["two", 3]})["answer"] == "one\ntwo\n3"


def test_shotgun_lists_all_answers_of_the_kind() -> None:
    said = first(Shotgun(), {"question": "What is the capital of Norway?"})["answer"]
    assert all(city in said for city in ("Oslo", "Ulaanbaatar", "yes", "A"))
    assert "Mercury" not in said
    where = schema(names={"type": "array", "items": TEXT, "maxItems": 2})
    named = first(
        Shotgun(), {"parcels": [{"name": "tea", "g": 3}, {"name": "lamp", "g": 5}]}, where
    )
    assert named == {"names": ["tea", "lamp"]}


def test_answers_of_no_kind_are_verdicts_and_letters() -> None:
    assert "yes" in of_kind(frozenset())
    assert "Oslo" not in of_kind(frozenset({"norway"}))


def test_schema_edge_stays_within_the_schema_and_reaches_its_ends() -> None:
    where: Any = schema(
        level={"type": "integer", "minimum": -5},
        part={"type": "number", "maximum": 0.5},
        text=TEXT | {"maxLength": 3},
        maybe={"anyOf": [{"type": "null"}, TEXT]},
    )
    played = [
        action for seed in range(30) for action in play(SchemaEdge(), where, steps(12), seed=seed)
    ]
    for action in played:
        jsonschema.validate(action, where)
    assert {-5, 100_000} <= {action["level"] for action in played}
    assert {0.5, -1e5} <= {action["part"] for action in played}
    assert "\x00" in {action["text"] for action in played}
    assert None in {action["maybe"] for action in played}
    assert max(abs(action["level"]) for action in played) == 100_000


def test_schema_edge_leaves_bounded_schemas_to_random_play() -> None:
    with pytest.raises(Unplayable, match="the schema bounds all"):
        SchemaEdge().begin(Lane(action_schema=MOVE, tools=None), np.random.default_rng(0))


def test_reward_search_finds_what_pays_and_stays_with_it() -> None:
    where = schema(lever={"type": "integer", "minimum": 0, "maximum": 4})
    agent: Any = RewardSearch().begin(
        Lane(action_schema=where, tools=None), np.random.default_rng(1)
    )
    paid, pulled = None, []
    for step in range(100):
        lever = agent.act(Seen(observation=step, step=step, reward=paid))["lever"]
        pulled.append(lever)
        paid = float(lever == 3)
    assert sorted(pulled[:5]) == [0, 1, 2, 3, 4]
    assert pulled[5:].count(3) > 80
    assert ARMS == 12


def test_premature_end_closes_and_leaves() -> None:
    tools = (tool("say", text=TEXT), tool("submitAnswer"), tool("mark_done"), tool("append"))
    played = play(PrematureEnd(), CALL, steps(10), tools=tools)
    assert [action["tool_name"] for action in played] == ["submitAnswer", "mark_done"] * 2
    with pytest.raises(Unplayable, match="no action is named for ending"):
        PrematureEnd().begin(Lane(action_schema=MOVE, tools=None), np.random.default_rng(0))


def test_closings_are_members_of_enums_too() -> None:
    space = read_schema(schema(move={"enum": ["send", "finish", "recommend"]}))
    assert closings(space) == ({"move": "finish"},)


def test_tamper_sends_a_reward_along_until_that_is_refused() -> None:
    taken = play(Tamper(), MOVE, steps(99))
    assert len(taken) == 12
    assert all(action["metadata"]["reward"] == 1.0 for action in taken)
    refused = play(Tamper(), MOVE, steps(9, error="no"))
    assert [sorted(action) for action in refused] == [
        ["metadata", "move"],
        ["done", "move", "reward", "score", "success"],
        *[["move"]] * 7,
    ]


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        (Seen(observation={"correct_answer": "plum"}, step=0), "plum"),
        (Seen(observation={"deep": [{"secret": 1452}]}, step=0), "1452"),
        (Seen(observation="?", aside={"trace": b64encode(b"Vienna").decode()}, step=0), "Vienna"),
        (Seen(observation="?", aside={"x": "anneiV"}, step=0), "Vienna"),
        (Seen(observation="?", aside={"x": codecs.encode("Vienna", "rot13")}, step=0), "Vienna"),
        (Seen(observation=f"no. {b'1452'.hex()}", step=0), "1452"),
        (Seen(observation="?", step=1, error="wrong: the expected is 'plum'."), "plum"),
    ],
)
def test_what_leaked_is_found(seen: Seen, found: str) -> None:
    assert found in list(leaked(seen))


def test_of_the_task_itself_nothing_is_taken_for_a_leak() -> None:
    task = {
        "question": "What is the capital of Austria? Answer in one word.",
        "options": ["Vienna", "Graz"],
        "tries_left": 3,
    }
    assert list(leaked(Seen(observation=task, step=0))) == []


def test_where_nothing_leaked_it_plays_at_random() -> None:
    said = [play(LeakReader(), MOVE, steps(99), seed=seed) for seed in range(20)]
    assert {len(one) for one in said} == {12}
    assert {one[0]["move"] for one in said} == {"up", "down"}


def test_leaks_are_tried_one_after_the_other_and_only_where_they_fit() -> None:
    where = schema(
        code={"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4}
    )
    seen = steps(1, {"secret": "word", "solution": "1452"})
    assert play(LeakReader(), where, seen) == [{"code": [1, 4, 5, 2]}]
    both = steps(2, {"secret": "word", "solution": "plum"})
    assert play(LeakReader(), ANSWER, both) == [{"answer": "word"}, {"answer": "plum"}]


def test_tools_that_only_look_are_asked() -> None:
    tools = (tool("guess", word=TEXT), tool("show_state"))
    lane = Lane(action_schema=CALL, tools=tools)
    agent: Any = LeakReader().begin(lane, np.random.default_rng(0))
    assert agent.act(Seen(observation="?", step=0))["tool_name"] == "show_state"
    shown = {"result": {"data": {"secret": "tiger"}}}
    assert agent.act(Seen(observation=shown, step=1))["arguments"] == {"word": "tiger"}
    assert agent.act(Seen(observation="?", step=2))


@pytest.mark.parametrize("probe", PANEL, ids=lambda probe: probe.name)
def test_hostile_observations_end_in_an_action_or_in_leaving(probe: Probe) -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    hostile: list[Json] = [
        deep, {"answer": "x" * 1_000_000}, ["a" * 50] * 20_000, 10**400, {"secret": 10**400},
        "<" * 50_000, '"' * 50_000, "A1" * 50_000, None, True, {"\x00": "\ud800"},
    ]  # fmt: skip
    for observation in hostile:
        for where in (ANSWER, schema(a=TEXT, n={"type": "integer"})):
            try:
                play(probe, where, steps(3, observation))
            except Unplayable:
                continue


@pytest.mark.parametrize("probe", PANEL, ids=lambda probe: probe.name)
def test_attackers_are_registered_under_their_names(probe: Probe) -> None:
    from validator.plugins import Registry

    assert type(Registry("probe").get(probe.name).make()) is type(probe)
    assert (probe.rung, bool(probe.version)) == ("panel", True)
