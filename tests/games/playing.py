"""How tests sit down and play: through the door, by what the rules offer."""

from games import rules
from games.models import Game
from games.rules.cards import card_set, cards_in


def person_in_turn(game: Game):
    """Return the user whose turn it is."""
    return game.seats.get(number=game.turn).user


def first_move(game: Game) -> rules.Move:
    """Return a move for the seat in turn: a card if one fits, else whatever is allowed."""
    return min(rules.legal_moves(game.position(), game.turn), key=_order)


def _order(move: rules.Move) -> tuple:
    return (["play", "draw", "pass"].index(move.do), move.cut, move.card or 0, move.suit or "")


def fields_of(move: rules.Move, version: int) -> dict:
    """Return the form fields that send `move` (CONTRACTS section 3)."""
    sent = {key: "1" if value is True else value for key, value in move.to_json().items()}
    return sent | {"version": version}


def with_hidden_cards_turned(state: rules.State, seat: int) -> rules.State:
    """Return the state with all cards that `seat` cannot see exchanged among themselves."""
    hands = [list(cards_in(hand)) for hand in state.hands]
    others = [number for number in range(state.seats) if number != seat]
    hidden = [card for number in others for card in hands[number]]
    hidden += [*state.stock, *state.under]
    turned = iter(reversed(hidden))
    for number in others:
        hands[number] = [next(turned) for _ in hands[number]]
    return state._replace(
        hands=tuple(card_set(hand) for hand in hands),
        stock=bytes(next(turned) for _ in state.stock),
        under=bytes(next(turned) for _ in state.under),
    )
