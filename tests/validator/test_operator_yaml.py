"""Aliases are read as long as what they stand for is not large; a document may not hold itself."""

from pathlib import Path

import pytest

from validator.manifest import read_manifest
from validator.manifest_lines import field_lines
from validator.operator_yaml import NoYaml, parsed


def laughs(deep: int, top: str) -> str:
    """Return a document whose anchors hold ten times the one before."""
    first = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    more = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, deep)]
    return first + "".join(more) + top


def merges(deep: int) -> str:
    first = "a0: &a0 {k: 1}\n"
    more = [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, deep)]
    return first + "".join(more)


WIDE = f"a: &a {{{', '.join(f'k{n}: 1' for n in range(900))}}}\n"
WIDER = f"validation: {{{', '.join(f'm{n}: *a' for n in range(900))}}}\n"


@pytest.mark.parametrize(
    "text",
    [
        laughs(9, "envassay: {noop: {move: *a8}}\n"),
        laughs(9, "validation: {types: {tags: *a8}}\n"),
        merges(9),
        WIDE + WIDER,
        "envassay: &e\n  noop: *e\n",
    ],
    ids=["laughs", "laughs in a list", "merges", "wide", "itself"],
)
def test_a_small_file_that_is_a_large_value_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(NoYaml, match="has aliases that make more of it than is read"):
        parsed(text.encode())
    file = tmp_path / "envassay.yaml"
    file.write_text(text)
    assert field_lines(file) == {}


def test_aliases_of_an_ordinary_size_are_read(tmp_path: Path) -> None:
    file = tmp_path / "envassay.yaml"
    file.write_text(
        "span: &span [0.0, 1.0]\n"
        "validation: {reward: {range: *span, floor_margin: 0.1}}\n"
        "envassay: {score_range: *span}\n"
    )
    assert read_manifest(file).envassay.score_range == (0.0, 1.0)
    assert field_lines(file)["envassay.score_range"] == 3


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_an_empty_document_is_nothing(text: str) -> None:
    assert parsed(text.encode()) is None


def test_the_line_of_a_fault_is_named() -> None:
    with pytest.raises(NoYaml, match="is no YAML at line 2"):
        parsed(b"a: 1\n- b\n")
