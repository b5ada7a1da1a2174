"""The right answers of a run's starts, and all that was shown there."""

from collections.abc import Mapping
from dataclasses import dataclass

from validator.client.reading import StateRead, read
from validator.disclosure import Viewing
from validator.evidence import Evidence
from validator.leaks import found_in, texts
from validator.reference_answers import Place, revealed_answers, survey, winning_answers
from validator.rollouts.needs import Scale
from validator.rollouts.start import VARIANT, Trajectory
from validator.solutions import top_score
from validator.table import Row

MOST_EPISODES = 16
"""Episodes of one start that are searched."""
MOST_STEPS = 30
"""Actions of a recorded episode that are walked again elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The right answer of one start."""

    text: str
    source: str
    """`the manifest`, or what it was learned from."""

    @property
    def declared(self) -> bool:
        return self.source == "the manifest"


def known_answers(evidence: Evidence) -> tuple[dict[Place, Known], dict[Place, Viewing]]:
    """Return the answer of each start that has one, and what was shown on those starts.

    Where episodes do not repeat, an answer learned from one says nothing of another: only
    declared ones are known.
    """
    by_place = _by_place(evidence)
    known = _declared(evidence, by_place)
    if not evidence.unrepeatable:
        for place, answer in {**_revealed(evidence, by_place), **_won(evidence, by_place)}.items():
            known.setdefault(place, answer)
    views = {place: _viewing(evidence, by_place[place]) for place in known}
    return known, views


def looks_again(evidence: Evidence, scale: Scale) -> tuple[Trajectory, ...]:
    """Return walks on the starts with declared answers that show what play there shows.

    One takes the actions of the longest blind episode; one calls each tool that was called.
    """
    rows = sorted(evidence.scored(evidence.probes("blind")), key=lambda row: -row.steps)[:20]
    if not scale.looks or not rows or rows[0].steps < 2:
        return ()
    longest = evidence.actions(rows[0])[:MOST_STEPS]
    tools = survey([(evidence.actions(row), [code == 1 for code in row.dones]) for row in rows])
    return tuple(
        Trajectory(id=f"{walk.id}{VARIANT}{name}", start=walk.start, actions=actions)
        for walk in scale.looks
        for name, actions in (("longest", longest), ("tools", tools))
        if actions
    )


def states_that_show(evidence: Evidence, known: Mapping[Place, Known]) -> str:
    """Return how many answers the state route showed, in words; nothing where it showed none."""
    shown: set[Place] = set()
    for row in evidence.table.rows:
        place = (row.key.task, row.key.seed)
        if row.key.condition != "watched" or place not in known:
            continue
        for frame in evidence.table.frames(row):
            reading = read(frame.text) if frame.way == "received" else None
            if isinstance(reading, StateRead):
                text = "\n".join(texts(reading.state))
                if found_in(known[place].text, text):
                    shown.add(place)
    return f"{len(shown)} of them" if shown else ""


def _by_place(evidence: Evidence) -> dict[Place, list[Row]]:
    found: dict[Place, list[Row]] = {}
    for row in evidence.table.rows:
        if row.started:
            found.setdefault((row.key.task, row.key.seed), []).append(row)
    return found


def _declared(evidence: Evidence, by_place: Mapping[Place, list[Row]]) -> dict[Place, Known]:
    known: dict[Place, Known] = {}
    for place, rows in by_place.items():
        reset = evidence.reset_of(rows[0]) if evidence.declared.answers else {}
        for answer in evidence.declared.answers:
            if answer.fits(reset):
                known[place] = Known(text=answer.text, source="the manifest")
                break
    return known


def _won(evidence: Evidence, by_place: Mapping[Place, list[Row]]) -> dict[Place, Known]:
    top = top_score(evidence)
    if top is None:
        return {}
    last = {}
    for place, rows in by_place.items():
        won = [r for r in rows if r.score is not None and r.score >= top and r.ended == "done"]
        if won and (actions := evidence.actions(won[0])):
            last[place] = actions[-1]
    return {
        place: Known(text=text, source="the action that won")
        for place, text in winning_answers(last).items()
    }


def _revealed(evidence: Evidence, by_place: Mapping[Place, list[Row]]) -> dict[Place, Known]:
    known: dict[Place, Known] = {}
    for place, rows in by_place.items():
        for row in [row for row in rows if row.ended == "done" and row.steps][:2]:
            trace = evidence.trace(row)
            first, final = trace[0].get("observation"), trace[-1].get("observation")
            for text in revealed_answers(first, final):
                known.setdefault(place, Known(text=text, source="the last observation"))
    return known


def _viewing(evidence: Evidence, rows: list[Row]) -> Viewing:
    """Return what some episodes showed, walks and long ones first."""
    view = Viewing()
    ranked = sorted(rows, key=lambda row: (not row.key.walk, row.key.replay > 0, -row.steps))
    for row in ranked[:MOST_EPISODES]:
        view.add(row, evidence.table.frames(row))
    return view
