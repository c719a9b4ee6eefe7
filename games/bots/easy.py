"""The easy bot: lays what it can, draws when it cannot, forgets Mau one time in three (part G).

It keeps the cards that make others draw until nothing else fits. Bots that lay them at once can
keep each other from finishing for thousands of moves at tables where many cards draw.
"""

from random import Random

from games.rules import Move, Observation
from games.rules.cards import Card, suit_of
from games.rules.variants import game_of

FORGETS_MAU_ONCE_IN = 3


def choose(observation: Observation, rng: Random, budget: float) -> Move:
    """A random card of those it can best spare; the suit it has most of, where it may name one."""
    plays = [move for move in observation.moves if move.do == "play"]
    if not plays:
        return rng.choice(observation.moves)
    card = rng.choice(_spare(observation, {move.card for move in plays if move.card is not None}))
    return _best(observation, [move for move in plays if move.card == card], rng)


def _spare(observation: Observation, cards: set[Card]) -> list[Card]:
    effects = game_of(observation.options).effects
    return sorted(card for card in cards if not effects[card].draws) or sorted(cards)


def _best(observation: Observation, plays: list[Move], rng: Random) -> Move:
    """One way of laying this card: with the call unless forgotten, without a cut."""
    remembers = rng.randrange(FORGETS_MAU_ONCE_IN) > 0
    ways = [move for move in plays if not move.cut]
    wanted = [move for move in ways if move.mau == remembers] or ways
    return max(wanted, key=lambda move: (_held(observation, move.suit), rng.random()))


def _held(observation: Observation, suit: str | None) -> int:
    return sum(suit is not None and suit_of(card) == suit for card in observation.hand or ())
