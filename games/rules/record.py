"""The record of a finished game, format 1: all it takes to replay it and to check its shuffle."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from games.rules.cards import card_code, suit_letter
from games.rules.chance import commitment, shuffled
from games.rules.engine import dealt
from games.rules.options import OptionError, options_for
from games.rules.state import Event, IllegalMove, Move, Outcome, State
from games.rules.variants import game_of
from games.rules.verbs import apply, start

FORMAT = "ikarita-record/1"
PACES = ("30s", "60s", "2m", "1h", "12h", "1d", "3d", "7d", "none")
MOVE_KEYS = ("do", "card", "suit", "cut", "mau", "target")

# fmt: off
REQUIRED = frozenset({
    "format", "id", "round", "game", "options", "seats", "seed", "commitment", "deal", "moves",
    "result",
})
# fmt: on
OPTIONAL = frozenset({"started", "finished", "pace", "rated"})

DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TIME = re.compile(rf"{DATE}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{{1,6}})?Z", re.ASCII)


class _DateTime(Protocol):
    """What this package needs of a datetime; it knows no clock of its own."""

    def isoformat(self) -> str:
        """With the offset from UTC."""
        ...


Time: TypeAlias = str | _DateTime | None


class RecordError(Exception):
    """A record that does not hold; the text says where."""


def build_record(
    *,
    id: str,  # noqa: A002 - the name it has in the record
    variant: str,
    options: Mapping[str, Any],
    seats: Sequence[Mapping[str, str]],
    seed: bytes,
    moves: Iterable[tuple[int, Move, str, Time]],
    round: int = 1,  # noqa: A002 - the name it has in the record
    dealer: int | None = None,
    first: int | None = None,
    started: Time = None,
    finished: Time = None,
    pace: str | None = None,
    rated: bool | None = None,
) -> dict[str, Any]:
    """The record of a finished game, replayed from its seed and moves.

    `options` are all options or the differences from the defaults; `seats` are {"kind": "player",
    "name": ...} or {"kind": "bot", "level": ...}; `moves` are (seat, move, author, time), author
    being player, bot or clock; `dealer` and `first` (those of the state) are needed from round 2
    on. Times are datetimes in UTC, or texts such as 2026-12-01T10:00:09Z. A game whose moves do not
    end it was abandoned. Raises RecordError for a move that the rules refuse.
    """
    table = options_for(variant, options, len(seats))
    dealt_state = start(variant, len(seats), seed, table, dealer=dealer, last_winner=first)
    rows, outcome = _replay(dealt_state, moves)
    record = {
        "format": FORMAT,
        "id": id,
        "round": round,
        "game": variant,
        "options": table.to_json(),
        "seats": [dict(seat) for seat in seats],
        "seed": seed.hex(),
        "commitment": commitment(seed, id),
        "started": _text(started),
        "finished": _text(finished),
        "pace": pace,
        "rated": rated,
        "deal": deal_of(dealt_state),
        "moves": rows,
        "result": outcome,
    }
    return {key: value for key, value in record.items() if value is not None}


def _replay(
    state: State, moves: Iterable[tuple[int, Move, str, Time]]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of these moves, and the result they lead to."""
    rows = []
    for number, (seat, move, author, at) in enumerate(moves, start=1):
        try:
            state, events = apply(state, seat, move)
        except IllegalMove as illegal:
            raise RecordError(f"move {number}: {illegal.code}") from illegal
        rows.append(_row(number, seat, move, author, events, at))
    outcome = state.outcome or Outcome("abandoned", ())
    return rows, outcome.to_json()


def _text(time: Time) -> str | None:
    """A time as the record has it; ValueError if it is not in UTC."""
    if time is None:
        return None
    text = time if isinstance(time, str) else time.isoformat().replace("+00:00", "Z")
    if TIME.fullmatch(text) is None:
        raise ValueError(f"not a time in UTC: {text}")
    return text


def _row(
    number: int, seat: int, move: Move, author: str, events: Sequence[Event], at: Time
) -> dict[str, Any]:
    """One line of `moves`."""
    row: dict[str, Any] = {"n": number, "seat": seat} | _done(move, events) | {"author": author}
    if at is not None:
        row["at"] = _text(at)
    for event in events:
        if event.kind == "drew" and event.cards:
            row["drew"] = _codes(event.cards)
        elif event.kind == "reshuffled":
            row["reshuffled"] = _codes(event.cards)
    return row


def _done(move: Move, events: Sequence[Event]) -> dict[str, Any]:
    """The move in normal form: what the events say was done, without what was ignored."""
    if move.do == "accuse":
        return Move("accuse", target=move.target).to_json()
    if move.do != "play":
        return Move(move.do).to_json()
    named = next((event.suit for event in events if event.kind == "asked_suit"), None)
    cut = any(event.kind == "cut" for event in events)
    called = any(event.kind == "called_mau" and event.reason is None for event in events)
    return Move("play", move.card, named, cut, called).to_json()


