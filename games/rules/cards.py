"""Cards as small integers, hands as bit masks.

A card is 0..51 = suit * 13 + rank, suits in the order S H D C, ranks in the order A 2 ... 10 J Q K;
52 is the red Joker (JK1), 53 the black one (JK2). This order is the pack order of the fair deal.
A set of cards is an int whose bit n says whether card n is in it: sets this small are compared and
combined faster than any container, and a hand has no order of its own.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Card: TypeAlias = int
CardSet: TypeAlias = int

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK")
NO_SUIT = -1
NO_CARD = -1

CODES = (*(rank + suit for suit in SUITS for rank in RANKS[:13]), "JK1", "JK2")
JOKER = RANKS.index("JK")

# What a card is, by card: looked up far more often than worked out.
SUIT = (*(card // 13 for card in range(52)), NO_SUIT, NO_SUIT)
RANK = (*(card % 13 for card in range(52)), JOKER, JOKER)

_CARDS = {code: card for card, code in enumerate(CODES)}


def card_code(card: Card) -> str:
    """The code people and files use: `7H`, `10S`, `JK1`."""
    return CODES[card]


def card_from_code(text: object) -> Card:
    """The card of a code; ValueError for anything else."""
    if isinstance(text, str) and text in _CARDS:
        return _CARDS[text]
    raise ValueError(f"not a card: {text!r}")


def suit_of(card: Card) -> str | None:
    """`S`, `H`, `D` or `C`; None for a Joker."""
    return None if SUIT[card] == NO_SUIT else SUITS[SUIT[card]]


def rank_of(card: Card) -> str:
    """`A`, `2` ... `K`; `JK` for a Joker."""
    return RANKS[RANK[card]]


def suit_letter(suit: int) -> str | None:
    """The letter of a suit's number; None for no suit."""
    return None if suit == NO_SUIT else SUITS[suit]


def suit_number(letter: str | None) -> int:
    """The number of a suit's letter, NO_SUIT for None; ValueError for anything else."""
    return NO_SUIT if letter is None else SUITS.index(letter)


def card_set(cards: Iterable[Card]) -> CardSet:
    """These cards as one set."""
    total = 0
    for card in cards:
        total |= 1 << card
    return total


def cards_in(cards: CardSet) -> Iterator[Card]:
    """The cards of a set, in pack order."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


OF_SUIT = tuple(card_set(c for c in range(54) if SUIT[c] == suit) for suit in range(4))
OF_RANK = tuple(card_set(c for c in range(54) if RANK[c] == rank) for rank in range(14))
ALL_CARDS: CardSet = (1 << 54) - 1
ACE_OF_SPADES: Card = card_from_code("AS")


def of_ranks(*ranks: str) -> CardSet:
    """All cards of these ranks."""
    return card_set(card for card in range(54) if rank_of(card) in ranks)
