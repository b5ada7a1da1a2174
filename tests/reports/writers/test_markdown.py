"""The comment on a pull request: what failed first, nothing of the environment in force."""

import re

import pytest
from markdown_it import MarkdownIt

from reports.lines import reason_of
from reports.model import Report, Rule
from reports.writers.markdown import Markdown
from tests.reports.builders import (
    HOSTILE,
    check,
    everything,
    hostile,
    left_open,
    pays_for_nothing,
    worth_training,
)

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def rows(text: str, first: str) -> list[list[str]]:
    """Return the cells of the table whose header starts with `first`."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"| {first} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return found


def test_the_verdict_and_what_to_do_come_first() -> None:
    lines = Markdown().write(pays_for_nothing()).splitlines()
    assert lines[0] == "## ❌ FAIL: quiz"
    assert lines[2] == "`http://127.0.0.1:8002`: not worth training on as it is."
    assert lines[8] == "**Next.** Fix the grader: Pay nothing for an empty answer. (1 more to fix)"


def test_failed_and_open_checks_are_listed_and_passed_ones_counted() -> None:
    text = Markdown().write(left_open())
    assert [row[:2] for row in rows(text, "check")] == [
        ["`episode.start_variety`", "open question"],
        ["`semantic.verifier_determinism`", "check broke"],
        ["`runtime.seed_control`", "not decided"],
    ]
    assert "0 of 3 checks passed." in text


def test_numbers_have_interval_n_and_method_or_a_reason() -> None:
    assert rows(Markdown().write(pays_for_nothing()), "number")[0][:4] == [
        "**signal**", "0.02 \\[0.00, 0.13\\]", "n = 40 tasks", "Wilson score",
    ]  # fmt: skip
    assert rows(Markdown().write(left_open()), "number")[2][1] == (
        "undefined: no probe solved a task"
    )


def test_the_ladder_has_a_row_for_each_probe() -> None:
    ladder = rows(Markdown().write(left_open()), "probe")
    assert [row[0] for row in ladder] == ["**noop**", "**random**"]
    assert ladder[1][2] == "undefined: no episode was scored"


@pytest.mark.parametrize("report", everything(), ids=lambda report: report.target.url)
def test_its_only_html_is_our_own(report: Report) -> None:
    tokens = PARSER.parse(Markdown().write(report))
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    ours = r"<details>\n<summary>[\w.:& ]+</summary>|</details>"
    assert all(re.fullmatch(ours, block) for block in blocks)
    inline = [child.type for token in tokens for child in token.children or ()]
    assert not {"link_open", "image", "html_inline", "em_open", "s_open"} & set(inline)


def test_hostile_text_is_shown_and_changes_no_table() -> None:
    text = Markdown().write(hostile())
    html = PARSER.render(text)
    assert "<img" not in html
    assert "<script" not in html
    assert "@everyone" not in re.sub(r"<(code).*?</\1>", "", html, flags=re.DOTALL)
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    header, *body = re.findall(
        r"<tr>(.*?)</tr>", html.partition("<table>")[2].partition("</table>")[0], re.DOTALL
    )
    assert {row.count("<td>") for row in body} == {header.count("<th>")}


def test_a_huge_text_does_not_make_a_huge_comment() -> None:
    target = hostile().target.model_copy(update={"name": HOSTILE * 5000})
    text = Markdown().write(hostile().model_copy(update={"target": target}))
    assert len(text) < 60_000, "a comment holds 65,536 characters"


def test_what_does_not_fit_is_counted_and_the_verdict_stays() -> None:
    report = hostile().model_copy(
        update={
            "results": [
                result.model_copy(update={"findings": result.findings * 3})
                for result in hostile().results * 40
            ],
        }
    )
    text = Markdown().write(report)
    assert len(text) < 65_536
    assert text.startswith("## ❌ FAIL")
    assert text.endswith("more are in the report: too long for a comment.\n")


def test_many_reasons_are_counted() -> None:
    verdict = hostile().verdict.model_copy(update={"reasons": ["why"] * 25})
    text = Markdown().write(hostile().model_copy(update={"verdict": verdict}))
    assert text.count("- why\n") == 20
    assert "- and 5 more\n" in text


def test_rules_that_do_not_hold_and_waivers_are_told() -> None:
    rules = [
        Rule(kind="threshold", name="headline/signal >= 0.2", severity="fail", status="fail",
             reason="0.1 | too little"),
        Rule(kind="baseline", name="latency", severity="warn", status="fail", reason="slower"),
        Rule(kind="baseline", name="shown", severity="warn", status="skip", reason="?",
             needed="more"),
        Rule(kind="declaration", name="envassay.noop", severity="fail", status="pass", reason="is"),
        Rule(kind="waiver", name="latency", severity="advisory", status="pass", reason="moves"),
    ]  # fmt: skip
    report = worth_training()
    verdict = report.verdict.model_copy(
        update={"status": "fail", "rules": rules, "reasons": [reason_of(rules[0])]}
    )
    text = Markdown().write(report.model_copy(update={"verdict": verdict}))
    assert [row[:3] for row in rows(text, "rule")] == [
        ["`threshold headline/signal >= 0.2`", "fails (blocking)", "0.1 \\| too little"],
        ["`baseline latency`", "waived", "slower"],
        ["`baseline shown`", "not decided", "?"],
        ["`waiver latency`", "is put up with", "moves"],
    ]
    assert "**Next.** Fix first: threshold headline/signal" in text


def test_open_questions_that_change_nothing_are_folded() -> None:
    results = [check("runtime.startup", "skip"), check("a.b", "skip", "advisory")]
    text = Markdown().write(worth_training().model_copy(update={"results": results}))
    before, _, folded = text.partition("<summary>1 open question that changed nothing</summary>")
    assert "`runtime.startup` | not decided" in before
    assert "`a.b`" not in before
    assert "`a.b` | not decided" in folded
