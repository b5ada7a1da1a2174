"""Explains a verdict on a terminal, one line for each thing that was decided."""

from rich.console import Console
from rich.text import Text

from reports import words
from reports.lines import Effect, effect, lines_of, name_of, to_do, waivers_of
from reports.model import Report
from reports.safe import terminal

ORDER: tuple[Effect, ...] = ("fails", "warns", "open", "noted", "waived", "holds")
INK = {"fails": "bold red", "warns": "yellow", "open": "cyan", "waived": "magenta", "holds": "dim"}


def explain(report: Report, console: Console, *, quiet: bool = False) -> None:
    """Print the verdict, and unless `quiet` every line that it rests on, the worst first."""
    verdict = report.verdict
    named = f"policy {verdict.policy} {verdict.policy_version}"
    _say(
        console,
        f"{verdict.status.upper()}  {report.target.name}  {report.target.url}  {named}",
        "bold",
    )
    if quiet:
        return
    if report.ledger.reused:
        _say(console, f"  reused {words.reuse(report)}", INK["waived"])
    effects = [(effect(line, verdict), line) for line in lines_of(report)]
    for wanted in ORDER:
        for found, line in effects:
            if found == wanted:
                _say(console, f"  {wanted:<6} {name_of(line)}: {line.reason}", INK.get(wanted, ""))
                if wanted in ("fails", "warns", "open") and (todo := to_do(line)):
                    _say(console, f"         {todo}", "")
    for rule in waivers_of(report):
        _say(console, f"  waiver {rule.name}: {rule.reason}", INK["waived"])


def _say(console: Console, text: str, style: str) -> None:
    console.print(Text(terminal(text, 1000), style=style), soft_wrap=True)
