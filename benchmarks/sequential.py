"""Do runs that stop early judge as runs of a fixed size do, and for how many episodes?

    python benchmarks/sequential.py --sample 1

Each environment of the calibration suite is validated twice with one seed: with everything that
its budget's scale asks for (`--fixed`), and with looks at which the run may stop. Printed are the
episodes of both, the verdicts where they differ, and each check whose status does.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from reports.model import Report
from validator.calibration import Labelled, first_of_each, judge
from validator.cli import calibrate
from validator.cli.interpreter import openenv_python, server_log
from validator.cli.road import validate_and_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One environment, judged at a fixed size and sequentially."""

    labelled: Labelled
    fixed: Report
    sequential: Report

    @property
    def ratio(self) -> float:
        return self.sequential.costs.episodes / self.fixed.costs.episodes

    @property
    def same_verdict(self) -> bool:
        return self.fixed.verdict.status == self.sequential.verdict.status

    @property
    def differing(self) -> list[str]:
        """Name the checks that answer otherwise, with both answers."""
        before = {result.id: _answer(result) for result in self.fixed.results}
        return [
            f"{result.id} {before[result.id]} → {_answer(result)}"
            for result in self.sequential.results
            if before[result.id] != _answer(result)
        ]

    @property
    def wrong(self) -> tuple[int, int]:
        """Return how many labels each of the two missed or falsely raised."""
        found = (judge(self.labelled, report, 0.0) for report in (self.fixed, self.sequential))
        fixed, sequential = (len(one.missed) + len(one.alarms) for one in found)
        return fixed, sequential


def _answer(result: Any) -> str:
    return "question" if result.status == "fail" and result.question else str(result.status)


def compared(args: argparse.Namespace) -> Iterator[Pair]:
    """Yield each environment of the sample as it is judged."""
    suite = calibrate._suite(None)
    python = openenv_python(args.python, suite.resolve().parents[1])
    with server_log(args.home) as log, calibrate._served(python, suite, log) as ask:
        names = ask({"list": True})["names"]
        chosen = calibrate._chosen(suite, names, args.names)
        if args.sample:
            chosen = first_of_each(chosen, args.sample)
        for labelled in chosen:
            reports = []
            for fixed in (True, False):
                args.fixed = fixed
                reports.append(_validated(args, labelled, ask))
            yield Pair(labelled=labelled, fixed=reports[0], sequential=reports[1])


def _validated(args: argparse.Namespace, labelled: Labelled, ask: Any) -> Report:
    args.baseline = calibrate._earlier(args, labelled, ask)
    args.twin = None
    with calibrate._started(labelled.name, ask) as url:
        if not labelled.twin:
            return validate_and_file(args, url, declared=labelled.manifest, track=False).report
        with calibrate._started(labelled.twin + calibrate.SECOND, ask) as args.twin:
            return validate_and_file(args, url, declared=labelled.manifest, track=False).report


def table(pairs: Sequence[Pair]) -> str:
    """Return what the docs hold."""
    ratios = [pair.ratio for pair in pairs]
    low, middle, high = quantiles(ratios, n=4, method="inclusive")
    answers = sum(len(pair.fixed.results) for pair in pairs)
    differing = sum(len(pair.differing) for pair in pairs)
    fixed = sum(pair.wrong[0] for pair in pairs)
    sequential = sum(pair.wrong[1] for pair in pairs)
    rows = {
        "environments": f"{len(pairs)}",
        "episodes, share of the fixed size: quartiles": f"{low:.2f}, {middle:.2f}, {high:.2f}",
        "least and most": f"{min(ratios):.2f}, {max(ratios):.2f}",
        "episodes in all, fixed and sequential": f"{sum(p.fixed.costs.episodes for p in pairs):,}, "
        f"{sum(p.sequential.costs.episodes for p in pairs):,}",
        "equal verdicts": f"{sum(pair.same_verdict for pair in pairs)} of {len(pairs)}",
        "equal answers of checks": f"{answers - differing} of {answers}",
        "labels missed or falsely raised, fixed and sequential": f"{fixed}, {sequential}",
    }
    return "\n".join(["| | |", "|---|---:|", *(f"| {k} | {v} |" for k, v in rows.items())]) + "\n"


def main() -> None:
    """Print each environment as it is judged, and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    calibrate.add(parser)
    parser.set_defaults(allow_intrusive=True)
    args = parser.parse_args()
    pairs: list[Pair] = []
    with TemporaryDirectory() as home:
        args.home = Path(home)
        for pair in compared(args):
            pairs.append(pair)
            told = {
                "name": pair.labelled.name,
                "fixed": pair.fixed.costs.episodes,
                "sequential": pair.sequential.costs.episodes,
                "ratio": round(pair.ratio, 3),
                "looks": pair.sequential.spending.episodes if pair.sequential.spending else [],
                "verdicts": [pair.fixed.verdict.status, pair.sequential.verdict.status],
                "differing": pair.differing,
                "wrong": pair.wrong,
                "open": _open(pair.sequential),
            }
            sys.stderr.write(json.dumps(told) + "\n")
            sys.stderr.flush()
    sys.stdout.write(table(pairs))


def _open(report: Report) -> dict[str, int]:
    """Return the checks that went beyond the first look, and how far."""
    if report.spending is None:
        return {}
    severities = {result.id: result.severity for result in report.results}
    return {
        name: spent.look
        for name, spent in report.spending.checks.items()
        if spent.look > 1 and severities.get(name) != "advisory"
    }


if __name__ == "__main__":
    main()
