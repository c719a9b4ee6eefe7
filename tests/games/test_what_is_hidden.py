"""What a viewer cannot know is in no byte that reaches them."""

import difflib
import re

import pytest

from games import rules, services
from games.models import Game
from games.rules.cards import card_from_code, card_set
from tests.games.playing import fields_of, person_in_turn, with_hidden_cards_turned

pytestmark = pytest.mark.django_db(transaction=True)


def first_move(game):
    moves = [
        m for m in rules.legal_moves(game.position(), game.turn) if m.do in ("play", "draw", "pass")
    ]
    return min(
        moves, key=lambda m: (["play", "draw", "pass"].index(m.do), m.card or 0, m.suit or "")
    )


def _difference(one, other):
    pair = [f"{status}\n{headers}\n{text}".splitlines() for status, text, headers in (one, other)]
    return list(difflib.unified_diff(*pair, n=0, lineterm=""))


def pages(client, game):
    out = {}
    for path in (
        f"/en/games/{game.pk}/",
        "/en/games/",
        f"/en/join/{game.code}/",
        f"/games/{game.pk}/record.json",
        f"/en/games/{game.pk}/replay/",
        "/en/lobbies/",
    ):
        r = client.get(path)
        text = re.sub(r'csrfmiddlewaretoken" value="[^"]+"', "", r.text)
        headers = {k: v for k, v in r.headers.items() if k not in ("Set-Cookie", "Expires")}
        out[path] = (r.status_code, text, headers)
    r = client.get(f"/en/games/{game.pk}/", headers={"X-Fragment": "1"})
    out["fragment"] = (
        r.status_code,
        re.sub(r'csrfmiddlewaretoken" value="[^"]+"', "", r.text),
        {k: v for k, v in r.headers.items() if k not in ("Set-Cookie", "Expires")},
    )
    return out


@pytest.mark.parametrize(
    "variant", ["matatu/rwanda", "maumau/mau", "maumau/deutsch", "matatu/uganda_joker"]
)
def test_turning_the_hidden_cards_changes_no_byte(variant, alice, bob, charlie, browser_of, full):
    name, preset = variant.split("/")
    game = services.create(alice, services.Terms(name, preset, 3))
    services.join(bob, game.pk)
    services.join(charlie, game.pk)
    people = (alice, bob, charlie)
    for number in range(25):
        game.refresh_from_db()
        if game.status != "playing":
            break
        state = game.position()
        for user in people if full else people[number % 3 :][:1]:
            client = browser_of(user)
            seat = game.seat_of(user).number
            before = pages(client, game)
            turned = with_hidden_cards_turned(state, seat)._replace(
                seed=bytes(32), mau_open=-1 if state.mau_open != -1 else (seat + 1) % 3
            )
            Game.objects.filter(pk=game.pk).update(state=turned.to_json())
            after = pages(client, game)
            Game.objects.filter(pk=game.pk).update(state=state.to_json())
            if state.mau_open != seat:
                for key in before:
                    assert _difference(before[key], after[key]) == [], (
                        key,
                        _difference(before[key], after[key])[2:5],
                    )
            for _, text, headers in before.values():
                assert state.seed.hex() not in text + str(headers)
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)


def test_mau_and_suit_that_mean_nothing_are_not_recorded(alice, bob, browser_of):
    game = services.create(alice, services.Terms("maumau", "mau", 2))
    services.join(bob, game.pk)
    game.refresh_from_db()
    while True:
        game.refresh_from_db()
        move = first_move(game)
        if move.do == "play" and not move.suit:
            break
        services.act(person_in_turn(game), game.pk, move, game.version)
    sent = fields_of(move, game.version) | {"mau": "1", "suit": "H"}
    r = browser_of(person_in_turn(game)).post(f"/en/games/{game.pk}/moves/", sent)
    assert r.status_code == 303
    services.act(alice, game.pk, rules.Move("resign"), game.version)
    record = browser_of(alice).get(f"/games/{game.pk}/record.json").json()
    plays = [m for m in record["moves"] if m["do"] == "play"]
    assert not {"mau", "suit"} & plays[-1].keys()


