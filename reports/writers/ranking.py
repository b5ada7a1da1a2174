"""Several environments as one table, best first, for a terminal and for Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import numbers
from reports.safe import markdown as safe_markdown
from reports.safe import terminal as safe_terminal
from reports.standing import VALUE, Standing, rank
from reports.writers.markdown import MARKS, table
from reports.writers.terminal import STYLES

NAME_LENGTH = 24

COLUMNS: tuple[tuple[str, int], ...] = (
    (VALUE, 17),
    ("signal", 17),
    ("floor", 17),
    ("ceiling", 17),
    ("sessions", 16),
    ("cost", 22),
    ("determinism", 17),
)
"""What is shown of each environment and how wide it is, dearest first: as many as fit."""


def show_ranking(standings: Iterable[Standing], console: Console, told: Sequence[str] = ()) -> None:
    """Print the table on a console, as many columns as fit, and why each row stands there.

    What else is `told` comes before it, a line each.
    """
    rows = rank(standings)
    if not rows:
        console.print(Text("No environment was validated yet."))
        return
    before = [*(Text(safe_terminal(line)) for line in told), *([Text()] if told else [])]
    console.print(Group(*before, *_drawn(rows, console.width), Text(), Text(LEGEND, "dim")))


def ranking_in_progress(
    standings: Iterable[Standing], *, width: int, height: int
) -> RenderableType:
    """Return the best rows that fit, without their reasons, to be drawn again and again."""
    rows = rank(standings)
    table_, *_ = _drawn(rows[: max(0, height)], width)
    return Group(table_, Text(f"{len(rows)} ranked", "dim"))


def _drawn(rows: list[Standing], width: int) -> tuple[Table, Text, Table]:
    columns = list(_fitting(width, _measured(rows)))
    shown = _grid(header=True)
    for name in ("", "environment", "verdict", *columns):
        shown.add_column(Text(name.replace("_", " "), "dim"), no_wrap=True)
    reasons = _grid(header=False)
    reasons.add_column(no_wrap=True)
    reasons.add_column(overflow="fold")
    for place, row in enumerate(rows, start=1):
        shown.add_row(
            Text(f"{place:>2}"),
            Text(safe_terminal(row.name or "unnamed"), "bold", overflow="ellipsis"),
            Text(row.verdict.upper(), STYLES[row.verdict]),
            *(Text(safe_terminal(_cell(row, name))) for name in columns),
        )
        reasons.add_row(Text(f"{place:>2}"), Text(safe_terminal(row.reason)))
        reasons.add_row("", Text(safe_terminal(row.advice), "bold"))
    shown.columns[1].max_width = NAME_LENGTH
    return shown, Text(), reasons


def _measured(rows: Iterable[Standing]) -> bool:
    """Say whether what training gains is known of some row."""
    return any(VALUE in row.headline for row in rows)


def _fitting(width: int, measured: bool) -> Iterator[str]:
    left = width - len("99  ") - NAME_LENGTH - len("  PASS   ")
    for name, needed in COLUMNS:
        if name == VALUE and not measured:
            continue
        left -= needed + 2
        if left >= -2:
            yield name


def _grid(*, header: bool) -> Table:
    return Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, show_header=header
    )


def _cell(row: Standing, name: str) -> str:
    match name:
        case "sessions":
            return sessions(row)
        case "cost":
            return cost(row)
        case _:
            found = row.headline.get(name)
            return (
                "not measured" if found is None or found.estimate is None else numbers.short(found)
            )


LEGEND = (
    "Ranked by verdict, then by the lower end of the 95% interval of the training value, where a "
    "learner was among the probes, else of the signal. training value: share of what there is to "
    "earn that training is expected to gain; signal: groups that teach; floor: best score without "
    "looking; ceiling: most there is to earn."
)


def markdown_ranking(standings: Iterable[Standing], told: Sequence[str] = ()) -> str:
    """Return the table as Markdown, with the first reason of each verdict, after what is `told`."""
    ranked = rank(standings)
    columns: tuple[str, ...] = ("signal", "floor", "ceiling", "determinism")
    if _measured(ranked):
        columns = (VALUE, *columns)
    rows = (
        [
            str(place),
            safe_markdown(row.name or "unnamed", 60),
            f"{MARKS[row.verdict]} {row.verdict}",
            *(safe_markdown(_full(row, name)) for name in columns),
            safe_markdown(sessions(row)),
            safe_markdown(cost(row)),
            safe_markdown(row.reason),
        ]
        for place, row in enumerate(ranked, start=1)
    )
    named = (name.replace("_", " ") for name in columns)
    header = ["#", "environment", "verdict", *named, "sessions", "cost", "first reason"]
    before = "".join(f"- {safe_markdown(line.strip(), 2_000)}\n" for line in told)
    return f"{before}\n{table(header, rows)}\n\n{safe_markdown(LEGEND, 500)}\n".lstrip("\n")


def sessions(row: Standing) -> str:
    """Return the sessions served, and whether a group fits."""
    fits = {True: "enough", False: "too few", None: "untested"}[row.serves_group]
    return f"{row.sessions_served}, {fits} for {row.group_size}"


def cost(row: Standing) -> str:
    """Return what the validation spent."""
    return f"{numbers.count(row.episodes, 'episodes')}, {numbers.seconds(row.seconds)}"


def _full(row: Standing, name: str) -> str:
    found = row.headline.get(name)
    return "not measured" if found is None else numbers.full(found)
