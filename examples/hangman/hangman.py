"""A text game: find a hidden word letter by letter. Healthy.

A step pays the share of the word that its letter uncovers, so the whole word pays 1 and half of it
a half. The episode ends with the word, or with the sixth miss.
"""

import random
from typing import Any, Literal
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

WORDS = (
    "anchor", "basket", "candle", "dragon", "engine", "forest", "garden", "hammer",
    "island", "jacket", "kettle", "ladder", "magnet", "needle", "orange", "pencil",
    "rabbit", "saddle", "tunnel", "violin", "window", "yellow", "bridge", "copper",
    "desert", "falcon", "goblet", "harbor", "lantern", "meadow", "pepper", "silver",
)  # fmt: skip
MISSES = 6

Letter = Literal[
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
    "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
]  # fmt: skip


class Guess(Action):
    """One letter."""

    letter: Letter = Field(description="The letter to try")


class Board(Observation):
    """What the player sees."""

    word: str = Field(description="The word, with _ for each letter not found yet")
    tried: list[str] = Field(description="Letters tried so far, in order")
    misses_left: int = Field(description="The game is lost when none is left")


class Hangman(Environment[Guess, Board, State]):
    """The seed of reset chooses the word; nothing else is random."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._word = ""
        self._tried: list[str] = []
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Board:
        """Hide a word."""
        self._word = random.Random(seed).choice(WORDS)
        self._tried = []
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return self._board(reward=None)

    def step(self, action: Guess, timeout_s: float | None = None, **_: Any) -> Board:
        """Try a letter. One that was tried before is a miss."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        found = 0 if action.letter in self._tried else self._word.count(action.letter)
        self._tried.append(action.letter)
        self._state.step_count += 1
        self._over = "_" not in self._shown() or self._misses_left() == 0
        return self._board(reward=found / len(self._word))

    @property
    def state(self) -> State:
        """What the operator sees; the word is not in it."""
        return self._state

    def _shown(self) -> str:
        return "".join(letter if letter in self._tried else "_" for letter in self._word)

    def _misses_left(self) -> int:
        hits = {letter for letter in self._tried if letter in self._word}
        return MISSES - (len(self._tried) - len(hits))

    def _board(self, reward: float | None) -> Board:
        return Board(
            word=self._shown(),
            tried=list(self._tried),
            misses_left=self._misses_left(),
            reward=reward,
            done=self._over,
        )


app = create_app(Hangman, Guess, Board, env_name="hangman", max_concurrent_envs=32)
