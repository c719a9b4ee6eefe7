"""A card that may not be laid is refused by the rule that bars it."""

import pytest

from games.rules import IllegalMove, Move, apply
from games.rules.cards import card_from_code
from tests.rules.play import position

BARRED = [
    ("matatu", "9H KC", "2H", {"penalty": 2}, {}, "penalty", "MT-15"),
    ("matatu", "9S KC", "9H", {"requested_suit": "C"}, {}, None, "MT-11: the rank still counts"),
    ("matatu", "3S KC", "AH", {"requested_suit": "D"}, {}, "requested_suit", "MT-11"),
    ("matatu", "3S KC", "9H", {}, {}, "no_match", "MT-7"),
    ("matatu", "8H", "9H", {}, {"finish_on_special": False}, "last_card", "MT-25"),
    ("matatu", "8S", "9H", {}, {"finish_on_special": False}, "last_card", "MT-25: whatever lies"),
    ("matatu", "9S", "9H", {}, {"finish_on_special": False}, None, "MT-25: not a special card"),
    ("maumau", "JH 9C", "7H", {"penalty": 2}, {"jack_on_jack": False}, "penalty", "MM-9"),
    ("maumau", "JH 9C", "8H", {"skip": True}, {}, "skip", "MM-14"),
    ("maumau", "JH 9C", "JS", {"requested_suit": "C"}, {"jack_on_jack": False}, "jack_on_jack", ""),
    ("maumau", "JH 9C", "JS", {"requested_suit": "C"}, {}, None, "MM-12"),
    ("maumau", "9H KC", "JS", {"requested_suit": "C"}, {}, "requested_suit", "MM-13"),
    ("maumau", "9S KC", "10H", {}, {}, "no_match", "MM-6"),
]


@pytest.mark.parametrize(("game", "hand", "top", "state", "options", "because", "clause"), BARRED)
def test_the_rule_that_bars_a_card(game, hand, top, state, options, because, clause) -> None:
    before = position(game, [hand, "QD QS"], top, options=options, **state)
    move = Move("play", card_from_code(hand.split()[0]), suit="S")
    if because is None:
        apply(before, 0, move)
        return
    with pytest.raises(IllegalMove) as refused:
        apply(before, 0, move)
    assert (refused.value.code, refused.value.values["because"]) == ("illegal_card", because)
