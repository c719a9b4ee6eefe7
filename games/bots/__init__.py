"""Bots: each level is a function of what its seat may see, never of the state.

    choose(observation, rng, budget) -> Move     one of observation.moves

`rng` is the only source of chance, `budget` the thinking time in seconds. A level may be asked only
when its seat is to act.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from games.bots import easy
from games.rules import Move, Observation

Level: TypeAlias = Callable[[Observation, Random, float], Move]

LEVELS: dict[str, Level] = {"easy": easy.choose}


def choose(level: str, observation: Observation, rng: Random, budget: float) -> Move:
    """The move of this level; KeyError for a level that there is not."""
    return LEVELS[level](observation, rng, budget)
