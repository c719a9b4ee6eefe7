"""Mau-Mau.

The pack is 32 cards, 7 to Ace (MM-2), for two to five players (MM-1), five cards each (MM-3). The
start card is never one with an effect (MM-4). Play goes clockwise throughout (MM-5, MM-31).

In turn a player lays one card of the suit or of the rank of the top card (MM-6), or draws one and
may lay that one (MM-7, MM-8).

7       the next player draws two, or lays another 7: the sum moves on (MM-9 to MM-11).
8       the next player lays another 8 or loses one turn; nothing else, no drawing (MM-14, MM-15).
Jack    goes on any card; its player names the suit that counts until a card is laid (MM-12,
        MM-13).
Ace     must be covered by its player at once, by suit, with an Ace or a Jack; whoever cannot draws
        one card. As the last card it wins (MM-16 to MM-19).

A Jack is no answer to a pending 7 or 8, nor is an Ace (MM-9, MM-14). An empty hand wins whatever
the last card is (MM-20). If nothing can be laid or drawn anywhere the fewest cards win (MM-26); the
rest are ranked by the number of cards (MM-32).

Whoever lays the last card but one has to call "Mau", before laying it or until the next player acts
(MM-21). Until then any opponent may catch a player who has not called: two cards (MM-22, MM-23). An
accusation that is wrong is refused (MM-24).
"""

from typing import ClassVar

from games.rules.cards import (
    NO_SUIT,
    OF_SUIT,
    RANK,
    RANKS,
    Card,
    CardSet,
    cards_in,
    of_ranks,
)
from games.rules.engine import CALL, NO_EFFECT, Board, Effect, Game, Table, is_playing, playing
from games.rules.options import MauMauOptions
from games.rules.state import COVER, DRAWN, NO_SEAT, Event, IllegalMove, Move

SEVEN = Effect(draws=2)
JACK = Effect(names_suit=True)
ANSWERED_EIGHT = Effect(waits=True)
SKIPPING_EIGHT = Effect(skips=True)
COVERED_ACE = Effect(covers=True)
REVERSING_NINE = Effect(reverses=True)

SEVENS, EIGHTS, JACKS, ACES = (of_ranks(rank) for rank in ("7", "8", "J", "A"))
SHORT_PACK = of_ranks("7", "8", "9", "10", "J", "Q", "K", "A")
JACK_RANK = RANKS.index("J")


def effects(options: MauMauOptions) -> dict[str, Effect]:
    """What each rank does with these options."""
    return {
        "7": SEVEN,
        "8": ANSWERED_EIGHT if options.eight_counter else SKIPPING_EIGHT,
        "9": REVERSING_NINE if options.nine_reverse else NO_EFFECT,
        "J": JACK,
        "A": COVERED_ACE if options.ace_cover else NO_EFFECT,
    }


