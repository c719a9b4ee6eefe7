"""Whole games through the forms, and what leaves the server while they last."""

import json
import re

import pytest

from games import rules
from games.models import Game, MoveRecord
from games.rules.cards import card_code
from games.sentences import card_name
from tests.games.playing import fields_of, first_move, person_in_turn, with_hidden_cards_turned

TOKEN = re.compile(r'(csrfmiddlewaretoken" value="|data-csrf=")[^"]*')


def play_on(game: Game, browser_of, watch=lambda game: None, limit: int = 400) -> None:
    """Play by plain forms until the game is over."""
    for _ in range(limit):
        game.refresh_from_db()
        watch(game)
        if game.status == Game.Status.FINISHED:
            return
        person = person_in_turn(game)
        answer = browser_of(person).post(
            f"/en/games/{game.pk}/moves/", fields_of(first_move(game), game.version)
        )
        assert answer.status_code == 303
    pytest.fail(f"still playing after {limit} moves")


def test_two_people_play_to_the_end(game, alice, bob, browser_of):
    play_on(game, browser_of)
    winner = game.seats.get(place=1)
    loser = game.seats.exclude(pk=winner.pk).get()
    assert loser.place == 2
    page = browser_of(winner.user).get(f"/en/games/{game.pk}/").text
    assert "You win!" in page
    assert f"{winner.user.name} wins!" in browser_of(loser.user).get(f"/en/games/{game.pk}/").text
    assert game.position().seed.hex() in page
    assert game.commitment in page
    for card in rules.observe(game.position(), None).hands[loser.number]:
        assert card_name(card_code(card)) in page


def test_the_record_holds_and_anyone_can_check_it(game, alice, browser_of):
    play_on(game, browser_of)
    answer = browser_of(alice).get(f"/games/{game.pk}/record.json")
    record = json.loads(answer.content)
    rules.verify(record)
    assert record["commitment"] == game.commitment
    assert [seat["name"] for seat in record["seats"]] == ["Alice", "Bob"]
    assert len(record["moves"]) == MoveRecord.objects.filter(game=game).count()
    record["moves"][0]["seat"] ^= 1
    with pytest.raises(rules.RecordError):
        rules.verify(record)


def test_there_is_no_record_of_a_running_game(game, alice, browser_of):
    assert browser_of(alice).get(f"/games/{game.pk}/record.json").status_code == 404


def bytes_for(game: Game, user, browser_of) -> str:
    """Return all that a seat is sent about a game: page, fragment, list, home."""
    client = browser_of(user)
    table = f"/en/games/{game.pk}/"
    pages = [
        client.get(table),
        client.get(table, headers={"X-Fragment": "1"}),
        client.get("/en/games/"),
        client.get("/en/"),
    ]
    headers = [{**page.headers, "Expires": "", "Date": ""} for page in pages]
    sent = [f"{page.text}{head}" for page, head in zip(pages, headers, strict=True)]
    return TOKEN.sub("", "\n".join(sent))


def shuffled_for(game: Game, number: int) -> None:
    """Turn around, in the stored game, all cards that a seat cannot see."""
    state = game.position()
    game.state = with_hidden_cards_turned(state, number).to_json()
    game.save()
    for move in game.moves.all():
        for event in move.events:
            if event["kind"] == "drew" and event["seat"] != number:
                event["cards"] = ["AS"] * len(event["cards"])
        move.save()


def test_nothing_but_the_viewers_own_view_leaves_the_server(game, alice, bob, browser_of):
    """Whatever a seat cannot see may be exchanged without a byte changing for it."""

    def watch(game: Game) -> None:
        if game.status == Game.Status.FINISHED:
            return
        stored, events = game.state, {move.pk: move.events for move in game.moves.all()}
        for number, person in enumerate((alice, bob)):
            honest = bytes_for(game, person, browser_of)
            assert game.position().seed.hex() not in honest
            shuffled_for(game, number)
            assert bytes_for(game, person, browser_of) == honest
            game.state = stored
            game.save()
            for move in game.moves.all():
                move.events = events[move.pk]
                move.save()

    play_on(game, browser_of, watch)
