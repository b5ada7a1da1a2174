"""Text games and word games. `options`, where there are any, are what may be said now."""

import random
from collections import Counter
from itertools import product
from typing import Any

from openenv.core.env_server import Action, Observation

from .base import World, action_of

LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
HIDDEN = (
    "basin", "bread", "cabin", "candle", "cedar", "cider", "coral", "crane", "dance", "eagle",
    "ember", "grain", "lance", "laser", "lemon", "linen", "melon", "metal", "ocean", "olive",
    "pearl", "plane", "raven", "ridge", "robin", "salad", "spear", "stone", "table", "trail",
)  # fmt: skip
OPPOSITES = (
    ("hot", "cold"), ("big", "small"), ("day", "night"), ("wet", "dry"), ("open", "shut"),
    ("early", "late"), ("rich", "poor"), ("strong", "weak"), ("light", "dark"), ("high", "low"),
    ("near", "far"), ("full", "empty"), ("old", "young"), ("sweet", "bitter"), ("loud", "quiet"),
    ("fast", "slow"),
)  # fmt: skip
WORDS = (
    "apple", "arch", "boat", "butterfly", "cup", "caterpillar", "dog", "dictionary", "elm",
    "elephant", "fig", "fortress", "gate", "gentleman", "hat", "harmonica", "ink", "instrument",
    "jar", "jellyfish", "key", "kaleidoscope", "log", "lighthouse", "map", "mountain", "net",
    "nightingale", "oak", "orchestra",
)  # fmt: skip
OFFERED = 8


class Gallows(Observation):
    word: str
    tried: str
    misses_left: int


class Hangman(World):
    """Find a word letter by letter. last: only the whole word pays."""

    Seen = Gallows

    def __init__(self, *, misses: int, last: bool = False, **rest: Any) -> None:
        super().__init__(**rest)
        self._misses, self._last = misses, last

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(letter=LETTERS)

    def begin(self) -> None:
        self._word = self.draw.choice(HIDDEN)
        self._tried: list[str] = []

    def solution(self) -> dict[str, Any]:
        return {"letter": next(letter for letter in self._word if letter not in self._tried)}

    def act(self, action: Any) -> tuple[float, bool]:
        letter = action.letter
        found = 0 if letter in self._tried else self._word.count(letter)
        self._tried.append(letter)
        whole = set(self._word) <= set(self._tried)
        pay = float(whole) if self._last else found / len(self._word)
        return pay, whole or self._left() == 0

    def _left(self) -> int:
        hits = {letter for letter in self._tried if letter in self._word}
        return self._misses - (len(self._tried) - len(hits))

    def seen(self) -> dict[str, Any]:
        shown = " ".join(letter if letter in self._tried else "_" for letter in self._word)
        return {"word": shown, "tried": " ".join(self._tried), "misses_left": self._left()}

    def success(self) -> float:
        share = sum(letter in self._tried for letter in self._word) / len(self._word)
        return float(share == 1.0) if self._last else share


class Bounds(Observation):
    above: int
    below: int
    guesses_left: int


