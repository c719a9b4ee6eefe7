"""What holds in every game: random games of both variants, any seats, any options."""

from random import Random

from hypothesis import given, settings

from games.bots import choose
from games.rules import IllegalMove, Move, State, apply, legal_moves, observe
from games.rules.cards import NO_CARD, card_set, cards_in
from games.rules.variants import game_of
from tests.rules.play import (
    RESIGN,
    TIMEOUT,
    all_cards,
    chances,
    pack_of,
    random_game,
    tables,
)

settings_of_games = settings(deadline=None)
# Where a game costs little, many games are played.
settings_of_many_games = settings(deadline=None, max_examples=6 * settings.default.max_examples)


@settings_of_many_games
@given(tables(), chances())
def test_all_cards_are_there_once_after_every_move(state: State, rng: Random) -> None:
    pack = pack_of(state)
    assert all_cards(state) == pack
    for _, _, _, after, _ in random_game(state, rng):
        assert all_cards(after) == pack


@settings_of_games
@given(tables(), chances())
def test_exactly_one_seat_is_to_act_and_has_a_move(state: State, rng: Random) -> None:
    for _, _, _, after, _ in random_game(state, rng):
        turns = [seat for seat in range(after.seats) if observe(after, seat).moves]
        if after.outcome is None:
            assert turns == [after.turn]
            assert after.turn not in after.resigned
        else:
            assert turns == []
            assert [legal_moves(after, seat) for seat in range(after.seats)] == [()] * after.seats


@settings_of_many_games
@given(tables(), chances())
def test_the_clock_can_always_act_and_ends_the_turn(state: State, rng: Random) -> None:
    for before, _, _, _, _ in random_game(state, rng):
        after, events = apply(before, before.turn, TIMEOUT)
        assert events[0].kind == "timed_out"
        assert after.phase == ("turn" if after.outcome is None else "over")
        assert not any(event.kind == "played" for event in events)
        if after.outcome is None and after.seats - len(after.resigned) > 1:
            assert after.turn != before.turn


@settings_of_games
@given(tables(), chances())
def test_a_state_goes_to_json_and_back(state: State, rng: Random) -> None:
    for _, _, _, after, events in random_game(state, rng):
        assert State.from_json(after.to_json()) == after
        for event in events:
            assert type(event).from_json(event.to_json()) == event


@settings_of_many_games
@given(tables(), chances())
def test_seed_and_moves_replay_to_the_same_state(state: State, rng: Random) -> None:
    steps = list(random_game(state, rng))
    again = State.from_json(state.to_json())
    for _, seat, move, after, events in steps:
        again, events_again = apply(again, seat, Move.from_json(move.to_json()))
        assert (again, events_again) == (after, events)


@settings_of_many_games
@given(tables(), chances())
def test_places_name_every_seat_once(state: State, rng: Random) -> None:
    for _, _, _, after, events in random_game(state, rng):
        if after.outcome is None:
            continue
        assert sorted(s for place in after.outcome.places for s in place) == list(
            range(after.seats)
        )
        assert events[-1].kind == "over"
        assert [place[0] for place in after.outcome.places if place[0] in after.resigned] == list(
            reversed(after.resigned)
        )


# What apply accepts, and nothing else.


def everything(state: State, rng: Random) -> list[tuple[int, Move]]:
    """A large sample of what anybody could send, sense or nonsense."""
    seats = [*range(-1, state.seats + 1)]
    suits = [None, "S", "H", "D", "C", "X"]
    flags = (False, True)
    plays = [
        (state.turn, Move("play", card, rng.choice(suits), rng.random() < 0.3, rng.random() < 0.3))
        for card in [None, -1, *range(55)]
    ]
    hand = cards_in(state.hands[state.turn])
    plays += [
        (state.turn, Move("play", card, suit, cut, mau))
        for card in hand
        for suit in suits
        for cut in flags
        for mau in flags
    ]
    others = [
        (seat, Move(do, target=target))
        for seat in seats
        for do in ("draw", "pass", "mau", "accuse", "deal", "")
        for target in ([None, *seats] if do == "accuse" else [None])
    ]
    strangers = [(seat, Move("play", rng.randrange(54), "S")) for seat in seats]
    return plays + [each for each in others + strangers if each[0] != state.turn or each[1].do]


