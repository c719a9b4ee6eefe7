"""Bots: each level is a function of what its seat may see, never of the state.

    choose(observation, rng, budget) -> Move     one of observation.moves
    react(observation, rng) -> Move | None       an accusation, out of turn

`rng` is the only source of chance, `budget` the thinking time in seconds. A level may be asked only
when its seat is to act.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from games.bots import at_random, easy
from games.rules import Move, Observation

Level: TypeAlias = Callable[[Observation, Random, float], Move]

LEVELS: dict[str, Level] = {"easy": easy.choose, "random": at_random.choose}
NOTICES_MAU = {"easy": 0.5}  # how likely a level notices that somebody has not called


def choose(level: str, observation: Observation, rng: Random, budget: float) -> Move:
    """The move of this level; KeyError for a level that there is not."""
    return LEVELS[level](observation, rng, budget)


def react(level: str, observation: Observation, rng: Random) -> Move | None:
    """The accusation of whoever has one card and no badge, if the bot notices (MM-22, part G).

    It knows what a seat may see, so it can be wrong: a call need not have been due.
    """
    if rng.random() >= NOTICES_MAU.get(level, 0):
        return None
    silent = [
        seat
        for seat in observation.accusable
        if observation.hand_sizes[seat] == 1 and not observation.said_mau[seat]
    ]
    return Move("accuse", target=rng.choice(silent)) if silent else None
