"""How often the gate changes its mind on environments of the calibration suite.

    python benchmarks/flips.py --spread 12 --repeats 10 --to flips.jsonl
    python benchmarks/flips.py --only-table --to flips.jsonl

Gates each of them again and again, at `--budget quick` and the default policy, with one seed: the
environments spread evenly over the suite's list, healthy and faulty ones. Every verdict is a line
of the file, so that a run which was ended early goes on where it was. A flip is a verdict that is
not the one which its environment has most often. Needs `make servers`.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from validator.calibration import Labelled
from validator.cli import calibrate
from validator.cli.interpreter import openenv_python, server_log
from validator.cli.road import validate_and_file


def spread(names: Sequence[str], count: int) -> list[str]:
    """Return so many of the names, evenly spread over their order."""
    return [names[place * len(names) // count] for place in range(min(count, len(names)))]


def read(path: Path) -> list[dict[str, Any]]:
    """Return the verdicts that are there."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def gated(args: argparse.Namespace, there: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a verdict for each gate that is not there yet, one of each environment in turn."""
    done = {(one["name"], one["number"]) for one in there}
    suite = calibrate._suite(None)
    python = openenv_python(args.python, suite.resolve().parents[1])
    with server_log(args.home) as log, calibrate._served(python, suite, log) as ask:
        names = args.names or spread(ask({"list": True})["names"], args.spread)
        chosen = calibrate._chosen(suite, names, names)
        for number in range(args.repeats):
            for labelled in chosen:
                if (labelled.name, number) not in done:
                    yield _verdict(args, labelled, ask) | {"number": number}


def _verdict(args: argparse.Namespace, labelled: Labelled, ask: Any) -> dict[str, Any]:
    with calibrate._started(labelled.name, ask) as url:
        report = validate_and_file(args, url, declared=labelled.manifest, track=False).report
    return {
        "name": labelled.name,
        "status": report.verdict.status,
        "reasons": report.verdict.reasons,
        "answers": {result.id: result.status for result in report.results},
        "seconds": report.times.seconds,
    }


def table(found: Sequence[dict[str, Any]]) -> str:
    """Return the table that the docs hold, and what differs where a verdict flipped."""
    lines = ["| environment | gates | verdicts | flips |", "|---|---:|---|---:|"]
    notes: list[str] = []
    flips = 0
    for name in dict.fromkeys(one["name"] for one in found):
        gates = [one for one in found if one["name"] == name]
        tally = Counter(one["status"] for one in gates)
        usual = tally.most_common(1)[0][0]
        other = [one for one in gates if one["status"] != usual]
        flips += len(other)
        verdicts = ", ".join(f"{status} {count}" for status, count in tally.most_common())
        lines.append(f"| {name} | {len(gates)} | {verdicts} | {len(other)} |")
        notes += [f"{name} {one['number']}: {'; '.join(one['reasons'])[:600]}" for one in other]
        notes += _restless(name, gates)
    share = 1 - flips / len(found) if found else 1.0
    lines += ["", f"{len(found)} gates, {flips} flipped: {share:.1%} as usual", "", *notes]
    return "\n".join(lines) + "\n"


def _restless(name: str, gates: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the checks whose answer was not the same in all gates of an environment."""
    for check in gates[0]["answers"]:
        tally = Counter(one["answers"].get(check, "none") for one in gates)
        if len(tally) > 1:
            yield f"{name} {check}: {dict(tally)}"


def main() -> None:
    """Gate what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    calibrate.add(parser)
    parser.add_argument("--spread", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--to", type=Path, required=True)
    parser.set_defaults(budget="quick")
    parser.add_argument("--only-table", action="store_true")
    args = parser.parse_args()
    if not args.only_table:
        with TemporaryDirectory() as home, args.to.open("a", encoding="utf-8") as file:
            args.home = Path(home)
            for one in gated(args, read(args.to)):
                file.write(json.dumps(one) + "\n")
                file.flush()
                sys.stderr.write(f"{one['number']} {one['name']} {one['status']}\n")
    sys.stdout.write(table(read(args.to)))


if __name__ == "__main__":
    main()
