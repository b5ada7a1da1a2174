"""Writes the table of `README.md` from the labels.

.venv/bin/python -m tests.calibration.table
"""

from pathlib import Path

from tests.calibration.labels import CLASSES, Labelled, names, read

README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"


def table() -> str:
    """Return the environments as a Markdown table, one row each."""
    every = [read(name) for name in names()]
    order = sorted(every, key=lambda one: (CLASSES.index(one.kind), one.healthy, one.name))
    faulty = sum(not one.healthy for one in every)
    count = f"{len(every)} environments: {faulty} faulty, {len(every) - faulty} look-alikes.\n\n"
    head = "| class | environment | game | what it is | must fail |\n|---|---|---|---|---|\n"
    return count + head + "".join(_row(one) for one in order)


def _row(one: Labelled) -> str:
    must = "<br>".join(f"`{check}`" for check in sorted(one.must)) or "nothing"
    title = one.title.replace("|", "\\|")
    link = f"[{one.name.partition('/')[2]}]({one.name}.py)"
    return f"| {one.kind} | {link} | {one.base} | {title} | {must} |\n"


def written(document: str) -> str:
    """Return the document with the table as it is now."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(written(README.read_text("utf-8")), "utf-8")
