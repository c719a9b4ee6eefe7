"""What the rules speak in: a state, a move, what happened, how it ended, and why not.

All values are immutable; all of them go to JSON and back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from games.rules.cards import (
    NO_CARD,
    SUITS,
    Card,
    CardSet,
    card_code,
    card_from_code,
    card_set,
    cards_in,
    suit_letter,
    suit_number,
)
from games.rules.options import Options, options_of

# What is awaited of the seat whose turn it is.
TURN = "turn"
DRAWN = "drawn"
COVER = "cover"
OVER = "over"

NO_SEAT = -1

MOVES = ("play", "draw", "pass", "mau", "accuse", "resign", "timeout")


class IllegalMove(Exception):
    """A refused move; nothing has changed.

    `code` is one of the advisory codes of RULES.md section 1, `values` what a sentence about it
    needs, such as {"points": 23, "limit": 20}.
    """

    def __init__(self, code: str, **values: int | str | None) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat wants to do; which fields matter depends on `do`."""

    do: str
    card: Card | None = None
    suit: str | None = None
    cut: bool = False
    mau: bool = False
    target: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Only the keys that apply, as in a game record."""
        data: dict[str, Any] = {"do": self.do}
        if self.card is not None:
            data["card"] = card_code(self.card)
        if self.suit is not None:
            data["suit"] = self.suit
        if self.cut:
            data["cut"] = True
        if self.mau:
            data["mau"] = True
        if self.target is not None:
            data["target"] = self.target
        return data

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The move of such a dict; ValueError for anything unreadable or out of place."""
        if not isinstance(data, Mapping):
            raise ValueError("a move is an object")
        do = data.get("do")
        if do not in MOVES:
            raise ValueError(f"unknown move: {do!r}")
        unknown = set(data) - {"do"} - _KEYS_OF.get(do, frozenset())
        if unknown:
            raise ValueError(f"not part of {do}: {', '.join(sorted(map(str, unknown)))}")
        return cls(
            do,
            card_from_code(data.get("card")) if do == "play" else None,
            _suit(data.get("suit")),
            _flag(data.get("cut", False)),
            _flag(data.get("mau", False)),
            _seat(data.get("target")) if do == "accuse" else None,
        )


_KEYS_OF = {"play": frozenset({"card", "suit", "cut", "mau"}), "accuse": frozenset({"target"})}


def _suit(value: object) -> str | None:
    if value is None or (isinstance(value, str) and value in tuple(SUITS)):
        return value
    raise ValueError(f"not a suit: {value!r}")


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"neither true nor false: {value!r}")


def _seat(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"not a seat: {value!r}")


