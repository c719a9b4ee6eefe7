"""How tests sit down and play: through the door, by what the rules offer."""

from games import presenters, rules
from games.models import Game, MoveRecord
from games.rules.cards import card_set, cards_in
from tests.rules.play import all_cards, pack_of

TURNS = ["play", "draw", "pass"]


def person_in_turn(game: Game):
    """Return the user whose turn it is."""
    return game.seats.get(number=game.turn).user


def first_move(game: Game) -> rules.Move:
    """Return a move for the seat in turn: a card if one fits, else whatever is allowed."""
    moves = rules.legal_moves(game.position(), game.turn)
    return min((move for move in moves if move.do in TURNS), key=_order)


def _order(move: rules.Move) -> tuple:
    return (TURNS.index(move.do), move.cut, move.card or 0, move.suit or "")


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


# --- What holds of every game at every moment ---------------------------------------------------


def assert_sound(game_id: str) -> Game:
    """Check what holds of every game whatever has happened to it; return it as it is now."""
    game = Game.objects.with_people().get(pk=game_id)
    seats = list(game.seats.all())
    people = [seat.user_id for seat in seats if seat.user_id]
    assert len(set(people)) == len(people), "a seat for each person"
    if game.status in (Game.Status.WAITING, Game.Status.CLOSED):
        assert len(seats) <= game.seat_count
        assert (game.turn, game.move_count) == (None, 0)
        return game
    assert [seat.number for seat in seats] == list(range(game.seat_count))
    assert all(seat.joined for seat in seats)
    state = game.position()
    assert state.seats == game.seat_count
    assert all_cards(state) == pack_of(state), "the full pack, and no card twice"
    _assert_moves_make_the_game(game, state)
    if game.status == Game.Status.PLAYING:
        _assert_somebody_is_to_act(game, state, seats)
    else:
        _assert_one_result(game, state, seats)
    return game


def _assert_moves_make_the_game(game: Game, state: rules.State) -> None:
    """The records are numbered without a gap, and played again they lead to what is stored."""
    told = list(MoveRecord.objects.filter(game=game).order_by("number"))
    assert [record.number for record in told] == list(range(1, game.move_count + 1))
    if game.status == Game.Status.FINISHED:
        rules.verify(presenters.record(game))
    elif game.rematch_of is None:
        again = rules.start(game.variant, game.seat_count, state.seed, state.options)
        for record in told:
            again, _ = rules.apply(again, record.seat, rules.Move.from_json(record.move))
        assert again == state


def _assert_somebody_is_to_act(game: Game, state: rules.State, seats: list) -> None:
    assert state.outcome is None
    assert game.turn == state.turn
    assert rules.observe(state, None).in_game[game.turn]
    assert rules.legal_moves(state, game.turn)
    assert {seat.place for seat in seats} == {None}
    assert game.deadline is not None or game.pace == Game.Pace.NONE


def _assert_one_result(game: Game, state: rules.State, seats: list) -> None:
    assert (game.turn, game.deadline, game.glance_at) == (None, None, None)
    assert state.outcome is not None
    assert game.reason == state.outcome.reason
    placed = {number: at for at, place in enumerate(state.outcome.places) for number in place}
    assert len(placed) == (0 if game.reason == "abandoned" else game.seat_count)
    for seat in seats:
        assert (seat.place is None) == (seat.number not in placed)
        for other in seats:
            if seat.place and other.place:
                assert (seat.place < other.place) == (placed[seat.number] < placed[other.number])
