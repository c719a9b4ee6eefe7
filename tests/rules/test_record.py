"""Game records: what is written can be replayed, and no change of it goes unnoticed."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from games.rules import (
    OPTIONS,
    IllegalMove,
    Move,
    RecordError,
    State,
    apply,
    build_record,
    options_for,
    start,
    verify,
)
from games.rules.cards import card_from_code
from games.rules.record import MOVE_KEYS
from tests.rules.play import chances, random_game, tables

SEATS = [{"kind": "player", "name": "Keza"}, {"kind": "bot", "level": "hard"}]
BEGAN = datetime(2026, 12, 1, 10, 0, 0, tzinfo=UTC)


def played(state: State, rng: Random, most: int = 400) -> list[tuple[int, Move, str, Any]]:
    """A random game as it is handed to `build_record`."""
    moves: list[tuple[int, Move, str, Any]] = []
    for _, seat, move, _, _ in random_game(state, rng, most):
        person = seat % 2 == 0
        author = "clock" if move.do == "timeout" else "player" if person else "bot"
        moves.append((seat, move, author, BEGAN + timedelta(seconds=len(moves))))
    return moves


def recorded(state: State, moves: list[tuple[int, Move, str, Any]], **more: Any) -> dict[str, Any]:
    """The record of a game; every second seat is a bot's."""
    seats = [SEATS[seat % 2] for seat in range(state.seats)]
    record = build_record(
        id="game-1",
        variant=state.options.variant,
        options=state.options.to_json(),
        seats=seats,
        seed=state.seed,
        moves=moves,
        **more,
    )
    return json.loads(json.dumps(record))


def example(variant: str = "maumau", seats: int = 3, number: int = 1) -> dict[str, Any]:
    """One whole game."""
    rng = Random(number)
    state = start(variant, seats, rng.randbytes(32), options_for(variant, {}, seats))
    times = {"started": BEGAN, "finished": BEGAN + timedelta(hours=1)}
    return recorded(state, played(state, rng, 3000), pace="60s", rated=False, **times)


@settings(deadline=None)
@given(tables(), chances())
def test_every_game_s_record_holds(state: State, rng: Random) -> None:
    verify(recorded(state, played(state, rng)))


def test_a_record_has_the_shape_of_the_contract() -> None:
    record = example()
    heading = ["format", "id", "round", "game", "options", "seats", "seed", "commitment"]
    heading += ["started", "finished", "pace", "rated", "deal", "moves", "result"]
    assert list(record) == heading
    assert record["format"] == "ikarita-record/1"
    assert record["started"] == "2026-12-01T10:00:00Z"
    assert list(record["deal"]) == ["dealer", "first", "hands", "start", "stock"]
    assert list(record["moves"][0])[:3] == ["n", "seat", "do"]
    assert all(row["at"].endswith("Z") for row in record["moves"])
    assert set(record["options"]) == set(options_for("maumau", {}, 2).to_json())
    assert "points" not in record["result"]
    assert example("matatu")["deal"]["cut_suit"] in tuple("SHDC")


def test_a_game_without_an_end_was_abandoned() -> None:
    state = start("matatu", 2, bytes(32), options_for("matatu", {}, 2))
    record = recorded(state, [(state.turn, Move("timeout"), "clock", None)])
    assert record["result"] == {"reason": "abandoned", "places": []}
    verify(record)


def test_a_finished_game_was_not_abandoned() -> None:
    record = example()
    record["result"] = {"reason": "abandoned", "places": []}
    with pytest.raises(RecordError, match="result"):
        verify(record)


def test_later_rounds_name_their_dealer() -> None:
    options = options_for("matatu", {"first_player": "last_winner"}, 3)
    state = start("matatu", 3, bytes(32), options, dealer=1, last_winner=0)
    moves = played(state, Random(3), 3000)
    record = recorded(state, moves, round=2, dealer=state.dealer, first=state.first)
    assert (record["deal"]["dealer"], record["deal"]["first"]) == (1, 0)
    verify(record)
    record["round"] = 1
    with pytest.raises(RecordError):
        verify(record)


def test_ignored_wishes_are_not_recorded() -> None:
    state = start("matatu", 2, bytes(32), options_for("matatu", {}, 2))
    plain = next(
        move
        for move in (Move("play", card_from_code(code)) for code in sorted(all_codes()))
        if accepted(state, move)
    )
    wish = Move("play", plain.card, "S", mau=True)
    record = recorded(state, [(state.turn, wish, "player" if state.turn == 0 else "bot", None)])
    assert not {"suit", "mau"} & set(record["moves"][0])


def all_codes() -> list[str]:
    return [rank + suit for rank in ("3", "4", "5", "6", "9", "10", "Q", "K") for suit in "SHDC"]


def accepted(state: State, move: Move) -> bool:
    try:
        apply(state, state.turn, move)
    except Exception:  # noqa: BLE001 - whatever the reason, this card is not the one looked for
        return False
    return True


def test_times_must_be_in_utc() -> None:
    state = start("matatu", 2, bytes(32), options_for("matatu", {}, 2))
    kigali = BEGAN.astimezone(timezone(timedelta(hours=2)))
    with pytest.raises(ValueError, match="not a time in UTC"):
        recorded(state, [], started=kigali)


# Tampering.

