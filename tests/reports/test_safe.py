"""No text of an environment means anything to the place it is shown in."""

import doctest
import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reports import safe
from tests.reports.builders import HOSTILE

TEXTS = st.text(max_size=80) | st.text(
    alphabet="<>|`*_[](){}#@!$:~&^\\/.-+=%\n\r\t 1ahtpsw\x1b\u202e\u200b", max_size=40
)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(text: str) -> str:
    """Return what a reader of rendered Markdown sees, marks against mentions left out."""
    (line,) = PARSER.parseInline(text)
    assert line.children is not None
    kinds = {token.type for token in line.children}
    assert kinds <= {"text", "text_special"}, kinds
    return "".join(token.content for token in line.children).replace("\u200b", "")


def test_examples_run() -> None:
    assert doctest.testmod(safe).failed == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\x9bb", r"a\x9bb"),
        ("one\r\ntwo", r"one\r\ntwo"),
        ("\u202etxt.exe", r"\u202etxt.exe"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("half\ud800", r"half\ud800"),
        ("\u3164", r"\u3164"),
        ("line\u2028sep", r"line\u2028sep"),
        ("e\u0301\u0302\u0303\u0304", "e\u0301\u0302\u0303\\u0304"),
        ("Grüße, 世界 ✔️", "Grüße, 世界 ✔️"),
        ("مرحبا", "مرحبا"),
    ],
)
def test_unseen_characters_are_spelled_out(text: str, expected: str) -> None:
    assert safe.plain(text) == expected


@given(TEXTS)
def test_plain_text_is_one_line_that_any_file_can_hold(text: str) -> None:
    line = safe.plain(text)
    assert line.splitlines() in ([line], [])
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", line)
    assert safe.plain(line, 10_000) == line
    line.encode("utf-8")


def test_length_is_bounded_and_the_rest_is_counted() -> None:
    assert safe.plain("x" * 1_000_000, 10) == "x" * 10 + "… (999990 more characters)"
    assert len(safe.markdown("*" * 1_000_000)) < 3 * safe.LINE


@given(TEXTS)
@example(HOSTILE)
@example("![x](y) <!-- --> &amp; www.a.b http://a.b a@b.c ~~x~~ __x__ *x*")
@settings(deadline=None)
def test_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    assert shown(f"x {safe.markdown(text, 1000)} x").strip() == f"x {safe.plain(text, 1000)} x"


@given(TEXTS)
@example("- x")
@example("1. x")
@example("# x")
@settings(deadline=None)
def test_markdown_does_not_start_a_block(text: str) -> None:
    kinds = [token.type for token in PARSER.parse(safe.markdown(text.strip() or "x"))]
    assert kinds == ["paragraph_open", "inline", "paragraph_close"]


@given(TEXTS)
@settings(deadline=None)
def test_markdown_stays_in_its_table_cell(text: str) -> None:
    for cell in (safe.markdown(text), safe.code_span(text)):
        html = PARSER.render(f"| a | b |\n| --- | --- |\n| {cell} | last |\n")
        assert html.count("<td>") == 2
        assert "<td>last</td>" in html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@all", "\\@&#8203;all"),
        ("#12", "\\#&#8203;12"),
        ("GH-12", "GH-&#8203;12"),
        ("!12", "\\!&#8203;12"),
        ("https://x.y", "https\\://x.y"),
        ("www.x.y", "www\\.x.y"),
        (":red[x]", "\\:red\\[x\\]"),
        ("$a$", "\\$&#8203;a\\$"),
        ("seed_control: 0.5", "seed_control: 0.5"),
    ],
)
def test_what_only_some_sites_read_is_defused(text: str, expected: str) -> None:
    assert safe.markdown(text) == expected


@given(TEXTS)
@example("```\n# out")
@example("a\n````\nb")
@settings(deadline=None)
def test_a_code_block_cannot_be_left(text: str) -> None:
    tokens = PARSER.parse(safe.code_block(text))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == safe.lines(text) + "\n"


@given(TEXTS)
@example("`")
@example(" a ")
@settings(deadline=None)
def test_a_code_span_cannot_be_left(text: str) -> None:
    (line,) = PARSER.parseInline(safe.code_span(text))
    assert [token.type for token in line.children or ()] == ["code_inline"]


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXTS)
@example(HOSTILE)
def test_html_shows_the_text_and_stays_in_its_attribute(text: str) -> None:
    seen = _Seen()
    seen.feed(f'<p title="{safe.html(text)}">{safe.html(text)}</p>')
    seen.close()
    assert seen.tags == [("p", [("title", safe.plain(text))])]
    assert seen.text == safe.plain(text)


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://eve:pw@host:1/x?token=t#f", "https://***@host:1/x?***"),
        ("sqlite:////srv/mlflow.db", "sqlite:////srv/mlflow.db"),
        ("sqlite:///mlflow.db", "sqlite:///mlflow.db"),
        ("postgresql://eve@db/runs", "postgresql://***@db/runs"),
        ("http://[::1", "an address that cannot be read"),
        ("./mlruns", "./mlruns"),
    ],
)
def test_addresses_are_shown_without_secrets(uri: str, expected: str) -> None:
    assert safe.address(uri) == expected


def test_messages_do_not_repeat_the_secrets_of_an_address() -> None:
    uri = "https://eve:p%40ss@host/x?token=abc"
    said = f"could not open {uri}: user eve, password p@ss, query token=abc"
    assert safe.without_secrets(said, uri) == (
        "could not open https://***@host/x?***: user eve, password ***, query ***"
    )
