"""What other tools say of the calibration environments, beside what we say.

    python benchmarks/peers.py --peers VENV [CLASS ...]   # prints the table of docs/calibration.md

VENV is a folder with an interpreter that has `learnlens`, `falsepass` and `rl-envdoctor`; the
`openenv` of the suite's server is asked, too. Each tool judges the same served environment, used
as its own documentation says:

- `openenv validate URL`: its verdict.
- `learnlens` judges an agent, not an environment. It is given the author's solver, five episodes
  and no language-model judge: an alarm is a perfect agent that it flags.
- `falsepass` and `rl-envdoctor` judge graders of one text. They are given the environments that
  ask one question and take one text: ten seeds with their right answers, scored over the wire.
  An alarm is what their continuous-integration gates fail on.
- ours: a check that fails, with the policy `author`, as `envassay calibrate` has it.

Any alarm on a faulty environment counts as found, be it for another reason.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SUITE = ROOT / "tests" / "calibration"
OPENENV = ROOT / ".servers" / "openenv-0.10.0" / "bin"
SECONDS = 180
SEEDS = range(10)
EPISODES = 5

Verdict = tuple[bool | None, str]
"""Whether there is an alarm, None where the tool does not apply or broke; and what it says."""


def main() -> int:
    """Ask every tool about every environment and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--peers", type=Path, required=True, help="virtual environment of the tools"
    )
    parser.add_argument(
        "--json", type=Path, help="write every answer there, and ask for none that it has"
    )
    parser.add_argument("--as", dest="tool", choices=sorted(CHILDREN), help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help="classes or class/name; default: all")
    args = parser.parse_args()
    if args.tool:
        found = CHILDREN[args.tool](*args.names)
        sys.stdout.write(json.dumps(found) + "\n")
        return 0
    return compare(args)


def compare(args: argparse.Namespace) -> int:
    """Serve each environment and let each tool judge it."""
    sys.path.insert(0, str(ROOT))
    from tests.calibration.nursery import nursery

    kept = args.json is not None and args.json.exists()
    answers: list[dict[str, Any]] = json.loads(args.json.read_text("utf-8")) if kept else []
    known = {(answer["name"], answer["tool"]) for answer in answers}
    with nursery() as served:
        for name in served.ask({"list": True})["names"]:
            if args.names and not any(name.startswith(want) for want in args.names):
                continue
            labels = labelled(name)
            for tool, judge in judges(args.peers / "bin" / "python", labels).items():
                if (name, tool) in known:
                    continue
                with served.serving(name) as url:
                    began = time.perf_counter()
                    alarm, told = judge(name, url)
                answers.append(
                    {"name": name, "faulty": bool(labels["labels"]["must"]), "tool": tool}
                    | {"alarm": alarm, "told": told, "seconds": time.perf_counter() - began}
                )
                word = {True: "alarm", False: "silent", None: "not applied"}[alarm]
                sys.stderr.write(f"{name} {tool}: {word} {told[:120]}\n")
            if args.json:
                args.json.write_text(json.dumps(answers, indent=1), "utf-8")
    print(table(answers))
    return 0


def labelled(name: str) -> dict[str, Any]:
    """Return the label file of an environment."""
    import yaml

    found: dict[str, Any] = yaml.safe_load((SUITE / f"{name}.yaml").read_text("utf-8"))
    return found


def judges(peers: Path, labels: dict[str, Any]) -> dict[str, Callable[[str, str], Verdict]]:
    """Return each tool as a function of an environment's name and address."""

    def child(tool: str) -> Callable[[str, str], Verdict]:
        def judge(name: str, url: str) -> Verdict:
            solver = solver_of(name, labels)
            if solver is None:
                return None, "no solver is declared"
            command = [str(peers), __file__, "--peers", ".", "--as", tool, url, *solver]
            code, out = run(command)
            try:
                alarm, told = json.loads([line for line in out.splitlines() if line[:1] == "["][-1])
            except (ValueError, IndexError):
                return None, f"broke with {code}: {out.strip()[-200:]}"
            return alarm, told

        return judge

    return {
        "envassay": ours,
        "openenv validate": openenv,
        "learnlens": child("learnlens"),
        "falsepass": child("falsepass"),
        "rl-envdoctor": child("envdoctor"),
    }


