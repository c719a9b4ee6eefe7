"""Whole games as text under review, and the size of the tree of moves.

A change of the rules shows here as a change of text. After a change that is meant:
`REWRITE_PLAYTHROUGHS=1 make test ARGS=tests/rules/test_playthroughs.py`, and read the difference.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from games.bots import choose
from games.rules import (
    Event,
    Move,
    Options,
    State,
    apply,
    legal_moves,
    observe,
    options_for,
    start,
)
from games.rules.cards import card_code, cards_in

TEXTS = Path(__file__).parent / "playthroughs"
TABLES = [
    *(("matatu", seats) for seats in range(2, 7)),
    *(("maumau", seats) for seats in range(2, 6)),
]


def shown(state: State) -> str:
    """A state on one line, everything open."""
    hands = " | ".join(
        " ".join(card_code(card) for card in cards_in(hand)) or "-" for hand in state.hands
    )
    marks = [
        f"asks {'SHDC'[state.requested]}" if state.requested >= 0 else "",
        f"owed {state.penalty}" if state.penalty else "",
        "eight waits" if state.skip else "",
        "anticlockwise" if state.direction < 0 else "",
        f"can be caught: {state.mau_open}" if state.mau_open >= 0 else "",
    ]
    noted = "".join(f" ({mark})" for mark in marks if mark)
    piles = f"stock {len(state.stock)} under {len(state.under)}"
    return f"  [{card_code(state.top)}]{noted} {state.phase} {state.turn}; {piles}; {hands}"


def told(events: tuple[Event, ...]) -> Iterator[str]:
    """What happened, an event a line."""
    for event in events:
        data = event.to_json()
        cards = " ".join(data.pop("cards", ()))
        words = [data.pop("kind"), *(f"{key}={value}" for key, value in data.items()), cards]
        yield f"    {' '.join(words)}".rstrip()


def catch(state: State, rng: Random) -> tuple[int, Move] | None:
    """Somebody who calls late or catches, one time in three."""
    for seat in range(state.seats):
        calls = [move for move in legal_moves(state, seat) if move.do in ("mau", "accuse")]
        if calls and rng.random() < 1 / 3:
            return seat, rng.choice(calls)
    return None


def playthrough(variant: str, seats: int) -> str:
    """One game of easy bots who call and catch, as text."""
    rng = Random(f"{variant} {seats}")
    options: Options = options_for(variant, {}, seats)
    state = start(variant, seats, rng.randbytes(32), options)
    lines = [f"{variant}, {seats} seats", f"dealer {state.dealer}, cut suit {state.cut_suit}"]
    while state.outcome is None:
        lines.append(shown(state))
        seat, move = catch(state, rng) or (
            state.turn,
            choose("easy", observe(state, state.turn), rng, 0),
        )
        state, events = apply(state, seat, move)
        said = " ".join(str(value) for value in move.to_json().values())
        lines += [f"{seat}: {said}", *told(events)]
    return "\n".join([*lines, shown(state), f"{state.outcome.to_json()}", ""])


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_game_goes_as_it_went(variant: str, seats: int) -> None:
    file = TEXTS / f"{variant}-{seats}.txt"
    text = playthrough(variant, seats)
    if os.environ.get("REWRITE_PLAYTHROUGHS"):
        file.write_text(text)
    assert text == file.read_text()


def count_games(state: State, depth: int) -> int:
    """How many ways there are to go on for so many moves of the seat to act."""
    if depth == 0 or state.outcome is not None:
        return 1
    turns = [m for m in legal_moves(state, state.turn) if m.do in ("play", "draw", "pass")]
    if depth == 1:
        return len(turns)
    return sum(count_games(apply(state, state.turn, move)[0], depth - 1) for move in turns)


@pytest.mark.parametrize(
    ("variant", "seats", "counts"),
    [
        ("matatu", 2, [3, 21, 58, 219, 777, 2558]),
        ("matatu", 6, [8, 29, 53, 192, 1092, 6188]),
        ("maumau", 2, [1, 2, 13, 32, 86, 222]),
        ("maumau", 5, [8, 23, 74, 208, 912, 4583]),
    ],
)
def test_the_tree_of_moves_has_the_size_it_had(variant: str, seats: int, counts: list[int]) -> None:
    state = start(variant, seats, bytes(range(32)), options_for(variant, {}, seats))
    assert [count_games(state, depth) for depth in range(1, len(counts) + 1)] == counts
