"""The record of a finished game, format 1: all it takes to replay it and to check its shuffle."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from games.rules import abandon, apply, start
from games.rules.cards import card_code, suit_letter
from games.rules.chance import commitment, shuffled
from games.rules.engine import dealt
from games.rules.options import OptionError, Options, options_for
from games.rules.state import Event, IllegalMove, Move, Outcome, State
from games.rules.variants import game_of

FORMAT = "ikarita-record/1"
PACES = ("30s", "60s", "2m", "1h", "12h", "1d", "3d", "7d", "none")
AUTHORS = ("player", "bot", "clock")

Row = dict[str, Any]

# fmt: off
REQUIRED = frozenset({
    "format", "id", "round", "game", "options", "seats", "seed", "commitment", "deal", "moves",
    "result",
})
# fmt: on
OPTIONAL = frozenset({"started", "finished", "pace", "rated"})

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


class RecordError(Exception):
    """A record that does not hold; the text says where."""


def move_row(
    number: int,
    seat: int,
    move: Move,
    author: str,
    events: Iterable[Event],
    at: str | None = None,
) -> Row:
    """One line of `moves`, in normal form: what the events say was done, not what was wished.

    `author` is player, bot or clock; `events` are those `apply` returned; `at` is a UTC time such
    as 2026-12-01T10:00:09Z.
    """
    row: Row = {"n": number, "seat": seat} | _done(move, events) | {"author": author}
    if at is not None:
        row["at"] = at
    for event in events:
        if event.kind == "drew" and event.cards:
            row["drew"] = [card_code(card) for card in event.cards]
        elif event.kind == "reshuffled":
            row["reshuffled"] = [card_code(card) for card in event.cards]
    return row


def _done(move: Move, events: Iterable[Event]) -> dict[str, Any]:
    """The move without what was ignored: a suit, a cut or a Mau that meant nothing."""
    if move.do == "accuse":
        return Move("accuse", target=move.target).to_json()
    if move.do != "play":
        return Move(move.do).to_json()
    named = next((event.suit for event in events if event.kind == "asked_suit"), None)
    cut = any(event.kind == "cut" for event in events)
    called = any(event.kind == "called_mau" and event.reason is None for event in events)
    return Move("play", move.card, named, cut, called).to_json()


def build_record(
    *,
    id: str,  # noqa: A002 - the name it has in the record
    start: State,
    seats: Sequence[Mapping[str, str]],
    moves: Sequence[Row],
    outcome: Outcome,
    round: int = 1,  # noqa: A002 - the name it has in the record
    started: str | None = None,
    finished: str | None = None,
    pace: str | None = None,
    rated: bool | None = None,
) -> dict[str, Any]:
    """The record of a finished game.

    `start` is the state as dealt, `seats` are {"kind": "player", "name": ...} or {"kind": "bot",
    "level": ...}, `moves` are rows of `move_row`, times as there.
    """
    record = {
        "format": FORMAT,
        "id": id,
        "round": round,
        "game": start.options.variant,
        "options": start.options.to_json(),
        "seats": [dict(seat) for seat in seats],
        "seed": start.seed.hex(),
        "commitment": commitment(start.seed, id),
        "started": started,
        "finished": finished,
        "pace": pace,
        "rated": rated,
        "deal": deal_of(start),
        "moves": list(moves),
        "result": outcome.to_json(),
    }
    return {key: value for key, value in record.items() if value is not None}


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
    """Checks commitment, shuffle, deal, every move, what was drawn and the result.

    Raises RecordError at the first thing that does not hold.
    """
    try:
        _verify(record)
    except OptionError as error:
        raise RecordError(f"options: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise RecordError(f"malformed: {type(error).__name__}: {error}") from error


def _verify(record: Any) -> None:
    _check(isinstance(record, dict), "a record is an object")
    keys = frozenset(record)
    _check(keys >= REQUIRED, f"missing: {', '.join(sorted(REQUIRED - keys))}")
    _check(keys <= REQUIRED | OPTIONAL, f"unknown: {', '.join(sorted(keys - REQUIRED - OPTIONAL))}")
    _check_heading(record)
    options = options_for(record["game"], record["options"], len(record["seats"]))
    _same("options", record["options"], options.to_json())
    state = _dealt_again(record, options)
    _same("deal", record["deal"], deal_of(state))
    for number, row in enumerate(record["moves"], start=1):
        state = _replay(state, number, row, record["seats"])
    _check_result(state, record["result"])


def _check_heading(record: Mapping[str, Any]) -> None:
    _same("format", record["format"], FORMAT)
    _check(isinstance(record["round"], int) and record["round"] >= 1, "round: a number from 1")
    _check(not isinstance(record["round"], bool), "round: a number from 1")
    _check(isinstance(record["id"], str) and record["id"].isascii(), "id: ASCII text")
    for seat in record["seats"]:
        _check_seat(seat)
    for key in ("started", "finished"):
        _check_time(record, key)
    _check(record.get("pace", "none") in PACES, "pace: no such pace")
    _check(isinstance(record.get("rated", False), bool), "rated: true or false")


def _check_seat(seat: Mapping[str, Any]) -> None:
    name = {"player": "name", "bot": "level"}.get(seat["kind"])
    _check(
        name is not None and set(seat) == {"kind", name}, "seats: a player's name or bot's level"
    )
    _check(isinstance(seat[str(name)], str) and seat[str(name)] != "", "seats: a name is text")


def _check_time(row: Mapping[str, Any], key: str) -> None:
    _check(key not in row or bool(TIME.fullmatch(row[key])), f"{key}: a time in UTC")


def _dealt_again(record: Mapping[str, Any], options: Options) -> State:
    """Deals again from the seed; only in later rounds does the record say who deals."""
    _check(re.fullmatch(r"[0-9a-f]{64}", record["seed"]) is not None, "seed: 64 hex digits")
    seed, seats = bytes.fromhex(record["seed"]), len(record["seats"])
    _same("commitment", record["commitment"], commitment(seed, record["id"]))
    if record["round"] == 1:
        return start(record["game"], seats, seed, options)
    deal = record["deal"]
    _check(type(deal["dealer"]) is int and type(deal["first"]) is int, "deal: seats are numbers")
    return start(
        record["game"], seats, seed, options, dealer=deal["dealer"], last_winner=deal["first"]
    )


def _replay(state: State, number: int, row: Row, seats: Sequence[Mapping[str, str]]) -> State:
    where = f"move {number}"
    keys = {key: row[key] for key in row if key in ("do", "card", "suit", "cut", "mau", "target")}
    move, seat, author = Move.from_json(keys), row["seat"], row["author"]
    _check(author in AUTHORS, f"{where}: author")
    try:
        after, events = apply(state, seat, move)
    except IllegalMove as illegal:
        raise RecordError(f"{where}: {illegal.code}") from illegal
    _check(_may_write(author, move.do, seats[seat]["kind"]), f"{where}: not the {author}'s to make")
    _check_time(row, "at")
    _same(where, row, move_row(number, seat, move, author, events, row.get("at")))
    return after


def _may_write(author: str, do: str, kind: str) -> bool:
    """Only the clock times out, and it does nothing else but resign; no person plays for a bot."""
    if author == "clock":
        return do in ("timeout", "resign")
    return do != "timeout" and (author == "bot" or kind == "player")


def _check_result(state: State, result: Mapping[str, Any]) -> None:
    if state.outcome is None:
        _same("result", result.get("reason"), "abandoned")
        state, _ = abandon(state)
    _check(state.outcome is not None, "result")
    _same("result", result, state.outcome.to_json() if state.outcome else None)


def _check(holds: bool, text: str) -> None:
    if not holds:
        raise RecordError(text)


def _same(where: str, got: Any, want: Any) -> None:
    # As JSON, because in Python True equals 1.
    if _canonical(got) != _canonical(want):
        raise RecordError(f"{where}: {_canonical(got)} where {_canonical(want)} follows")


_canonical: Callable[[Any], str] = json.JSONEncoder(sort_keys=True).encode