def run(command: list[str]) -> tuple[int, str]:
    """Run a command and return its code and output, both streams together."""
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=False
        )
    except subprocess.TimeoutExpired:
        return -1, f"no answer in {SECONDS} s"
    return ended.returncode, ended.stdout + ended.stderr[-2000:]


def solver_of(name: str, labels: dict[str, Any]) -> tuple[str, str, str] | None:
    """Return file and function of the author's solver, and the bottom of the declared range."""
    oracle = (labels["manifest"].get("envassay") or {}).get("oracle") or {}
    if "policy" not in oracle:
        return None
    file, _, function = oracle["policy"].partition(":")
    low, _ = labels["manifest"]["envassay"].get("score_range", (0.0, 1.0))
    return str((SUITE / name).parent.joinpath(file).resolve()), function, str(low)


def ours(name: str, url: str) -> Verdict:
    """Judge as `envassay validate` does, with the author's manifest."""
    labels = labelled(name)
    with tempfile.TemporaryDirectory() as home:
        manifest = SUITE / Path(name).parent / f".peers-{Path(name).name}.yaml"
        report = Path(home) / "report.json"
        try:
            manifest.write_text(json.dumps(labels["manifest"]), "utf-8")
            code, out = run(
                [str(Path(sys.executable).with_name("envassay")), "validate", url, "--no-track"]
                + ["--manifest", str(manifest), "--home", home, "--allow-intrusive", "--quiet"]
                + ["--json", str(report)]
            )
        finally:
            manifest.unlink(missing_ok=True)
        if not report.exists():
            return None, f"broke with {code}: {out[-200:]}"
        results = json.loads(report.read_text("utf-8"))["results"]
    failed = sorted(r["id"] for r in results if r["status"] == "fail" and not r["question"])
    return bool(failed), ", ".join(failed)


def openenv(_: str, url: str) -> Verdict:
    """Ask the reference command."""
    code, out = run([str(OPENENV / "openenv"), "validate", "--url", url, "--json"])
    return code != 0, f"exit code {code}" if code in (0, 1) else out[-200:]


# What follows runs in the interpreter of the tools.


def learnlens(url: str, file: str, function: str, _: str) -> Verdict:
    """Let the author's solver be judged."""
    from learnlens import LensConfig, LensWrapper

    solve = load(file, function)

    def agent(observation: str) -> str:
        # its variants put a sentence before the observation, which an agent reads past
        seen, _ = json.JSONDecoder().raw_decode(observation[observation.index("{") :])
        return json.dumps(solve(seen, None, 0))

    config = LensConfig(run_reasoning=False)
    report = LensWrapper(env_url=url, config=config).evaluate(agent, n_episodes=EPISODES)
    alarm = bool(report.hack_flagged or report.core_learning_failed)
    return alarm, f"LQS {report.lqs:.2f}, hack index {report.hack_index:.2f}"


def falsepass(url: str, file: str, function: str, low: str) -> Verdict:
    """Probe the grader with known-good and known-bad answers."""
    import asyncio

    from falsepass import probes
    from falsepass.adapter import Adapter
    from falsepass.model import Example, Score
    from falsepass.report import headline
    from falsepass.runner import score_examples

    asked = Asked(url, load(file, function))
    if not asked.cases:
        return None, "takes no single text"

    class OverTheWire:
        async def score(self, example: Any, completion: Any) -> Any:
            if not isinstance(completion, str):
                last = completion[-1] if isinstance(completion, list) and completion else None
                completion = last.get("content") if isinstance(last, dict) else None
                if not isinstance(completion, str):
                    return Score(None, {}, ["no single text"])
            reward, error = asked.score(example.raw, completion)
            return Score(reward, {}, [error] if error else [])

        async def close(self) -> None:
            """Nothing is held open."""

    class Given(Adapter):
        name = "given"

        def render(self, answer: str, example: Any) -> str:
            return answer

        def wrong_answer(self, example: Any) -> str:
            return next(c[2] for c in asked.cases if c[2] != example.answer)

        def equivalent_forms(self, example: Any) -> dict[str, Any]:
            # the environments ask for the answer and nothing else
            return {"surrounding_whitespace": f"\n {example.answer} \n"}

        def shotgun_answers(self, example: Any) -> list[str]:
            return [case[2] for case in asked.cases]

    examples = [
        Example(key=str(seed), prompt=prompt, answer=answer, raw=seed)
        for seed, prompt, answer in asked.cases
    ]
    adapter, loop = Given(), asyncio.new_event_loop()
    results = score_examples(adapter, OverTheWire(), loop, list(probes.PER_EXAMPLE), examples)
    results += score_examples(adapter, OverTheWire(), loop, list(probes.FEW_EXAMPLES), examples[:3])
    probes.mark_same_as_good(results)
    probes.mark_no_control(results, adapter)
    found = headline([result.to_dict() for result in results])
    ceiling, unpaid = found["false_pass_ceiling"] or 0.0, found["false_fail_rate"] or 0.0
    alarm = ceiling - float(low) > 0.1 or unpaid > 0.2
    return alarm, f"ceiling {ceiling:.2f} via {found['false_pass_via']}, false fails {unpaid:.2f}"


