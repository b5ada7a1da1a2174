"""The seven families of the tabular benchmark as black boxes: reset by seed, step, nothing else.

Built from the published parameters of each MDP (`data/tabular-mdp-outcomes.csv`). With probability
`p_lazy` a state stays as it is, else with `p_rand` another action is drawn for the one chosen.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

State: TypeAlias = tuple[int, ...]
Moves: TypeAlias = list[tuple[State, float]]
"""Where an action leads, and with which chance."""

ROUND = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Up, right, down, left as changes of x and y."""


class Family(ABC):
    """One MDP of one family: how states follow each other, and which reward is drawn."""

    actions: int

    def __init__(self, told: Mapping[str, Any], layout: Mapping[str, Any]) -> None:
        self.told, self.layout = told, layout

    @abstractmethod
    def starts(self) -> list[State]:
        """Return the states that an episode begins in, all with equal chance."""

    @abstractmethod
    def moves(self, state: State, action: int) -> Moves:
        """Return where the action leads when it is carried out."""

    @abstractmethod
    def pays(self, state: State, action: int, after: State) -> str:
        """Return the name of the reward for a chosen action and what followed."""


class RiverSwim(Family):
    """A line; right is hard in the published versions only by being lazy or random."""

    actions = 2

    def starts(self) -> list[State]:
        return [(0,)]

    def moves(self, state: State, action: int) -> Moves:
        x = state[0] + (1 if action else -1)
        return [((min(max(x, 0), self.told["size"] - 1),), 1.0)]

    def pays(self, state: State, action: int, after: State) -> str:
        if state[0] == self.told["size"] - 1 and action == 1:
            return "optimal_distribution"
        at_home = state[0] == 0 and action == 0
        return "sub_optimal_distribution" if at_home else "other_distribution"


class DeepSea(Family):
    """A dive: only going right all the way pays best."""

    actions = 2

    def starts(self) -> list[State]:
        return [(0, self.told["size"] - 1)]

    def moves(self, state: State, action: int) -> Moves:
        x, y = state
        if y == 0:
            return [(self.starts()[0], 1.0)]
        x = min(max(x + (1 if action else -1), 0), self.told["size"] - 1)
        return [((x, y - 1), 1.0)]

    def pays(self, state: State, action: int, after: State) -> str:
        if state == (self.told["size"] - 1, 0) and action == 1:
            return "optimal_distribution"
        return "sub_optimal_distribution" if action == 0 else "other_distribution"


class SimpleGrid(Family):
    """A square whose corners pay for staying in them."""

    actions = 5

    def starts(self) -> list[State]:
        return [tuple(one) for one in self.layout["starts"]]

    def moves(self, state: State, action: int) -> Moves:
        if action == 4:
            return [(state, 1.0)]
        most = self.told["size"] - 1
        (x, y), (right, up) = state, ROUND[action]
        return [((min(max(x + right, 0), most), min(max(y + up, 0), most)), 1.0)]

    def pays(self, state: State, action: int, after: State) -> str:
        ends = (0, self.told["size"] - 1)
        if after != state or state[0] not in ends or state[1] not in ends:
            return "other_distribution"
        best = (state[0] == 0) != (state[1] == 0)
        return "optimal_distribution" if best else "sub_optimal_distribution"


class FrozenLake(Family):
    """A slippery square with holes that lead back to the start."""

    actions = 4
    turns = ((-1, 0), (0, -1), (1, 0), (0, 1))

    def starts(self) -> list[State]:
        return [(0, 0)]

    def moves(self, state: State, action: int) -> Moves:
        lake = self.layout["lake"]
        if lake[state[0]][state[1]] == "G":
            return [((0, 0), 1.0)]
        if not self.told["is_slippery"]:
            return [(self._after(state, action), 1.0)]
        sides = ((action, 0.5), ((action + 1) % 4, 0.25), ((action - 1) % 4, 0.25))
        return [(self._after(state, side), chance) for side, chance in sides]

    def _after(self, state: State, action: int) -> State:
        lake, (down, across) = self.layout["lake"], self.turns[action]
        x = min(max(state[0] + down, 0), len(lake) - 1)
        y = min(max(state[1] + across, 0), len(lake) - 1)
        return (0, 0) if lake[x][y] == "H" else (x, y)

    def pays(self, state: State, action: int, after: State) -> str:
        at_goal = self.layout["lake"][after[0]][after[1]] == "G"
        return "goal_r" if at_goal else "default_r"


class MiniGridEmpty(Family):
    """An empty square that one walks by turning and going forward."""

    actions = 3

    def starts(self) -> list[State]:
        return [tuple(one) for one in self.layout["starts"]]

    def moves(self, state: State, action: int) -> Moves:
        x, y, facing = state
        if action == 0:
            right, up = ROUND[facing]
            ahead = (x + right, y + up)
            return [((*ahead, facing) if self.is_free(*ahead) else state, 1.0)]
        return [((x, y, (facing + (1 if action == 1 else -1)) % 4), 1.0)]

    def is_free(self, x: int, y: int) -> bool:
        """Say whether one can stand there."""
        return bool(0 <= x < self.told["size"] and 0 <= y < self.told["size"])

    def pays(self, state: State, action: int, after: State) -> str:
        at_goal = list(after[:2]) == list(self.layout["goal"])
        return "optimal_distribution" if at_goal else "other_distribution"


