"""The easy bot: lays what it can, draws when it cannot, forgets Mau one time in three (part G)."""

from random import Random

from games.rules import Move, Observation
from games.rules.cards import suit_of

FORGETS_MAU_ONCE_IN = 3


def choose(observation: Observation, rng: Random, budget: float) -> Move:
    """A random card that fits; a suit it holds, where it may name one."""
    plays = [move for move in observation.moves if move.do == "play"]
    if not plays:
        return rng.choice(observation.moves)
    card = rng.choice(sorted({move.card for move in plays if move.card is not None}))
    return _best(observation, [move for move in plays if move.card == card], rng)


def _best(observation: Observation, plays: list[Move], rng: Random) -> Move:
    """One way of laying this card: with the call unless forgotten, never cutting blindly."""
    remembers = rng.randrange(FORGETS_MAU_ONCE_IN) > 0
    wanted = [move for move in plays if move.mau == remembers and not move.cut]
    wanted = wanted or [move for move in plays if not move.cut]
    return max(wanted, key=lambda move: (_held(observation, move.suit), rng.random()))


def _held(observation: Observation, suit: str | None) -> int:
    return sum(suit is not None and suit_of(card) == suit for card in observation.hand or ())