def deal_of(state: State) -> dict[str, Any]:
    """The deal of a state that has just been dealt; hands in the order in which they were dealt."""
    order = shuffled(state.seed, "deal", game_of(state.options).pack)
    hands = dealt(order, state.seats, state.options.hand_size, state.first)
    deal = {
        "dealer": state.dealer,
        "first": state.first,
        "cut_suit": suit_letter(state.cut_suit),
        "hands": [_codes(hand) for hand in hands],
        "start": card_code(state.top),
        "stock": _codes(state.stock),
    }
    return {key: value for key, value in deal.items() if value is not None}


def _codes(cards: Iterable[int]) -> list[str]:
    return [card_code(card) for card in cards]


def verify(record: object) -> None:
    """Checks commitment, shuffle, deal, every move, what was drawn, the result, order in time.

    Raises RecordError at the first thing that does not hold.
    """
    try:
        _verify(record)
    except OptionError as error:
        raise RecordError(f"options: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise RecordError(f"malformed: {type(error).__name__}: {error}") from error


def _verify(record: Any) -> None:
    """Builds the record again from what it says was given, and compares."""
    _check(isinstance(record, dict), "a record is an object")
    keys = frozenset(record)
    _check(keys >= REQUIRED, f"missing: {', '.join(sorted(REQUIRED - keys))}")
    _check(keys <= REQUIRED | OPTIONAL, f"unknown: {', '.join(sorted(keys - REQUIRED - OPTIONAL))}")
    _check_heading(record)
    for number, row in enumerate(record["moves"], start=1):
        _check_author(number, row, record["seats"])
    _check_times(record)
    later = record["round"] > 1  # only then does the record say who deals: a rematch goes on
    again = build_record(
        id=record["id"],
        variant=record["game"],
        options=record["options"],
        seats=record["seats"],
        seed=bytes.fromhex(record["seed"]),
        moves=[_given(row) for row in record["moves"]],
        round=record["round"],
        dealer=record["deal"]["dealer"] if later else None,
        first=record["deal"]["first"] if later else None,
        started=record.get("started"),
        finished=record.get("finished"),
        pace=record.get("pace"),
        rated=record.get("rated"),
    )
    for key in ("commitment", "deal", "moves", "result"):
        _same(key, record[key], again[key])
    _same("record", record, again)


def _check_heading(record: Mapping[str, Any]) -> None:
    _same("format", record["format"], FORMAT)
    _check(isinstance(record["round"], int) and record["round"] >= 1, "round: a number from 1")
    _check(not isinstance(record["round"], bool), "round: a number from 1")
    _check(isinstance(record["id"], str) and record["id"].isascii(), "id: ASCII text")
    for seat in record["seats"]:
        _check_seat(seat)
    _check(record.get("pace", "none") in PACES, "pace: no such pace")
    _check(isinstance(record.get("rated", False), bool), "rated: true or false")


def _check_seat(seat: Mapping[str, Any]) -> None:
    name = {"player": "name", "bot": "level"}.get(seat["kind"])
    _check(
        name is not None and set(seat) == {"kind", name}, "seats: a player's name or bot's level"
    )
    _check(isinstance(seat[str(name)], str) and seat[str(name)] != "", "seats: a name is text")


def _check_times(record: Mapping[str, Any]) -> None:
    """Whether a time is true cannot be known, but each move comes after the one before it."""
    moves = [row["at"] for row in record["moves"] if "at" in row]
    _check(len(moves) in (0, len(record["moves"])), "moves: some have times and some have none")
    times = [record.get("started"), *moves, record.get("finished")]
    instants = [_instant(time) for time in times if time is not None]
    _check(instants == sorted(instants), "times: not in order")


def _instant(time: str) -> tuple[str, str]:
    """What to order times by, with or without a fraction of a second."""
    seconds, _, fraction = time.removesuffix("Z").partition(".")
    return seconds, fraction.ljust(6, "0")


def _given(row: Mapping[str, Any]) -> tuple[int, Move, str, str | None]:
    """Of a row, what was given: the rest follows."""
    move = Move.from_json({key: row[key] for key in MOVE_KEYS if key in row})
    return row["seat"], move, row["author"], row.get("at")


def _check_author(number: int, row: Mapping[str, Any], seats: Sequence[Mapping[str, str]]) -> None:
    """Only the clock times out, and it does nothing else but resign; no person plays for a bot."""
    author, clocks = row["author"], row["do"] in ("timeout", "resign")
    allowed = {
        "clock": clocks,
        "bot": row["do"] != "timeout",
        "player": row["do"] != "timeout" and seats[row["seat"]]["kind"] == "player",
    }
    _check(allowed.get(author, False), f"move {number}: not the {author}'s to make")


def _check(holds: bool, text: str) -> None:
    if not holds:
        raise RecordError(text)


def _same(where: str, got: Any, want: Any) -> None:
    if isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        for number, (each_got, each_want) in enumerate(zip(got, want, strict=True), start=1):
            _same(f"{where} {number}", each_got, each_want)
        return
    # As JSON, because in Python True equals 1.
    if _canonical(got) != _canonical(want):
        raise RecordError(f"{where}: {_canonical(got)} where {_canonical(want)} follows")


_canonical: Callable[[Any], str] = json.JSONEncoder(sort_keys=True).encode
