"""Random tables and random games for the tests of the rules."""

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from games.rules import (
    OPTIONS,
    Event,
    Move,
    OptionError,
    Options,
    State,
    apply,
    legal_moves,
    options_for,
    start,
)
from games.rules.cards import cards_in
from games.rules.options import check_seats
from games.rules.positions import state_of
from games.rules.variants import game_of

Step = tuple[State, int, Move, State, tuple[Event, ...]]

TIMEOUT = Move("timeout")
RESIGN = Move("resign")


def position(game: str, hands: list[str], top: str, stock: str = "3D 4D KD", **more: Any) -> State:
    """A position with seat 0 to act: hands, top and stock by card codes with spaces between."""
    return state_of(
        {
            "game": game,
            "hands": {str(seat): hand.split() for seat, hand in enumerate(hands)},
            "top": top,
            "turn": 0,
            "stock": stock.split(),
        }
        | more
    )


def fits(options: Options, seats: int) -> bool:
    """Whether so many players may sit at such a table."""
    try:
        check_seats(options, seats)
    except OptionError:
        return False
    return True


@st.composite
def tables(draw: st.DrawFn, variant: str | None = None) -> State:
    """A game just dealt: any variant, options and number of seats that go together."""
    variant = draw(st.sampled_from(sorted(OPTIONS))) if variant is None else variant
    choices = OPTIONS[variant].choices()
    # Half the options stay as they are, so that no table is strange in every respect.
    changed = draw(st.sets(st.sampled_from(sorted(choices)), max_size=len(choices) // 2))
    differences = {name: draw(st.sampled_from(choices[name])) for name in sorted(changed)}
    options = OPTIONS[variant](**differences)
    seats = draw(st.sampled_from([n for n in range(2, 7) if fits(options, n)]))
    seed = draw(st.integers(0, 2**32)).to_bytes(32, "big")
    return start(variant, seats, seed, options_for(variant, differences, seats))


def chances() -> st.SearchStrategy[Random]:
    """A source of chance that hypothesis can repeat."""
    return st.integers(0, 2**32).map(Random)


def random_move(state: State, rng: Random) -> tuple[int, Move]:
    """Any seat's call or catch now and then, a timeout or a resignation seldom, else a turn."""
    whim = rng.random()
    if whim < 0.02:
        return state.turn, TIMEOUT
    if whim < 0.024:
        return rng.choice(_playing(state)), RESIGN
    if whim < 0.3:
        seat = rng.choice(_playing(state))
        calls = [move for move in legal_moves(state, seat) if move.do in ("mau", "accuse")]
        if calls:
            return seat, rng.choice(calls)
    turns = [m for m in legal_moves(state, state.turn) if m.do in ("play", "draw", "pass")]
    return state.turn, rng.choice(turns)


def _playing(state: State) -> list[int]:
    return [seat for seat in range(state.seats) if seat not in state.resigned]


def random_game(state: State, rng: Random, most: int = 400) -> Iterator[Step]:
    """Plays at random until the end, or for so many moves: before, seat, move, after, events."""
    for _ in range(most):
        if state.outcome is not None:
            return
        seat, move = random_move(state, rng)
        after, events = apply(state, seat, move)
        yield state, seat, move, after, events
        state = after


def all_cards(state: State) -> list[int]:
    """Every card of a state, as often as it is there, in pack order."""
    hands = [card for hand in state.hands for card in cards_in(hand)]
    return sorted([*hands, *state.stock, *state.under, state.top])


def pack_of(state: State) -> list[int]:
    """The cards that a game with these options is played with."""
    return sorted(game_of(state.options).pack)
