"""Cards and piles as one viewer sees them."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules, sentences
from games.presenters.document import Document
from games.rules.cards import RANK, Card, card_code, rank_of, suit_of

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "": "★"}


def face_of(card: Card) -> Document:
    """Return a card as templates draw it: its code, rank, suit, symbol, colour and name."""
    code = card_code(card)
    suit = suit_of(card) or ""
    return {
        "code": code,
        "rank": rank_of(card),
        "suit": suit,
        "symbol": SYMBOLS[suit],
        "colour": {"JK1": "red", "JK2": "black"}.get(code, ""),
        "name": sentences.card_name(code),
    }


def shown_suit(letter: str) -> Document:
    """Return a suit as templates draw it, by its letter."""
    return {"code": letter, "symbol": SYMBOLS[letter], "name": sentences.suit_name(letter)}


def cut_suit_of(seen: rules.Observation) -> Document | None:
    """Return the cut suit with its limit of points; None where nobody can cut (MT-17)."""
    if not isinstance(seen.options, rules.MatatuOptions) or seen.options.cut == "off":
        return None
    suit = seen.cut_suit or ""
    name = sentences.suit_name(suit)
    return shown_suit(suit) | {
        "text": _("Cut suit: %(suit)s") % {"suit": name},
        "limit": seen.options.cut_limit,
    }


def requested_suit_of(seen: rules.Observation) -> Document | None:
    """Return the suit in force by request, None if there is none."""
    if not seen.requested_suit:
        return None
    name = sentences.suit_name(seen.requested_suit)
    return shown_suit(seen.requested_suit) | {
        "text": _("Requested suit: %(suit)s") % {"suit": name}
    }


def hand_of(seen: rules.Observation, *, by_rank: bool = False) -> list[Document]:
    """Return the viewer's own hand: what of it can be played, and what a cut would leave.

    Sorted by suit, as the rules give it, or by rank.
    """
    hand = sorted(seen.hand or (), key=lambda card: RANK[card]) if by_rank else seen.hand or ()
    return [_card_in_hand(seen, card) for card in hand]


def _card_in_hand(seen: rules.Observation, card: Card) -> Document:
    plays = [move for move in seen.moves if move.do == "play" and move.card == card]
    can_cut = any(move.cut for move in plays)
    return face_of(card) | {
        "playable": bool(plays),
        "state_text": _("can be played") if plays else _("cannot be played"),
        "names_suit": any(move.suit for move in plays),
        "can_cut": can_cut,
        "cut_text": _cut_text(seen, card) if can_cut else "",
    }


def _cut_text(seen: rules.Observation, card: Card) -> str:
    left = (seen.count or 0) - (rules.card_points(seen.options, card) or 0)
    return ngettext(
        "After this card you have 1 point.",
        "After this card you have %(count)d points.",
        left,
    ) % {"count": left}


def open_cards_of(seen: rules.Observation) -> Document | None:
    """Return the piles that lie open at a beginner table (MM-28), None elsewhere."""
    if seen.stock is None or seen.discards is None:
        return None
    return {
        "stock": [face_of(card) for card in seen.stock],
        "discards": [face_of(card) for card in seen.discards],
    }
