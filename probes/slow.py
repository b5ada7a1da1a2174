"""What a probe declares whose episodes cost time or money: it plays few, and no more."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class SlowProbe(Protocol):
    """A probe that plays what it says itself, and nothing else that is asked for."""

    @property
    def most(self) -> tuple[int, int]:
        """Return how many starts it plays from, and how many episodes from each."""
        ...

    @property
    def seconds(self) -> float:
        """Return the time that it may take for all of them."""
        ...

    async def close(self) -> None:
        """Let go of what it holds. It may be used again, and closed again."""
        ...
