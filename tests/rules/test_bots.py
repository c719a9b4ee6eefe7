"""The bots' manners: they see what their seat sees, and lay when they can."""

from random import Random

from hypothesis import given, settings

from games.bots import LEVELS, choose
from games.rules import Move, State, apply, observe
from games.rules.cards import card_from_code
from games.rules.positions import state_of
from tests.rules.play import chances, random_game, tables


def seen_by_0(hand: str, top: str, game: str = "maumau") -> State:
    """A position with seat 0 to act."""
    return state_of(
        {
            "game": game,
            "hands": {"0": hand.split(), "1": ["QS", "KS"]},
            "top": top,
            "turn": 0,
            "stock": ["QD", "KD"],
        }
    )


def chosen(state: State, times: int = 300) -> list[Move]:
    """What the easy bot does here, many times."""
    rng = Random(3)
    return [choose("easy", observe(state, 0), rng, 0) for _ in range(times)]


@settings(deadline=None)
@given(tables(), chances())
def test_every_level_makes_a_legal_move_and_easy_lays_when_it_can(
    state: State, rng: Random
) -> None:
    for before, _, _, _, _ in random_game(state, rng, most=100):
        seen = observe(before, before.turn)
        for level in LEVELS:
            move = choose(level, seen, rng, 0.01)
            assert move in seen.moves
            apply(before, before.turn, move)
            could_lay = any(each.do == "play" for each in seen.moves)
            assert level == "random" or move.do == "play" or not could_lay


def test_the_easy_bot_forgets_mau_one_time_in_three() -> None:
    moves = chosen(seen_by_0("9H KC", "10H"), times=900)
    assert {move.do for move in moves} == {"play"}
    forgotten = sum(not move.mau for move in moves)
    assert 240 < forgotten < 360


def test_the_easy_bot_names_a_suit_it_holds_most_of() -> None:
    moves = chosen(seen_by_0("JH KC QC 9C 9D", "10H"))
    assert {move.suit for move in moves} == {"C"}


def test_the_easy_bot_keeps_cards_that_draw_while_another_fits() -> None:
    moves = chosen(seen_by_0("7H 9H KC", "10H"))
    assert {move.card for move in moves} == {card_from_code("9H")}
    moves = chosen(seen_by_0("7H 9D KC", "10H"))
    assert {move.card for move in moves} == {card_from_code("7H")}


def test_the_same_chance_gives_the_same_move() -> None:
    state = seen_by_0("9H 10C KH QH", "10H")
    assert chosen(state) == chosen(state)
    assert len({move.card for move in chosen(state)}) == 4
