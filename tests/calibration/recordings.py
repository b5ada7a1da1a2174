"""Writes what the manifests name: recorded solutions and known answers, made from the games.

    .servers/openenv-0.10.0/bin/python tests/calibration/recordings.py [--check]

With `--check` nothing is written, and it fails where a file is not what it would be.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[0] = str(HERE.parents[1])

from tests.calibration.games import files, hotel, kitchen, question, words  # noqa: E402
from tests.calibration.games.mail import Mail  # noqa: E402
from tests.calibration.games.question_oracle import CAPITALS, answer_of  # noqa: E402
from tests.calibration.games.safe import Safe  # noqa: E402
from tests.calibration.games.ticket import IDS  # noqa: E402
from tests.calibration.games.ticket_oracle import TICKETS  # noqa: E402

SEEDS = range(16)
Line = dict[str, Any]


def recorded() -> dict[str, list[Line]]:
    """Return the lines of each file by its name."""
    tables = {
        "capitals": question.Question,
        "fractions": question.Fractions,
        "sums": question.Sums,
        "passages": question.Passages,
    }
    made: dict[str, list[Line]] = {
        "files_oracle": [
            {"reset": {"seed": seed, "task": task}, "actions": files.solution(seed, task)}
            for task in range(len(files.JOBS))
            for seed in range(3)
        ],
        "hotel_oracle": [
            {"reset": {"seed": seed}, "actions": hotel.solution(seed)} for seed in SEEDS
        ],
        "kitchen_oracle": [
            {"reset": {"seed": seed}, "actions": kitchen.solution(seed)} for seed in SEEDS
        ],
        "wordtools_oracle": [
            {"reset": {"seed": seed}, "actions": words.solution(seed)} for seed in SEEDS
        ],
        "truths_answers": [
            {"reset": {"split": "train", "index": n}, "answer": "yes" if n % 2 else "no"}
            for n in range(len(CAPITALS))
        ],
        "ticket_answers": [
            {"reset": {"ticket": name}, "answer": queue}
            for name, (_, queue, _) in zip(IDS, TICKETS, strict=True)
        ],
        "words_answers": list(_answers(words.WordGame, "secret")),
        "mail_answers": list(_answers(Mail, "order")),
        "safe_answers": [
            line | {"answer": "".join(map(str, line["answer"]))}
            for line in _answers(Safe, "secret")
        ],
    }
    return made | {
        f"{name}_answers": [
            {"reset": {"split": "train", "index": index}, "answer": answer_of(asked)}
            for index, asked in enumerate(table.questions)
        ]
        for name, table in tables.items()
    }


def _answers(game: type[Any], attribute: str) -> Iterator[Line]:
    """Yield what an attribute of the game holds after a reset with each seed."""
    for seed in SEEDS:
        played = game()
        played.reset(seed=seed)
        yield {"reset": {"seed": seed}, "answer": getattr(played, attribute)}


def main() -> int:
    """Write the files, or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for name, lines in recorded().items():
        path = HERE / "games" / f"{name}.jsonl"
        text = "".join(json.dumps(line) + "\n" for line in lines)
        if not check:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            stale.append(path.name)
    sys.stderr.writelines(f"stale: {name}\n" for name in stale)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
