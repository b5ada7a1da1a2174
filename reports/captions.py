"""What each figure shows, in words: for people who do not read plots, under every plot alike.

Numbers are those of the report; text of the environment is not yet safe here.
"""

from collections.abc import Sequence

from reports import numbers
from reports.model import Learning, LoadPoint, Replays, Report, Rung, TaskRow


def ladder(report: Report) -> str:
    """Return which probe earned most, and which that does not look at the task."""
    played = [rung for rung in report.ladder if rung.mean_score.estimate is not None]
    if not played:
        return "No probe was scored."
    best = max(played, key=_earned)
    blind = [rung for rung in played if rung.rung in ("null", "blind")]
    told = f"{best.probe} earned most: {numbers.full(best.mean_score, counted=True)}."
    if blind and (floor := max(blind, key=_earned)) != best:
        shown = numbers.full(floor.mean_score, counted=True)
        told += f" Of the probes that do not look at the task, {floor.probe} did best: {shown}."
    elif blind:
        told += " It does not look at the task."
    return told


def _earned(rung: Rung) -> float:
    assert rung.mean_score.estimate is not None
    return rung.mean_score.estimate


def tasks(rows: Sequence[TaskRow]) -> str:
    """Return how many tasks there are, and which of them nobody or everybody masters."""
    by_task: dict[str, list[float]] = {}
    unscored = set()
    for row in rows:
        by_task.setdefault(row.task, [])
        if row.mean_score.estimate is None:
            unscored.add(row.task)
        else:
            by_task[row.task].append(row.mean_score.estimate)
    known = {task: found for task, found in by_task.items() if found}
    if not known:
        return "Nothing was scored on any task or start."
    flat = [task for task, found in known.items() if len(found) > 1 and max(found) == min(found)]
    told = [f"{numbers.count(len(by_task), 'tasks or starts')}."]
    if flat:
        told.append(f"On {len(flat)} of them every probe earned the same.")
    if unscored:
        told.append(f"On {len(unscored)} some probe got no score: that is no 0.")
    if not flat and not unscored:
        told.append("On each of them probes earned different scores.")
    return " ".join(told)


def signal(report: Report) -> str:
    """Return how the signal grows with the size of the groups."""
    known = [found for found in report.figures.signal_by_group if found.signal.estimate is not None]
    if not known:
        return "The signal was not measured."
    first, last = known[0], known[-1]
    told = (
        f"As {report.figures.signal_probe} plays, groups of {first.group_size} teach in "
        f"{numbers.full(first.signal, counted=True)}"
    )
    if last is not first:
        shown = numbers.full(last.signal, counted=True)
        told += f"; groups of {last.group_size} in {shown}"
    return told + ". Larger groups were not played."


def scores(report: Report) -> str:
    """Return how many different scores were seen."""
    found = report.figures.scores
    if not found:
        return "No episode was scored."
    values = sorted({one.score for one in found})
    counted = sum(one.episodes for one in found)
    if len(values) == 1:
        return f"All {counted:,} scored episodes earned {numbers.number(values[0])}."
    return (
        f"{counted:,} scored episodes, scores from {numbers.number(values[0])} to "
        f"{numbers.number(values[-1])}, {len(values)} different ones as drawn."
    )


def replays(found: Sequence[Replays]) -> str:
    """Return how many exact repetitions agreed, and what the first that did not shows."""
    played = sum(cell.replays for cell in found)
    agreed = sum(cell.agreed for cell in found)
    if not played:
        return "No episode was repeated."
    if agreed == played:
        return f"All {played:,} exact repetitions gave the same episode."
    first = next(cell for cell in found if cell.agreed < cell.replays)
    return (
        f"{agreed:,} of {played:,} exact repetitions gave the same episode. The first that did "
        f"not: {first.start}, {first.condition}, {first.differs or 'no more is known'}."
    )


def curve(probe: str, found: Learning) -> str:
    """Return whether a learner got better."""
    gain = numbers.full(found.improvement, counted=True)
    return (
        f"{probe} learned from {numbers.count(found.episodes, 'episodes')}; it then earned {gain} "
        f"more than one that had learned nothing and played beside it.{_points(found)}"
    )


def _points(found: Learning) -> str:
    """Return what a point of the curve is taken over; it has no interval of its own."""
    steps = [b - a for (a, _), (b, _) in zip([(0, 0.0), *found.curve], found.curve, strict=False)]
    if not steps:
        return ""
    least, most = min(steps), max(steps)
    taken = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f" A point is the mean of {taken} episodes."


def load(found: Sequence[LoadPoint]) -> str:
    """Return how fast one session was alone, and how fast many were at once."""
    if len(found) < 2:
        return "Speed beside others was not measured: no two sessions were timed at once."
    return f"{_load(found[0])} {_load(found[-1])}"


def _load(point: LoadPoint) -> str:
    who = "One session" if point.sessions == 1 else f"{point.sessions} sessions at once"
    return (
        f"{who}: {numbers.short(point.steps_per_second)}, a step in "
        f"{numbers.short(point.step_p50)} in the median."
    )
