"""Nothing that is put into an element can leave it."""

import doctest
from html.parser import HTMLParser

from hypothesis import example, given
from hypothesis import strategies as st

from reports import markup
from reports.markup import Markup, block, element, join
from reports.safe import plain
from tests.reports.builders import HOSTILE

TEXTS = st.text(max_size=80) | st.text(alphabet="<>\"'&;=/ !-abscript\n\x1b\u202e", max_size=40)


class Seen(HTMLParser):
    """What a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said += data


def test_examples_run() -> None:
    assert doctest.testmod(markup).failed == 0


@given(TEXTS)
@example(HOSTILE)
def test_text_and_attributes_are_shown_and_obeyed_nowhere(text: str) -> None:
    seen = Seen(element("p", text, title=text, class_="ours"))
    assert seen.tags == [("p", {"title": plain(text), "class": "ours"})]
    assert seen.said == plain(text)


@given(TEXTS)
@example("a\n</pre>b")
def test_a_block_keeps_its_lines_and_its_frame(text: str) -> None:
    seen = Seen(block(text))
    assert [tag for tag, _ in seen.tags] == ["pre"]
    assert seen.said.split("\n") == [plain(line) for line in text.replace("\r\n", "\n").split("\n")]


def test_markup_is_kept_and_everything_else_is_escaped_once() -> None:
    inner = element("b", "a & b")
    assert element("p", inner, "<") == "<p><b>a &amp; b</b>&lt;</p>"
    assert join([inner, "<"], ", ") == "<b>a &amp; b</b>, &lt;"
    assert isinstance(inner, Markup)


def test_pieces_put_together_by_hand_are_no_markup() -> None:
    glued = element("b", "x") + "<script>"
    assert element("p", glued) == "<p>&lt;b&gt;x&lt;/b&gt;&lt;script&gt;</p>"


def test_an_attribute_that_is_not_there_is_left_out() -> None:
    assert element("details", open=True, title=None, hidden=False) == "<details open></details>"
    assert element("col", class_="x") == '<col class="x">'