class MauMau(Game):
    """Mau-Mau with one set of options."""

    variant: ClassVar[str] = "maumau"
    not_first: ClassVar[dict[str, CardSet]] = {
        "plain": of_ranks("A", "7", "8", "J"),
        "any": 0,
        "active": 0,
    }

    options: MauMauOptions

    def __init__(self, options: MauMauOptions) -> None:
        cards = (1 << 52) - 1 if options.deck == 52 else SHORT_PACK
        super().__init__(options, effects(options), bytes(cards_in(cards)))
        self.ace_must_be_covered = options.ace_cover and not options.ace_last_wins

    def legal(self, board: Board) -> CardSet:
        """MM-6, MM-8 to MM-10, MM-12 to MM-14, MM-17.

        What covers an Ace is what may be laid on an Ace in any turn: no case of its own.
        """
        top = board.top
        if board.penalty:
            fits = SEVENS if self.options.seven_stack else 0
        elif board.skip:
            fits = EIGHTS
        else:
            fits = self.follow[top] if board.requested == NO_SUIT else OF_SUIT[board.requested]
            fits |= JACKS
            if RANK[top] == JACK_RANK and not self.options.jack_on_jack:
                fits &= ~JACKS
        if board.phase == DRAWN and self.only_drawn:
            fits &= 1 << board.drawn
        return fits & board.hands[board.turn]

    def misfit(self, board: Board, card: Card) -> str:
        """MM-12, MM-14."""
        if board.skip:
            return "skip"
        barred = not self.options.jack_on_jack and RANK[card] == RANK[board.top] == JACK_RANK
        return "jack_on_jack" if barred and not board.penalty else super().misfit(board, card)

    def opening(self, card: Card) -> Effect:
        """MM-4: an active start card draws or skips; Ace, Jack and 9 do nothing."""
        return self.effects[card] if (SEVENS | EIGHTS) >> card & 1 else NO_EFFECT

    def score(self, hand: CardSet) -> int:
        """The number of cards (MM-26, MM-32)."""
        return hand.bit_count()

    def is_over_without(self, card: Card) -> bool:
        """MM-19, MM-20."""
        return not (self.ace_must_be_covered and ACES >> card & 1)

    # The call (MM-21 to MM-24).

    def laid(self, table: Table, seat: int, says_mau: bool) -> None:
        """A call made before covers this card only; one card left needs a call (MM-21)."""
        if table.hands[seat].bit_count() != 1:
            table.no_longer_one(seat)
        elif self.options.mau == "off" or table.said_mau >> seat & 1:
            return
        elif self.options.mau == "auto" or says_mau:
            table.said_mau |= 1 << seat
            reason = "auto" if self.options.mau == "auto" else None
            table.events.append(Event("called_mau", seat, reason=reason))
        else:
            table.mau_open = seat

    def turn_taken(self, table: Table) -> None:
        """The next player acts, which closes the window; who has to cover is not next (MM-22)."""
        if table.mau_open != table.turn or table.phase != COVER:
            table.mau_open = NO_SEAT

    def may_call(self, board: Board, seat: int) -> bool:
        """MM-21: before the card, on the own turn with exactly two; or after it, while uncaught."""
        if self.options.mau != "call" or board.said_mau >> seat & 1:
            return False
        before = board.turn == seat and board.hands[seat].bit_count() == 2
        return before or board.mau_open == seat

    def may_call_with_card(self, board: Board, seat: int) -> bool:
        """Unless it has been said already (part H, MM-21)."""
        return self.options.mau == "call" and not board.said_mau >> seat & 1

    def calls(self, board: Board, seat: int) -> tuple[Move, ...]:
        """mau and accuse, where they would be accepted."""
        moves = [CALL] if self.may_call(board, seat) else []
        if self.options.false_accusation == 0 and board.mau_open == NO_SEAT:
            return tuple(moves)
        targets = (each for each in playing(board) if self.may_accuse(board, seat, each))
        return (*moves, *(Move("accuse", target=target) for target in targets))

    def may_accuse(self, board: Board, seat: int, target: object) -> bool:
        """MM-22, MM-24."""
        if self.options.mau != "call" or target == seat or not is_playing(board, target):
            return False
        return target == board.mau_open or self.options.false_accusation > 0

    def call(self, table: Table, seat: int, _: Move) -> None:
        """MM-21."""
        if not self.may_call(table, seat):
            raise IllegalMove("mau_not_now")
        table.said_mau |= 1 << seat
        if table.mau_open == seat:
            table.mau_open = NO_SEAT
        table.events.append(Event("called_mau", seat))

    def accuse(self, table: Table, seat: int, move: Move) -> None:
        """Cards for the one who did not call (MM-23), or for a false accuser (MM-24)."""
        target = move.target
        if target is None or not self.may_accuse(table, seat, target):
            raise IllegalMove("no_catch")
        if target == table.mau_open:
            table.mau_open = NO_SEAT
            count = min(self.options.mau_penalty, len(table.stock) + len(table.under))
            table.events.append(Event("caught", seat, target=target, count=count))
            table.draw(target, count, "mau")
        else:
            table.events.append(Event("accused_falsely", seat, target=target))
            table.draw(seat, self.options.false_accusation, "false_accusation")

    def points(self, board: Board) -> None:
        """Cards have no points here (MM-32)."""
        return
