"""How often the gate changes its mind, and which regressions it catches.

    python benchmarks/gate.py --repeats 50 --folder .gate-benchmark
    python benchmarks/gate.py --table --folder .gate-benchmark

Gates the unchanged world of `gate_world.py` again and again, and once with each regression, all
against one baseline, at `--budget quick` and the default policy. Every gate is a file in the
folder, so that a run that was ended early goes on where it was. Needs `make servers`.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"
MANIFEST = "envassay: {score: sum, score_range: [0.0, 1.0], horizon: 8}\n"
KINDS = (
    "easier range", "harder range", "fewer guesses", "more guesses", "no hints", "leak",
    "pays nobody", "pays everybody", "pays the wrong way", "pays trying", "noisy reward",
    "reward out of range", "absent reward", "seed ignored", "flaky seed", "one task",
    "carried over", "over at once", "never ends", "one session", "slower", "failing resets",
    "failing steps",
)  # fmt: skip


@contextmanager
def served(kind: str) -> Iterator[str]:
    """Serve the world with one regression, or with none, and end it again."""
    child = subprocess.Popen(
        [SERVER, ROOT / "benchmarks" / "gate_world.py", kind], stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        yield f"http://127.0.0.1:{child.stdout.readline().strip()}"
    finally:
        child.terminate()
        child.wait(10)


def gate(url: str, file: Path, folder: Path, baseline: Path | None) -> None:
    """Gate one served world and keep the judged report."""
    words = ["gate", url, "--budget", "quick", "--no-track", "--quiet", "--json", str(file)]
    words += ["--home", str(folder / "home"), "--manifest", str(folder / "envassay.yaml")]
    words += ["--baseline", str(baseline)] if baseline else []
    code = "from validator.cli.main import main; raise SystemExit(main())"
    ended = subprocess.run([sys.executable, "-c", code, *words], check=False, capture_output=True)
    if ended.returncode not in (0, 1):
        file.write_text(json.dumps({"broke": ended.returncode, "said": ended.stderr.decode()}))


def play(folder: Path, repeats: int) -> None:
    """Run what is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "envassay.yaml").write_text(MANIFEST)
    baseline = folder / "baseline.json"
    runs = [("none", baseline)]
    unchanged = [("none", folder / f"unchanged-{number:02}.json") for number in range(repeats)]
    regressed = [(kind, folder / f"{kind.replace(' ', '-')}.json") for kind in KINDS]
    while unchanged or regressed:  # in turns, so that what is there early tells of both
        runs += regressed[:2] + unchanged[:1]
        unchanged, regressed = unchanged[1:], regressed[2:]
    for kind, file in runs:
        if not file.exists():
            with served(kind) as url:
                gate(url, file, folder, None if file == baseline else baseline)
            print(kind, said_of(file), flush=True)


def said_of(file: Path) -> str:
    """Return the verdict in a file."""
    found = json.loads(file.read_text("utf-8"))
    return f"exit {found['broke']}" if "broke" in found else str(found["verdict"]["status"])


def table(folder: Path) -> None:
    """Print what the files say."""
    unchanged = Counter(said_of(file) for file in sorted(folder.glob("unchanged-*.json")))
    total, usual = sum(unchanged.values()), max(unchanged.values(), default=0)
    verdicts = ", ".join(f"{status} {count}" for status, count in sorted(unchanged.items()))
    print(f"unchanged: {verdicts}; {total - usual} of {total} flipped\n")
    print("| regression | verdict | worse than the baseline |\n| --- | --- | --- |")
    refused = warned = seen = 0
    for kind in KINDS:
        file = folder / f"{kind.replace(' ', '-')}.json"
        if not file.exists():
            continue
        seen += 1
        found = json.loads(file.read_text("utf-8"))
        lines = [
            rule["name"]
            for rule in found.get("verdict", {}).get("rules", [])
            if rule["kind"] == "baseline" and rule["status"] == "fail"
        ]
        if said_of(file) not in ("pass", "warn"):
            refused += 1
        elif lines:
            warned += 1
        print(f"| {kind} | {said_of(file)} | {', '.join(lines)} |")
    print(f"\n{refused + warned} of {seen} named as worse, {refused} of them refused")


def main() -> None:
    """Play what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--folder", type=Path, default=ROOT / ".gate-benchmark")
    parser.add_argument("--table", action="store_true", help="only print what is there")
    args = parser.parse_args()
    if not args.table:
        play(args.folder, args.repeats)
    table(args.folder)


if __name__ == "__main__":
    main()
