"""The socket: a poke, a read, one fragment for one viewer."""

import json

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client

from accounts import delivery
from accounts.models import User
from accounts.sessions import SessionStore
from games import consumers, rules, services, views
from games.broadcast import group_of
from games.consumers import TableConsumer
from games.models import Game, Seat
from games.presenters.reading import SHOWN_OF_PEOPLE, read
from games.routing import websocket_urlpatterns
from tests.games.playing import first_move, person_in_turn

pytestmark = pytest.mark.django_db(transaction=True)


class Socket(WebsocketCommunicator):
    """Channels' own, but closing the database's connections as a server does.

    Channels stops that in tests, for those that run inside one transaction; ours do not, and
    each of the consumer's threads would keep a connection.
    """

    send_input = ApplicationCommunicator.send_input
    receive_output = ApplicationCommunicator.receive_output


async def sit_down(game: Game, user, query: str = "") -> Socket:
    """Open a socket at the table as `user`."""
    socket = Socket(URLRouter(websocket_urlpatterns), f"/ws/games/{game.pk}/{query}")
    socket.scope["user"] = user
    connected, _ = await socket.connect()
    assert connected
    return socket


async def table_on(socket: Socket) -> dict:
    return json.loads(await socket.receive_from(timeout=5))


def play_one(game: Game, page: str = "") -> None:
    game.refresh_from_db()
    services.act(person_in_turn(game), game.pk, first_move(game), game.version, page)


async def test_the_whole_table_comes_at_once_and_after_each_move(game, alice, bob):
    sockets = [await sit_down(game, alice), await sit_down(game, bob)]
    for socket in sockets:
        assert (await table_on(socket))["version"] == 1
    await database_sync_to_async(play_one)(game)
    for socket in sockets:
        shown = await table_on(socket)
        assert shown["version"] == 2
        assert 'data-version="2"' in shown["html"]
        await socket.disconnect()


async def test_the_page_that_moves_is_told_by_the_answer_alone(game, alice, bob):
    """Its other pages, and everybody else's, are told by their sockets."""
    mover = await database_sync_to_async(person_in_turn)(game)
    moved, other = await sit_down(game, mover, "?page=here"), await sit_down(game, mover)
    watcher = await sit_down(game, bob if mover == alice else alice, "?page=there")
    sockets = [moved, other, watcher]
    for socket in sockets:
        await table_on(socket)

    await database_sync_to_async(play_one)(game, "here")
    for socket in (other, watcher):
        assert (await table_on(socket))["version"] == 2
    assert await moved.receive_nothing(timeout=0.3)

    await database_sync_to_async(play_one)(game)
    for socket in sockets:
        assert (await table_on(socket))["version"] == 3
        await socket.disconnect()


async def test_each_reads_in_the_own_language(game, alice, bob):
    first = await sit_down(game, alice, "?language=de")
    second = await sit_down(game, bob, "?language=zu")
    assert "Schnittfarbe" in (await table_on(first))["html"]
    assert "Isudi yokunqamula" in (await table_on(second))["html"]
    await first.disconnect()
    await second.disconnect()


async def test_old_and_doubled_pokes_send_nothing(game, alice):
    socket = await sit_down(game, alice)
    await table_on(socket)
    for _ in range(3):
        await get_channel_layer().group_send(
            group_of(game.pk), {"type": "game.changed", "game": game.pk, "version": 1}
        )
    assert await socket.receive_nothing(timeout=0.3)
    await socket.disconnect()


async def test_a_ping_is_answered(game, alice):
    socket = await sit_down(game, alice)
    await table_on(socket)
    await socket.send_to(text_data="ping")
    assert await socket.receive_from() == "pong"
    await socket.disconnect()


@pytest.mark.parametrize("query", ["?language=xx", "?language=%00", "?language=de&language=rw"])
async def test_a_strange_language_is_not_a_fault(game, alice, query):
    socket = await sit_down(game, alice, query)
    assert (await table_on(socket))["version"] == 1
    await socket.disconnect()


async def test_strangers_are_turned_away(game, charlie):
    socket = await sit_down(game, charlie)
    assert (await socket.receive_output(timeout=5)) == {"type": "websocket.close", "code": 4404}
    anonymous = await sit_down(game, AnonymousUser())
    assert (await anonymous.receive_output(timeout=5))["code"] == 4403


def consumer_of(game, user):
    """A consumer as it is after connecting, to be read from without a socket."""
    consumer = TableConsumer()
    consumer.scope = {"user": user, "headers": [], "query_string": b""}
    consumer.game_id, consumer.language = game.pk, "en"
    return consumer


def test_a_push_costs_one_query(game, alice, bob, django_assert_num_queries):
    for _ in range(6):  # too few to end a game by
        play_one(game)
    for user in (alice, bob):
        with django_assert_num_queries(1):
            version, html = consumer_of(game, user).read_table()
        assert f'data-version="{version}"' in html
        assert "Game log" in html


