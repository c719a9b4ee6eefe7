"""Matatu.

The pack is 52 cards and two Jokers (MT-2), for two to six players (MT-1), seven cards each (MT-3).
A cut suit is drawn for the game (MT-4); the start card is never one with an effect (MT-5).

In turn a player lays one card of the suit or of the rank of the top card (MT-7), or draws one and
may lay that one (MT-8, MT-9).

Ace     goes on any card; its player names the suit that counts until a card is laid (MT-10, MT-11).
        The Ace of spades is also an answer to a penalty: nobody draws (MT-18).
2       the next player draws two, or answers with a 2 or a Joker: the sum moves on (MT-12, MT-16).
Joker   as a 2 with five cards; it goes on anything, and afterwards anything goes on it (MT-13,
        MT-14).
8       the next player loses a turn (MT-19).
Jack    turns the direction of play (MT-20).
7       of the cut suit may end the game, if at most 20 points are left in the hand: the lowest hand
        wins, the cutter if that is shared (MT-21 to MT-24).

An empty hand wins whatever the last card is (MT-25). If nothing can be laid or drawn anywhere the
lowest points win (MT-27). The rest are ranked by points (MT-34). There is no call; everybody sees
who has two cards left and who has one (MT-28).
"""

from typing import ClassVar

from games.rules.cards import (
    ACE_OF_SPADES,
    JOKER,
    NO_CARD,
    NO_SUIT,
    OF_RANK,
    OF_SUIT,
    RANK,
    RANKS,
    SUIT,
    Card,
    CardSet,
    cards_in,
    of_ranks,
)
from games.rules.engine import Board, Effect, Game, Table, playing
from games.rules.options import MatatuOptions
from games.rules.state import DRAWN, IllegalMove

EFFECTS = {
    "A": Effect(names_suit=True),
    "2": Effect(draws=2),
    "8": Effect(skips=True),
    "J": Effect(reverses=True),
    "JK": Effect(draws=5),
}
THREE_DRAWS = {"3": Effect(draws=3)}

# MT-24, by rank A 2 ... K Joker.
POINTS = (15, 20, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 50)

SPECIAL = of_ranks("A", "2", "8", "J", "JK")
BLOCK: CardSet = 1 << ACE_OF_SPADES


class Matatu(Game):
    """Matatu with one set of options."""

    variant: ClassVar[str] = "matatu"
    not_first: ClassVar[dict[str, CardSet]] = {
        "plain": of_ranks("A", "2", "7", "8", "J", "JK"),
        "any": of_ranks("JK"),
        "active": of_ranks("JK"),
    }
    cut_seven: ClassVar[tuple[Card, ...]] = (*cards_in(of_ranks("7")), NO_CARD)  # MT-21

    options: MatatuOptions

    def __init__(self, options: MatatuOptions) -> None:
        effects = EFFECTS | (THREE_DRAWS if options.three_draws else {})
        super().__init__(options, effects, bytes(range(options.pack_size)))
        self.play_again_on_reverse = options.two_player_jack == "play_again"
        self.anywhere = of_ranks("A", "JK") if options.ace_play == "any" else of_ranks("JK")
        self.answers = [self._answers(rank) for rank in range(14)]
        self.may_be_last = ~0 if options.finish_on_special else ~SPECIAL
        self.counts = [self._card_points(card) for card in range(54)]
        self.card_points = [*self.counts]

    def _answers(self, rank: int) -> CardSet:
        """What may be laid on a penalty whose last card has this rank (MT-15, MT-16, MT-18)."""
        draws = of_ranks(*(name for name in RANKS if self._draws(name)))
        stacking = self.options.stacking
        stack = {"mixed": draws, "same_rank": draws & OF_RANK[rank], "none": 0}[stacking]
        return stack | BLOCK if self.options.ace_spades_blocks else stack

    def _draws(self, rank: str) -> bool:
        return rank in ("2", "JK") or (rank == "3" and self.options.three_draws)

    def _card_points(self, card: Card) -> int:
        if card == ACE_OF_SPADES:
            return self.options.ace_spades_points
        return self.options.three_points if RANKS[RANK[card]] == "3" else POINTS[RANK[card]]

    def legal(self, board: Board) -> CardSet:
        """MT-7, MT-9 to MT-11, MT-13 to MT-16, MT-18, MT-25."""
        hand, top = board.hands[board.turn], board.top
        if board.penalty:
            fits = self.answers[RANK[top]]
        elif board.requested != NO_SUIT:
            fits = OF_SUIT[board.requested] | OF_RANK[RANK[top]] | self.anywhere
        else:
            fits = self.follow[top] | self.anywhere
        fits &= hand
        if hand & hand - 1 == 0:
            fits &= self.may_be_last
        if board.phase == DRAWN and self.only_drawn:
            fits &= 1 << board.drawn
        return fits

    def misfit(self, board: Board, card: Card) -> str:
        """MT-25: a card that finishes may be barred whatever it is laid on."""
        last = board.hands[board.turn] == 1 << card and not self.may_be_last >> card & 1
        return "last_card" if last and not board.penalty else super().misfit(board, card)

    def request(self, board: Board, card: Card, named: str | None) -> int:
        """MT-10; after a Joker possibly the suit that was in force before it (MT-14)."""
        if RANK[card] == JOKER and self.options.after_joker == "previous_suit":
            return SUIT[board.top] if board.requested == NO_SUIT else board.requested
        return super().request(board, card, named)

    def score(self, hand: CardSet) -> int:
        """Card points (MT-24)."""
        points = self.counts
        return sum(points[card] for card in cards_in(hand))

    def points(self, board: Board) -> tuple[int | None, ...]:
        """Card points by seat; resigned seats have none (part H, MT-31)."""
        return tuple(
            None if seat in board.resigned else self.score(hand)
            for seat, hand in enumerate(board.hands)
        )

    def cut_refusal(self, board: Board, card: Card, left: CardSet) -> IllegalMove | None:
        """MT-21, MT-22; that the 7 is legal where it is laid has been checked before."""
        if self.options.cut == "off" or card != self.cut_seven[board.cut_suit]:
            return IllegalMove("cut_not_allowed")
        points = self.score(left) + (self.counts[card] if self.options.cut_count_seven else 0)
        if points > self.options.cut_limit:
            return IllegalMove("cut_not_allowed", points=points, limit=self.options.cut_limit)
        return None

    def cut_winners(self, table: Table, cutter: int) -> tuple[int, ...]:
        """MT-23."""
        lowest = min(self.score(table.hands[seat]) for seat in playing(table))
        tied = [s for s in playing(table) if self.score(table.hands[s]) == lowest]
        if cutter in tied:
            return (cutter,)
        if self.options.cut_tie_others == "shared":
            return tuple(tied)
        seat = table.after(cutter)
        while seat not in tied:
            seat = table.after(seat)
        return (seat,)
