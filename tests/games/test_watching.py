"""Looking on at a public table: who may, what they see, how many they are said to be."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache

from games import onlookers, services
from games.models import Game
from games.rules.cards import card_code, cards_in
from tests.games.playing import fields_of, first_move, person_in_turn
from tests.games.test_sockets import play_one, sit_down, table_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def shown(alice, bob) -> Game:
    """A public game of Alice, the host, and Bob."""
    terms = services.Terms("matatu", "rwanda", 2, pace="60s", public=True)
    game = services.create(alice, terms)
    services.join(bob, game.pk)
    game.refresh_from_db()
    return game


def test_everybody_can_watch_a_public_game_and_sees_no_hand(shown, charlie, browser_of, client):
    for reader in (client, browser_of(charlie)):
        page = reader.get(f"/en/games/{shown.pk}/")
        assert page.status_code == 200
        assert 'id="hand' not in page.text
        assert f'action="/en/games/{shown.pk}/moves/"' not in page.text
        position = shown.position()
        secret = {card_code(card) for hand in position.hands for card in cards_in(hand)}
        for code in secret:
            assert f">{code}<" not in page.text
            assert f"-{code}" not in page.text


def test_a_private_or_waiting_table_asks_a_stranger_to_sign_in(game, alice, client):
    waiting = services.create(alice, services.Terms("matatu", "rwanda", 3, pace="60s", public=True))
    answers = [client.get(f"/en/games/{pk}/") for pk in (game.pk, waiting.pk, "NOSUCHGAME234567")]
    assert [answer.status_code for answer in answers] == [303] * 3
    assert {answer["Location"].split("?")[0] for answer in answers} == {"/en/accounts/login/"}


async def test_who_is_not_signed_in_sees_each_move(shown):
    socket = await sit_down(shown, AnonymousUser())
    assert (await table_on(socket))["version"] == 1
    await database_sync_to_async(play_one)(shown)
    assert (await table_on(socket))["version"] == 2
    await socket.disconnect()


def test_who_looks_on_can_do_nothing(shown, charlie, browser_of, client):
    move = fields_of(first_move(shown), shown.version)
    for reader, status in ((client, 303), (browser_of(charlie), 403)):
        assert reader.post(f"/en/games/{shown.pk}/moves/", move).status_code == status
        again = {"allowed": "0"}
        answer = reader.post(f"/en/games/{shown.pk}/watching/", again)
        assert answer.status_code == (302 if status == 303 else 409)
    shown.refresh_from_db()
    assert (shown.version, shown.watchable) == (1, True)


def test_the_host_can_let_nobody_watch_and_everybody_again(
    shown, alice, bob, charlie, browser_of, client
):
    host, address = browser_of(alice), f"/en/games/{shown.pk}/watching/"
    assert address in host.get(f"/en/games/{shown.pk}/").text
    assert address not in browser_of(bob).get(f"/en/games/{shown.pk}/").text
    for _ in range(2):  # twice is once
        assert host.post(address, {"allowed": "0"}).status_code == 302
    shown.refresh_from_db()
    assert (shown.version, shown.watchable) == (2, False)
    assert browser_of(charlie).get(f"/en/games/{shown.pk}/").status_code == 404
    assert client.get(f"/en/games/{shown.pk}/").status_code == 303
    assert "Nobody can watch" in browser_of(bob).get(f"/en/games/{shown.pk}/").text
    assert f"/en/games/{shown.pk}/" not in client.get("/en/lobbies/").text
    host.post(address, {"allowed": "1"})
    assert client.get(f"/en/games/{shown.pk}/").status_code == 200


async def test_those_who_watch_are_turned_away_when_nobody_may(shown, alice, bob, charlie):
    sockets = [await sit_down(shown, user) for user in (charlie, AnonymousUser(), bob)]
    for socket in sockets:
        await table_on(socket)
    forbid = database_sync_to_async(services.allow_watching)
    await forbid(alice, shown.pk, allowed=False)
    assert (await sockets[0].receive_output(timeout=5))["code"] == 4404
    assert (await sockets[1].receive_output(timeout=5))["code"] == 4403
    assert (await table_on(sockets[2]))["version"] == 2
    await sockets[2].disconnect()


def test_saying_who_may_watch_is_no_move(shown, alice):
    """The turn goes on as it was: the same deadline, the same version of the turn."""
    services.allow_watching(alice, shown.pk, allowed=False)
    after = Game.objects.get(pk=shown.pk)
    assert (after.deadline, after.turn_version) == (shown.deadline, shown.turn_version)
    move = first_move(after)
    services.act(person_in_turn(after), after.pk, move, shown.version)


async def test_the_table_says_how_many_watch(shown, alice, charlie):
    watching = [await sit_down(shown, user) for user in (charlie, AnonymousUser(), AnonymousUser())]
    for socket in watching:
        await table_on(socket)
    for _ in range(2):  # the second is answered when what the first had to be done is done
        for socket in watching:
            await socket.send_to("ping")
            assert await socket.receive_from(timeout=5) == "pong"
    playing = await sit_down(shown, alice)
    assert "3 people are watching." in (await table_on(playing))["html"]
    for socket in (*watching, playing):
        await socket.disconnect()


def test_signs_of_the_same_moment_all_count(shown):
    together = Barrier(8)

    def look_on(who: int) -> None:
        together.wait(10)
        onlookers.looks_on(shown.pk, who)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(look_on, range(8)))
    assert onlookers.number_of_onlookers(shown.pk) == 8


def test_a_sign_of_life_runs_out_by_itself(shown, monkeypatch):
    onlookers.looks_on(shown.pk, "a tab")
    assert onlookers.number_of_onlookers(shown.pk) == 1
    real = onlookers.time.time
    monkeypatch.setattr(onlookers.time, "time", lambda: real() + onlookers.SECONDS + 1)
    assert onlookers.number_of_onlookers(shown.pk) == 0
    cache.clear()


def test_running_public_games_are_listed(shown, game, alice, charlie, browser_of, client):
    for reader in (client, browser_of(charlie)):
        page = reader.get("/en/lobbies/").text
        assert f'href="/en/games/{shown.pk}/"' in page
        assert game.pk not in page
    assert shown.pk not in browser_of(alice).get("/en/lobbies/").text
