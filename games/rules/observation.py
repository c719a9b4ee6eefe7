"""What a viewer may know: the only way in which a state reaches a person or a bot (MT-33, MM-33).

An observation is built from what is allowed, never by taking things away. It does not say whether a
player could be caught now (MM-22).
"""

from dataclasses import dataclass, field

from games.rules.cards import NO_CARD, Card, cards_in, suit_letter
from games.rules.engine import Game, is_playing, playing
from games.rules.matatu import Matatu
from games.rules.options import Options
from games.rules.state import COVER, NO_SEAT, OVER, TURN, Event, Move, Outcome, State
from games.rules.variants import game_of

# MT-28, by number of cards left.
INDICATORS = {1: "card", 2: "warning"}

HIDDEN_CARDS = ("drew", "reshuffled")


@dataclass(frozen=True, slots=True)
class Observation:
    """A game as `seat` sees it, or a spectator if `seat` is None.

    Suits are letters, hands are in pack order. `hands` holds None for every hand the viewer may not
    see; `stock` (top first) and `discards` (beneath the top, first laid first) are None but at
    beginner tables. `moves` are the plays, draw and pass the viewer may make now. `said_mau` is the
    public "Mau!" badge by seat; `may_say_mau` and `accusable` are what the viewer is to be offered,
    which is not a promise that it would be accepted. `count` are the viewer's card points (Matatu).
    """

    variant: str
    options: Options
    seat: int | None
    seats: int
    phase: str
    turn: int | None
    dealer: int
    direction: int
    top: Card
    requested_suit: str | None
    penalty: int
    skip: bool
    cut_suit: str | None
    stock_size: int
    discard_size: int
    hand: tuple[Card, ...] | None = field(repr=False)
    hand_sizes: tuple[int, ...]
    hands: tuple[tuple[Card, ...] | None, ...] = field(repr=False)
    stock: tuple[Card, ...] | None = field(repr=False)
    discards: tuple[Card, ...] | None = field(repr=False)
    drawn: Card | None = field(repr=False)
    in_game: tuple[bool, ...]
    indicators: tuple[str, ...]
    said_mau: tuple[bool, ...]
    moves: tuple[Move, ...] = field(repr=False)
    count: int | None
    may_say_mau: bool
    accusable: tuple[int, ...]
    outcome: Outcome | None


def observe(state: State, seat: int | None) -> Observation:
    """The game as this seat sees it; None is a spectator."""
    game = game_of(state.options)
    open_cards = state.options.beginner
    hand = None if seat is None else tuple(cards_in(state.hands[seat]))
    to_act = seat is not None and seat == state.turn
    return Observation(
        variant=state.options.variant,
        options=state.options,
        seat=seat,
        seats=state.seats,
        phase=state.phase,
        turn=None if state.turn == NO_SEAT else state.turn,
        dealer=state.dealer,
        direction=state.direction,
        top=state.top,
        requested_suit=suit_letter(state.requested),
        penalty=state.penalty,
        skip=state.skip,
        cut_suit=suit_letter(state.cut_suit),
        stock_size=len(state.stock),
        discard_size=len(state.under),
        hand=hand,
        hand_sizes=tuple(each.bit_count() for each in state.hands),
        hands=_hands(state, seat),
        stock=tuple(state.stock) if open_cards else None,
        discards=tuple(state.under) if open_cards else None,
        drawn=state.drawn if to_act and state.drawn != NO_CARD else None,
        in_game=tuple(is_playing(state, each) for each in range(state.seats)),
        indicators=indicators(state),
        said_mau=tuple(bool(state.said_mau >> each & 1) for each in range(state.seats)),
        moves=() if seat is None else game.turn_moves(state, seat),
        count=_count(game, state, seat),
        may_say_mau=_may_say_mau(state, seat),
        accusable=_accusable(state, seat),
        outcome=state.outcome,
    )


def _hands(state: State, seat: int | None) -> tuple[tuple[Card, ...] | None, ...]:
    shows_all = state.options.beginner or state.phase == OVER
    return tuple(
        tuple(cards_in(hand)) if shows_all or each == seat or each in state.resigned else None
        for each, hand in enumerate(state.hands)
    )


def indicators(state: State) -> tuple[str, ...]:
    """`none`, `warning` or `card` by seat (MT-28); Mau-Mau has a call instead."""
    if state.options.variant != "matatu":
        return ("none",) * state.seats
    return tuple(INDICATORS.get(hand.bit_count(), "none") for hand in state.hands)


def _count(game: Game, state: State, seat: int | None) -> int | None:
    if seat is None or seat in state.resigned or not isinstance(game, Matatu):
        return None
    return game.score(state.hands[seat])


def _may_say_mau(state: State, seat: int | None) -> bool:
    """Whether a button is worth offering, judged by what the viewer sees, not by the window."""
    if seat is None or not _is_by_call(state) or state.phase == OVER:
        return False
    cards, said = state.hands[seat].bit_count(), state.said_mau >> seat & 1
    due = cards == 1 and (seat != state.turn or _goes_on_after_own_card(state))
    return not said and (due or (cards == 2 and seat == state.turn))


def _goes_on_after_own_card(state: State) -> bool:
    """Whether the top card may be of the seat to act: an Ace, or an 8 that skipped the other."""
    skips = game_of(state.options).effects[state.top].skips
    return state.phase == COVER or (state.phase == TURN and skips and len(playing(state)) == 2)


def _accusable(state: State, seat: int | None) -> tuple[int, ...]:
    if not _is_by_call(state) or state.phase == OVER or not is_playing(state, seat):
        return ()
    return tuple(each for each in playing(state) if each != seat)


def _is_by_call(state: State) -> bool:
    return getattr(state.options, "mau", "off") == "call"


def redact(event: Event, seat: int | None, options: State | Options) -> Event:
    """The event as this seat, or a spectator, may be told of it.

    A drawn card is seen by its player only (MT-33); the order of a new stock by nobody; everything
    by everybody at beginner tables (MM-28).
    """
    if isinstance(options, State):
        options = options.options
    if not event.cards or options.beginner:
        return event
    return event if event.kind == "drew" and event.seat == seat else event._replace(cards=())
