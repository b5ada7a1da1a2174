"""Plays a solver of the suite as a harness: lines of JSON in, actions out.

    python tests/calibration/agent.py FILE:FUNCTION

The function is one of (observation, task, step), as an oracle's is. What it earns stands for what a
language model of that strength would: the same in every run, and without a model.
"""

import importlib.util
import json
import sys


def main() -> None:
    """Answer each observation with the solver's action until the episode is over."""
    path, _, function = sys.argv[1].rpartition(":")
    spec = importlib.util.spec_from_file_location("solver", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    solve = getattr(module, function)
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "act":
            action = solve(told["observation"], None, told["step"])
            sys.stdout.write(json.dumps({"action": action}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
