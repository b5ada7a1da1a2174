"""Registry of the environments that learners are trained in, to see what predicts learning.

Each is served by real OpenEnv (`serving.py`) and described here without importing any of it, so
that a validation and a training run take the same list:

    from benchmarks.learning.environments import ENVIRONMENTS
    from benchmarks.learning.serving import served

    with served([one.id for one in ENVIRONMENTS if one.family == "grid"]) as urls:
        ...  # urls["grid/room_4"] is a base URL, ENVIRONMENTS holds its manifest

An environment's reward is what a learner sees. Its *true success* is another number in [0, 1]: how
far the task that the environment claims to pose was solved. It leaves the server only when it was
started for training (`served(ids, truth=True)`), in the state of the session, which neither learner
nor validation reads. In a healthy environment reward and truth go together; in a broken one
they need not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from validator.manifest import Manifest, parse_manifest

Family = Literal["bandits", "grid", "words", "tools", "reasoning", "control", "puzzles"]

Kind = Literal["sound", "sparse", "noisy", "noise", "saturated", "impossible", "hackable", "dead"]
"""What is the matter with an environment.

sound: nothing. sparse: sound, but chance hardly ever sees the reward. noisy: the reward errs now
and then. noise: the reward has nothing to do with what is done. saturated: success comes whatever
is done. impossible: what is asked cannot be done. hackable: something else than success pays
more. dead: the reward never moves, whatever is done.
"""

Learner = Literal["ppo", "group"]
"""Which learner is trained: PPO of Stable-Baselines3, or `group.py`, group-relative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningEnvironment:
    """An environment, how it is served, and how it is trained in."""

    id: str
    """Family and name with a slash between; also its path on the server."""
    family: Family
    kind: Kind
    world: str
    """Class in `worlds/<family>.py`."""
    told: Mapping[str, Any]
    """Keyword arguments of that class."""
    learner: Learner
    steps: int
    """Environment steps a training run may take, held-out evaluation apart."""
    horizon: int
    """Most steps of an episode."""
    scores: tuple[float, float]
    """Range of the sum of an episode's rewards."""
    floor: float = 0.0
    """True success of doing nothing right; 0 throughout."""
    ceiling: float = 1.0
    """True success of the best policy in the task as it claims to be, also where it is broken."""

    @property
    def manifest(self) -> Manifest:
        """Return what an author would declare: nothing of it tells how well one can learn."""
        block = {
            "score": "sum",
            "score_range": list(self.scores),
            "horizon": self.horizon,
            "concurrency": 32,
        }
        return parse_manifest({"envassay": block}, where=self.id, folder=Path())


def _one(  # noqa: PLR0913  (a row of the registry)
    name: str,
    kind: Kind,
    world: str,
    steps: int,
    horizon: int,
    scores: tuple[float, float] = (0.0, 1.0),
    /,
    *,
    floor: float = 0.0,
    ceiling: float = 1.0,
    **told: Any,
) -> LearningEnvironment:
    family: Any = name.partition("/")[0]
    learner: Learner = "ppo" if family in {"grid", "control", "puzzles"} else "group"
    return LearningEnvironment(
        id=name, family=family, kind=kind, world=world, told={"horizon": horizon, **told},
        learner=learner, steps=steps, horizon=horizon, scores=scores, floor=floor, ceiling=ceiling,
    )  # fmt: skip


_GRID = (
    _one("grid/room_4", "sound", "Room", 8_000, 20, size=4),
    _one("grid/room_8", "sound", "Room", 16_000, 40, size=8),
    _one("grid/room_14", "sparse", "Room", 16_000, 40, size=14),
    _one("grid/shaped_10", "sound", "Room", 16_000, 40, (-1.0, 2.0), size=10, shaped=True),
    _one("grid/roaming_goal", "sound", "Room", 16_000, 25, size=5, roaming=True),
    _one("grid/cliff", "sound", "Room", 16_000, 30, size=6, cliff=True),
    _one("grid/key_and_door", "sound", "Room", 16_000, 40, size=5, key=True),
    _one("grid/decoy", "hackable", "Room", 12_000, 30, size=7, decoy=1.0),
    _one("grid/minigrid_empty", "sound", "Minigrid", 16_000, 40, level="Empty-Random-5x5"),
    _one("grid/noise", "noise", "Room", 8_000, 20, size=5, pays="coin"),
    _one("grid/tiny", "saturated", "Room", 8_000, 40, size=2),
    _one("grid/walled", "impossible", "Room", 8_000, 20, size=5, walled=True),
    _one("grid/coin_farm", "hackable", "Room", 16_000, 25, (0.0, 6.0), size=5, farm=True),
)

