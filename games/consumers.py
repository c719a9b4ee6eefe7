"""The socket at a table: a hint that it has changed, with the table as the viewer may see it."""

import json
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games.broadcast import group_of
from games.models import Game
from games.presenters import present
from games.views import table_fragment


class TableConsumer(AsyncWebsocketConsumer):
    """Sends {"version", "html"}: the whole table on connecting, and after each poke.

    It joins its group before it reads, so that no change falls in between. It takes nothing
    from the browser but pings. Who may not see the table is turned away with code 4404, who
    is not signed in with 4403.
    """

    async def connect(self) -> None:
        """Let in who may see the table, and show it."""
        self.game_id = self.scope["url_route"]["kwargs"]["game_id"]
        self.language = _language(self.scope)
        self.sent = -1
        await self.accept()
        if not self.scope["user"].is_authenticated:
            await self.close(4403)
            return
        self.group = group_of(self.game_id)
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.send_table()

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        if hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a ping, so that the browser knows a dead line from a quiet one."""
        if text_data == "ping":
            await self.send("pong")

    async def game_changed(self, message: dict) -> None:
        """Show the table again if this poke is about a version not shown yet."""
        if message["version"] > self.sent:
            await self.send_table()

    async def send_table(self) -> None:
        """Send the table as it is now, or close if the viewer may no longer see it."""
        # Not thread-sensitive: one slow reader must not hold up the others.
        shown = await database_sync_to_async(self._shown, thread_sensitive=False)()
        if shown is None:
            await self.close(4404)
            return
        version, html = shown
        if version > self.sent:
            self.sent = version
            await self.send(json.dumps({"version": version, "html": html}))

    def _shown(self) -> tuple[int, str] | None:
        game = Game.objects.with_people().filter(pk=self.game_id).first()
        user = self.scope["user"]
        if game is None or not (game.public or game.seat_of(user)):
            return None
        with translation.override(self.language):
            document = present(game, user, origin=_origin(self.scope))
            return game.version, table_fragment(document)


def _header(scope: dict, name: bytes) -> str:
    return next((value.decode("latin1") for key, value in scope["headers"] if key == name), "")


def _origin(scope: dict) -> str:
    return _header(scope, b"origin")


def _language(scope: dict) -> str:
    asked = parse_qs(scope["query_string"].decode("latin1")).get("language", [""])[0]
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