class MiniGridRooms(MiniGridEmpty):
    """Rooms in a square, each with a door to its neighbours."""

    def is_free(self, x: int, y: int) -> bool:
        size = self.told["room_size"]
        side = round(self.told["n_rooms"] ** 0.5) * (size + 1) - 1
        if not (0 <= x < side and 0 <= y < side):
            return False
        across, along = x % (size + 1), y % (size + 1)
        if across != size and along != size:
            return True
        return (across, along) in {(size, size // 2), (size // 2, size)}


class Taxi(Family):
    """A taxi that takes one passenger after the other to where each wants to go."""

    actions = 6
    on_board = (-1, -1)
    turns = ((0, -1), (0, 1), (1, 0), (-1, 0))

    def _stands(self) -> list[State]:
        return [tuple(one) for one in self.layout["locations"]]

    def starts(self) -> list[State]:
        walls = self.layout["walls"]
        free = [(x, y) for x, row in enumerate(walls) for y, cell in enumerate(row) if cell != "#"]
        pairs = [(a, b) for a in self._stands() for b in self._stands() if a != b]
        return [(*cell, *rider, *wish) for cell in free for rider, wish in pairs]

    def moves(self, state: State, action: int) -> Moves:
        cell, rider, wish = state[:2], state[2:4], state[4:]
        if action < 4:
            return [((*self._driven(cell, action), *rider, *wish), 1.0)]
        if action == 4:
            return [((*cell, *(self.on_board if rider == cell else rider), *wish), 1.0)]
        if rider != self.on_board or cell != wish:
            return [(state, 1.0)]
        next_ones = [
            (*cell, *stand, *other)
            for stand in self._stands()
            if stand != cell
            for other in self._stands()
            if other != stand
        ]
        return [(one, 1 / len(next_ones)) for one in next_ones]

    def _driven(self, cell: State, action: int) -> State:
        walls, (down, across) = self.layout["walls"], self.turns[action]
        x, y = cell[0] + down, cell[1] + across
        inside = 0 <= x < len(walls) and 0 <= y < len(walls[0])
        return (x, y) if inside and walls[x][y] != "#" else cell

    def pays(self, state: State, action: int, after: State) -> str:
        if action < 4:
            return "default_r"
        before, now = state[2:4] == self.on_board, after[2:4] == self.on_board
        if action == 4:
            return "default_r" if now and not before else "failure_delivery_r"
        return "successfully_delivery_r" if before and not now else "failure_delivery_r"


FAMILIES: dict[str, type[Family]] = {
    one.__name__: one
    for one in (RiverSwim, DeepSea, SimpleGrid, FrozenLake, MiniGridEmpty, MiniGridRooms, Taxi)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """An MDP as tables over its reachable states, numbered in the order they are found."""

    states: tuple[State, ...]
    starts: tuple[int, ...]
    leads: tuple[tuple[tuple[tuple[int, float, str], ...], ...], ...]
    """By state and action: state after, its chance with laziness and random actions in it, and the
    name of the reward."""
    rewards: Mapping[str, tuple[Any, ...]]
    horizon: int | None
    """Steps of an episode, None where there is no end."""

    @property
    def actions(self) -> int:
        return len(self.leads[0])


def compiled(
    family: str, told: Mapping[str, Any], layout: Mapping[str, Any], horizon: int | None
) -> Compiled:
    """Return one MDP as tables."""
    world = FAMILIES[family](told, layout)
    lazy, rand = told.get("p_lazy") or 0.0, told.get("p_rand") or 0.0
    number = {state: place for place, state in enumerate(world.starts())}
    order, leads = list(number), []
    for state in order:  # grows while it is walked
        rows = []
        carried = [world.moves(state, action) for action in range(world.actions)]
        for action in range(world.actions):
            chances: dict[State, float] = {state: lazy} if lazy else {}
            for done, moves in enumerate(carried):
                share = (1 - lazy) * ((1 - rand) * (done == action) + rand / world.actions)
                for after, chance in moves:
                    if share * chance:
                        chances[after] = chances.get(after, 0.0) + share * chance
            for after in chances:
                if after not in number:
                    number[after] = len(order)
                    order.append(after)
            rows.append(
                tuple(
                    (number[after], chance, world.pays(state, action, after))
                    for after, chance in chances.items()
                )
            )
        leads.append(tuple(rows))
    return Compiled(
        states=tuple(order),
        starts=tuple(range(len(world.starts()))),
        leads=tuple(leads),
        rewards={name: tuple(how) for name, how in told["rewards"].items()},
        horizon=horizon,
    )


def mean_reward(how: Iterable[Any]) -> float:
    """Return the mean of a reward: of a beta distribution, or of one fixed value."""
    kind, *values = how
    return values[0] / sum(values) if kind == "beta" else float(values[0])


class TabularEnvironment:
    """What a client sees of an MDP: states as labels, rewards, and the end of an episode."""

    def __init__(self, mdp: Compiled) -> None:
        self._mdp = mdp
        self.actions = mdp.actions
        self._ends = [
            [np.cumsum([chance for _, chance, _ in row]).tolist() for row in rows]
            for rows in mdp.leads
        ]
        self._draw = np.random.default_rng(0)
        self._at = self._step = 0

    def reset(self, seed: int) -> int:
        """Begin an episode; return the state."""
        self._draw = np.random.default_rng(seed)
        self._at, self._step = int(self._draw.choice(self._mdp.starts)), 0
        return self._at

    def step(self, action: int) -> tuple[int, float, bool]:
        """Return state, reward, and whether the episode is over."""
        draw, row = self._draw.random(), self._mdp.leads[self._at][action]
        ends = self._ends[self._at][action]
        place = 0
        while place < len(row) - 1 and draw > ends[place]:
            place += 1
        self._at, _, name = row[place]
        self._step += 1
        kind, *values = self._mdp.rewards[name]
        reward = self._draw.beta(*values) if kind == "beta" else float(values[0])
        return self._at, float(reward), self._step == self._mdp.horizon
