"""The socket: a poke, a read, one fragment for one viewer."""

import json

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser

from games import services
from games.broadcast import group_of
from games.models import Game
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


def play_one(game: Game) -> None:
    game.refresh_from_db()
    services.act(person_in_turn(game), game.pk, first_move(game), game.version)


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
        (f"game.{game.pk}", {"type": "game.changed", "game": game.pk, "version": 2})
    ]


async def test_a_move_stands_when_the_poke_fails(game, monkeypatch):
    monkeypatch.setattr("games.broadcast.get_channel_layer", lambda: Layer(ConnectionError()))
    await database_sync_to_async(play_one)(game)
    await database_sync_to_async(game.refresh_from_db)()
    assert game.version == 2
