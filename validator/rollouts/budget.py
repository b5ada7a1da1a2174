"""How many episodes a run may spend, and on what."""

from dataclasses import dataclass, replace

from validator.errors import SettingsError
from validator.rollouts.needs import Effort, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A ceiling on episodes and time, with the scale that fits it."""

    name: str
    episodes: int
    seconds: float
    """Ceiling on rollout time; what is running then ends, the rest is not started."""
    starts: int
    repeats: int
    replays: int
    replayed_starts: int
    search: Effort
    """What a search spends, where one is run, on top of `episodes`."""
    learner: Effort
    """What a learner spends, likewise."""
    unending_steps: int | None = None
    """Steps after which episodes are stopped where none seems to end by itself; None stops
    them where all others are stopped."""

    def scale(self, group_size: int) -> Scale:
        """Return what checks may ask for; every start gets at least one whole group."""
        return Scale(
            starts=self.starts,
            repeats=max(self.repeats, group_size),
            replays=self.replays,
            replayed_starts=min(self.replayed_starts, self.starts),
            search=self.search,
            learner=self.learner,
        )


PRESETS = {
    "quick": Budget(
        name="quick", episodes=320, seconds=120.0,
        starts=8, repeats=8, replays=2, replayed_starts=4,
        search=Effort(starts=2, episodes=40, steps=1_200, seconds=10.0, each=True),
        learner=Effort(starts=4, episodes=100, steps=3_000, seconds=10.0, held_out=4, tries=3,
                       new=100),
        unending_steps=16,
    ),
    "standard": Budget(
        name="standard", episodes=1_200, seconds=900.0,
        starts=20, repeats=16, replays=3, replayed_starts=8,
        search=Effort(starts=8, episodes=100, steps=3_000, seconds=20.0, each=True),
        learner=Effort(starts=8, episodes=300, steps=9_000, seconds=20.0, held_out=8, tries=3,
                       new=300),
    ),
    "deep": Budget(
        name="deep", episodes=8_000, seconds=7_200.0,
        starts=100, repeats=32, replays=5, replayed_starts=20,
        search=Effort(starts=30, episodes=400, steps=20_000, seconds=600.0, each=True),
        learner=Effort(
            starts=16, episodes=2_000, steps=60_000, seconds=600.0, held_out=16, tries=3, new=900,
        ),
    ),
}  # fmt: skip


def read_budget(text: str) -> Budget:
    """Return the preset of that name, or a budget of that many episodes.

    Raises:
        SettingsError: it is neither.
    """
    if text in PRESETS:
        return PRESETS[text]
    if not text.isdecimal() or not 1 <= int(text) <= 10_000_000:
        raise SettingsError(
            f"{text!r} is no budget",
            where="--budget",
            do=f"Use {', '.join(PRESETS)}, or a number of episodes.",
        )
    return _sized(int(text))


def _sized(episodes: int) -> Budget:
    """Return a budget with the shape of the largest preset that is not larger."""
    base = PRESETS["quick"]
    for preset in PRESETS.values():
        if preset.episodes <= episodes:
            base = preset
    grown = max(1, episodes // base.episodes)
    return Budget(
        name=str(episodes),
        episodes=episodes,
        seconds=max(base.seconds, base.seconds * episodes / base.episodes),
        starts=base.starts * grown,
        repeats=base.repeats,
        replays=base.replays,
        replayed_starts=base.replayed_starts,
        search=_cut(base.search, episodes // 4),
        learner=_cut(base.learner, episodes // 4),
        unending_steps=base.unending_steps,
    )


def _cut(effort: Effort, most: int) -> Effort:
    """Return an effort that takes at most so many episodes, scoring aside."""
    starts = max(1, min(effort.starts, most // 20)) if effort.each else effort.starts
    share = most // starts if effort.each else most
    new = min(effort.new, share)
    return replace(effort, starts=starts, episodes=min(effort.episodes, share), new=new)