# What nobody can check: names, exact times, and what the site alone knows of a game.
FREE = {"name", "level", "at", "started", "finished", "pace", "rated"}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every single value in a record that matters."""
    if isinstance(value, dict):
        for key in value:
            if key not in FREE:
                yield from leaves(value[key], (*path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    else:
        yield path


def changed(value: Any, rng: Random) -> Any:
    """Something else of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1])
    if isinstance(value, str) and value:
        place = rng.randrange(len(value))
        letters = "0123456789abcdef" if len(value) == 64 else "SHDC23456789AKQJplayerbotclock"
        other = rng.choice([letter for letter in letters if letter != value[place]])
        return value[:place] + other + value[place + 1 :]
    return "AS" if value != "AS" else "KS"


def parent_of(record: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        record = record[step]
    return record


def could_have_been(record: dict[str, Any], spoilt: dict[str, Any], path: tuple[Any, ...]) -> bool:
    """Whether the change gives what may have happened as well, so that nothing can betray it.

    A bot may play on a person's seat; an option that did not matter may have been another; and a
    move may have been another one that the rules allowed.
    """
    before, after = parent_of(record, path)[path[-1]], parent_of(spoilt, path)[path[-1]]
    if path[-1] == "author":
        return {before, after} == {"player", "bot"}
    if path[0] == "options":
        return after in OPTIONS[record["game"]].choices()[path[-1]]
    if path[0] == "moves" and path[-1] in ("card", "suit", "target"):
        return is_allowed(spoilt, path[1])
    return False


def is_allowed(record: dict[str, Any], place: int) -> bool:
    """Whether the rules allow the move at this place after all those before it."""
    seats = len(record["seats"])
    options = options_for(record["game"], record["options"], seats)
    state = start(record["game"], seats, bytes.fromhex(record["seed"]), options)
    try:
        for row in record["moves"][: place + 1]:
            keys = {key: row[key] for key in MOVE_KEYS if key in row}
            state, _ = apply(state, row["seat"], Move.from_json(keys))
    except (IllegalMove, ValueError):
        return False
    return True


@pytest.mark.parametrize("variant", ["matatu", "maumau"])
def test_any_changed_value_is_found(variant: str) -> None:
    rng = Random(8)
    record = example(variant)
    verify(record)
    for path in leaves(record):
        spoilt = copy.deepcopy(record)
        parent = parent_of(spoilt, path)
        parent[path[-1]] = changed(parent[path[-1]], rng)
        if could_have_been(record, spoilt, path):
            continue
        with pytest.raises(RecordError):
            verify(spoilt)


@pytest.mark.parametrize("variant", ["matatu", "maumau"])
def test_any_missing_or_added_key_is_found(variant: str) -> None:
    record = example(variant)
    paths = {path[: place + 1] for path in leaves(record) for place in range(len(path))}
    for path in sorted(paths, key=str):
        spoilt = copy.deepcopy(record)
        del parent_of(spoilt, path)[path[-1]]
        with pytest.raises(RecordError):
            verify(spoilt)
        spoilt = copy.deepcopy(record)
        parent = parent_of(spoilt, path)
        if isinstance(parent, dict):
            parent["more"] = 1
        else:
            parent.insert(path[-1], parent[path[-1]])
        with pytest.raises(RecordError):
            verify(spoilt)


def test_times_out_of_order_are_found() -> None:
    early, late = "2026-12-01T09:59:59.999999Z", "2026-12-01T11:00:00.5Z"
    verify(example() | {"started": early, "finished": late})
    for spoilt in (example() | {"started": late}, example() | {"finished": early}):
        with pytest.raises(RecordError, match="times: not in order"):
            verify(spoilt)
    spoilt = example()
    spoilt["moves"][3]["at"] = late
    with pytest.raises(RecordError, match="times: not in order"):
        verify(spoilt)
    del spoilt["moves"][3]["at"]
    with pytest.raises(RecordError, match="some have times"):
        verify(spoilt)


def test_an_option_that_mattered_is_found() -> None:
    record = example("matatu")
    assert any(row.get("suit") for row in record["moves"])
    record["options"]["ace_play"] = "match"
    with pytest.raises(RecordError):
        verify(record)


def test_moves_in_another_order_are_found() -> None:
    record = example()
    for place in range(len(record["moves"]) - 1):
        spoilt = copy.deepcopy(record)
        rows = spoilt["moves"]
        rows[place], rows[place + 1] = rows[place + 1], rows[place]
        with pytest.raises(RecordError):
            verify(spoilt)


@pytest.mark.parametrize(
    ("author", "do"), [("bot", "timeout"), ("player", "timeout"), ("clock", "draw")]
)
def test_only_the_clock_times_out_and_it_does_nothing_else(author: str, do: str) -> None:
    state = start("matatu", 2, bytes(32), options_for("matatu", {}, 2))
    record = recorded(state, [(state.turn, Move(do), author, None)])
    with pytest.raises(RecordError, match="not the"):
        verify(record)


@pytest.mark.parametrize("nonsense", [None, [], "record", 7, {}, {"format": "ikarita-record/1"}])
def test_what_is_no_record_is_refused(nonsense: object) -> None:
    with pytest.raises(RecordError):
        verify(nonsense)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats", [{"kind": "player", "name": ""}] * 3),
        ("seats", [{"kind": "ghost", "name": "x"}] * 3),
        ("seats", "abc"),
        ("pace", "2s"),
        ("rated", "yes"),
        ("round", True),
        ("round", 0),
        ("started", "2026-12-01 10:00"),
        ("started", "2026-13-01T10:00:00Z"),
        ("started", "2026-11-30T24:00:00Z"),
        ("started", 7),
        ("moves", {}),
        ("moves", [7]),
        ("options", {}),
        ("deal", []),
    ],
)
def test_malformed_parts_are_refused(key: str, value: Any) -> None:
    record = example()
    record[key] = value
    with pytest.raises(RecordError):
        verify(record)