def test_what_comes_with_the_game_is_what_is_stored(game, alice, bob, django_assert_num_queries):
    alice.sort_hand, alice.slip_guard, alice.letter_keys = "rank", "never", False
    alice.save()
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    with django_assert_num_queries(1):
        shown = list(read(game.pk, alice).seats.all())
        assert shown == seats
        for seat, stored in zip(shown, seats, strict=True):
            for field in Seat._meta.concrete_fields:
                assert getattr(seat, field.attname) == getattr(stored, field.attname)
            for name in SHOWN_OF_PEOPLE:
                assert getattr(seat.user, name) == getattr(stored.user, name), name


def test_a_page_of_the_table_costs_two_more(game, alice, browser_of, django_assert_num_queries):
    """The session, the person, and what a push costs: the counts in the frame come along."""
    reader = browser_of(alice)
    reader.get(f"/en/games/{game.pk}/")  # reads the news that the game has begun
    with django_assert_num_queries(3):
        assert reader.get(f"/en/games/{game.pk}/").status_code == 200


def test_what_onlookers_see_is_rendered_once(alice, bob, charlie, monkeypatch):
    """Once for all of them, in each language and at each version; not for who sits at it."""
    terms = services.Terms("maumau", "mau", 3, pace="1h", public=True)
    table = services.create(alice, terms)
    rendered = []
    render = views.render_to_string
    monkeypatch.setattr(
        views, "render_to_string", lambda *what: rendered.append(what) or render(*what)
    )
    pushes = [consumer_of(table, person).read_table() for person in (bob, charlie, bob)]
    assert len(set(pushes)) == 1
    assert len(rendered) == 1
    german = consumer_of(table, charlie)
    german.language = "de"
    assert german.read_table() not in pushes
    assert consumer_of(table, alice).read_table() not in pushes
    assert len(rendered) == 3
    services.join(bob, table.pk)
    assert "Bob" in consumer_of(table, charlie).read_table()[1]
    assert len(rendered) == 4


def test_the_push_says_in_how_many_games_the_viewer_is_awaited(game, alice, bob):
    others = [services.create(alice, services.Terms("matatu", "rwanda", 2)) for _ in range(4)]
    for other in others:
        services.join(bob, other.pk)
    for user in (alice, bob):
        _, html = consumer_of(game, user).read_table()
        awaited = Game.objects.awaiting(user).count()
        assert f'data-turns="{awaited}"' in html


def test_the_push_counts_what_the_inbox_holds(alice, bob):
    slow = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="1d"))
    services.join(bob, slow.pk)
    delivery.read(alice.pk)  # that the game has begun
    delivery.read(bob.pk)
    for _ in range(3):  # a notice about a turn that was played is none any more
        slow.refresh_from_db()
        mover = person_in_turn(slow)
        other = bob if mover == alice else alice
        for user, wanted in ((mover, 1), (other, 0)):
            assert len(delivery.open_notices(user)) == wanted
            _, html = consumer_of(slow, user).read_table()
            assert f'data-notices="{wanted}"' in html
        play_one(slow)


async def test_whoever_connects_or_pings_is_looking(game, alice, bob):
    looking = database_sync_to_async(delivery.is_looking)
    assert not await looking(alice.pk, game.pk)
    socket = await sit_down(game, alice)
    await table_on(socket)
    assert await looking(alice.pk, game.pk)
    assert not await looking(bob.pk, game.pk)
    await database_sync_to_async(cache.clear)()
    await socket.send_to(text_data="ping")
    assert await socket.receive_from() == "pong"
    await socket.send_to(text_data="ping")
    assert await socket.receive_from() == "pong"  # the first has been noted by now
    assert await looking(alice.pk, game.pk)
    await socket.disconnect()


async def test_a_ping_makes_up_for_a_poke_that_was_lost(game, alice, monkeypatch):
    socket = await sit_down(game, alice)
    await table_on(socket)
    monkeypatch.setattr("games.broadcast.get_channel_layer", lambda: Layer(ConnectionError()))
    await database_sync_to_async(play_one)(game)
    await socket.send_to(text_data="ping")
    assert await socket.receive_from() == "pong"
    assert (await table_on(socket))["version"] == 2
    await socket.disconnect()


async def watch_the_list(user, query: str = "") -> Socket:
    socket = Socket(URLRouter(websocket_urlpatterns), f"/ws/lobbies/{query}")
    socket.scope["user"] = user
    connected, _ = await socket.connect()
    assert connected
    return socket


