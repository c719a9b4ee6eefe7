"""Options, moves and refusals as values."""

from typing import Any

import pytest

from games.rules import (
    OPTIONS,
    PRESETS,
    VARIANTS,
    Event,
    IllegalMove,
    Move,
    OptionError,
    State,
    abandon,
    apply,
    card_points,
    differences,
    legal_moves,
    options_for,
    start,
)
from games.rules.cards import card_from_code, card_set, rank_of, suit_of
from games.rules.positions import state_of


@pytest.mark.parametrize("variant", OPTIONS)
def test_defaults_are_the_first_preset(variant: str) -> None:
    first = next(iter(PRESETS[variant].values()))
    assert first == {}
    assert differences(options_for(variant, first, 2)) == {}


@pytest.mark.parametrize("variant", OPTIONS)
def test_every_preset_is_a_set_of_true_differences(variant: str) -> None:
    for preset in PRESETS[variant].values():
        options = options_for(variant, preset, 2)
        assert differences(options) == preset
        assert options_for(variant, options.to_json(), 2) == options


@pytest.mark.parametrize(
    ("variant", "wrong", "code"),
    [
        ("matatu", {"nosuch": 1}, "unknown_option"),
        ("matatu", {"deck": 52}, "unknown_option"),
        ("matatu", {"jokers": 1}, "bad_value"),
        ("matatu", {"jokers": "2"}, "bad_value"),
        ("matatu", {"jokers": 2.0}, "bad_value"),
        ("matatu", {"jokers": False}, "bad_value"),
        ("matatu", {"three_draws": 1}, "bad_value"),
        ("matatu", {"cut": True}, "bad_value"),
        ("matatu", {"hand_size": 3}, "bad_value"),
        ("matatu", {"hand_size": 11}, "bad_value"),
        ("matatu", {"hand_size": [7]}, "bad_value"),
        ("matatu", {"ace_play": None}, "bad_value"),
        ("maumau", {"mau_penalty": True}, "bad_value"),
        ("maumau", {"mau_penalty": 4}, "bad_value"),
        ("maumau", {"max_timeouts": 4}, "bad_value"),
        ("uno", {}, "unknown_variant"),
    ],
)
def test_options_that_there_are_not(variant: str, wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(OptionError) as refused:
        options_for(variant, wrong, 2)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("variant", "chosen", "most"),
    [
        ("matatu", {}, 6),
        ("matatu", {"hand_size": 8}, 5),  # 6 x 8 + 10 > 54
        ("matatu", {"hand_size": 10}, 4),
        ("matatu", {"hand_size": 8, "jokers": 0}, 5),  # 5 x 8 + 10 <= 52
        ("matatu", {"hand_size": 9, "jokers": 0}, 4),
        ("maumau", {}, 5),
        ("maumau", {"deck": 52}, 6),
        ("maumau", {"deck": 52, "hand_size": 7}, 6),
        ("maumau", {"hand_size": 6}, 4),  # 5 x 6 leaves two of 32
        ("maumau", {"hand_size": 7}, 3),  # 4 x 7 leaves four
    ],
)
def test_how_many_may_play(variant: str, chosen: dict[str, Any], most: int) -> None:
    for seats in range(2, most + 1):
        options_for(variant, chosen, seats)
    for seats in (1, most + 1):
        with pytest.raises(OptionError):
            options_for(variant, chosen, seats)


def test_variants_say_how_many_may_play() -> None:
    sizes = {
        name: (variant.min_seats, variant.max_seats(options_for(name, {}, 2)))
        for name, variant in VARIANTS.items()
    }
    assert sizes == {"matatu": (2, 6), "maumau": (2, 5)}


@pytest.mark.parametrize(
    "data",
    [
        {"do": "play", "card": "AS", "suit": "H"},
        {"do": "play", "card": "7H", "cut": True},
        {"do": "play", "card": "9C", "mau": True},
        {"do": "draw"},
        {"do": "accuse", "target": 0},
        {"do": "timeout"},
    ],
)
def test_a_move_is_its_json(data: dict[str, Any]) -> None:
    assert Move.from_json(data).to_json() == data


