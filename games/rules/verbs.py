"""The verbs of `games.rules`, but `observe` and `redact`."""

from games.rules.cards import NO_SUIT, Card
from games.rules.chance import SEED_BYTES, below, shuffled
from games.rules.engine import Table
from games.rules.options import Options, check_seats
from games.rules.state import Event, IllegalMove, Move, State
from games.rules.variants import game_of


def start(
    variant: str,
    seats: int,
    seed: bytes,
    options: Options,
    *,
    dealer: int | None = None,
    last_winner: int | None = None,
) -> State:
    """Deals a new game (MT-3 to MT-6, MM-3 to MM-5).

    `seed` are 32 secret bytes. `dealer` None is the first game of a series: the dealer is drawn; a
    rematch passes the next one. `last_winner` is the seat that begins with `first_player`
    last_winner; None means the dealer's left. Raises OptionError for too many seats, ValueError for
    arguments that make no sense.
    """
    if options.variant != variant:
        raise ValueError(f"these are options of {options.variant}")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    check_seats(options, seats)
    if dealer is None:
        dealer = below(seed, "dealer", seats)
    first = _first(options, seats, seed, dealer, last_winner)
    if not (0 <= dealer < seats and 0 <= first < seats):
        raise ValueError("no such seat")
    game = game_of(options)
    cut_suit = below(seed, "cut_suit", 4) if variant == "matatu" else NO_SUIT
    return game.deal(shuffled(seed, "deal", game.pack), seats, seed, dealer, first, cut_suit)


def _first(options: Options, seats: int, seed: bytes, dealer: int, last_winner: int | None) -> int:
    if options.first_player == "random":
        return below(seed, "first", seats)
    if options.first_player == "last_winner" and last_winner is not None:
        return last_winner
    return (dealer + 1) % seats


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Every move this seat may make now, in normal form, but resign and timeout.

    play, draw and pass for the seat to act; mau and accuse for any seat from which `apply` would
    accept them. What people are offered must come from the observation instead (MM-22).
    """
    return game_of(state.options).moves(state, seat)


def apply(state: State, seat: int, move: Move) -> tuple[State, tuple[Event, ...]]:
    """The state after this move of this seat, and what happened; raises IllegalMove.

    Accepts what `legal_moves` lists, `resign` of a seat in the game and `timeout` of the seat to
    act. A suit or a Mau that means nothing with this card is ignored.
    """
    table = Table(state)
    game_of(state.options).act(table, seat, move)
    return table.frozen(), tuple(table.events)


def abandon(state: State) -> tuple[State, tuple[Event, ...]]:
    """Ends a game without a winner (part G: nobody is left who plays it)."""
    table = Table(state)
    if state.outcome is not None:
        raise IllegalMove("game_over")
    game_of(state.options).finish(table, "abandoned", ())
    return table.frozen(), tuple(table.events)


def card_points(options: Options, card: Card) -> int | None:
    """What a card counts at such a table (MT-24); None where cards have no points."""
    return game_of(options).card_points[card]
