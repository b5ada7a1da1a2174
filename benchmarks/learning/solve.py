"""Write the solutions that an honest author of each environment would declare.

    .servers/openenv-0.10.0/bin/python -m benchmarks.learning.solve < ROWS

Reads one JSON line: a list of {"id", "family", "world", "told", "seeds"}. Prints a line for each
environment and seed, as a manifest's `oracle.trajectories` has them, with the environment's id:
{"environment", "reset": {"seed"}, "actions"}. Each world solves itself (`World.solution`).
"""

import importlib
import json
import sys
from typing import Any


def solutions(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the solution of each seed of one environment."""
    module = importlib.import_module(f"benchmarks.learning.worlds.{row['family']}")
    world, told = getattr(module, row["world"]), row["told"]
    model, played = world.action(**told), world(**told)
    found = []
    for seed in row["seeds"]:
        actions, over = [], False
        played.reset(seed)
        while not over:
            actions.append(played.solution())
            over = played.step(model(**actions[-1])).done
        found.append({"environment": row["id"], "reset": {"seed": seed}, "actions": actions})
    return found


def main() -> None:
    for row in json.loads(sys.stdin.readline()):
        for line in solutions(row):
            print(json.dumps(line))


if __name__ == "__main__":
    main()