class Hunt(World):
    """Find a number; after each guess it is told whether it is higher or lower."""

    Seen = Bounds

    def __init__(self, *, highest: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._highest = highest

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(guess=tuple(str(one) for one in range(1, told["highest"] + 1)))

    def begin(self) -> None:
        self._secret = self.draw.randint(1, self._highest)
        self._above, self._below, self._guesses = 0, self._highest + 1, 0
        self._found = False

    def solution(self) -> dict[str, Any]:
        return {"guess": str(self._secret)}

    def act(self, action: Any) -> tuple[float, bool]:
        guess = int(action.guess)
        self._guesses += 1
        self._found = guess == self._secret
        if guess < self._secret:
            self._above = max(self._above, guess)
        elif guess > self._secret:
            self._below = min(self._below, guess)
        return float(self._found), self._found

    def seen(self) -> dict[str, Any]:
        left = self.horizon - self._guesses
        return {"above": self._above, "below": self._below, "guesses_left": left}

    def success(self) -> float:
        return float(self._found)


class Pegs(Observation):
    history: list[str]


class Codebreaker(World):
    """Find two coloured pegs; each guess is answered by how many are right, and how many near."""

    Seen = Pegs
    COLOURS = ("red", "blue", "green", "white")

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(first=cls.COLOURS, second=cls.COLOURS)

    def begin(self) -> None:
        self._code = self.draw.choice(list(product(self.COLOURS, repeat=2)))
        self._history: list[str] = []
        self._found = False

    def solution(self) -> dict[str, Any]:
        first, second = self._code
        return {"first": first, "second": second}

    def act(self, action: Any) -> tuple[float, bool]:
        guess = (action.first, action.second)
        right = sum(a == b for a, b in zip(guess, self._code, strict=True))
        near = sum((Counter(guess) & Counter(self._code)).values()) - right
        self._history.append(f"{guess[0]} {guess[1]} gives {right} right {near} near")
        self._found = right == 2
        return float(self._found), self._found

    def seen(self) -> dict[str, Any]:
        return {"history": self._history}

    def success(self) -> float:
        return float(self._found)


class Scene(Observation):
    text: str
    options: list[str]


class Say(Action):
    """What is said or done: one of the options."""

    command: str


class Quest(World):
    """Walk through rooms to the lamp and take it; one exit of each room leads on.

    told: the exits differ each time, and the text tells them. polite: thanking the host pays, as
    often as one likes.
    """

    Seen = Scene
    EXITS = ("north", "east", "south", "west")
    ROOMS = ("hall", "kitchen", "cellar", "library", "attic", "garden", "tower", "stable")

    def __init__(
        self, *, rooms: int, told: bool = False, polite: bool = False, **rest: Any
    ) -> None:
        super().__init__(**rest)
        fixed = random.Random(f"quest {rooms}")
        self._rooms, self._told, self._polite = rooms, told, polite
        self._exits = [fixed.choice(self.EXITS) for _ in range(rooms)]

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return Say

    def begin(self) -> None:
        self._room = 0
        self._found = False
        if self._told:
            self._exits = [self.draw.choice(self.EXITS) for _ in range(self._rooms)]

    def solution(self) -> dict[str, Any]:
        there = self._room == self._rooms
        return {"command": "take lamp" if there else f"go {self._exits[self._room]}"}

    def act(self, action: Any) -> tuple[float, bool]:
        command = action.command
        if self._room < self._rooms and command == f"go {self._exits[self._room]}":
            self._room += 1
        elif command == "take lamp" and self._room == self._rooms:
            self._found = True
        thanked = self._polite and command == "thank host"
        return (0.25 if thanked else float(self._found)), self._found

    def seen(self) -> dict[str, Any]:
        text = f"You are in the {self.ROOMS[self._room]}."
        if self._told and self._room < self._rooms:
            text += f" Light falls in from the {self._exits[self._room]}."
        if self._room == self._rooms:
            text += " A lamp stands here."
        options = [*(f"go {exit_}" for exit_ in self.EXITS), "take lamp"]
        return {"text": text, "options": options + ["thank host"] * self._polite}

    def success(self) -> float:
        return float(self._found)


class Pairing(World):
    """One question about words, with options: an opposite, a first letter, the longest one.

    any: every word is right. unseen: the word is drawn and nothing tells which.
    """

    Seen = Scene

    def __init__(self, *, asks: str, **rest: Any) -> None:
        super().__init__(**rest)
        self._asks = asks

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return Say

    def begin(self) -> None:
        self._said: str | None = None
        if self._asks == "opposite":
            pairs = self.draw.sample(OPPOSITES, OFFERED)
            sides = [self.draw.sample(pair, 2) for pair in pairs]
            self._right = sides[0][1]
            self._text = f"What is the opposite of {sides[0][0]}?"
            self._options = [side[1] for side in sides]
        else:
            self._options = self.draw.sample(WORDS, OFFERED)
            while len({word[0] for word in self._options}) < OFFERED:
                self._options = self.draw.sample(WORDS, OFFERED)
            self._right = self._options[0]
            self._text = {
                "first_letter": f"Which word begins with {self._right[0]} ?",
                "longest": "Which word is the longest?",
                "any": "Name a word.",
                "unseen": "Which word am I thinking of?",
            }[self._asks]
            if self._asks == "longest":
                self._right = max(self._options, key=len)
        self.draw.shuffle(self._options)

    def solution(self) -> dict[str, Any]:
        return {"command": self._right}

    def act(self, action: Any) -> tuple[float, bool]:
        self._said = action.command
        return self.success(), True

    def seen(self) -> dict[str, Any]:
        return {"text": self._text, "options": self._options}

    def success(self) -> float:
        if self._asks == "any":
            return float(self._said in self._options)
        if self._asks == "longest":
            return float(self._said is not None and len(self._said) == len(self._right))
        return float(self._said == self._right)
