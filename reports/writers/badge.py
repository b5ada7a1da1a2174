"""A badge for a README: the verdict and what it rests on, as one small SVG."""

from typing import ClassVar

from reports import numbers
from reports.markup import element
from reports.model import Report

COLOURS = {"pass": "#00664a", "warn": "#7a4b00", "fail": "#a3200d"}
"""White text has at least 7:1 on each."""
LEFT = "envassay"
CHARACTER, PAD, HEIGHT = 6.6, 7, 20


class Badge:
    """A badge that says the verdict in words, so that no colour is needed."""

    suffix: ClassVar[str] = ".svg"

    def write(self, report: Report) -> str:
        status = report.verdict.status
        signal = report.headline.get("signal")
        said: str = status
        if signal is not None and signal.estimate is not None:
            written = numbers.parts(signal)
            said = f"{status} · signal {written.estimate} {written.interval}".rstrip()
        left, right = (len(part) * CHARACTER + 2 * PAD for part in (LEFT, said))
        width = left + right
        drawn = element(
            "svg",
            element("title", f"{LEFT}: {said}"),
            _box(0, left, "#3a4456"),
            _box(left, right, COLOURS[status]),
            _label(left / 2, LEFT, left - 2 * PAD),
            _label(left + right / 2, said, right - 2 * PAD),
            xmlns="http://www.w3.org/2000/svg",
            width=f"{width:.0f}",
            height=f"{HEIGHT}",
            role="img",
            aria_label=f"{LEFT}: {said}",
        )
        return f"{drawn}\n"


def _box(x: float, width: float, fill: str) -> str:
    return element("rect", x=f"{x:.1f}", width=f"{width:.1f}", height=f"{HEIGHT}", fill=fill)


def _label(x: float, said: str, width: float) -> str:
    return element(
        "text", said, x=f"{x:.1f}", y="14", fill="#ffffff", text_anchor="middle",
        textLength=f"{width:.1f}", lengthAdjust="spacingAndGlyphs", font_size="11",
        font_family="Verdana,DejaVu Sans,sans-serif",
    )  # fmt: skip
