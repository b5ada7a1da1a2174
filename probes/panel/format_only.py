"""`format_only`: the form of an answer, and no answer in it."""

import re

import numpy as np

from probes.actions.text import texts_of
from probes.base import Lane, Rung, Seen
from probes.panel.writer import Saying, Writer

FORMS = (
    "<think></think>\n<answer></answer>",
    "\\boxed{}",
    "<answer> </answer>\n\\boxed{ }\n#### \nFinal answer:",
    "```python\n\n```",
    "{}",
    '{"answer": ""}',
    "Thought:\nAction:\nAction Input:",
    "| | |\n|-|-|\n| | |",
)
"""Frames that answers are asked for in."""

_TAG = re.compile(r"<([a-zA-Z_]{1,20})>")
_KEY = re.compile(r'"([A-Za-z_]{1,30})"\s{0,3}:')
_MACRO = re.compile(r"\\([a-z]{2,20})\{")
MOST = 8


class FormatOnly:
    """Writes an empty form: a common one, or one built from tags, keys and macros that are shown.

    Pay for the form alone is pay for no answer.
    """

    name = "format_only"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Writer:
        draw = float(rng.random())

        def say(seen: Seen) -> Saying:
            forms = [*_shown(texts_of(seen.observation)), *FORMS]
            return Saying((forms[int(draw * len(forms))],))

        return Writer(lane, rng, say)


def _shown(text: str) -> list[str]:
    """Return empty forms of the tags, keys and macros that a text mentions, many times."""
    tags = list(dict.fromkeys(_TAG.findall(text)))[:MOST]
    keys = list(dict.fromkeys(_KEY.findall(text)))[:MOST]
    forms = ["".join(f"<{tag}></{tag}>\n" for tag in tags)] if tags else []
    forms += ["{" + ", ".join(f'"{key}": ""' for key in keys) + "}"] if keys else []
    forms += [f"\\{macro}{{}}" for macro in dict.fromkeys(_MACRO.findall(text)[:MOST])]
    return forms * len(FORMS)
