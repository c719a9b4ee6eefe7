"""What both games share: the turn, the piles, drawing, passing, penalties, resigning, the end.

A variant is a `Game`: tables made from its options, and the few methods in which it differs.
Special cards are data (`Effect`, by rank); which cards may be laid is written once, in
`Game.legal`; a move works on a `Table`, a private copy of the state, so that a refusal leaves the
state as it was.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from games.rules.cards import (
    ALL_CARDS,
    NO_CARD,
    NO_SUIT,
    OF_RANK,
    OF_SUIT,
    RANK,
    RANKS,
    SUIT,
    SUITS,
    Card,
    CardSet,
    card_set,
    cards_in,
    suit_letter,
)
from games.rules.chance import shuffled
from games.rules.options import Options
from games.rules.state import (
    COVER,
    DRAWN,
    NO_SEAT,
    OVER,
    TURN,
    Event,
    IllegalMove,
    Move,
    Outcome,
    State,
)


@dataclass(frozen=True)
class Effect:
    """What a card does when it is laid (and is not the last of its hand)."""

    draws: int = 0  # cards added to the penalty of the next player
    skips: bool = False  # the next player loses a turn
    waits: bool = False  # the next player loses a turn or lays the same rank
    reverses: bool = False
    names_suit: bool = False
    covers: bool = False  # its player must lay another card on it


NO_EFFECT = Effect()

DRAW = Move("draw")
PASS = Move("pass")
CALL = Move("mau")

# Every play there is, made once: [mau][card] and [mau][card][suit].
PLAY = [[Move("play", card, mau=mau) for card in range(54)] for mau in (False, True)]
CUT = [Move("play", card, cut=True) for card in range(54)]
NAME = [
    [[Move("play", card, suit, mau=mau) for suit in SUITS] for card in range(54)]
    for mau in (False, True)
]


def dealt(order: bytes, seats: int, size: int, first: int) -> list[bytes]:
    """Who gets what from `order`, one card at a time from seat `first` on (MT-3, MM-3)."""
    return [order[(seat - first) % seats : seats * size : seats] for seat in range(seats)]


class Table:
    """A state in the making: what one move may change, and what it has to tell."""

    # fmt: off
    __slots__ = (
        "cut_suit", "direction", "drawn", "events", "hands", "mau_open", "outcome", "passes",
        "penalty", "phase", "requested", "reshuffles", "resigned", "said_mau", "skip", "state",
        "stock", "top", "turn", "under",
    )

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        (
            self.cut_suit, self.hands, self.stock, self.under, self.top, self.turn, self.direction,
            self.phase, self.requested, self.penalty, self.skip, self.drawn, self.passes,
            self.reshuffles, self.resigned, self.said_mau, self.mau_open, self.outcome,
        ) = state[4:]

    def frozen(self) -> State:
        """The state this has become."""
        return tuple.__new__(State, (
            *self.state[:4],
            self.cut_suit, self.hands, self.stock, self.under, self.top, self.turn, self.direction,
            self.phase, self.requested, self.penalty, self.skip, self.drawn, self.passes,
            self.reshuffles, self.resigned, self.said_mau, self.mau_open, self.outcome,
        ))
    # fmt: on

    @property
    def players(self) -> int:
        """How many are still in the game."""
        return len(self.hands) - len(self.resigned)

    def after(self, seat: int) -> int:
        """The nearest seat from `seat` in the direction of play whose player is in the game."""
        seats = len(self.hands)
        seat = (seat + self.direction) % seats
        while seat in self.resigned:
            seat = (seat + self.direction) % seats
        return seat

    def hold(self, seat: int, hand: CardSet) -> None:
        """Replaces one hand."""
        hands = self.hands
        self.hands = (*hands[:seat], hand, *hands[seat + 1 :])

    def draw(self, seat: int, count: int, reason: str) -> bytes:
        """Moves up to `count` cards from the stock into a hand (MT-26, MM-25); returns them."""
        cards = self.stock[:count]
        self.stock = self.stock[count:]
        if len(cards) < count and self.under:
            self._reshuffle()
            missing = count - len(cards)
            cards += self.stock[:missing]
            self.stock = self.stock[missing:]
        hand = self.hands[seat]
        self.hold(seat, hand | card_set(cards))
        if cards and hand.bit_count() == 1:
            self.no_longer_one(seat)
        self.events.append(Event("drew", seat, count=len(cards), cards=tuple(cards), reason=reason))
        return cards

    def _reshuffle(self) -> None:
        self.reshuffles += 1
        self.stock = shuffled(self.state.seed, f"reshuffle:{self.reshuffles}", self.under)
        self.under = b""
        self.events.append(Event("reshuffled", count=len(self.stock), cards=tuple(self.stock)))

    def no_longer_one(self, seat: int) -> None:
        """A call was for one card in the hand, and so was the chance to catch (part H, MM-22)."""
        self.said_mau &= ~(1 << seat)
        if self.mau_open == seat:
            self.mau_open = NO_SEAT

    def end_turn(self, seat: int) -> None:
        """Makes the player after `seat` the one to act."""
        if self.said_mau >> seat & 1 and self.hands[seat].bit_count() != 1:
            self.said_mau &= ~(1 << seat)
        self.phase = TURN
        self.drawn = NO_CARD
        self.turn = self.after(seat)


# What can be looked at while a move is worked out: a state, or one in the making.
Board: TypeAlias = State | Table
Act: TypeAlias = Callable[[Table, int, Move], None]


def is_playing(board: Board, seat: object) -> bool:
    """Whether this is a seat whose player is still in the game."""
    return type(seat) is int and 0 <= seat < len(board.hands) and seat not in board.resigned


def playing(board: Board) -> list[int]:
    """The seats whose players are still in the game."""
    return [seat for seat in range(len(board.hands)) if seat not in board.resigned]


def can_draw(board: Board) -> bool:
    """Whether there is a card to be had, reshuffling if need be (MT-26)."""
    return bool(board.stock or board.under)


class Game(ABC):
    """One variant with one set of options: what `Matatu` and `MauMau` share."""

    variant: ClassVar[str]
    min_seats: ClassVar[int] = 2
    not_first: ClassVar[dict[str, CardSet]]  # start_card -> cards that may not start
    # The card that may cut, by cut suit; the last place is for none.
    cut_seven: ClassVar[tuple[Card, ...]] = (NO_CARD,) * 5

    def __init__(self, options: Options, effects: dict[str, Effect], pack: bytes) -> None:
        self.options: Options = options
        self.pack = pack
        self.effects = tuple(effects.get(RANKS[RANK[card]], NO_EFFECT) for card in range(54))
        # What fits a card by suit or by rank, by card; a Joker on top has neither.
        self.follow = [
            ALL_CARDS if SUIT[card] == NO_SUIT else OF_SUIT[SUIT[card]] | OF_RANK[RANK[card]]
            for card in range(54)
        ]
        self.ways = [
            [
                tuple(NAME[mau][card]) if effect.names_suit else (PLAY[mau][card],)
                for card, effect in enumerate(self.effects)
            ]
            for mau in (False, True)
        ]
        self.only_drawn = options.after_draw == "play_drawn"
        self.play_again_on_reverse = False
        self.card_points: list[int | None] = [None] * 54
        self.turn_acts: dict[str, Act] = {
            "play": self.play,
            "draw": self.draw,
            "pass": self.pass_,
            "timeout": self.timeout,
        }
        self.other_acts: dict[str, Act] = {
            "mau": self.call,
            "accuse": self.accuse,
            "resign": self.resign,
        }

    @staticmethod
    def max_seats(options: Options) -> int:
        """The most players a table with these options takes (MT-1, MM-1)."""
        return options.max_seats

    # What a variant says for itself.

    @abstractmethod
    def legal(self, board: Board) -> CardSet:
        """The cards the seat to act may lay now: the one place where legality is written."""

    @abstractmethod
    def score(self, hand: CardSet) -> int:
        """What ranks the hands at the end: fewer is better."""

    @abstractmethod
    def points(self, board: Board) -> tuple[int | None, ...] | None:
        """Card points by seat, None for resigned seats; None where cards have no points."""

    def misfit(self, board: Board, card: Card) -> str:
        """Which rule bars this card of the hand, when `legal` does not list it: "penalty", "skip",
        "last_card", "jack_on_jack", "requested_suit" or "no_match"."""
        if board.penalty:
            return "penalty"
        return "no_match" if board.requested == NO_SUIT else "requested_suit"

    def opening(self, card: Card) -> Effect:
        """What a start card does at tables where it is active."""
        return self.effects[card]

    def request(self, board: Board, card: Card, named: str | None) -> int:
        """The suit asked for once `card` lies on the pile."""
        return NO_SUIT if named is None else SUITS.index(named)

    def cut_refusal(self, board: Board, card: Card, left: CardSet) -> IllegalMove | None:
        """Why laying `card` with `left` in the hand does not cut; None if it may (MT-21, MT-22)."""
        return IllegalMove("cut_not_allowed")

    def is_over_without(self, card: Card) -> bool:
        """Whether laying `card` as the last of a hand ends the game."""
        return True

    def may_call_with_card(self, board: Board, seat: int) -> bool:
        """Whether saying Mau with a card that leaves exactly one means anything."""
        return False

    def call(self, table: Table, seat: int, move: Move) -> None:
        """Says Mau."""
        raise IllegalMove("mau_not_now")

    def accuse(self, table: Table, seat: int, move: Move) -> None:
        """Accuses another seat of not having said it."""
        raise IllegalMove("no_catch")

    def turn_taken(self, table: Table) -> None:  # noqa: B027  not every game has something open
        """The seat to act acts: what was open until then closes."""

    def laid(self, table: Table, seat: int, says_mau: bool) -> None:  # noqa: B027  as above
        """A card has left the hand."""

    # The deal (MT-3 to MT-6, MM-3 to MM-5).

    def deal(
        self, order: bytes, seats: int, seed: bytes, dealer: int, first: int, cut: int
    ) -> State:
        """Deals from `order` (top first) and turns up the start card."""
        size = self.options.hand_size
        if len(order) <= seats * size:
            raise ValueError("too few cards for this deal")
        hands = tuple(map(card_set, dealt(order, seats, size, first)))
        stock = order[seats * size :]
        start = self._start_index(stock)
        table = Table(
            State(
                options=self.options,
                seed=seed,
                dealer=dealer,
                first=first,
                cut_suit=cut,
                hands=hands,
                stock=stock[start + 1 :] + stock[:start],
                under=b"",
                top=stock[start],
                turn=first,
                direction=1,
                phase=TURN,
                requested=NO_SUIT,
                penalty=0,
                skip=False,
                drawn=NO_CARD,
                passes=0,
                reshuffles=0,
                resigned=(),
                said_mau=0,
                mau_open=NO_SEAT,
                outcome=None,
            )
        )
        if self.options.start_card == "active" and not self._may_not_start(stock[start]):
            self._open_with(table, self.opening(stock[start]), dealer)
        return table.frozen()

    def _start_index(self, stock: bytes) -> int:
        """Where the start card lies; the first card if none may start (part H, MT-5)."""
        suited = (place for place, card in enumerate(stock) if not self._may_not_start(card))
        return next(suited, 0)

    def _may_not_start(self, card: Card) -> bool:
        return bool(self.not_first[self.options.start_card] >> card & 1)

    def _open_with(self, table: Table, effect: Effect, dealer: int) -> None:
        table.penalty = effect.draws
        table.skip = effect.waits
        if effect.skips:
            table.turn = table.after(table.turn)
        if effect.reverses:
            table.direction = -1
            table.turn = table.after(dealer)

    # What may be done.

    def moves(self, board: Board, seat: int) -> tuple[Move, ...]:
        """Every move `apply` would accept of this seat, but resign and timeout."""
        if board.phase == OVER:
            return ()
        if seat == board.turn:
            return self.turn_moves(board, seat) + self.calls(board, seat)
        return self.calls(board, seat) if is_playing(board, seat) else ()

    def turn_moves(self, board: Board, seat: int) -> tuple[Move, ...]:
        """play, draw and pass, in normal form; empty for a seat that is not to act."""
        if seat != board.turn:
            return ()
        legal = self.legal(board)
        moves = self._plays(board, seat, legal) if legal else []
        if self.draw_refusal(board, legal) is None:  # who may draw may never pass
            moves.append(DRAW)
        elif self.pass_refusal(board, legal) is None:
            moves.append(PASS)
        return tuple(moves)

    def _plays(self, board: Board, seat: int, legal: CardSet) -> list[Move]:
        hand = board.hands[seat]
        if hand & hand - 1 == 0:  # nothing goes with the last card: no suit, no cut, no call
            return [PLAY[False][card] for card in cards_in(legal)]
        moves = self._with_each(legal, False)
        if hand.bit_count() == 2 and self.may_call_with_card(board, seat):
            moves += self._with_each(legal, True)
        seven = self.cut_seven[board.cut_suit]
        if seven == NO_CARD or not legal >> seven & 1:
            return moves
        if self.cut_refusal(board, seven, hand ^ 1 << seven) is None:
            moves.append(CUT[seven])
        return moves

    def _with_each(self, legal: CardSet, mau: bool) -> list[Move]:
        """Every way of laying each of these cards."""
        moves: list[Move] = []
        ways = self.ways[mau]
        while legal:
            low = legal & -legal
            moves += ways[low.bit_length() - 1]
            legal ^= low
        return moves

    def calls(self, board: Board, seat: int) -> tuple[Move, ...]:
        """mau and accuse, where they would be accepted."""
        return ()

    def draw_refusal(self, board: Board, legal: CardSet) -> str | None:
        """Why the seat to act may not draw; None if it may (MT-8, MT-17, MM-14, MM-16)."""
        if board.phase == DRAWN:
            return "already_drawn"
        if board.penalty:
            return None
        if board.skip:
            return "cannot_draw"
        if board.phase == COVER:
            return "must_cover" if legal else None
        if legal and not self.options.voluntary_draw:
            return "cannot_draw"
        return None if can_draw(board) else "cannot_draw"

    def pass_refusal(self, board: Board, legal: CardSet) -> str | None:
        """Why the seat to act may not pass; None if it may (MT-9, MT-27, MM-14)."""
        if board.phase == DRAWN or board.skip:
            return None
        if board.phase == COVER:
            return "must_cover"
        return "cannot_pass" if board.penalty or legal or can_draw(board) else None

    # What is done.

    def play(self, table: Table, seat: int, move: Move) -> None:
        """Lays a card, with its effect; the order of checks is that of RULES.md section 1."""
        card, hand = move.card, table.hands[seat]
        if type(card) is not int or not 0 <= card < 54 or not hand >> card & 1:
            raise IllegalMove("not_in_hand")
        if not self.legal(table) >> card & 1:
            raise self._why_illegal(table, card)
        effect, left = self.effects[card], hand ^ 1 << card
        cuts = move.cut and self._cuts(table, card, left)
        requested = NO_SUIT
        if effect is not NO_EFFECT and left:
            requested = self.request(table, card, self._named(effect, move))
        self.turn_taken(table)
        self._lay(table, seat, card, left)
        self.laid(table, seat, move.mau)
        if cuts:
            table.events.append(Event("cut", seat, count=self.score(left)))
            self.finish(table, "cut", self.cut_winners(table, seat))
        elif not left and self.is_over_without(card):
            self.finish(table, "out", (seat,))
        elif effect is NO_EFFECT:
            table.end_turn(seat)
        else:
            self._carry_out(table, seat, effect, requested)

    def _why_illegal(self, table: Table, card: Card) -> IllegalMove:
        if table.phase == DRAWN and self.only_drawn and card != table.drawn:
            return IllegalMove("only_drawn_card")
        if table.phase == COVER:
            return IllegalMove("must_cover")
        values = {"count": table.penalty, "suit": suit_letter(table.requested)}
        return IllegalMove("illegal_card", because=self.misfit(table, card), **values)

    def _cuts(self, table: Table, card: Card, left: CardSet) -> bool:
        """Whether the wish to cut is granted; with the last card it means nothing (MT-25)."""
        if not left and card == self.cut_seven[table.cut_suit]:
            return False
        refusal = self.cut_refusal(table, card, left)
        if refusal is not None:
            raise refusal
        return True

    @staticmethod
    def _named(effect: Effect, move: Move) -> str | None:
        if not effect.names_suit:
            return None
        if not isinstance(move.suit, str) or move.suit not in tuple(SUITS):
            raise IllegalMove("suit_required")
        return move.suit

    @staticmethod
    def _lay(table: Table, seat: int, card: Card, left: CardSet) -> None:
        table.hold(seat, left)
        table.under += bytes((table.top,))
        table.top = card
        table.requested = NO_SUIT
        table.skip = False
        table.passes = 0
        table.drawn = NO_CARD
        table.phase = TURN
        table.events.append(Event("played", seat, card))

    def _carry_out(self, table: Table, seat: int, effect: Effect, requested: int) -> None:
        if table.penalty and not effect.draws:
            table.events.append(Event("blocked_penalty", seat, count=table.penalty))
            table.penalty = 0
        table.penalty += effect.draws
        table.requested = requested
        table.skip = effect.waits
        if effect.names_suit:
            table.events.append(Event("asked_suit", seat, suit=suit_letter(requested)))
        if effect.reverses:
            table.direction = -table.direction
            table.events.append(Event("reversed", seat, direction=table.direction))
        if effect.covers:
            table.phase = COVER
        elif not (effect.reverses and self.play_again_on_reverse and table.players == 2):
            table.end_turn(seat)
        if effect.skips:
            table.events.append(Event("skipped", table.turn))
            table.turn = table.after(table.turn)

    def draw(self, table: Table, seat: int, _: Move) -> None:
        """One card, or the whole penalty (MT-8, MT-9, MT-17, MM-18)."""
        legal = self.legal(table)
        refusal = self.draw_refusal(table, legal)
        if refusal is not None:
            raise IllegalMove(refusal)
        self.turn_taken(table)
        table.passes = 0
        if table.penalty:
            self._take_penalty(table, seat)
            if self.options.after_penalty == "end_turn":
                table.end_turn(seat)
        elif not self._draws_what_fits(table, seat):
            table.end_turn(seat)

    @staticmethod
    def _take_penalty(table: Table, seat: int) -> None:
        table.draw(seat, table.penalty, "penalty")
        table.penalty = 0

    def _draws_what_fits(self, table: Table, seat: int) -> bool:
        """Draws one card; whether its player may now choose between laying and passing."""
        cards = table.draw(seat, 1, "turn")
        if not cards or self.options.after_draw == "end_turn":
            return False
        table.drawn = cards[0]
        table.phase = DRAWN
        return bool(self.legal(table))

    def pass_(self, table: Table, seat: int, _: Move) -> None:
        """Keeps the drawn card, stands for an eight, or cannot move (MT-9, MT-27, MM-15)."""
        refusal = self.pass_refusal(table, self.legal(table))
        if refusal is not None:
            raise IllegalMove(refusal)
        self.turn_taken(table)
        if table.phase == DRAWN:
            table.events.append(Event("kept", seat))
            table.end_turn(seat)
        elif table.skip:
            self._stand(table, seat)
        else:
            self._blocked_pass(table, seat)

    @staticmethod
    def _stand(table: Table, seat: int) -> None:
        table.skip = False
        table.events.append(Event("stood", seat))
        table.end_turn(seat)

    def _blocked_pass(self, table: Table, seat: int) -> None:
        table.events.append(Event("passed", seat))
        table.passes += 1
        if table.passes < table.players:
            table.end_turn(seat)
            return
        scores = {each: self.score(table.hands[each]) for each in playing(table)}
        fewest = min(scores.values())
        self.finish(table, "blocked", tuple(s for s, n in scores.items() if n == fewest))

    def timeout(self, table: Table, seat: int, _: Move) -> None:
        """What the server does for a silent player (MT-30, MM-29 and part H)."""
        legal = self.legal(table)
        self.turn_taken(table)
        table.events.append(Event("timed_out", seat))
        if table.phase == DRAWN:
            table.events.append(Event("kept", seat))
        elif table.penalty:
            self._take_penalty(table, seat)
        elif table.skip:
            table.skip = False
            table.events.append(Event("stood", seat))
        elif can_draw(table):
            table.draw(seat, 1, "timeout")
        elif table.phase == TURN and not legal:
            self._blocked_pass(table, seat)
            return
        table.passes = 0
        table.end_turn(seat)

    def resign(self, table: Table, seat: int, _: Move) -> None:
        """Leaves the game; the cards go under the stock (MT-31, MM-30)."""
        table.stock += bytes(cards_in(table.hands[seat]))
        table.hold(seat, 0)
        table.resigned += (seat,)
        table.said_mau &= ~(1 << seat)
        table.passes = 0
        if table.mau_open == seat:
            table.mau_open = NO_SEAT
        table.events.append(Event("resigned", seat))
        if table.players == 1:
            self.finish(table, "last_player", tuple(playing(table)))
        elif table.turn == seat:
            table.penalty = 0
            table.skip = False
            table.end_turn(seat)

    def act(self, table: Table, seat: int, move: Move) -> None:
        """Carries out one move of one seat or raises IllegalMove."""
        if table.phase == OVER:
            raise IllegalMove("game_over")
        turn_act = self.turn_acts.get(move.do)
        if turn_act is None:
            self._act_out_of_turn(table, seat, move)
        elif seat != table.turn or type(seat) is not int:
            raise IllegalMove("not_your_turn")
        else:
            turn_act(table, seat, move)

    def _act_out_of_turn(self, table: Table, seat: int, move: Move) -> None:
        act = self.other_acts.get(move.do)
        if act is None:
            raise IllegalMove("unknown_move")
        if not is_playing(table, seat):
            raise IllegalMove("not_your_turn")
        act(table, seat, move)

    # The end.

    def cut_winners(self, table: Table, cutter: int) -> tuple[int, ...]:
        """Who wins a cut; nobody where there is none."""
        return ()

    def finish(self, table: Table, reason: str, winners: tuple[int, ...]) -> None:
        """Ends the game (MT-34, MM-32); what was pending is void (MT-25, MM-20)."""
        places = (winners, *self._places(table, winners)) if winners else ()
        points = self.points(table) if winners else None
        table.outcome = Outcome(reason, places, points)
        table.phase = OVER
        table.turn = NO_SEAT
        table.drawn = NO_CARD
        table.penalty = 0
        table.skip = False
        table.requested = NO_SUIT
        table.said_mau = 0
        table.mau_open = NO_SEAT
        table.events.append(Event("over", reason=reason))

    def _places(self, table: Table, winners: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Everybody but the winners, best first: by score, then who resigned latest."""
        by_score: dict[int, list[int]] = {}
        for seat in playing(table):
            if seat not in winners:
                by_score.setdefault(self.score(table.hands[seat]), []).append(seat)
        ranked = [tuple(by_score[score]) for score in sorted(by_score)]
        return ranked + [(seat,) for seat in reversed(table.resigned)]
