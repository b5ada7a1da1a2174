"""Grid worlds: rooms with a goal, and two levels of MiniGrid."""

from typing import Any

from openenv.core.env_server import Action, Observation

from .base import World, action_of

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Place(Observation):
    row: int
    column: int
    goal_row: int
    goal_column: int
    has_key: bool


class Room(World):
    """A square room; reaching the goal in its corner pays 1 and ends the episode.

    roaming: the goal lies elsewhere each time. cliff: between start and goal, stepping there ends
    the episode. slip: chance that a move goes astray. key: the goal counts with the key only.
    shaped: coming nearer pays, going away costs. walled: the goal cannot be entered. decoy: a place
    nearer by that pays so much and ends the episode. farm: a place that pays each time it is
    entered.
    """

    Seen = Place

    def __init__(  # noqa: PLR0913  (each is a variant of the room)
        self,
        *,
        size: int,
        roaming: bool = False,
        cliff: bool = False,
        slip: float = 0.0,
        key: bool = False,
        shaped: bool = False,
        walled: bool = False,
        decoy: float = 0.0,
        farm: bool = False,
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        self._size, self._roaming, self._cliff, self._slip = size, roaming, cliff, slip
        self._needs_key, self._shaped, self._walled = key, shaped, walled
        self._decoy, self._farm = decoy, farm

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(move=tuple(MOVES))

    def begin(self) -> None:
        last = self._size - 1
        self._goal = self._cell() if self._roaming else (last, last)
        self._at = (last, 0) if self._cliff else self._cell()
        while self._at in (self._goal, (last // 2, last // 2)):
            self._at = self._cell()
        self._key = not self._needs_key
        self._solved = False

    def _cell(self) -> tuple[int, int]:
        return self.draw.randrange(self._size), self.draw.randrange(self._size)

    def act(self, action: Any) -> tuple[float, bool]:
        last, before = self._size - 1, self._distance()
        move = action.move
        if self._slip and self.draw.random() < self._slip:
            move = self.draw.choice(tuple(MOVES))
        down, right = MOVES[move]
        to = (min(last, max(0, self._at[0] + down)), min(last, max(0, self._at[1] + right)))
        if self._walled and to == self._goal:
            to = self._at
        entered, self._at = to != self._at, to
        middle = to == (last // 2, last // 2)
        self._key = self._key or to == (0, last)
        if to == self._goal and self._key:
            self._solved = True
        if self._cliff and to[0] == last and 0 < to[1] < last:
            return 0.0, True
        if self._decoy and middle:
            return self._decoy, True
        pay = float(self._solved)
        if self._shaped:
            pay += (before - self._distance()) / (2 * last)
        if self._farm and middle and entered:
            pay += 0.25
        return pay, self._solved

    def _distance(self) -> int:
        return abs(self._at[0] - self._goal[0]) + abs(self._at[1] - self._goal[1])

    def seen(self) -> dict[str, Any]:
        return {
            "row": self._at[0],
            "column": self._at[1],
            "goal_row": self._goal[0],
            "goal_column": self._goal[1],
            "has_key": self._key,
        }

    def solution(self) -> dict[str, Any]:
        """Return the first move of a shortest way by the key, around the cliff and the decoy."""
        last = self._size - 1
        to = self._goal if self._key else (0, last)
        shunned = {(last, column) for column in range(1, last)} if self._cliff else set()
        shunned |= {(last // 2, last // 2)} if self._decoy else set()
        away = {to: 0}
        line = [to]
        for row, column in line:
            for down, right in MOVES.values():
                near = (row + down, column + right)
                inside = 0 <= near[0] <= last and 0 <= near[1] <= last
                if inside and near not in away and near not in shunned:
                    away[near] = away[row, column] + 1
                    line.append(near)
        row, column = self._at
        return {
            "move": min(
                MOVES,
                key=lambda move: away.get((row + MOVES[move][0], column + MOVES[move][1]), 10**6),
            )
        }

    def success(self) -> float:
        return float(self._solved)


class View(Observation):
    heading: int
    cells: list[str]
    """Seven rows of seven, from far to near; one stands in the middle of the last."""


class Minigrid(World):
    """A level of MiniGrid; the goal pays 1, later less, as that package has it."""

    Seen = View
    ACTIONS = ("left", "right", "forward", "pickup", "drop", "toggle")

    def __init__(self, *, level: str, **rest: Any) -> None:
        super().__init__(**rest)
        import gymnasium
        import minigrid  # noqa: F401  (its import registers the levels)
        from minigrid.core.constants import IDX_TO_OBJECT

        self._named = IDX_TO_OBJECT
        self._level = gymnasium.make(f"MiniGrid-{level}-v0", max_steps=self.horizon)

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(move=cls.ACTIONS)

    def begin(self) -> None:
        self._view, _ = self._level.reset(seed=self.draw.randrange(2**31))
        self._solved = False

    def act(self, action: Any) -> tuple[float, bool]:
        self._view, reward, ended, cut, _ = self._level.step(self.ACTIONS.index(action.move))
        self._solved = float(reward) > 0
        return float(reward), bool(ended or cut)

    def solution(self) -> dict[str, Any]:
        """Return what leads to the goal in the last corner of an empty room: turn, or go."""
        level: Any = self._level.unwrapped
        column, row = level.agent_pos
        wanted = 0 if column < level.width - 2 else 1
        facing = int(level.agent_dir)
        if facing == wanted:
            return {"move": "forward"}
        return {"move": "right" if (wanted - facing) % 4 == 1 else "left"}

    def seen(self) -> dict[str, Any]:
        image = self._view["image"].transpose(1, 0, 2).reshape(49, 3).tolist()
        cells = [
            f"{self._named[what]}_{state}" if self._named[what] == "door" else self._named[what]
            for what, _, state in image
        ]
        return {"heading": int(self._view["direction"]), "cells": cells}

    def success(self) -> float:
        return float(self._solved)
