"""What plays a plan: this process, or this process and others."""

from typing import Protocol

from validator.events import Audience
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.store import EpisodeStore
from validator.targets.base import Server


class Player(Protocol):
    """Plays a course to its end, as `run_plan` does."""

    async def __call__(
        self, course: Course, server: Server, store: EpisodeStore, audience: Audience
    ) -> Rollouts:
        """Play what is not in the store yet, and write each episode."""
        ...