class Event(NamedTuple):
    """One thing that happened, for people to be told; `cards` may be hidden from some of them.

    kind            fields
    played          seat, card
    asked_suit      seat, suit
    drew            seat, count, cards, reason: turn penalty mau false_accusation timeout
    kept            seat: kept the drawn card
    passed          seat: could neither lay nor draw
    stood           seat: stood for an eight
    skipped         seat: the one who is skipped
    reversed        seat, direction
    blocked_penalty seat, count: cards nobody has to draw
    cut             seat, count: the points left in the cutter's hand
    called_mau      seat; reason "auto" if called by the table
    caught          seat: the catcher, target, count, count: the penalty
    accused_falsely seat, target: only where that costs cards
    reshuffled      count, cards
    timed_out       seat
    resigned        seat
    over            reason
    """

    kind: str
    seat: int | None = None
    card: Card | None = None
    suit: str | None = None
    target: int | None = None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count, which nobody needs
    cards: tuple[Card, ...] = ()
    direction: int | None = None
    reason: str | None = None

    def __repr__(self) -> str:
        shown = {key: value for key, value in self.to_json().items() if key != "cards"}
        return f"Event({shown})"

    def to_json(self) -> dict[str, Any]:
        """Only the keys that apply."""
        data: dict[str, Any] = {"kind": self.kind}
        if self.card is not None:
            data["card"] = card_code(self.card)
        if self.cards:
            data["cards"] = [card_code(card) for card in self.cards]
        for key in ("seat", "suit", "target", "count", "direction", "reason"):
            if getattr(self, key) is not None:
                data[key] = getattr(self, key)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The event of such a dict."""
        values = dict(data)
        if "card" in values:
            values["card"] = card_from_code(values["card"])
        values["cards"] = tuple(card_from_code(code) for code in values.get("cards", ()))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `reason` is out, cut, blocked, last_player or abandoned. `places` are groups of seats, best
    first; more than one seat in the first group is a shared win; empty if abandoned. `points` are
    card points by seat, None for a resigned seat; None as a whole in Mau-Mau and if abandoned.
    """

    reason: str
    places: tuple[tuple[int, ...], ...]
    points: tuple[int | None, ...] | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won: none, one or several."""
        return self.places[0] if self.places else ()

    def to_json(self) -> dict[str, Any]:
        """As in a game record."""
        data: dict[str, Any] = {"reason": self.reason, "places": [list(p) for p in self.places]}
        if self.points is not None:
            data["points"] = {str(s): p for s, p in enumerate(self.points) if p is not None}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], seats: int) -> Self:
        """The outcome of such a dict, in a game of so many seats."""
        points = data.get("points")
        return cls(
            data["reason"],
            tuple(tuple(place) for place in data["places"]),
            None if points is None else tuple(points.get(str(seat)) for seat in range(seats)),
        )


class State(NamedTuple):
    """A whole game at one moment, hidden cards and seed included: never for a player's eyes.

    Seats are numbered clockwise. Hands are card sets; piles are bytes, one byte a card: `stock` top
    first, `under` (the discards beneath the top) first laid first. A seat, card or suit that is not
    there is -1.
    """

    # Settled by the deal.
    options: Options
    seed: bytes
    dealer: int
    first: int  # the seat dealt first
    cut_suit: int
    # What moves change.
    hands: tuple[CardSet, ...]
    stock: bytes
    under: bytes
    top: Card
    turn: int  # NO_SEAT when over
    direction: int  # 1 clockwise, -1 anticlockwise
    phase: str
    requested: int  # the suit named by an Ace (Matatu) or a Jack (Mau-Mau)
    penalty: int  # cards pending
    skip: bool  # Mau-Mau: an eight waits for an answer
    drawn: Card  # the card just drawn, in phase DRAWN
    passes: int  # players in a row who could neither lay nor draw
    reshuffles: int
    resigned: tuple[int, ...]  # in order of resigning
    said_mau: int  # bit s: seat s has called, for the next card of this turn or for the last one
    mau_open: int  # the seat that can be caught
    outcome: Outcome | None

    @property
    def seats(self) -> int:
        """How many seats the game has, resigned ones included."""
        return len(self.hands)

    def __repr__(self) -> str:
        sizes = [hand.bit_count() for hand in self.hands]
        return (
            f"State({self.options.variant}, phase={self.phase}, turn={self.turn},"
            f" top={card_code(self.top)}, hand_sizes={sizes}, stock_size={len(self.stock)},"
            f" penalty={self.penalty}, outcome={self.outcome})"
        )

    def to_json(self) -> dict[str, Any]:
        """Everything, as plain values."""
        return self._asdict() | {
            "variant": self.options.variant,
            "options": self.options.to_json(),
            "seed": self.seed.hex(),
            "cut_suit": suit_letter(self.cut_suit),
            "hands": [[card_code(card) for card in cards_in(hand)] for hand in self.hands],
            "stock": [card_code(card) for card in self.stock],
            "under": [card_code(card) for card in self.under],
            "top": card_code(self.top),
            "turn": None if self.turn == NO_SEAT else self.turn,
            "requested": suit_letter(self.requested),
            "drawn": None if self.drawn == NO_CARD else card_code(self.drawn),
            "resigned": list(self.resigned),
            "said_mau": [seat for seat in range(self.seats) if self.said_mau >> seat & 1],
            "mau_open": None if self.mau_open == NO_SEAT else self.mau_open,
            "outcome": None if self.outcome is None else self.outcome.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The state of such a dict."""
        values = dict(data)
        drawn, outcome = values["drawn"], values["outcome"]
        return cls(
            **values
            | {
                "options": options_of(values.pop("variant"), values["options"]),
                "seed": bytes.fromhex(values["seed"]),
                "cut_suit": suit_number(values["cut_suit"]),
                "hands": tuple(card_set(map(card_from_code, hand)) for hand in values["hands"]),
                "stock": bytes(map(card_from_code, values["stock"])),
                "under": bytes(map(card_from_code, values["under"])),
                "top": card_from_code(values["top"]),
                "turn": _number(values["turn"]),
                "requested": suit_number(values["requested"]),
                "drawn": NO_CARD if drawn is None else card_from_code(drawn),
                "resigned": tuple(values["resigned"]),
                "said_mau": sum(1 << seat for seat in values["said_mau"]),
                "mau_open": _number(values["mau_open"]),
                "outcome": outcome and Outcome.from_json(outcome, len(values["hands"])),
            }
        )


def _number(seat: int | None) -> int:
    return NO_SEAT if seat is None else seat
