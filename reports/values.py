"""What every part of a report is: a frozen value of known fields that any file can hold."""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Value(BaseModel):
    """A part of a report."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _encodable(cls, found: Any) -> Any:
        """Spell out half characters: JSON can carry them, no file can."""
        return _whole(found)


def _whole(found: Any) -> Any:
    if isinstance(found, str):
        return found if found.isascii() else found.encode("utf-8", "backslashreplace").decode()
    if isinstance(found, dict):
        return {_whole(name): _whole(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_whole(value) for value in found]
    return found