def test_the_log_says_no_card(alice, bob, browser_of, caplog):
    caplog.set_level("DEBUG")
    game = services.create(alice, services.Terms("matatu", "rwanda", 2))
    services.join(bob, game.pk)
    for _ in range(10):
        game.refresh_from_db()
        if game.status != "playing":
            break
        browser_of(person_in_turn(game)).post(
            f"/en/games/{game.pk}/moves/", fields_of(first_move(game), game.version)
        )
    text = "\n".join(r.getMessage() for r in caplog.records if not r.name.startswith("django.db"))
    assert game.position().seed.hex() not in text
    assert '"stock"' not in text
    assert "hands" not in text.replace("hand_sizes", "")


def test_a_values_repr_says_no_card(game):
    state = game.position()
    seen = rules.observe(state, 0)
    for value in (state, seen):
        assert "seed" not in repr(value)
        assert "hands=" not in repr(value)


def test_sentences_for_what_cannot_be(alice, bob, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2))
    r = browser_of(alice).post(
        f"/en/games/{game.pk}/moves/", {"version": 0, "do": "draw"}, headers={"X-Fragment": "1"}
    )
    assert r.status_code == 422
    assert "The game is over." not in r.text  # it has not begun


@pytest.mark.parametrize(
    ("options", "hand", "top", "card", "penalty", "wrong"),
    [
        ({"ace_spades_blocks": False}, ["9C", "KC"], "2H", "9C", 2, "Ace of Spades"),
        ({"stacking": "none"}, ["9C", "KC"], "2H", "9C", 2, "Play a 2"),
        ({"stacking": "same_rank"}, ["JK1", "KC"], "2H", "JK1", 2, "a Joker"),
        ({"jokers": 0}, ["9C", "KC"], "2H", "9C", 2, "Joker"),
        ({"finish_on_special": False}, ["8H"], "9H", "8H", 0, "does not match"),
    ],
)
def test_the_refusal_names_the_rule_of_this_table(
    options, hand, top, card, penalty, wrong, alice, bob, browser_of
):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, options))
    services.join(bob, game.pk)
    game.refresh_from_db()
    state = game.position()
    hands = [card_set(map(card_from_code, ["3C", "4C", "5C"]))] * 2
    hands[state.turn] = card_set(map(card_from_code, hand))
    state = state._replace(
        hands=tuple(hands),
        top=card_from_code(top),
        penalty=penalty,
        under=b"",
        stock=bytes(map(card_from_code, ["QS", "QD", "6S", "6D"])),
    )
    Game.objects.filter(pk=game.pk).update(state=state.to_json())
    r = browser_of(person_in_turn(game)).post(
        f"/en/games/{game.pk}/moves/",
        {"version": game.version, "do": "play", "card": card, "suit": "S"},
        headers={"X-Fragment": "1"},
    )
    assert r.status_code == 422
    said = re.search(r'class="refusal"[^>]*>([^<]*)', r.text).group(1)
    assert wrong not in said, said


@pytest.mark.parametrize(
    ("options", "hand", "top", "card", "penalty", "wrong"),
    [
        ({"seven_stack": False}, ["7C", "KC"], "7H", "7C", 2, "another 7"),
        ({"jack_on_jack": False}, ["JC", "KC"], "JH", "JC", 0, "does not match"),
    ],
)
def test_the_refusal_names_the_rule_of_this_table_mau(
    options, hand, top, card, penalty, wrong, alice, bob, browser_of
):
    game = services.create(alice, services.Terms("maumau", "mau", 2, options))
    services.join(bob, game.pk)
    game.refresh_from_db()
    state = game.position()
    hands = [card_set(map(card_from_code, ["9C", "10C"]))] * 2
    hands[state.turn] = card_set(map(card_from_code, hand))
    state = state._replace(
        hands=tuple(hands),
        top=card_from_code(top),
        penalty=penalty,
        under=b"",
        stock=bytes(map(card_from_code, ["QS", "QD", "9S", "9D"])),
    )
    Game.objects.filter(pk=game.pk).update(state=state.to_json())
    r = browser_of(person_in_turn(game)).post(
        f"/en/games/{game.pk}/moves/",
        {"version": game.version, "do": "play", "card": card, "suit": "S"},
        headers={"X-Fragment": "1"},
    )
    assert r.status_code == 422
    said = re.search(r'class="refusal"[^>]*>([^<]*)', r.text).group(1)
    assert wrong not in said, said
