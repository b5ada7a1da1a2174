"""Control: hold, swing or steer something, with a few discrete forces."""

import math
from typing import Any

from openenv.core.env_server import Action, Observation

from .base import World, action_of


class Readings(Observation):
    readings: list[float]


class CartPole(World):
    """CartPole of gymnasium; success is the share of the horizon for which the pole stood.

    scale: pay for each step. last: 1 for having lasted, nothing before. force: of a push. sign:
    each step costs 1, as after a mistaken sign.
    """

    Seen = Readings

    def __init__(
        self,
        *,
        scale: float = 1.0,
        last: bool = False,
        force: float = 10.0,
        sign: bool = False,
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        from gymnasium.envs.classic_control import CartPoleEnv

        self._scale, self._last, self._sign = scale, last, sign
        self._cart: Any = CartPoleEnv()
        self._cart.force_mag = force

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(push=("left", "right"))

    def begin(self) -> None:
        self._seen, _ = self._cart.reset(seed=self.draw.randrange(2**31))
        self._stood = 0

    def act(self, action: Any) -> tuple[float, bool]:
        self._seen, _, fell, _, _ = self._cart.step(int(action.push == "right"))
        self._stood += not fell
        if self._sign:
            return -1.0, bool(fell)
        if self._last:
            return float(self._stood >= self.horizon), bool(fell)
        return self._scale, bool(fell)

    def seen(self) -> dict[str, Any]:
        return {"readings": [round(float(one), 4) for one in self._seen]}

    def solution(self) -> dict[str, Any]:
        place, speed, angle, turning = (float(one) for one in self._seen)
        leans = 0.05 * place + 0.1 * speed + angle + 0.4 * turning
        return {"push": "right" if leans > 0 else "left"}

    def success(self) -> float:
        return self._stood / self.horizon


class Pendulum(World):
    """Swing a pendulum up; pay and success are how upright it is, in the later half for success."""

    Seen = Readings
    TORQUES = {"far_left": -2.0, "left": -1.0, "none": 0.0, "right": 1.0, "far_right": 2.0}

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(torque=tuple(cls.TORQUES))

    def begin(self) -> None:
        self._angle = self.draw.uniform(-math.pi, math.pi)
        self._speed = self.draw.uniform(-1.0, 1.0)
        self._upright: list[float] = []

    def act(self, action: Any) -> tuple[float, bool]:
        pull = 15.0 * math.sin(self._angle) + 3.0 * self.TORQUES[action.torque]
        self._speed = min(8.0, max(-8.0, self._speed + pull * 0.05))
        self._angle += self._speed * 0.05
        self._upright.append((1.0 + math.cos(self._angle)) / 2.0)
        return self._upright[-1], False

    def seen(self) -> dict[str, Any]:
        told = (math.cos(self._angle), math.sin(self._angle), self._speed / 4.0)
        return {"readings": [round(one, 4) for one in told]}

    def solution(self) -> dict[str, Any]:
        """Return a torque that adds what energy is missing, and one that holds near the top."""
        angle = math.remainder(self._angle, 2 * math.pi)
        if abs(angle) < 0.4:
            wanted = -(12.0 * angle + 3.0 * self._speed)
        else:
            missing = 15.0 * (1.0 - math.cos(angle)) - self._speed**2 / 2
            wanted = math.copysign(2.0, self._speed) * (1 if missing > 0 else -1)
        return {"torque": min(self.TORQUES, key=lambda name: abs(self.TORQUES[name] - wanted))}

    def success(self) -> float:
        later = self._upright[self.horizon // 2 :]
        return sum(later) / len(later) if later else 0.0


class Court(Observation):
    ball_row: int
    ball_column: int
    paddle: int


class Catch(World):
    """A ball falls through five columns; catching it pays 1."""

    Seen = Court
    COLUMNS = 5

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(move=("left", "stay", "right"))

    def begin(self) -> None:
        self._ball = self.draw.randrange(self.COLUMNS)
        self._paddle = self.draw.randrange(self.COLUMNS)
        self._row = 0

    def act(self, action: Any) -> tuple[float, bool]:
        shift = {"left": -1, "stay": 0, "right": 1}[action.move]
        self._paddle = min(self.COLUMNS - 1, max(0, self._paddle + shift))
        self._row += 1
        return self.success(), self._row >= self.horizon

    def seen(self) -> dict[str, Any]:
        return {"ball_row": self._row, "ball_column": self._ball, "paddle": self._paddle}

    def solution(self) -> dict[str, Any]:
        away = self._ball - self._paddle
        return {"move": "right" if away > 0 else "left" if away < 0 else "stay"}

    def success(self) -> float:
        return float(self._row >= self.horizon and self._ball == self._paddle)


class Hover(World):
    """Keep a height by thrust against gravity; success is the share of the later half near it."""

    Seen = Readings
    THRUST = {"off": 0.0, "low": 1.0, "high": 2.0}

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(thrust=tuple(cls.THRUST))

    def begin(self) -> None:
        self._height = self.draw.uniform(-5.0, 5.0)
        self._speed = 0.0
        self._near: list[bool] = []

    def act(self, action: Any) -> tuple[float, bool]:
        self._speed += 0.4 * (self.THRUST[action.thrust] - 1.0)
        self._height += self._speed
        self._near.append(abs(self._height) < 1.0)
        return self._near[-1] / self.horizon, abs(self._height) > 15.0

    def seen(self) -> dict[str, Any]:
        return {"readings": [round(self._height / 5.0, 4), round(self._speed, 4)]}

    def solution(self) -> dict[str, Any]:
        """Return the thrust that brings the speed nearest to what the height asks for."""
        wanted = -math.copysign(min(abs(self._height) * 0.5, 1.2), self._height)
        return {
            "thrust": min(
                self.THRUST,
                key=lambda name: abs(self._speed + 0.4 * (self.THRUST[name] - 1.0) - wanted),
            )
        }

    def success(self) -> float:
        return sum(self._near[self.horizon // 2 :]) / (self.horizon - self.horizon // 2)
