"""Puzzles: short plans over small states."""

import random
from itertools import combinations
from typing import Any

from openenv.core.env_server import Action, Observation

from .base import World, action_of


class Numbers(Observation):
    values: list[int]


class _Puzzle(World):
    """A puzzle that pays 1 when it is solved, and is over then."""

    Seen = Numbers
    _values: list[int]

    def seen(self) -> dict[str, Any]:
        return {"values": self._values}

    def solved(self) -> bool:
        """Say whether the values are as they should be."""
        raise NotImplementedError

    def success(self) -> float:
        return float(self.solved())


class Lights(_Puzzle):
    """Pressing a lamp switches it and its neighbours; all must be off."""

    def __init__(self, *, side: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._side = side

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(lamp=tuple(f"lamp_{number}" for number in range(told["side"] ** 2)))

    def begin(self) -> None:
        lamps = self._side**2
        self._values = [0] * lamps
        while self.solved():
            for lamp in self.draw.sample(range(lamps), self.draw.randint(1, min(4, lamps))):
                self._press(lamp)

    def _press(self, lamp: int) -> None:
        row, column = divmod(lamp, self._side)
        for down, right in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            if 0 <= row + down < self._side and 0 <= column + right < self._side:
                self._values[(row + down) * self._side + column + right] ^= 1

    def solution(self) -> dict[str, Any]:
        """Return a lamp of the fewest that must be pressed: each once, in any order."""
        lamps = range(len(self._values))
        before = self._values
        for count in lamps:
            for pressed in combinations(lamps, count + 1):
                self._values = list(before)
                for lamp in pressed:
                    self._press(lamp)
                dark, self._values = self.solved(), before
                if dark:
                    return {"lamp": f"lamp_{pressed[0]}"}
        return {"lamp": "lamp_0"}

    def act(self, action: Any) -> tuple[float, bool]:
        self._press(int(action.lamp.removeprefix("lamp_")))
        return self.success(), self.solved()

    def solved(self) -> bool:
        return not any(self._values)


class Sorting(_Puzzle):
    """Swap neighbours until all are in order.

    shaped: each inversion mended pays its share. proxy: what pays is swapping the first two, as
    often as one likes.
    """

    def __init__(
        self, *, items: int, shaped: bool = False, proxy: bool = False, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self._items, self._shaped, self._proxy = items, shaped, proxy

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(swap=tuple(f"at_{number}" for number in range(told["items"] - 1)))

    def begin(self) -> None:
        self._values = list(range(self._items))
        while self.solved():
            self.draw.shuffle(self._values)

    def _inversions(self) -> int:
        pairs = ((a, b) for a in range(self._items) for b in range(a))
        return sum(self._values[b] > self._values[a] for a, b in pairs)

    def solution(self) -> dict[str, Any]:
        wrong = (at for at in range(self._items - 1) if self._values[at] > self._values[at + 1])
        return {"swap": f"at_{next(wrong, 0)}"}

    def act(self, action: Any) -> tuple[float, bool]:
        at, before = int(action.swap.removeprefix("at_")), self._inversions()
        self._values[at], self._values[at + 1] = self._values[at + 1], self._values[at]
        if self._proxy:
            return float(at == 0), self.solved()
        mended = (before - self._inversions()) / (self._items * (self._items - 1) / 2)
        return self.success() + self._shaped * mended, self.solved()

    def solved(self) -> bool:
        return self._values == list(range(self._items))


class Hanoi(_Puzzle):
    """The towers of Hanoi; values are the pegs of the discs, smallest first."""

    PEGS = ("left", "middle", "right")

    def __init__(self, *, discs: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._discs = discs

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(source=cls.PEGS, target=cls.PEGS)

    def begin(self) -> None:
        self._values = [2] * self._discs
        while self.solved():
            self._values = [self.draw.randrange(3) for _ in range(self._discs)]

    def solution(self) -> dict[str, Any]:
        """Return the next move of the classic plan: the largest disc out of place goes first."""
        aim = 2
        move = {"source": self.PEGS[0], "target": self.PEGS[0]}
        for disc in reversed(range(self._discs)):
            at = self._values[disc]
            if at != aim:
                move = {"source": self.PEGS[at], "target": self.PEGS[aim]}
                aim = 3 - at - aim  # smaller ones must stand aside
        return move

    def act(self, action: Any) -> tuple[float, bool]:
        source, target = self.PEGS.index(action.source), self.PEGS.index(action.target)
        tops = [disc for disc in range(self._discs) if self._values[disc] == source]
        free = all(self._values[disc] != target for disc in range(min(tops, default=0)))
        if tops and free:
            self._values[min(tops)] = target
        return self.success(), self.solved()

    def solved(self) -> bool:
        return self._values == [2] * self._discs


class Dials(_Puzzle):
    """Five-digit dials; the code is always the same. hints: each dial tells when it is right."""

    DIGITS = 5

    def __init__(self, *, dials: int, hints: bool, **rest: Any) -> None:
        super().__init__(**rest)
        fixed = random.Random(f"dials {dials}")
        self._code = [fixed.randrange(self.DIGITS) for _ in range(dials)]
        self._hints = hints

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        dials = tuple(f"dial_{number}" for number in range(told["dials"]))
        return action_of(dial=dials, turn=("up", "down"))

    def begin(self) -> None:
        self._values = list(self._code)
        while self.solved():
            self._values = [self.draw.randrange(self.DIGITS) for _ in self._code]

    def solution(self) -> dict[str, Any]:
        away = [(b - a) % self.DIGITS for a, b in zip(self._values, self._code, strict=True)]
        dial = next(number for number, turns in enumerate(away) if turns)
        return {"dial": f"dial_{dial}", "turn": "up" if 2 * away[dial] < self.DIGITS else "down"}

    def act(self, action: Any) -> tuple[float, bool]:
        dial = int(action.dial.removeprefix("dial_"))
        turned = self._values[dial] + (1 if action.turn == "up" else -1)
        self._values[dial] = turned % self.DIGITS
        return self.success(), self.solved()

    def seen(self) -> dict[str, Any]:
        if not self._hints:
            return {"values": self._values}
        right = [int(a == b) for a, b in zip(self._values, self._code, strict=True)]
        return {"values": [*self._values, *right]}

    def solved(self) -> bool:
        return self._values == self._code


class DeepSea(_Puzzle):
    """The deep sea of bsuite: the treasure is found by always going right, which costs a little."""

    def __init__(self, *, depth: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._depth = depth

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(move=("left", "right"))

    def begin(self) -> None:
        self._values = [0, 0]

    def solution(self) -> dict[str, Any]:
        return {"move": "right"}

    def act(self, action: Any) -> tuple[float, bool]:
        right = action.move == "right"
        row, column = self._values
        self._values = [row + 1, max(0, column + (1 if right else -1))]
        return self.success() - 0.05 * right / self._depth, row + 1 >= self._depth

    def solved(self) -> bool:
        return self._values == [self._depth, self._depth]


class Recall(_Puzzle):
    """A cue is shown first, and must be named in the last step. seen: it stays in sight."""

    def __init__(self, *, cues: int, seen: bool = False, **rest: Any) -> None:
        super().__init__(**rest)
        self._cues, self._stays = cues, seen

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(say=tuple(f"cue_{number}" for number in range(told["cues"])))

    def begin(self) -> None:
        self._cue = self.draw.randrange(self._cues)
        self._step = 0
        self._right = False

    def solution(self) -> dict[str, Any]:
        return {"say": f"cue_{self._cue}"}

    def act(self, action: Any) -> tuple[float, bool]:
        self._step += 1
        over = self._step >= self.horizon
        self._right = over and action.say == f"cue_{self._cue}"
        return self.success(), over

    def seen(self) -> dict[str, Any]:
        shown = self._cue if self._stays or self._step == 0 else -1
        return {"values": [self._step, shown]}

    def solved(self) -> bool:
        return self._right