def envdoctor(url: str, file: str, function: str, _: str) -> Verdict:
    """Probe the grader with task-blind policies."""
    from envdoctor.checks import run_checks
    from envdoctor.runner import scan
    from envdoctor.targets.function import FunctionTarget
    from envdoctor.types import Case, Severity

    asked = Asked(url, load(file, function))
    if not asked.cases:
        return None, "takes no single text"

    def reward(completion: str, case: Any) -> float:
        paid, error = asked.score(int(case.id), completion)
        if paid is None:
            raise ValueError(error)
        return paid

    cases = [Case(id=str(seed), prompt=prompt, answer=a) for seed, prompt, a in asked.cases]
    report = run_checks(scan(FunctionTarget(reward, cases), n_cases=len(cases)))
    severe = [
        finding.check
        for finding in report.findings
        if Severity.rank(finding.severity) <= Severity.rank(Severity.HIGH)
    ]
    return bool(severe), ", ".join(sorted(set(severe)))


class Asked:
    """An environment that asks one question, behind one session."""

    def __init__(self, url: str, solve: Callable[..., Any]) -> None:
        from openenv.core import GenericEnvClient

        self._client = GenericEnvClient(base_url=url).sync()
        self._client.__enter__()
        self.cases: list[tuple[int, str, str]] = list(self._cases(solve))

    def _cases(self, solve: Callable[..., Any]) -> Iterator[tuple[int, str, str]]:
        for seed in SEEDS:
            seen = self._client.reset(seed=seed).observation
            action = solve(seen, None, 0) if "question" in seen else {}
            if set(action) != {"answer"} or not isinstance(action["answer"], str):
                return
            yield seed, f"{seen['question']} ({seen.get('format', '')})", action["answer"]

    def score(self, seed: int, said: str) -> tuple[float | None, str]:
        """Return the reward of an answer, or why there is none."""
        try:
            self._client.reset(seed=seed)
            result = self._client.step({"answer": said})
        except Exception as fault:
            return None, f"{type(fault).__name__}: {fault}"
        return (None, "no reward") if result.reward is None else (float(result.reward), "")


def load(file: str, function: str) -> Callable[..., Any]:
    """Return the author's solver."""
    import importlib.util

    sys.path.insert(0, str(Path(file).parent))
    spec = importlib.util.spec_from_file_location("solver", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., Any] = getattr(module, function)
    return found


CHILDREN: dict[str, Callable[..., Verdict]] = {
    "learnlens": learnlens,
    "falsepass": falsepass,
    "envdoctor": envdoctor,
}


def table(answers: list[dict[str, Any]]) -> str:
    """Return a row for each tool."""
    lines = [
        "| tool | faulty judged | found | healthy judged | false alarms | did not apply or broke "
        "| median s |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for tool in dict.fromkeys(answer["tool"] for answer in answers):
        rows = [answer for answer in answers if answer["tool"] == tool]
        judged = [row for row in rows if row["alarm"] is not None]
        faulty = [row for row in judged if row["faulty"]]
        healthy = [row for row in judged if not row["faulty"]]
        seconds = sorted(row["seconds"] for row in judged) or [0.0]
        lines.append(
            f"| `{tool}` | {len(faulty)} | {sum(row['alarm'] for row in faulty)} "
            f"| {len(healthy)} | {sum(row['alarm'] for row in healthy)} "
            f"| {len(rows) - len(judged)} | {seconds[len(seconds) // 2]:.1f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
