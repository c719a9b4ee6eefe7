"""Seats as one viewer sees them, and the names of those who sit there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules, sentences
from games.models import Game, Seat
from games.presenters.cards import (
    face_of,
)
from games.presenters.document import Document


def name_of(seat: Seat) -> str:
    """Return the name that everybody sees at this seat."""
    if seat.bot:
        return _("Bot %(number)d") % {"number": seat.number + 1}
    return seat.user.name if seat.user else _("Former player")


def name_at(seats: Sequence[Seat], number: object) -> str:
    """Return the name at the seat of that number."""
    return next((name_of(seat) for seat in seats if seat.number == number), _("Former player"))


def people_beside(seats: Iterable[Seat], user_id: int | None) -> list[Any]:
    """Return the people at a table beside the one with this key, in the order of their seats."""
    return [seat.user for seat in seats if seat.user_id and seat.user_id != user_id]


def is_turn_of(game: Game, me: Seat | None) -> bool:
    """Return whether it is the turn of this seat."""
    return me is not None and game.turn == me.number


def from_viewer(seen: rules.Observation) -> list[int]:
    """Seat numbers clockwise, beginning after the viewer, so that the viewer sits last."""
    first = 0 if seen.seat is None else seen.seat + 1
    return [(first + k) % seen.seats for k in range(seen.seats)]


def waiting_seats(game: Game, seats: Sequence[Seat], me: Seat | None) -> Iterator[Document]:
    """Yield the seats of a waiting table, free ones too."""
    by_number = {seat.number: seat for seat in seats}
    for number in range(game.seat_count):
        seat = by_number.get(number)
        name = name_of(seat) if seat else _("Free seat")
        yield _plain_seat(number, name) | {
            "empty": seat is None,
            "key": seat.pk if seat else "",
            "you": bool(seat and seat == me),
            "host": bool(seat and seat.user_id and seat.user_id == game.host_id),
            "bot": bool(seat and seat.bot),
            "status_text": _("invited") if seat and not seat.joined else "",
        }


def _plain_seat(number: int, name: str) -> Document:
    return {
        "number": number,
        "key": "",  # at a waiting table, to remove by
        "name": name,
        "label": name,
        "you": False,
        "empty": False,
        "host": False,
        "bot": False,
        "turn": False,
        "cards": 0,
        "cards_text": "",
        "indicator": "none",
        "indicator_text": "",
        "said_mau": False,
        "resigned": False,
        "status_text": "",
        "hand": None,
        "place": None,
        "points_text": "",
        "can_accuse": False,
    }


def shown_seat(
    seen: rules.Observation, names: Sequence[str], seats: Sequence[Seat], number: int
) -> Document:
    """Return what the viewer sees of the seat of that number while a game is on, or over."""
    cards = seen.hand_sizes[number]
    hand = seen.hands[number]
    stored = next((seat for seat in seats if seat.number == number), None)
    return _plain_seat(number, names[number]) | {
        "label": _seat_label(names[number], cards),
        "you": number == seen.seat,
        "turn": number == seen.turn,
        "cards": cards,
        "cards_text": sentences.cards_text(cards),
        "indicator": seen.indicators[number],
        "indicator_text": _indicator(seen.indicators[number], names[number]),
        "said_mau": seen.said_mau[number],
        "resigned": not seen.in_game[number],
        "bot": bool(stored and stored.is_played_by_bot),
        "status_text": _status(stored, playing=seen.in_game[number]),
        "hand": None if hand is None or number == seen.seat else [face_of(c) for c in hand],
        "place": stored.place if stored else None,
        "points_text": points_of(stored),
        "can_accuse": number in seen.accusable,
    }


def _status(seat: Seat | None, *, playing: bool) -> str:
    if not playing:
        return _("resigned")
    return _("a bot plays") if seat and seat.absent else ""


def _seat_label(name: str, cards: int) -> str:
    return ngettext("%(player)s, 1 card", "%(player)s, %(n)d cards", cards) % {
        "player": name,
        "n": cards,
    }


def _indicator(indicator: str, name: str) -> str:
    if indicator == "warning":
        return _("Warning: %(player)s has 2 cards left.") % {"player": name}
    if indicator == "card":
        return _("Last card: %(player)s has 1 card left.") % {"player": name}
    return ""


def points_of(seat: Seat | None) -> str:
    """Return the points of a seat in words; empty where none are counted."""
    return "" if seat is None or seat.points is None else sentences.points_text(seat.points)
