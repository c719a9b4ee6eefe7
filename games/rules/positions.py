"""Rule positions: one moment of a game with all its cards written out, and what follows from it.

A position is a dict as read from one line of a file: `game`, `options` (differences from the
defaults), `hands` by seat, `top`, `requested_suit`, `penalty`, `skip`, `direction`, `turn`,
`cut_suit`, `stock` (top first), `under`, `actions`, `expect`. Its phase is `turn`; nobody has
called Mau or can be caught. All actions but the last succeed; the last is refused if `expect` has
`error`. `expect` asserts only the keys it names. A key of the position or of an action that is
null or missing says nothing: no penalty, no stock, clockwise, the seat to act.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.rules.cards import (
    NO_CARD,
    card_code,
    card_from_code,
    card_set,
    cards_in,
    suit_letter,
    suit_number,
)
from games.rules.chance import SEED_BYTES
from games.rules.engine import Table
from games.rules.observation import indicators, observe
from games.rules.options import OptionError, check_seats, options_of
from games.rules.state import NO_SEAT, OVER, TURN, IllegalMove, Move, State
from games.rules.variants import game_of

# A position has no chance but the order of a reshuffled pile, which no position may rely on.
SEED = bytes(SEED_BYTES)


def state_of(position: Mapping[str, Any]) -> State:
    """The state of a position; ValueError or OptionError if there is none."""
    hands = _hands(position)
    state = State(
        options=options_of(position["game"], position.get("options") or {}),
        seed=SEED,
        dealer=0,
        first=1 % len(hands),
        cut_suit=suit_number(position.get("cut_suit")),
        hands=hands,
        stock=_pile(position.get("stock") or ()),
        under=_pile(position.get("under") or ()),
        top=card_from_code(position["top"]),
        turn=position["turn"],
        direction=position.get("direction") or 1,
        phase=TURN,
        requested=suit_number(position.get("requested_suit")),
        penalty=position.get("penalty") or 0,
        skip=position.get("skip") or False,
        drawn=NO_CARD,
        passes=0,
        reshuffles=0,
        resigned=(),
        said_mau=0,
        mau_open=NO_SEAT,
        outcome=None,
    )
    cards = [*state.stock, *state.under, state.top, *(c for h in hands for c in cards_in(h))]
    if len(cards) != len(set(cards)):
        raise ValueError("a card is there twice")
    return state


def _hands(position: Mapping[str, Any]) -> tuple[int, ...]:
    hands = position["hands"]
    return tuple(card_set(_pile(hands[str(seat)])) for seat in range(len(hands)))


def _pile(codes: Any) -> bytes:
    return bytes(card_from_code(code) for code in codes)


def deal_of(position: Mapping[str, Any], dealer: int) -> State:
    """Deals the position's stock: to the seat whose turn it is first, else to the dealer's left."""
    options = options_of(position["game"], position.get("options") or {})
    seats = len(position["hands"])
    check_seats(options, seats)
    turn = position.get("turn")
    first = (dealer + 1) % seats if turn is None else turn
    cut_suit = suit_number(position.get("cut_suit"))
    order = _pile(position["stock"])
    return game_of(options).deal(order, seats, SEED, (first - 1) % seats, first, cut_suit)


def failures(position: Mapping[str, Any]) -> list[str]:
    """Plays the position; everything in which it turns out otherwise than expected."""
    expect = dict(position["expect"])
    refusal_due = expect.pop("error", None)
    state = None if _begins_with_deal(position) else state_of(position)
    refusal = None
    for number, action in enumerate(position.get("actions") or (), start=1):
        if refusal is not None:
            return [f"action {number - 1} was refused: {refusal}"]
        before = state and state.to_json()
        try:
            state = _after(position, state, action)
        except (IllegalMove, OptionError) as illegal:
            refusal = illegal.code
            if state is not None and state.to_json() != before:
                return [f"action {number} was refused and yet changed the state"]
    if (refusal is None) != (refusal_due is None):
        return [f"refusal: expected {refusal_due}, got {refusal}"]
    if state is None:
        return []
    return [text for key, want in expect.items() for text in _difference(state, key, want)]


def _begins_with_deal(position: Mapping[str, Any]) -> bool:
    return [action["do"] for action in (position.get("actions") or ())[:1]] == ["deal"]


def _after(position: Mapping[str, Any], state: State | None, action: Mapping[str, Any]) -> State:
    """The state after one action; IllegalMove or OptionError if it is refused."""
    seat = action.get("seat")
    if state is None:
        return deal_of(position, 0 if seat is None else seat)
    card = action.get("card")
    move = Move(
        action["do"],
        None if card is None else card_from_code(card),
        action.get("suit"),
        action.get("cut") is True,
        action.get("mau") is True,
        action.get("target"),
    )
    table = Table(state)
    game_of(state.options).act(table, state.turn if seat is None else seat, move)
    return table.frozen()


def _difference(state: State, key: str, want: Any) -> list[str]:
    """What is wrong under this key: one text, or none."""
    if key not in SHOWN:
        return [f"{key}: no such thing to expect"]
    got = SHOWN[key](state)
    if key in UNORDERED:
        want = sorted(want or ())
    elif key in BY_SEAT:
        want = {seat: _plain(value) for seat, value in (want or {}).items()}
        got = {seat: got.get(seat) for seat in want}
    return [] if got == want else [f"{key}: expected {want}, got {got}"]


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


def _codes(cards: Any) -> list[str]:
    return [card_code(card) for card in cards]


def _by_seat(values: Any) -> dict[str, Any]:
    return {str(seat): value for seat, value in enumerate(values)}


def _legal(state: State) -> list[str]:
    if state.phase == OVER:
        return []
    return sorted(_codes(cards_in(game_of(state.options).legal(state))))


def _winners(state: State) -> list[int]:
    return [] if state.outcome is None else sorted(state.outcome.winners)


def _winner(state: State) -> int | None:
    winners = _winners(state)
    return winners[0] if len(winners) == 1 else None


def _visible(state: State) -> dict[str, Any]:
    """What each seat is shown, as its observation has it."""
    seen = [observe(state, seat) for seat in range(state.seats)]
    return _by_seat(
        {
            "hands": [str(seat) for seat, hand in enumerate(each.hands) if hand is not None],
            "stock": each.stock is not None,
            "discard": "top" if each.discards is None else "all",
        }
        for each in seen
    )


def _seat(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


SHOWN: dict[str, Callable[[State], Any]] = {
    "turn": lambda state: _seat(state.turn),
    "top": lambda state: card_code(state.top),
    "legal": _legal,
    "hands": lambda state: _by_seat(sorted(_codes(cards_in(hand))) for hand in state.hands),
    "hand_sizes": lambda state: _by_seat(hand.bit_count() for hand in state.hands),
    "stock": lambda state: _codes(state.stock),
    "stock_size": lambda state: len(state.stock),
    "under_size": lambda state: len(state.under),
    "penalty": lambda state: state.penalty,
    "skip": lambda state: state.skip,
    "requested_suit": lambda state: suit_letter(state.requested),
    "direction": lambda state: state.direction,
    "phase": lambda state: state.phase,
    "winner": _winner,
    "winners": _winners,
    "reason": lambda state: state.outcome and state.outcome.reason,
    "points": lambda state: _by_seat(game_of(state.options).points(state) or ()),
    "indicators": lambda state: _by_seat(indicators(state)),
    "mau_open": lambda state: _seat(state.mau_open),
    "visible": _visible,
}
UNORDERED = ("legal", "winners")
BY_SEAT = ("hands", "hand_sizes", "points", "indicators", "visible")
