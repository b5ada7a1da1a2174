"""What is new, fixed, no longer decided or otherwise between two reports of one environment."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from reports.model import CheckResult, Measure, Report

State: TypeAlias = Literal["fails", "asks", "open", "passes", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One number of the headline that is no longer the same."""

    name: str
    then: Measure
    now: Measure

    @property
    def surely(self) -> bool:
        """Return whether the intervals lie apart; where one has none, its estimate stands alone."""
        (low, high), (other_low, other_high) = _ends(self.then), _ends(self.now)
        return low > other_high or other_low > high


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a report says otherwise than the one before it."""

    new: tuple[CheckResult, ...]
    """Checks that fail or broke now and did not then, as they are now."""
    fixed: tuple[CheckResult, ...]
    """Checks that failed or broke then and pass now, as they were then."""
    unsettled: tuple[CheckResult, ...]
    """Checks that were decided then and are open now, as they are now."""
    settled: tuple[CheckResult, ...]
    """Checks that were open then and pass now, as they are now."""
    moved: tuple[Moved, ...]
    """Numbers with another estimate, those whose intervals lie apart first."""
    environment: tuple[str, ...]
    """What it says of itself otherwise, a few words each."""
    told: tuple[str, ...]
    """What the validation was told, or was made with, otherwise."""

    @property
    def nothing(self) -> bool:
        """Return whether the two reports say the same."""
        return not any(getattr(self, name) for name in self.__slots__)


def changes(then: Report, now: Report) -> Changes:
    """Return what changed from an earlier report to a later one."""
    before = {result.id: result for result in then.results}
    pairs = [(before.get(result.id), result) for result in now.results]

    def having(was: set[State], became: State) -> list[tuple[CheckResult | None, CheckResult]]:
        return [(a, b) for a, b in pairs if _state(a) in was and _state(b) == became]

    return Changes(
        new=tuple(b for _, b in having({"asks", "open", "passes", "absent"}, "fails")),
        fixed=tuple(a for a, _ in having({"fails"}, "passes") if a is not None),
        unsettled=tuple(b for _, b in having({"fails", "asks", "passes"}, "open")),
        settled=tuple(b for _, b in having({"open"}, "passes")),
        moved=tuple(_moved(then, now)),
        environment=tuple(_of_itself(then, now)),
        told=tuple(_told(then, now)),
    )


def _state(result: CheckResult | None) -> State:
    if result is None:
        return "absent"
    if result.status == "skip":
        return "open"
    if result.status == "pass":
        return "passes"
    return "asks" if result.question else "fails"


def _moved(then: Report, now: Report) -> list[Moved]:
    found = [
        Moved(name=name, then=then.headline[name], now=measure)
        for name, measure in now.headline.items()
        if name in then.headline
    ]
    known = [one for one in found if None not in (one.then.estimate, one.now.estimate)]
    other = [one for one in known if one.then.estimate != one.now.estimate]
    return sorted(other, key=lambda one: not one.surely)


def _of_itself(then: Report, now: Report) -> list[str]:
    one, other = then.target, now.target
    parts = [
        part
        for part in dict.fromkeys([*one.parts, *other.parts])
        if one.parts.get(part) != other.parts.get(part)
    ]
    if one.fingerprint != other.fingerprint and not (one.parts and other.parts):
        parts = ["schema, tools or tasks"]
    version = (
        [f"version {one.version or 'not told'} → {other.version or 'not told'}"]
        if one.version != other.version
        else []
    )
    return [*version, *(f"another {part}" for part in parts)]


def _told(then: Report, now: Report) -> list[str]:
    pairs = {
        "envassay": (then.tool.version, now.tool.version),
        "policy": (_policy(then), _policy(now)),
        **{
            name.replace("_", " "): (getattr(then.settings, name), getattr(now.settings, name))
            for name in ("budget", "seed", "group_size", "max_steps", "score", "success_threshold")
        },
        "declarations": ("as they were", "as they were" if _same_manifest(then, now) else "others"),
    }
    told = [f"{name} {one} → {other}" for name, (one, other) in pairs.items() if one != other]
    before, after = _probes(then), _probes(now)
    for word, names in (("with", after - before), ("without", before - after)):
        if names:
            told.append(f"{word} {', '.join(sorted(names))}")
    return told


def _policy(report: Report) -> str:
    return f"{report.verdict.policy} {report.verdict.policy_version}"


def _probes(report: Report) -> set[str]:
    return {f"{rung.probe} {rung.version}" for rung in report.ladder}


def _same_manifest(then: Report, now: Report) -> bool:
    return then.manifest == now.manifest


def _ends(found: Measure) -> tuple[float, float]:
    assert found.estimate is not None
    low = found.estimate if found.low is None else found.low
    high = found.estimate if found.high is None else found.high
    return low, high
