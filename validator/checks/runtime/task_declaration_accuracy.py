"""Are the tasks that are declared and listed the tasks that there are?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.task_resets import SEEDS, TRIES, TaskResets
from validator.episodes import Failed
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops
from validator.table import Row

DECLARE = "`tasks: {select: {task_id: '{task}'}, count: 20}` in the manifest, or task routes"
Fact = Mapping[str, Any]


class TaskDeclarationAccuracy:
    """RFC 008 #35, and each listed task tried: declared counts, served counts, resets.

    A task that nothing lists should be refused. One that is answered with the default start is a
    failure; numbers that go round at the end of the list are a question, which `count: unbounded`
    settles.
    """

    id: ClassVar[str] = "runtime.task_declaration_accuracy"
    title: ClassVar[str] = "Are the tasks that are declared the tasks that there are?"
    stops: ClassVar[Stops] = Fault(rate=0.05)
    drills: ClassVar[tuple[type[Drill], ...]] = (TaskResets,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="null", starts=scale.starts), Need(rung="blind", starts=scale.starts))

    def decide(self, evidence: Evidence) -> CheckResult:
        findings = list(_counts(evidence))
        record = evidence.drills.get(TaskResets.name)
        listed: Sequence[Fact] = record.facts.get("listed", ()) if record else ()  # type: ignore[assignment]
        unlisted: Sequence[Fact] = record.facts.get("unlisted", ()) if record else ()  # type: ignore[assignment]
        measured: Measured = {}
        listed = listed or _begun(evidence)
        refused = [task for task in listed if task["refusal"]]
        if len(refused) < len(listed):
            share = proportion(len(listed) - len(refused), len(listed))
            measured = {"listed_tasks_served": (share, "listed tasks")}
            findings += [_not_there(task) for task in refused[:3]]
        silent = [task for task in unlisted if task["same_as"]]
        round_about = _goes_round(silent)
        if silent and not round_about:
            findings.append(_silent(silent[0]))
        if findings:
            return failed(self, findings[0].claim, findings=findings[:5], measured=measured)
        if round_about:
            return failed(
                self,
                "numbers past the end of the list begin at its start again",
                findings=[_silent(task) for task in silent[:1]],
                measured=measured,
                question=True,
            )
        return self._undecided_or_passed(evidence, listed, unlisted, measured)

    def _undecided_or_passed(
        self,
        evidence: Evidence,
        listed: Sequence[Fact],
        unlisted: Sequence[Fact],
        measured: Measured,
    ) -> CheckResult:
        if measured:
            wrong = sum(bool(task["refusal"]) for task in unlisted)
            told = (
                f"; {wrong} of {len(unlisted)} that are not there are refused" if unlisted else ""
            )
            return passed(
                self, f"{len(listed)} of {len(listed)} listed tasks are served{told}",
                measured=measured,
            )  # fmt: skip
        if listed:
            return skipped(
                self, "no listed task could be begun", needed="an environment that resets"
            )
        if _declared(evidence) and evidence.about.tasks is not None:
            return passed(self, "the splits and their numbers of tasks are as declared")
        return skipped(self, "no task is declared, and none is listed", needed=DECLARE)


def _begun(evidence: Evidence) -> list[Fact]:
    """Return what resets to each task gave in the episodes, where the exercise never came."""
    tasks: dict[str, list[Row]] = {}
    for row in evidence.table.rows:
        if row.key.task != "-" and not row.key.walk:
            tasks.setdefault(row.key.task, []).append(row)
    return [
        {"id": name, "refusal": _refusal(rows)}
        for name, rows in tasks.items()
        if len(rows) >= TRIES or any(row.started for row in rows)
    ]


def _refusal(rows: Sequence[Row]) -> str:
    """Return the words with which every reset was refused; nothing where one succeeded."""
    why = rows[-1].outcome
    refused = isinstance(why, Failed) and why.boundary == "error"
    return why.why if refused and not any(row.started for row in rows) else ""  # type: ignore[union-attr]


def _declared(evidence: Evidence) -> Mapping[str, int]:
    block = evidence.manifest.validation
    capabilities = block.capabilities if block else None
    return capabilities.declared_task_count if capabilities else {}


def _counts(evidence: Evidence) -> Iterator[Finding]:
    declared, served = _declared(evidence), evidence.about.tasks
    if served is None:
        block = evidence.manifest.validation
        if block and block.capabilities and block.capabilities.task_api:
            yield _finding(
                "a task list is declared, and the server has none",
                "no usable answer from the task routes",
                "the splits and their tasks",
            )
        return
    if not declared:
        return
    if declared.keys() != served.counts.keys():
        yield _finding(
            "other splits are declared than are listed",
            f"{_many(served.counts)} listed",
            f"{_many(declared)}, as declared",
        )
    for split, count in declared.items():
        found = served.counts.get(split)
        if found is not None and found != count:
            yield _finding(
                "another number of tasks is declared than is listed",
                f"{found} tasks of {split} listed",
                f"{count}, as declared",
            )


def _goes_round(silent: Sequence[Fact]) -> bool:
    """Say whether numbers past the end are answered as different listed tasks."""
    same = [task["same_as"] for task in silent if task["numbered"]]
    return len(silent) == len(same) > 1 and "-" not in same and len(set(same)) == len(same)


def _many(names: Mapping[str, object]) -> str:
    return ", ".join(f"{name!r:.40}" for name in list(names)[:8]) or "none"


def _not_there(task: Fact) -> Finding:
    return _finding(
        "a task is listed, and cannot be had",
        f"every reset to it is refused: {task['refusal']}",
        "a start of that task, as of the others",
        where=f"task {task['id']}",
        reproduce="reset with the arguments of that task, and of another",
    )


def _silent(task: Fact) -> Finding:
    as_what = (
        "the start that a reset without a task gives"
        if task["same_as"] == "-"
        else f"the start of task {task['same_as']}"
    )
    return _finding(
        "a task that is not there is answered with another",
        f"{as_what}, under seeds {SEEDS[0]} and {SEEDS[1]}",
        "an error",
        where=f"task {task['id']}",
        reproduce="reset with that task's id, and without one, under one seed",
        do="Refuse a task that is not there: a misspelt one trains on something else. Where there "
        "is no end to them, declare `tasks: {count: unbounded}`.",
    )


def _finding(
    claim: str,
    saw: str,
    expected: str,
    *,
    where: str = "the task routes",
    reproduce: str = "ask the server for its splits and their tasks",
    do: str = "Serve what is declared, or declare what is served, in "
    "`validation.capabilities.declared_task_count` or `tasks`.",
) -> Finding:
    return Finding(claim=claim, saw=saw, expected=expected, where=where, reproduce=reproduce, do=do)
