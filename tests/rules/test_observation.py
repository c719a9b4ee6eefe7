"""What leaves the rules for a person: observations and told events."""

from random import Random

import pytest
from hypothesis import given, settings

from games.rules import Event, Move, State, apply, legal_moves, observe, redact
from games.rules.cards import card_from_code, cards_in
from tests.rules.play import chances, position, random_game, tables


def cards(text: str) -> tuple[int, ...]:
    return tuple(card_from_code(code) for code in text.split())


def told(event: Event, seat: int | None, state: State) -> tuple[int, ...]:
    """The cards this viewer is told of."""
    return redact(event, seat, state).cards


@settings(deadline=None)
@given(tables(), chances())
def test_told_events_never_show_a_card_the_viewer_may_not_know(state: State, rng: Random) -> None:
    for before, _, _, after, events in random_game(state, rng):
        for event in events:
            for viewer in (*range(state.seats), None):
                shown = redact(event, viewer, after)
                assert redact(event, viewer, after.options) == shown
                assert shown._replace(cards=()) == event._replace(cards=())
                if state.options.beginner:
                    assert shown == event
                elif shown.cards:
                    assert (event.kind, viewer) == ("drew", event.seat)
                    assert set(shown.cards) <= set(cards_in(after.hands[event.seat or 0]))
                assert shown.card is None or event.kind == "played"
        assert before.seed.hex() not in repr(events)


@settings(deadline=None)
@given(tables(), chances())
def test_nothing_prints_hidden_cards(state: State, rng: Random) -> None:
    for _, _, _, after, events in random_game(state, rng, most=30):
        texts = repr(after) + repr(events)
        assert after.seed.hex() not in texts
        assert repr(after.seed) not in texts
        assert repr(after.stock) not in texts
        assert not any(f"{hand}" in texts for hand in after.hands if hand > 1000)
        assert "cards" not in texts


def test_an_observation_prints_no_card_but_the_top_one() -> None:
    state = position("maumau", ["9H KC", "QH 10S"], "10H", options={"beginner": True})
    text = repr(observe(state, 0))
    assert "top=" in text
    hidden = ("hand=", "hands=", "stock=", "discards=", "drawn=", "moves=")
    assert [name for name in hidden if name in text] == []


def test_a_drawn_card_is_told_to_its_player_only() -> None:
    state = position("matatu", ["4S 6C", "KS QS"], "9H", stock="3H 4D")
    after, events = apply(state, 0, Move("draw"))
    assert told(events[0], 0, after) == cards("3H")
    assert told(events[0], 1, after) == told(events[0], None, after) == ()
    assert redact(events[0], 1, after).count == 1
    assert observe(after, 0).drawn == card_from_code("3H")
    assert observe(after, 1).drawn is None
    after, _ = apply(after, 0, Move("pass"))
    assert [observe(after, seat).drawn for seat in (0, 1, None)] == [None, None, None]


def test_a_drawn_card_that_was_laid_is_no_longer_the_drawn_card() -> None:
    state = position("maumau", ["9D KC 9C", "KS QS"], "10H", stock="AH 8S")
    state, _ = apply(state, 0, Move("draw"))
    assert observe(state, 0).drawn == card_from_code("AH")
    state, _ = apply(state, 0, Move("play", card_from_code("AH")))
    assert (state.phase, state.turn) == ("cover", 0)
    assert observe(state, 0).drawn is None


def test_the_cards_of_a_catch_are_told_to_the_one_who_was_caught() -> None:
    state = position("maumau", ["9H KC", "QS 10S", "KH KS"], "10H", stock="QD 10D")
    state, _ = apply(state, 0, Move("play", card_from_code("9H")))
    state, events = apply(state, 2, Move("accuse", target=0))
    caught, drew = events
    assert (caught.kind, caught.seat, caught.target) == ("caught", 2, 0)
    assert (drew.seat, drew.count, drew.reason) == (0, 2, "mau")
    assert told(drew, 0, state) == cards("QD 10D")
    assert told(drew, 2, state) == ()


def test_a_new_stock_is_told_to_nobody() -> None:
    state = position("matatu", ["4S 6C", "KS QS"], "9H", stock="", under=["3C", "5C"])
    state, events = apply(state, 0, Move("draw"))
    assert events[0].kind == "reshuffled"
    assert [told(events[0], viewer, state) for viewer in (0, 1, None)] == [(), (), ()]
    assert redact(events[0], 0, state).count == 2


def test_beginners_see_everything() -> None:
    state = position(
        "maumau",
        ["9H KC", "QS 10S"],
        "10H",
        stock="QD 10D",
        under=["8D"],
        options={"beginner": True},
    )
    for viewer in (0, 1, None):
        seen = observe(state, viewer)
        assert seen.hands == (cards("9H KC"), cards("10S QS"))
        assert (seen.stock, seen.discards) == (cards("QD 10D"), cards("8D"))