@pytest.mark.parametrize(
    "data",
    [
        None,
        "draw",
        [],
        {},
        {"do": "deal"},
        {"do": "play"},
        {"do": ["play"]},
        {"do": "play", "card": "1H"},
        {"do": "play", "card": 7},
        {"do": "play", "card": "AS", "suit": "X"},
        {"do": "play", "card": "AS", "suit": "SH"},
        {"do": "play", "card": "AS", "suit": ""},
        {"do": "play", "card": "7H", "cut": 1},
        {"do": "play", "card": "7H", "mau": "1"},
        {"do": "play", "card": "7H", "target": 1},
        {"do": "draw", "card": "7H"},
        {"do": "accuse"},
        {"do": "accuse", "target": "0"},
        {"do": "accuse", "target": True},
        {"do": "draw", "seat": 0},
    ],
)
def test_what_is_no_move_is_a_value_error(data: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        Move.from_json(data)


def two_seats() -> State:
    return state_of(
        {
            "game": "matatu",
            "hands": {"0": ["7H", "QC", "KD"], "1": ["KS", "QS"]},
            "top": "9H",
            "turn": 0,
            "stock": ["3D"],
            "cut_suit": "H",
        }
    )


def refusal(state: State, seat: Any, move: Move) -> IllegalMove:
    before = state.to_json()
    with pytest.raises(IllegalMove) as refused:
        apply(state, seat, move)
    assert state.to_json() == before
    return refused.value


def test_a_refused_cut_says_points_and_limit() -> None:
    refused = refusal(two_seats(), 0, Move("play", card_from_code("7H"), cut=True))
    assert refused.code == "cut_not_allowed"
    assert refused.values == {"points": 25, "limit": 20}


def test_a_card_under_a_penalty_says_how_many_are_owed() -> None:
    refused = refusal(two_seats()._replace(penalty=4), 0, Move("play", card_from_code("QC")))
    assert (refused.code, refused.values["count"]) == ("illegal_card", 4)


@pytest.mark.parametrize("seat", [-1, 2, 99, True, None, "0", 0.0])
@pytest.mark.parametrize("do", ["play", "draw", "pass", "mau", "accuse", "timeout", "resign"])
def test_seats_that_there_are_not_are_refused(seat: Any, do: str) -> None:
    refusal(two_seats(), seat, Move(do, card=card_from_code("7H"), target=0))


@pytest.mark.parametrize("card", [None, -1, 54, 99, True, "7H", 19.0])
def test_cards_that_there_are_not_are_refused(card: Any) -> None:
    assert refusal(two_seats(), 0, Move("play", card)).code == "not_in_hand"


@pytest.mark.parametrize("suit", [None, "", "X", "SH", 2, True])
def test_suits_that_there_are_not_are_refused(suit: Any) -> None:
    state = two_seats()._replace(hands=(card_set(map(card_from_code, ("AC", "KD"))), 1))
    assert refusal(state, 0, Move("play", card_from_code("AC"), suit)).code == "suit_required"


@pytest.mark.parametrize("do", ["", "deal", "PLAY", "undo"])
def test_acts_that_there_are_not_are_refused(do: str) -> None:
    assert refusal(two_seats(), 0, Move(do)).code == "unknown_move"


@pytest.mark.parametrize("target", [None, -1, 0, 2, True, "1"])
def test_targets_that_there_are_not_are_refused(target: Any) -> None:
    options = options_for("maumau", {"false_accusation": 1}, 2)
    state = start("maumau", 2, bytes(32), options)
    assert refusal(state, 0, Move("accuse", target=target)).code == "no_catch"


def plays(game: str, hand: str, top: str, **more: Any) -> list[dict[str, Any]]:
    """The plays listed for this hand, as JSON without `do`."""
    state = state_of(
        {
            "game": game,
            "hands": {"0": hand.split(), "1": ["KS", "QS"]},
            "top": top,
            "turn": 0,
            "stock": ["9D"],
            "cut_suit": "H" if game == "matatu" else None,
        }
        | more
    )
    moves = [move.to_json() for move in legal_moves(state, 0) if move.do == "play"]
    return [{key: value for key, value in move.items() if key != "do"} for move in moves]


def test_moves_are_listed_in_normal_form() -> None:
    assert plays("matatu", "AC", "9H") == [{"card": "AC"}]
    assert plays("matatu", "7H", "9H") == [{"card": "7H"}]
    assert plays("matatu", "7H 3C", "9H") == [{"card": "7H"}, {"card": "7H", "cut": True}]
    assert plays("matatu", "7H QC KC", "9H") == [{"card": "7H"}]
    assert plays("matatu", "AC 3C", "9H") == [{"card": "AC", "suit": suit} for suit in "SHDC"]
    assert plays("maumau", "9H KC", "10H") == [{"card": "9H"}, {"card": "9H", "mau": True}]
    assert plays("maumau", "9H KC", "10H", options={"mau": "auto"}) == [{"card": "9H"}]
    assert len(plays("maumau", "JC KC", "10H")) == 8
    assert plays("maumau", "JC", "10H") == [{"card": "JC"}]


def test_what_means_nothing_with_a_card_is_ignored() -> None:
    state = two_seats()
    plain, _ = apply(state, 0, Move("play", card_from_code("7H")))
    assert apply(state, 0, Move("play", card_from_code("7H"), "S", mau=True))[0] == plain
    assert all(not move.mau and move.suit is None for move in legal_moves(state, 0))


def test_nothing_is_pending_when_a_game_is_over() -> None:
    state = two_seats()._replace(penalty=4, requested=2, skip=True, mau_open=0, said_mau=3)
    over, _ = apply(state, 1, Move("resign"))
    assert over.phase == "over"
    assert (over.penalty, over.requested, over.skip, over.drawn) == (0, -1, False, -1)
    assert (over.said_mau, over.mau_open, over.turn) == (0, -1, -1)


def test_a_game_can_be_abandoned_once() -> None:
    state, events = abandon(two_seats())
    assert events == (Event("over", reason="abandoned"),)
    assert state.outcome is not None
    assert state.outcome.to_json() == {"reason": "abandoned", "places": []}
    assert State.from_json(state.to_json()) == state
    with pytest.raises(IllegalMove, match="game_over"):
        abandon(state)


def test_points_of_cards() -> None:
    matatu = options_for("matatu", {"three_points": 30, "ace_spades_points": 60}, 2)
    points = {code: card_points(matatu, card_from_code(code)) for code in ("AS", "AH", "3C", "JK2")}
    assert points == {"AS": 60, "AH": 15, "3C": 30, "JK2": 50}
    assert card_points(options_for("maumau", {}, 2), 0) is None


def test_suits_and_ranks_of_cards() -> None:
    assert (suit_of(card_from_code("10C")), rank_of(card_from_code("10C"))) == ("C", "10")
    assert (suit_of(card_from_code("JK1")), rank_of(card_from_code("JK1"))) == (None, "JK")
