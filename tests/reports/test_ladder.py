"""The ladder is shown weakest rung first, and of the attackers only the best."""

from reports import words
from tests.reports.builders import rung, share, undefined, worth_training


def test_the_ladder_is_by_rung_with_the_best_attacker_beside_it() -> None:
    nothing = undefined("no episode was scored")
    report = worth_training().model_copy(
        update={
            "ladder": [
                rung("shotgun", "panel", share(0.2, 0.0, 0.4), nothing),
                rung("mine", "model", share(0.6, 0.5, 0.7), nothing),
                rung("echo", "panel", nothing, nothing),
                rung("random", "blind", share(0.1, 0.0, 0.3), nothing),
                rung("words", "blind", nothing, nothing),
                rung("tamper", "panel", share(0.3, 0.1, 0.5), nothing),
                rung("noop", "null", nothing, nothing),
            ],
            "ledger": worth_training().ledger.model_copy(
                update={"unplayable": {"words": "no text", "echo": "no text"}}
            ),
        }
    )
    assert [(rung.probe, kind) for rung, kind in words.ladder(report)] == [
        ("noop", "null"),
        ("random", "blind"),
        ("mine", "model"),
        ("tamper", "best of 2 attackers"),
    ]
    assert words.unplayed(report.ledger) == "words, echo: no text"
