"""What is told of each act, in order: every kind of event at least once."""

from typing import Any

import pytest

from games.rules import Event, Move, State, apply
from games.rules.cards import card_from_code
from games.rules.positions import state_of

PLAYED = {"kind": "played", "seat": 0}


def after(game: str, hands: list[str], top: str, acts: list[str], **more: Any) -> list[Any]:
    """What the last act told, as JSON without the kept-out cards."""
    state: State = state_of(
        {
            "game": game,
            "hands": {str(seat): hand.split() for seat, hand in enumerate(hands)},
            "top": top,
            "turn": 0,
            "cut_suit": "H" if game == "matatu" else None,
            "stock": more.pop("stock", "3D KD 4D").split(),
        }
        | more
    )
    events: tuple[Event, ...] = ()
    for act in acts:
        seat, _, words = act.partition(" ")
        state, events = apply(state, int(seat), move_of(words))
    return [event.to_json() for event in events]


def move_of(words: str) -> Move:
    """`draw`, `accuse 1`, `7H`, `7H!` to cut, `AS>H` to name hearts."""
    if words.startswith("accuse"):
        return Move("accuse", target=int(words.split()[1]))
    if words[0].islower():
        return Move(words)
    card, _, suit = words.rstrip("!").partition(">")
    return Move("play", card_from_code(card), suit or None, cut=words.endswith("!"))


@pytest.mark.parametrize(
    ("position", "told"),
    [
        pytest.param(
            ("matatu", ["5H 6C", "KS QS"], "9H", ["0 5H"]),
            [PLAYED | {"card": "5H"}],
            id="played",
        ),
        pytest.param(
            ("matatu", ["AC 6C", "KS QS"], "9H", ["0 AC>D"]),
            [PLAYED | {"card": "AC"}, {"kind": "asked_suit", "seat": 0, "suit": "D"}],
            id="asked_suit",
        ),
        pytest.param(
            ("matatu", ["5S 6C", "KS QS"], "9H", ["0 draw"]),
            [{"kind": "drew", "seat": 0, "count": 1, "cards": ["3D"], "reason": "turn"}],
            id="drew",
        ),
        pytest.param(
            ("matatu", ["5S 6C", "KS QS"], "9D", ["0 draw", "0 pass"]),
            [{"kind": "kept", "seat": 0}],
            id="kept",
        ),
        pytest.param(
            ("matatu", ["5H 8H 6C", "KS QS", "4C 5C"], "9H", ["0 8H"]),
            [PLAYED | {"card": "8H"}, {"kind": "skipped", "seat": 1}],
            id="skipped",
        ),
        pytest.param(
            ("matatu", ["5H JH 6C", "KS QS", "4C 5C"], "9H", ["0 JH"]),
            [PLAYED | {"card": "JH"}, {"kind": "reversed", "seat": 0, "direction": -1}],
            id="reversed",
        ),
        pytest.param(
            ("matatu", ["7H 3C", "KS QS"], "9H", ["0 7H!"]),
            [
                PLAYED | {"card": "7H"},
                {"kind": "cut", "seat": 0, "count": 3},
                {"kind": "over", "reason": "cut"},
            ],
            id="cut",
        ),
        pytest.param(
            ("matatu", ["5S 6C", "KS QS"], "9D", ["0 draw", "0 timeout"]),
            [{"kind": "timed_out", "seat": 0}, {"kind": "kept", "seat": 0}],
            id="timed_out after drawing",
        ),
        pytest.param(
            ("matatu", ["5S 6C", "KS QS"], "9D", ["0 timeout"]),
            [
                {"kind": "timed_out", "seat": 0},
                {"kind": "drew", "seat": 0, "count": 1, "cards": ["3D"], "reason": "timeout"},
            ],
            id="timed_out",
        ),
        pytest.param(
            ("matatu", ["5S 6C", "KS QS"], "9D", ["0 resign"]),
            [{"kind": "resigned", "seat": 0}, {"kind": "over", "reason": "last_player"}],
            id="resigned",
        ),
        pytest.param(
            ("maumau", ["9H KC", "QS 10S"], "10H", ["0 9H", "0 mau"]),
            [{"kind": "called_mau", "seat": 0}],
            id="called_mau",
        ),
        pytest.param(
            ("maumau", ["9H KC", "QS 10S"], "10H", ["0 9H", "1 accuse 0"]),
            [
                {"kind": "caught", "seat": 1, "target": 0, "count": 2},
                {"kind": "drew", "seat": 0, "count": 2, "cards": ["3D", "KD"], "reason": "mau"},
            ],
            id="caught",
        ),
        pytest.param(
            ("maumau", ["8H KC QC", "QS 10S"], "10H", ["0 8H", "1 pass"]),
            [{"kind": "stood", "seat": 1}],
            id="stood",
        ),
        pytest.param(
            ("maumau", ["8H KC QC", "QS 10S"], "10H", ["0 8H", "1 timeout"]),
            [{"kind": "timed_out", "seat": 1}, {"kind": "stood", "seat": 1}],
            id="timed_out facing an eight",
        ),
    ],
)
def test_what_is_told(position: tuple[str, list[str], str, list[str]], told: list[Any]) -> None:
    assert after(*position) == told


def test_a_penalty_is_told_as_one() -> None:
    told = after("matatu", ["5S 6C", "KS QS"], "2D", ["0 draw"], penalty=2)
    drew = {"kind": "drew", "seat": 0, "count": 2, "cards": ["3D", "KD"], "reason": "penalty"}
    assert told == [drew]
    told = after("matatu", ["5S 6C", "KS QS"], "2D", ["0 timeout"], penalty=2)
    assert told == [{"kind": "timed_out", "seat": 0}, drew]


def test_a_blocked_penalty_says_how_many_nobody_draws() -> None:
    assert after("matatu", ["AS 6C", "KS QS"], "2D", ["0 AS>C"], penalty=7) == [
        PLAYED | {"card": "AS"},
        {"kind": "blocked_penalty", "seat": 0, "count": 7},
        {"kind": "asked_suit", "seat": 0, "suit": "C"},
    ]


def test_a_reshuffle_comes_before_the_draw_it_was_for() -> None:
    told = after("matatu", ["5S 6C", "KS QS"], "9D", ["0 draw"], stock="", under=["3C"])
    assert told == [
        {"kind": "reshuffled", "count": 1, "cards": ["3C"]},
        {"kind": "drew", "seat": 0, "count": 1, "cards": ["3C"], "reason": "turn"},
    ]


def test_players_who_cannot_move_say_so_before_the_end() -> None:
    hands = ["5S 6C", "KS QS"]
    assert after("matatu", hands, "9D", ["0 pass"], stock="") == [{"kind": "passed", "seat": 0}]
    assert after("matatu", hands, "9D", ["0 timeout", "1 pass"], stock="") == [
        {"kind": "passed", "seat": 1},
        {"kind": "over", "reason": "blocked"},
    ]


def test_a_false_accusation_that_costs_cards() -> None:
    options = {"false_accusation": 1}
    told = after("maumau", ["9H KC", "QS 10S"], "10H", ["1 accuse 0"], options=options)
    assert told == [
        {"kind": "accused_falsely", "seat": 1, "target": 0},
        {"kind": "drew", "seat": 1, "count": 1, "cards": ["3D"], "reason": "false_accusation"},
    ]
