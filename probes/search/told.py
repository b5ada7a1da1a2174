"""What a sight says, without the envelope that a tool call is answered in."""

import json
import re
from itertools import islice

from probes.actions.text import texts_of
from probes.base import Json
from probes.search.cells import Leaves

ENVELOPE = ("tool_name", "result")
"""Members that make an observation the reply to a tool call, as the stock server sends it."""
WRAPPED = "result"
"""Name of the only member that a tool's plain value is put under."""
_FAILED = re.compile(r"\s{0,9}(?:error|failed|failure|invalid|unknown|no such|not found)\b", re.I)
LEAST_NEWS = 3
MOST_FACTS = 3
_WORD = re.compile(r"[^\W_]{1,60}")
LONGEST_READ = 20_000
MOST_BLOCKS = 20


def told(observation: Json) -> Json:
    """Return what a sight says: of the reply to a tool call its content, once.

    The stock server sends what a tool returned up to three times over (blocks of text, structured
    content, data), with the name of the tool and remarks of its own around it.
    """
    if not isinstance(observation, dict) or any(name not in observation for name in ENVELOPE):
        return observation
    kept = {name: value for name, value in observation.items() if name not in ENVELOPE}
    return {**kept, "result": _content(observation["result"])}


def is_reply(leaves: Leaves) -> bool:
    """Say whether the leaves of a sight are those of a reply to a tool call."""
    return ".tool_name" in leaves and any(path.startswith(".result") for path in leaves)


def is_failed(observation: Json) -> bool:
    """Say whether a sight is the reply to a tool call that says in words that it failed."""
    said = told(observation)
    if said is observation or not isinstance(said, dict):
        return False
    result = said["result"]
    return isinstance(result, str) and _FAILED.match(result) is not None


class Facts:
    """What tools told of one start, whichever episode it was in: each time it is the same start."""

    def __init__(self) -> None:
        self.kept: list[Json] = []
        """Replies that told something, the newest last."""
        self._words: set[str] = set()

    def note(self, observation: Json, action: Json) -> bool:
        """Take in what was seen after an action; say whether a tool told something new.

        It did where its reply has several words or numbers that no sight and no action had before.
        """
        said = told(observation)
        heard = _words(texts_of(said))
        fresh = heard - self._words - _words(json.dumps(action))
        self._words |= heard
        if said is observation or len(fresh) < LEAST_NEWS or said in self.kept:
            return False
        self.kept = [*self.kept, said][-MOST_FACTS:]
        return True


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text[:LONGEST_READ].casefold()))


def _content(result: Json) -> Json:
    if not isinstance(result, dict):
        return _parsed(result)
    structured = result.get("structured_content")
    if isinstance(structured, dict) and structured:
        only = [*structured] == [WRAPPED]
        return _parsed(structured[WRAPPED]) if only else structured
    if result.get("data") is not None:
        return _parsed(result["data"])
    blocks = result.get("content")
    if not isinstance(blocks, list):
        return result
    texts = [one.get("text") for one in islice(blocks, MOST_BLOCKS) if isinstance(one, dict)]
    said = [_parsed(one) for one in texts if isinstance(one, str)]
    return said[0] if len(said) == 1 else [*said]


def _parsed(value: Json) -> Json:
    """Return what a text is the JSON of, where that is an object or a list."""
    if not isinstance(value, str) or len(value) > LONGEST_READ or value[:1] not in ("{", "["):
        return value
    try:
        found: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found
