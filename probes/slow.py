"""What a probe declares whose episodes cost much time or money, as those of a language model do."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class SlowProbe(Protocol):
    """A probe that says itself how much it plays, whatever checks ask of other probes."""

    @property
    def most(self) -> tuple[int, int]:
        """Return from how many starts it plays at most, and how many episodes from each."""
        ...

    @property
    def seconds(self) -> float:
        """Return the time that all its episodes together may take, in seconds."""
        ...

    async def close(self) -> None:
        """Free what it holds, such as connections. It may be used again, and closed again."""
        ...
