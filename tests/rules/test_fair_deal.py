"""The fair deal, checked by a second reading of its description."""

import hashlib
import hmac
from collections.abc import Iterator

import pytest

from games.rules import OPTIONS, OptionError, State, apply, commitment, options_for, start
from games.rules.chance import below, shuffled
from games.rules.positions import state_of
from games.rules.state import Move

SEED = hashlib.sha256(b"a seed for tests").digest()
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK = [*(rank + suit for suit in "SHDC" for rank in RANKS), "JK1", "JK2"]


def stream(seed: bytes, label: str) -> Iterator[int]:
    """Written from the description, not from the code."""
    k = 0
    while True:
        block = hmac.new(seed, f"{label}:{k}".encode("ascii"), hashlib.sha256).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(block[place : place + 4], "big")
        k += 1


def described_below(numbers: Iterator[int], n: int) -> int:
    while True:
        x = next(numbers)
        if x < 2**32 - (2**32 % n):
            return x % n


def described_shuffle(seed: bytes, label: str, cards: list[str]) -> list[str]:
    numbers, cards = stream(seed, label), list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = described_below(numbers, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def codes(state_json: dict[str, object], key: str) -> list[str]:
    value = state_json[key]
    assert isinstance(value, list)
    return value


def test_the_stream_is_the_one_described_to_the_bit() -> None:
    # printf deal:0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:(64 zeros)
    first = 0x2A3760F5
    assert next(stream(bytes(32), "deal")) == first
    assert below(bytes(32), "deal", 2**32 - 1) == first


def test_numbers_that_would_favour_some_are_thrown_away() -> None:
    n = 2**31 + 1  # nearly half of all numbers are thrown away
    labels = [f"test:{k}" for k in range(200)]
    assert [below(SEED, label, n) for label in labels] == [
        described_below(stream(SEED, label), n) for label in labels
    ]
    assert any(below(SEED, label, n) != next(stream(SEED, label)) % n for label in labels)


@pytest.mark.parametrize("size", [0, 1, 2, 9, 32, 54])
def test_shuffling_is_the_one_described(size: int) -> None:
    cards = [str(card) for card in range(size)]
    assert [str(card) for card in shuffled(SEED, "reshuffle:3", bytes(range(size)))] == (
        described_shuffle(SEED, "reshuffle:3", cards)
    )


def test_the_deal_of_matatu_is_the_one_described() -> None:
    data = start("matatu", 3, SEED, options_for("matatu", {}, 3)).to_json()
    dealer = described_below(stream(SEED, "dealer"), 3)
    first = (dealer + 1) % 3
    pile = described_shuffle(SEED, "deal", PACK)
    hands: list[list[str]] = [[], [], []]
    for number in range(21):
        hands[(first + number) % 3].append(pile.pop(0))
    while pile[0].startswith(("A", "2", "7", "8", "J")):
        pile.append(pile.pop(0))
    assert (data["dealer"], data["first"], data["turn"]) == (dealer, first, first)
    assert data["cut_suit"] == "SHDC"[described_below(stream(SEED, "cut_suit"), 4)]
    assert [sorted(hand) for hand in data["hands"]] == [sorted(hand) for hand in hands]
    assert data["top"] == pile[0]
    assert data["stock"] == pile[1:]


def test_the_deal_of_mau_mau_leaves_the_small_cards_out() -> None:
    data = start("maumau", 2, SEED, options_for("maumau", {}, 2)).to_json()
    short = [card for card in PACK[:52] if card[:-1] in ["A", "7", "8", "9", "10", "J", "Q", "K"]]
    pile = described_shuffle(SEED, "deal", short)[10:]
    while pile[0][0] in "A78J":
        pile.append(pile.pop(0))
    assert [data["top"], *codes(data, "stock")] == pile
    assert data["cut_suit"] is None


def test_a_reshuffle_takes_the_discards_in_the_order_they_were_laid() -> None:
    state = state_of(
        {
            "game": "matatu",
            "hands": {"0": ["4S", "6S"], "1": ["KS", "QS"]},
            "top": "9H",
            "turn": 0,
            "stock": [],
            "under": ["3C", "5D", "KD", "QC", "10C"],
        }
    )._replace(seed=SEED, reshuffles=1)
    after, events = apply(state, 0, Move("draw"))
    order = described_shuffle(SEED, "reshuffle:2", ["3C", "5D", "KD", "QC", "10C"])
    assert events[0].kind == "reshuffled"
    assert codes(after.to_json(), "stock") == order[1:]
    assert after.reshuffles == 2


def test_first_player_options() -> None:
    random_first = options_for("matatu", {"first_player": "random"}, 4)
    last_winner = options_for("maumau", {"first_player": "last_winner"}, 4)
    assert start("matatu", 4, SEED, random_first).first == described_below(stream(SEED, "first"), 4)
    assert start("maumau", 4, SEED, last_winner, dealer=1, last_winner=0).first == 0
    # part H: in the first game of a series nobody has won yet
    state = start("maumau", 4, SEED, last_winner)
    assert state.first == (state.dealer + 1) % 4


def test_a_rematch_names_its_dealer() -> None:
    state = start("matatu", 4, SEED, options_for("matatu", {}, 4), dealer=3)
    assert (state.dealer, state.first, state.turn) == (3, 0, 0)


def test_the_commitment_covers_seed_and_game() -> None:
    assert commitment(SEED, "abc") == hashlib.sha256(SEED + b"abc").hexdigest()
    assert commitment(SEED, "abc") != commitment(SEED, "abd")


@pytest.mark.parametrize("variant", OPTIONS)
def test_a_deal_that_makes_no_sense_is_refused(variant: str) -> None:
    options = options_for(variant, {}, 2)
    with pytest.raises(ValueError, match="32 bytes"):
        start(variant, 2, b"short", options)
    with pytest.raises(ValueError, match="no such seat"):
        start(variant, 2, SEED, options, dealer=2)
    for seats in (1, 7):
        with pytest.raises(OptionError):
            start(variant, seats, SEED, options)
    other = "maumau" if variant == "matatu" else "matatu"
    with pytest.raises(ValueError, match="options of"):
        start(other, 2, SEED, options)


def test_cut_suits_and_dealers_are_spread_evenly() -> None:
    options = options_for("matatu", {}, 4)
    states: list[State] = [
        start("matatu", 4, hashlib.sha256(bytes([k // 256, k % 256])).digest(), options)
        for k in range(800)
    ]
    for numbers in ([s.cut_suit for s in states], [s.dealer for s in states]):
        assert all(150 < numbers.count(value) < 250 for value in range(4))