def test_an_observation_of_matatu() -> None:
    state = position(
        "matatu",
        ["KC 5H 2S", "KS QS", "9S", "3C 3H"],
        "AH",
        requested_suit="S",
        cut_suit="D",
        under=["8D"],
        stock="QD 10D 4C",
    )
    seen = observe(state, 0)
    assert seen.hand == cards("2S 5H KC")  # pack order
    assert seen.hands == (cards("2S 5H KC"), None, None, None)
    assert seen.hand_sizes == (3, 2, 1, 2)
    assert seen.indicators == ("none", "warning", "card", "warning")
    assert (seen.requested_suit, seen.cut_suit, seen.top) == ("S", "D", card_from_code("AH"))
    assert (seen.stock_size, seen.discard_size) == (3, 1)
    assert seen.moves == (Move("play", card_from_code("2S")), Move("draw"))
    assert seen.count == 20 + 5 + 13
    assert (seen.may_say_mau, seen.accusable) == (False, ())
    assert observe(state, 1).moves == ()
    spectator = observe(state, None)
    assert (spectator.hand, spectator.count, spectator.moves) == (None, None, ())
    assert spectator.hands == (None, None, None, None)


def test_hands_are_shown_when_the_game_is_over() -> None:
    state, _ = apply(position("matatu", ["5H", "KS QS"], "9H"), 0, Move("play", cards("5H")[0]))
    seen = observe(state, None)
    assert (seen.phase, seen.turn) == ("over", None)
    assert seen.hands == ((), cards("QS KS"))
    assert seen.outcome is not None
    assert seen.outcome.winners == (0,)


def test_a_resigned_seat_watches() -> None:
    state = position("maumau", ["5H KC", "KS QS", "9S 8S"], "9H")
    state, _ = apply(state, 0, Move("resign"))
    seen = observe(state, 0)
    assert seen.in_game == (False, True, True)
    assert seen.hands == ((), None, None)
    assert (seen.moves, seen.accusable, seen.may_say_mau) == ((), (), False)
    assert observe(state, 1).accusable == (2,)
    assert legal_moves(state, 0) == ()


@pytest.mark.parametrize(
    ("hands", "acts", "offered"),
    [
        (["9H KC", "QH 10S"], [], True),  # own turn, two cards
        (["9H KC QC", "QH 10S"], [], False),
        (["9H", "QH 10S"], [], False),  # own turn, one card
        (["9H KC", "QH 10S"], ["mau"], False),  # said
        (["9H KC", "QH 10S"], ["9H"], True),  # laid without saying it
        (["9H KC", "QH 10S"], ["9H", "QH"], False),  # the own turn again
        (["AH KC", "QH 10S"], ["AH"], True),  # an Ace that must be covered
    ],
)
def test_the_mau_button(hands: list[str], acts: list[str], offered: bool) -> None:
    state = position("maumau", hands, "10H", stock="QD KD")
    for act in acts:
        move = Move("mau") if act == "mau" else Move("play", card_from_code(act))
        state, _ = apply(state, state.turn, move)
    assert observe(state, 0).may_say_mau is offered


def test_the_mau_button_after_an_eight_that_skips_the_only_opponent() -> None:
    state = position(
        "maumau", ["8H KC", "QH 10S"], "10H", stock="QD KD", options={"eight_counter": False}
    )
    state, _ = apply(state, 0, Move("play", card_from_code("8H")))
    assert state.turn == 0
    assert Move("mau") in legal_moves(state, 0)
    assert observe(state, 0).may_say_mau


def test_the_badge_is_public_and_goes_with_the_card_it_was_for() -> None:
    state = position("maumau", ["9H KC", "QH 10S"], "10H", stock="QD KD 8D 8S")
    state, _ = apply(state, 0, Move("play", card_from_code("9H"), mau=True))
    assert observe(state, None).said_mau == (True, False)
    state, _ = apply(state, 1, Move("play", card_from_code("QH"), mau=False))
    state, _ = apply(state, 0, Move("draw"))
    assert observe(state, None).said_mau == (False, False)


def test_mau_is_called_by_the_table_where_it_is_automatic() -> None:
    state = position("maumau", ["9H KC", "QH 10S"], "10H", options={"mau": "auto"})
    state, events = apply(state, 0, Move("play", card_from_code("9H"), mau=True))
    assert [(event.kind, event.reason) for event in events] == [
        ("played", None),
        ("called_mau", "auto"),
    ]
    assert observe(state, 1).said_mau == (True, False)
    assert observe(state, 1).accusable == ()


def test_a_resigned_seat_counts_no_points() -> None:
    state, _ = apply(position("matatu", ["5H KC", "KS QS", "9S 8S"], "9H"), 0, Move("resign"))
    assert observe(state, 0).count is None
    assert observe(state, 1).count == 25


def test_everybody_may_be_accused_whether_it_would_hold_or_not() -> None:
    state = position("maumau", ["9H KC QC", "QH 10S", "KH KS"], "10H")
    assert observe(state, 1).accusable == (0, 2)
    assert legal_moves(state, 1) == ()