def normal_form(state: State, move: Move, listed: tuple[Move, ...]) -> Move:
    """The move without what means nothing with this card, judged by what is listed for the card."""
    ways = [each for each in listed if each.do == move.do and each.card == move.card]
    suit = move.suit if any(each.suit for each in ways) else None
    mau = move.mau and any(each.mau for each in ways)
    last = state.hands[state.turn].bit_count() == 1
    goes_out = last and move.card == game_of(state.options).cut_seven[state.cut_suit]
    return Move(move.do, move.card, suit, move.cut and not goes_out, mau, move.target)


@settings_of_games
@given(tables(), chances())
def test_apply_accepts_what_legal_moves_lists_and_nothing_else(state: State, rng: Random) -> None:
    for before, _, _, _, _ in random_game(state, rng, most=200):
        if rng.random() < 0.15:
            check_everything(before, rng)


def check_everything(state: State, rng: Random) -> None:
    before = state.to_json()
    listed = {seat: legal_moves(state, seat) for seat in range(state.seats)}
    for seat, moves in listed.items():
        for move in moves:
            apply(state, seat, move)
    for seat, move in everything(state, rng):
        moves = listed.get(seat, ())
        normal = normal_form(state, move, moves)
        try:
            after = apply(state, seat, move)
        except IllegalMove:
            assert normal not in moves, (seat, move)
        else:
            assert normal in moves, (seat, move)
            assert after == apply(state, seat, normal)
    for seat in range(-1, state.seats + 1):
        assert accepts(state, seat, RESIGN) == (
            0 <= seat < state.seats and seat not in state.resigned
        )
        assert accepts(state, seat, TIMEOUT) == (seat == state.turn)
    assert state.to_json() == before


def accepts(state: State, seat: int, move: Move) -> bool:
    """Whether `apply` takes this."""
    try:
        apply(state, seat, move)
    except IllegalMove:
        return False
    return True


# What a seat can know.


def reshuffle_unseen(state: State, viewer: int | None, rng: Random) -> State:
    """The same state with all cards that the viewer cannot see dealt anew among their places."""
    unseen = [
        *(
            card
            for seat, hand in enumerate(state.hands)
            if seat != viewer
            for card in cards_in(hand)
        ),
        *state.stock,
        *state.under,
    ]
    rng.shuffle(unseen)
    cards = iter(unseen)
    hands = tuple(
        hand if seat == viewer else card_set(next(cards) for _ in cards_in(hand))
        for seat, hand in enumerate(state.hands)
    )
    drawn = state.drawn
    if drawn != NO_CARD and state.turn != viewer:
        drawn = next(cards_in(hands[state.turn]))
    stock = bytes(next(cards) for _ in state.stock)
    return state._replace(hands=hands, stock=stock, under=bytes(cards), drawn=drawn)


@settings_of_games
@given(tables(), chances())
def test_a_seat_learns_nothing_of_the_cards_it_cannot_see(state: State, rng: Random) -> None:
    for _, _, _, after, _ in random_game(state, rng):
        if after.options.beginner or after.outcome is not None:
            return
        for viewer in (*range(after.seats), None):
            other = reshuffle_unseen(after, viewer, rng)
            assert observe(other, viewer) == observe(after, viewer)


@settings_of_games
@given(tables("maumau"), chances())
def test_nobody_learns_from_an_observation_who_could_be_caught(state: State, rng: Random) -> None:
    for _, _, _, after, _ in random_game(state, rng):
        for viewer in (*range(after.seats), None):
            seen = observe(after, viewer)
            assert all(
                observe(after._replace(mau_open=seat), viewer) == seen
                for seat in range(-1, after.seats)
            )


@settings_of_many_games
@given(tables(), chances())
def test_bots_that_lay_when_they_can_come_to_an_end(state: State, rng: Random) -> None:
    dealt = state
    for _ in range(2000):
        if state.outcome is not None:
            return
        move = choose("easy", observe(state, state.turn), rng, 0)
        state, _ = apply(state, state.turn, move)
    raise AssertionError(f"over 2,000 moves: {dealt.seats} seats, {dealt.options}")
