"""Faults that people reported of software like ours, at the level of the rules."""

from random import Random

import pytest

from games.rules import OPTIONS, Event, Move, State, apply, options_for, start
from games.rules.cards import card_code, card_from_code, cards_in, rank_of
from tests.rules.play import all_cards, pack_of, position


def play(state: State, *acts: str) -> tuple[State, list[Event]]:
    """Does these acts (a card with the suit it names, or a word), each by the seat to act."""
    events: list[Event] = []
    for act in acts:
        code, _, suit = act.partition(">")
        words = ("draw", "pass", "timeout", "resign")
        move = Move(act) if act in words else Move("play", card_from_code(code), suit or None)
        state, happened = apply(state, state.turn, move)
        events += happened
    return state, events


def drawn(events: list[Event]) -> list[tuple[int | None, int | None]]:
    """Who drew how many."""
    return [(event.seat, event.count) for event in events if event.kind == "drew"]


def test_b06_a_penalty_does_not_survive_its_payment() -> None:
    state = position(
        "matatu", ["2H 5S 9D", "2S KC QC", "5H KD QD"], "9H", "3C 3D 4C 4D 6C 6D 8C 8D JC JD"
    )
    state, events = play(state, "2H", "draw", "5H", "5S", "2S")
    assert drawn(events) == [(1, 2)]
    assert (state.turn, state.penalty) == (2, 2)
    state, events = play(state, "draw")
    assert drawn(events) == [(2, 2)]
    assert state.penalty == 0
    state, events = play(state, "draw")
    assert drawn(events) == [(0, 1)]


def test_b06_an_answer_moves_the_penalty_on_and_leaves_nothing_behind() -> None:
    state = position("maumau", ["7S 9D KC", "7H 9C", "QD KD"], "10S", "QH KH QS KS 8D 8H AC AD")
    state, events = play(state, "7S", "7H", "draw")
    assert drawn(events) == [(2, 4)]
    assert state.penalty == 0


@pytest.mark.parametrize("variant", OPTIONS)
def test_b07_no_game_opens_with_a_card_that_needs_a_choice(variant: str) -> None:
    powers = {"matatu": {"A", "2", "7", "8", "J", "JK"}, "maumau": {"A", "7", "8", "J"}}[variant]
    for number in range(200):
        state = start(variant, 3, Random(number).randbytes(32), options_for(variant, {}, 3))
        assert rank_of(state.top) not in powers
        assert state.requested == -1
        assert state.penalty == 0
        assert all_cards(state) == pack_of(state)


def test_b07_a_suit_that_was_named_outlasts_a_draw_and_a_pass() -> None:
    state = position("maumau", ["KC QC", "9S 10D", "QS KS"], "JC", "JS 9D 8D", requested_suit="D")
    state, _ = play(state, "draw", "pass")
    state = State.from_json(state.to_json())
    with pytest.raises(Exception, match="illegal_card"):
        play(state, "9S")
    state, _ = play(state, "10D")
    assert state.requested == -1


@pytest.mark.parametrize("variant", OPTIONS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b08_one_shuffled_pack_is_dealt_once(variant: str, seats: int) -> None:
    options = options_for(variant, {}, seats)
    for number in range(50):
        state = start(variant, seats, Random(number).randbytes(32), options)
        assert len(all_cards(state)) == {"matatu": 54, "maumau": 32}[variant]
        assert all_cards(state) == pack_of(state)
        assert {hand.bit_count() for hand in state.hands} == {{"matatu": 7, "maumau": 5}[variant]}
        assert state.top not in state.stock
        assert not any(state.top in cards_in(hand) for hand in state.hands)
        assert state.under == b""


@pytest.mark.parametrize(
    ("game", "hands", "top"),
    [
        ("matatu", ["2H", "5S 9D"], "9H"),
        ("maumau", ["JS", "9S 9D"], "9H"),
        ("matatu", ["8C", "5S 9D"], "9C"),
        ("maumau", ["8C", "9S 9D"], "9C"),
        ("maumau", ["AC", "9S 9D"], "10C"),
        ("matatu", ["AS", "5S 9D"], "9C"),
        ("matatu", ["JK1", "5S 9D"], "9C"),
    ],
)
def test_b09_a_power_card_as_the_last_card_ends_the_game(
    game: str, hands: list[str], top: str
) -> None:
    state = position(game, hands, top, "KD QD KH")
    state, events = play(state, hands[0])
    assert [event.kind for event in events] == ["played", "over"]
    assert state.outcome is not None
    assert state.outcome.places == ((0,), (1,))
    assert state.hands[1].bit_count() == 2  # nobody draws for the last card
    assert (state.penalty, state.skip, state.requested, state.turn) == (0, False, -1, -1)


def cut(hands: list[str], **options: object) -> State:
    """The state after seat 0 has cut with the 7 of hearts."""
    state = position("matatu", hands, "9H", "KD QD", cut_suit="H", options=options)
    return apply(state, 0, Move("play", card_from_code("7H"), cut=True))[0]


def test_b11_a_tie_with_the_cutter_is_decided_by_the_published_rule() -> None:
    outcome = cut(["7H 10S", "10D", "QH"]).outcome
    assert outcome is not None
    assert outcome.places == ((0,), (1,), (2,))
    assert outcome.winners == (0,)
    assert outcome.points == (10, 10, 12)


def test_b11_a_shared_win_is_told_as_shared() -> None:
    outcome = cut(["7H 10S", "3C", "3D", "QH"], cut_tie_others="shared").outcome
    assert outcome is not None
    assert outcome.places == ((1, 2), (0,), (3,))
    assert outcome.winners == (1, 2)


def test_b11_equal_losers_share_a_place() -> None:
    outcome = cut(["7H 3S", "QH", "QC", "9C"]).outcome
    assert outcome is not None
    assert outcome.places == ((0,), (3,), (1, 2))


def test_b05_the_next_seat_follows_from_seats_and_direction() -> None:
    state = position("matatu", ["3S 4S", "3C 4C", "3D 4D", "5S 6S"], "9H", "KD QD KC QC")._replace(
        turn=2
    )
    resign = Move("resign")
    assert apply(state, 2, resign)[0].turn == 3
    assert apply(state._replace(turn=3), 3, resign)[0].turn == 0
    without_b, _ = apply(state, 1, resign)
    order = []
    for _ in range(3):
        order.append(without_b.turn)
        without_b, _ = apply(without_b, without_b.turn, Move("timeout"))
    assert order == [2, 3, 0]


def test_codes_and_cards_are_each_other_s_inverse() -> None:
    for card in range(54):
        assert card_from_code(card_code(card)) == card
    for text in ("", "1H", "AX", "JK3", "as", "10", None, 7, "AS "):
        with pytest.raises(ValueError, match="not a card"):
            card_from_code(text)