_CONTROL = (
    _one("control/cart_pole", "sound", "CartPole", 16_000, 200, (0.0, 200.0)),
    _one("control/cart_pole_last", "sparse", "CartPole", 16_000, 100, last=True),
    _one("control/cart_pole_stuck", "impossible", "CartPole", 12_000, 100, force=0.0, last=True),
    _one("control/cart_pole_short", "saturated", "CartPole", 8_000, 8, scale=0.125),
    _one("control/cart_pole_sign", "hackable", "CartPole", 16_000, 100, (-100.0, 0.0), sign=True),
    _one("control/pendulum", "sound", "Pendulum", 16_000, 100, (0.0, 100.0)),
    _one("control/catch", "sound", "Catch", 16_000, 8),
    _one("control/hover", "sound", "Hover", 16_000, 30),
    _one("control/hover_noisy", "noisy", "Hover", 16_000, 30, (-15.0, 15.0), pays="gauss"),
)

_PUZZLES = (
    _one("puzzles/lights_2", "sound", "Lights", 12_000, 10, side=2),
    _one("puzzles/sort_4", "sound", "Sorting", 12_000, 10, items=4),
    _one("puzzles/sort_6_shaped", "sound", "Sorting", 16_000, 20, (-1.0, 2.0), items=6,
         shaped=True),
    _one("puzzles/hanoi_2", "sound", "Hanoi", 12_000, 12, discs=2),
    _one("puzzles/dials", "sound", "Dials", 12_000, 12, dials=3, hints=True),
    _one("puzzles/dials_blind", "sparse", "Dials", 12_000, 12, dials=4, hints=False),
    _one("puzzles/deep_sea_5", "sound", "DeepSea", 12_000, 5, (-0.1, 1.0), depth=5),
    _one("puzzles/deep_sea_12", "sparse", "DeepSea", 16_000, 12, (-0.1, 1.0), depth=12),
    _one("puzzles/recall_seen", "sound", "Recall", 12_000, 4, cues=4, seen=True),
    _one("puzzles/recall_unseen", "impossible", "Recall", 12_000, 4, cues=4),
    _one("puzzles/sort_noise", "noise", "Sorting", 8_000, 10, items=4, pays="coin"),
    _one("puzzles/sort_touched", "hackable", "Sorting", 12_000, 10, (0.0, 10.0), items=4,
         proxy=True),
)  # fmt: skip

_BANDITS = (
    _one("bandits/two_arms", "sound", "Bandit", 6_000, 1, arms=2, best=0.8, other=0.2),
    _one("bandits/ten_arms", "sound", "Bandit", 8_000, 1, arms=10, best=0.9, other=0.1),
    _one("bandits/context_4", "sound", "Bandit", 8_000, 1, arms=4, contexts=4),
    _one("bandits/context_16", "sound", "Bandit", 10_000, 1, arms=8, contexts=16),
    _one("bandits/context_64", "sound", "Bandit", 12_000, 1, arms=16, contexts=64),
    _one("bandits/linear", "sound", "Bandit", 12_000, 1, arms=4, linear=6),
    _one("bandits/needle", "sparse", "Bandit", 10_000, 1, arms=100, best=0.5),
    _one("bandits/five_pulls", "sound", "Bandit", 10_000, 5, (0.0, 5.0), arms=6, contexts=6),
    _one("bandits/noisy", "noisy", "Bandit", 8_000, 1, arms=4, contexts=4, pays="flipped:0.3"),
    _one("bandits/inverted", "noisy", "Bandit", 8_000, 1, arms=4, contexts=4, pays="flipped:0.8"),
    _one("bandits/noise", "noise", "Bandit", 6_000, 1, arms=4, contexts=4, pays="coin"),
    _one("bandits/all_good", "saturated", "Bandit", 6_000, 1, arms=4, best=0.97, other=0.97),
    _one("bandits/hidden", "impossible", "Bandit", 8_000, 1, arms=10, hidden=True),
    _one("bandits/bonus_arm", "hackable", "Bandit", 8_000, 1, arms=5, contexts=4, best=0.7,
         bonus=True),
    _one("bandits/dead", "dead", "Bandit", 6_000, 1, arms=4, contexts=4, pays="nothing"),
)  # fmt: skip

_WORDS = (
    _one("words/hangman", "sound", "Hangman", 16_000, 13, misses=6),
    _one("words/hangman_last", "sparse", "Hangman", 16_000, 10, misses=4, last=True, ceiling=0.9),
    _one("words/hunt_8", "sound", "Hunt", 10_000, 3, highest=8, ceiling=0.875),
    _one("words/hunt_32", "sound", "Hunt", 16_000, 5, highest=32, ceiling=0.97),
    _one("words/codebreaker", "sound", "Codebreaker", 12_000, 4),
    _one("words/quest", "sound", "Quest", 14_000, 12, rooms=3),
    _one("words/quest_long", "sparse", "Quest", 16_000, 14, rooms=7),
    _one("words/quest_told", "sound", "Quest", 16_000, 12, rooms=3, told=True),
    _one("words/opposites", "sound", "Pairing", 12_000, 1, asks="opposite"),
    _one("words/first_letter", "sound", "Pairing", 12_000, 1, asks="first_letter"),
    _one("words/longest", "sound", "Pairing", 12_000, 1, asks="longest"),
    _one(
        "words/opposites_noisy", "noisy", "Pairing", 12_000, 1, asks="opposite", pays="flipped:0.25"
    ),
    _one("words/noise", "noise", "Pairing", 8_000, 1, asks="opposite", pays="coin"),
    _one("words/any_word", "saturated", "Pairing", 6_000, 1, asks="any"),
    _one("words/unseen_word", "impossible", "Pairing", 8_000, 1, asks="unseen"),
    _one("words/polite_quest", "hackable", "Quest", 14_000, 12, (0.0, 3.0), rooms=4, polite=True),
)

