"""K1: find a five-letter word in six tries. The seed of reset chooses the word."""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game, ToolGame
from tests.calibration.games.files import call
from tests.calibration.games.words_oracle import WORDS, marks, solve

TRIES = 6


class Guess(Action):
    """One try."""

    word: str = Field(pattern="^[a-z]{5}$", description="Five lower-case letters")


class Marked(BaseModel):
    """A try and what it showed."""

    word: str
    marks: str = Field(description="+ right, ~ elsewhere in the word, . not in it")


class Board(Observation):
    """What the player sees."""

    guesses: list[Marked] = Field(description="Tries so far, oldest first")
    tries_left: int


class WordGame(Game):
    """Pays 1 on the secret word and 0 for any other."""

    takes = Guess
    shows = Board

    def __init__(self) -> None:
        super().__init__()
        self.secret = WORDS[0]
        self.guesses: list[dict[str, str]] = []

    def begin(self, **options: Any) -> None:
        """Draw the secret."""
        self.secret = self.draw.choice(WORDS)
        self.guesses = []

    def play(self, action: Any) -> float | None:
        """Mark a try."""
        self.guesses.append({"word": action.word, "marks": marks(action.word, self.secret)})
        hit = action.word == self.secret
        self.over = hit or len(self.guesses) == TRIES
        return float(hit)

    def look(self) -> dict[str, Any]:
        """Return the marked tries."""
        return {"guesses": self.guesses, "tries_left": TRIES - len(self.guesses)}


class Invitation(Observation):
    """What a new episode begins with."""

    request: str


class WordTools(ToolGame):
    """The same game, played with tools."""

    offers: ClassVar[tuple[str, ...]] = ("guess", "show_board")
    shows = Invitation
    cap = 12

    def __init__(self) -> None:
        super().__init__()
        self.secret = WORDS[0]
        self.guesses: list[dict[str, str]] = []

    def begin(self, **options: Any) -> None:
        """Draw the secret."""
        self.secret = self.draw.choice(WORDS)
        self.guesses = []

    def look(self) -> dict[str, Any]:
        """Return the request."""
        return {"request": f"Find the five-letter word in {TRIES} guesses."}

    def score(self) -> float:
        """Return 1 where the last guess was the word."""
        return float(bool(self.guesses) and self.guesses[-1]["word"] == self.secret)

    def guess(self, word: str) -> dict[str, Any]:
        """Try a word of five lower-case letters."""
        if len(word) != len(self.secret):
            raise ValueError("five letters, please")
        self.guesses.append({"word": word, "marks": marks(word, self.secret)})
        self.over = word == self.secret or len(self.guesses) == TRIES
        return {"marks": self.guesses[-1]["marks"], "tries_left": TRIES - len(self.guesses)}

    def show_board(self) -> list[dict[str, str]]:
        """Show the guesses so far with their marks."""
        return self.guesses


def solution(seed: int) -> list[dict[str, Any]]:
    """Return the tool calls that find the word of that seed."""
    game = WordTools()
    game.reset(seed=seed)
    calls: list[dict[str, Any]] = []
    while not game.over:
        word = solve({"guesses": game.guesses}, None, len(calls))["word"]
        game.guess(word)
        calls.append(call("guess", word=word))
    return calls
