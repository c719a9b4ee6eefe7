"""The random bot: any move its seat may make; it never notices a forgotten call."""

from random import Random

from games.rules import Move, Observation


def choose(observation: Observation, rng: Random, budget: float) -> Move:
    """One of the moves, each as likely as the others."""
    return rng.choice(observation.moves)