async def test_the_list_of_open_tables_is_live_in_each_language(alice, bob):
    terms = services.Terms("maumau", "mau", 3, pace="1h", public=True)
    watchers = [
        (await watch_the_list(AnonymousUser(), "?language=de"), "Mitspielen"),
        (await watch_the_list(bob, "?language=zu"), "Joyina umdlalo"),
    ]
    for socket, word in watchers:
        assert word not in (await table_on(socket))["html"]
    game = await database_sync_to_async(services.create)(alice, terms)
    for socket, word in watchers:
        html = (await table_on(socket))["html"]
        assert word in html
        assert "Alice" in html
        assert f"/join/{game.code}/" in html
    await database_sync_to_async(services.leave)(alice, game.pk)
    for socket, word in watchers:
        assert word not in (await table_on(socket))["html"]
        await socket.disconnect()


async def test_tables_by_invitation_are_nobodys_news(alice, bob):
    socket = await watch_the_list(bob)
    await table_on(socket)
    create = database_sync_to_async(services.create)
    await create(alice, services.Terms("matatu", "rwanda", 2))
    assert await socket.receive_nothing(timeout=0.3)
    await socket.disconnect()


async def test_the_end_shows_at_once_that_a_rematch_is_open(game, alice, bob):
    await database_sync_to_async(services.act)(alice, game.pk, rules.Move("resign"), 1)
    socket = await sit_down(game, bob)
    assert "Join the rematch" not in (await table_on(socket))["html"]
    await database_sync_to_async(services.rematch)(alice, game.pk)
    assert "Join the rematch" in (await table_on(socket))["html"]
    await socket.disconnect()


class Layer:
    """A channel layer that only remembers, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.sent = []
        self.error = error

    async def group_send(self, group: str, message: dict) -> None:
        if self.error:
            raise self.error
        self.sent.append((group, message))


async def test_no_card_enters_the_channel_layer(game, monkeypatch):
    layer = Layer()
    monkeypatch.setattr("games.broadcast.get_channel_layer", lambda: layer)
    await database_sync_to_async(play_one)(game)
    assert layer.sent == [
        (f"game.{game.pk}", {"type": "game.changed", "game": game.pk, "version": 2, "page": ""})
    ]


async def test_a_move_stands_when_the_poke_fails(game, monkeypatch):
    monkeypatch.setattr("games.broadcast.get_channel_layer", lambda: Layer(ConnectionError()))
    await database_sync_to_async(play_one)(game)
    await database_sync_to_async(game.refresh_from_db)()
    assert game.version == 2


# --- Signing out ----------------------------------------------------------------------------------


def signed_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


async def socket_of(browser: Client, address: str, user: User) -> Socket:
    """Open a socket by the session of this browser."""
    socket = Socket(URLRouter(websocket_urlpatterns), address)
    socket.scope |= {"user": user, "session": SessionStore(browser.session.session_key)}
    assert (await socket.connect())[0]
    await table_on(socket)
    return socket


def sign_out(browser: Client, user: User) -> None:
    browser.post("/en/accounts/logout/")


def change_password_elsewhere(browser: Client, user: User) -> None:
    user.set_password("another long pass phrase")
    user.save()


def be_suspended(browser: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def be_gone(browser: Client, user: User) -> None:
    Seat.objects.filter(user=user).update(user=None)
    Game.objects.filter(host=user).update(host=None)
    user.delete()


@pytest.mark.parametrize("end", [sign_out, change_password_elsewhere, be_suspended, be_gone])
@pytest.mark.parametrize("address", ["/ws/games/{}/", "/ws/lobbies/"])
async def test_a_socket_ends_with_the_session_that_opened_it(
    game, alice, bob, monkeypatch, end, address
):
    monkeypatch.setattr(consumers, "RECHECK", 0.05)
    browser = await database_sync_to_async(signed_in)(alice)
    other = await database_sync_to_async(signed_in)(bob)
    mine = await socket_of(browser, address.format(game.pk), alice)
    theirs = await socket_of(other, address.format(game.pk), bob)
    assert await mine.receive_nothing(timeout=0.3)  # looked at again, and all is well
    await database_sync_to_async(end)(browser, alice)
    assert (await mine.receive_output(timeout=10)) == {"type": "websocket.close", "code": 4403}
    assert await theirs.receive_nothing(timeout=0.3)
    await theirs.disconnect()


async def test_a_database_that_is_away_ends_no_socket(game, alice, monkeypatch):
    monkeypatch.setattr(consumers, "RECHECK", 0.05)
    asked = []

    def is_still_signed_in(key: str) -> bool:
        asked.append(key)
        if len(asked) < 4:
            raise OperationalError
        return False

    monkeypatch.setattr(consumers, "is_still_signed_in", is_still_signed_in)
    browser = await database_sync_to_async(signed_in)(alice)
    mine = await socket_of(browser, f"/ws/games/{game.pk}/", alice)
    assert (await mine.receive_output(timeout=10))["code"] == 4403
    assert len(asked) == 4


def test_everybody_is_looked_at_again_within_half_a_minute():
    assert consumers.RECHECK + 5 < 30