_TOOLS = (
    _one("tools/lookup", "sound", "Directory", 12_000, 4, hops=1),
    _one("tools/two_hops", "sound", "Directory", 14_000, 6, hops=2),
    _one("tools/four_hops", "sparse", "Directory", 14_000, 8, hops=4),
    _one("tools/routing", "sound", "Routing", 10_000, 1, teams=5),
    _one("tools/routing_wide", "sound", "Routing", 12_000, 1, teams=12),
    _one("tools/orders", "sound", "Orders", 12_000, 5),
    _one("tools/orders_login", "sound", "Orders", 14_000, 8, login=True),
    _one("tools/files", "sound", "Files", 12_000, 6, files=6),
    _one("tools/files_many", "sparse", "Files", 14_000, 6, files=24, ceiling=0.25),
    _one("tools/noise", "noise", "Directory", 8_000, 4, hops=1, pays="coin"),
    _one("tools/noisy", "noisy", "Directory", 12_000, 4, hops=1, pays="flipped:0.2"),
    _one("tools/weather", "noise", "Orders", 8_000, 5, pays="weather"),
    _one("tools/any_team", "saturated", "Routing", 6_000, 1, teams=5, lenient=True),
    _one("tools/lost_record", "impossible", "Directory", 8_000, 4, hops=1, lost=True),
    _one("tools/said_done", "hackable", "Orders", 12_000, 5, trusting=True),
    _one("tools/dead", "dead", "Files", 6_000, 6, files=6, pays="nothing"),
)

_ASKED: tuple[tuple[str, Kind, str, int, dict[str, Any]], ...] = (
    ("sums_small", "sound", "chain_sum", 24_000,
     {"config": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1},
      "strict": True}),
    ("sums_1_digit", "hackable", "chain_sum", 14_000,
     {"config": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1}}),
    ("letter_counting", "sound", "letter_counting", 12_000,
     {"config": {"min_words": 2, "max_words": 3}}),
    ("syllogism", "sound", "syllogism", 12_000, {}),
    ("gcd_small", "sound", "gcd", 12_000, {"config": {"min_value": 2, "max_value": 16}}),
    ("gcd_large", "sound", "gcd", 12_000, {"config": {"min_value": 100, "max_value": 999}}),
    ("ransom_note", "sound", "ransom_note", 12_000, {}),
    ("legs", "sound", "leg_counting", 12_000,
     {"config": {"min_animals": 1, "max_animals": 1, "max_instances": 2}}),
    ("modulo_cube", "sound", "color_cube_rotation", 12_000,
     {"config": {"min_rotations": 1, "max_rotations": 1}}),
    ("sums_noise", "noise", "chain_sum", 8_000,
     {"config": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1},
      "pays": "coin"}),
    ("sums_noisy", "noisy", "chain_sum", 14_000,
     {"config": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1},
      "strict": True, "pays": "flipped:0.1"}),
    ("wrong_key", "noise", "gcd", 8_000,
     {"config": {"min_value": 2, "max_value": 16}, "wrong_key": True}),
    ("question_withheld", "impossible", "letter_counting", 8_000,
     {"config": {"min_words": 2, "max_words": 3}, "withheld": True}),
    ("unsure_pays", "hackable", "gcd", 12_000,
     {"config": {"min_value": 2, "max_value": 16}, "unsure": 0.9}),
    ("all_pass", "saturated", "syllogism", 6_000, {"lenient": True}),
)  # fmt: skip

_REASONING = tuple(
    _one(f"reasoning/{name}", kind, "Reasoning", steps, 1, data=data, **told)
    for name, kind, data, steps, told in _ASKED
)

ENVIRONMENTS: tuple[LearningEnvironment, ...] = (
    *_BANDITS, *_GRID, *_WORDS, *_TOOLS, *_REASONING, *_CONTROL, *_PUZZLES,
)  # fmt: skip


def find_environment(name: str) -> LearningEnvironment:
    """Return the environment of that id.

    Raises:
        KeyError: there is none.
    """
    return {one.id: one for one in ENVIRONMENTS}[name]
