"""What a server says of itself or shows otherwise than in an earlier report, under one version."""

from reports.model import Account, Report, Rule, Severity
from validator.policy.baseline_line import compared


def version_rule(now: Account, then: Report, severity: Severity) -> Rule:
    """Compare what the server says of itself."""
    one, other = then.target, now.target
    if one.fingerprint == other.fingerprint:
        return compared("version", severity, "pass", "it says of itself what it said")
    parts = sorted(
        name
        for name in one.parts.keys() | other.parts.keys()
        if one.parts.get(name) != other.parts.get(name)
    )
    what = ", ".join(parts) or "what it says of itself"
    if one.name != other.name:
        what = f"the baseline is of {one.name!r:.60}, this is {other.name!r:.60}: {what}"
    if one.version != other.version:
        versions = f"{one.version!r:.60} then, {other.version!r:.60} now"
        return compared("version", severity, "pass", f"{what} changed, and the version: {versions}")
    named = (
        f"the version is still {other.version!r:.60}" if other.version else "no version is named"
    )
    return compared("version", severity, "fail", f"{what} changed, and {named}")


def shown_rule(now: Account, then: Report, severity: Severity, *, told_same: bool) -> Rule:
    """Compare what equal starts show: a text that now holds the answer moves no score by itself.

    Scripts are compared only where both runs were told the same, so that their actions are equal.
    """
    earlier = {one.start: one for one in then.shown}
    pairs = [(one, earlier[one.start]) for one in now.shown if one.start in earlier]
    if not pairs or now.settings.seed != then.settings.seed:
        reason = "no start that shows the same each time is in both runs"
        return compared("shown", severity, "skip", reason, "a baseline of this version of envassay")
    firsts = [one.start for one, old in pairs if one.first != old.first]
    scripts = [
        one.start
        for one, old in pairs
        if told_same and one.script and old.script and one.script != old.script
    ]
    if not firsts and not scripts:
        return compared("shown", severity, "pass", f"{len(pairs)} starts show what they showed")
    what = (
        f"{len(firsts)} of {len(pairs)} starts show something else, {firsts[0]} among them"
        if firsts
        else f"the same actions are answered otherwise on {len(scripts)} of {len(pairs)} starts, "
        f"{scripts[0]} among them"
    )
    one, other = then.target.version, now.target.version
    if one != other:
        versions = f"{one!r:.60} then, {other!r:.60} now"
        return compared(
            "shown", severity, "pass", f"{what}, and the version is another: {versions}"
        )
    named = f"the version is still {other!r:.60}" if other else "no version is named"
    return compared("shown", severity, "fail", f"{what}, and {named}")
