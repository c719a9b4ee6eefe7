"""Sockets: a hint that something has changed, with the part of the page that shows it."""

import asyncio
import json
from abc import ABC, abstractmethod
from contextlib import suppress
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone, translation

from accounts import delivery, zones
from accounts.sessions import is_still_signed_in
from games.broadcast import LOBBIES, group_of
from games.frames import Deflater
from games.models import Game
from games.onlookers import looks_on
from games.presenters import present, read
from games.views import lobbies_fragment, table_fragment

SIGNED_OUT = 4403
RECHECK = 20.0  # seconds; whoever signs out, by whatever way, is told nothing more soon after


class Listener(AsyncWebsocketConsumer, ABC):
    """A socket in one group, which it joins before it reads, so that no change falls in between.

    It takes nothing from the browser but pings, which the script sends only while the page is
    visible. What it says is JSON: in text frames, or, if the address says `frames=deflate`, in
    binary ones of a `Deflater`.
    """

    group = ""
    deflater: Deflater | None = None
    guard: asyncio.Task[None] | None = None

    async def accept(self, *args, **kwargs) -> None:
        """Let the browser in, and speak as its address asks."""
        self.deflater = Deflater() if _asked(self.scope, "frames") == "deflate" else None
        await super().accept(*args, **kwargs)
        if self.scope["user"].is_authenticated:
            self.guard = asyncio.create_task(self.close_when_signed_out())

    async def close_when_signed_out(self) -> None:
        """Look again and again whether the session still holds that opened this socket."""
        check = database_sync_to_async(is_still_signed_in, thread_sensitive=False)
        while True:
            await asyncio.sleep(RECHECK)
            with suppress(DatabaseError):  # it is away: that says nothing about the session
                if not await check(self.scope["session"].session_key):
                    await self.close(SIGNED_OUT)
                    return

    async def say(self, message: dict) -> None:
        """Send a message."""
        text = json.dumps(message, ensure_ascii=False)
        if self.deflater:
            await self.send(bytes_data=self.deflater.pack(text))
        else:
            await self.send(text)

    async def listen(self, group: str) -> None:
        """Hear what is said to `group` from now on."""
        self.group = group
        await self.channel_layer.group_add(group, self.channel_name)

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        if self.guard:
            self.guard.cancel()
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a ping, so that the browser knows a dead line from a quiet one."""
        if text_data == "ping":
            await self.send("pong")
            await self.is_looked_at()

    @abstractmethod
    async def is_looked_at(self) -> None:
        """Do what is due while somebody has this page before their eyes: see that it is right."""


class TableConsumer(Listener):
    """Sends {"version", "html"}: the whole table on connecting, and after each poke.

    Who may not see the table is turned away with code 4404, or 4403 if signing in may help.
    """

    looks_on = False  # without a seat
    has_news = True  # something for this viewer to read, as far as is known

    async def connect(self) -> None:
        """Let in who may see the table, and show it."""
        self.game_id = self.scope["url_route"]["kwargs"]["game_id"]
        self.language = _language(self.scope)
        self.page = _asked(self.scope, "page")
        self.sent = -1
        await self.accept()
        await self.listen(group_of(self.game_id))
        await self.is_looked_at()  # the script connects only from a page that is visible

    async def is_looked_at(self) -> None:
        """Note the sign of life, which holds mails back, and make up for a poke that was lost."""
        version = await database_sync_to_async(self.note_a_look, thread_sensitive=False)()
        await self.game_changed({"version": version})

    async def game_changed(self, message: dict) -> None:
        """Show the table again if this poke is about a version not shown yet.

        The page that made the move itself gets the table by the answer; the others come first.
        """
        if message["version"] <= self.sent:
            return
        if self.page and message.get("page") == self.page:
            self.sent = message["version"]
        else:
            await self.send_table()

    async def send_table(self) -> None:
        """Send the table as it is now, or close if the viewer may no longer see it."""
        # Not thread-sensitive: one slow reader must not hold up the others.
        shown = await database_sync_to_async(self.read_table, thread_sensitive=False)()
        if shown is None:
            await self.close(4404 if self.scope["user"].is_authenticated else SIGNED_OUT)
            return
        version, html = shown
        if version > self.sent:
            self.sent = version
            await self.say({"version": version, "html": html})

    def note_a_look(self) -> int:
        """Note it; return the version of the table, 0 if there is none."""
        user = self.scope["user"]
        if user.is_authenticated:
            delivery.looks(user.pk, self.game_id)
            if self.has_news:
                delivery.read(user.pk, self.game_id)
        if self.looks_on:
            looks_on(self.game_id, user.pk or self.channel_name)
        versions = Game.objects.filter(pk=self.game_id).values_list("version", flat=True)
        return versions.first() or 0

    def read_table(self) -> tuple[int, str] | None:
        """Return the version and the fragment for this viewer, None if it may not be seen."""
        game = read(self.game_id, self.scope["user"])
        if game is None:
            return None
        self.looks_on = game.seat_of(self.scope["user"]) is None
        self.has_news = bool(getattr(game, "notice_count", 0))
        zone = zones.of_reader(self.scope["user"], self.scope.get("cookies", {}), self.language)
        with translation.override(self.language), timezone.override(zone):
            document = present(game, self.scope["user"], origin=_origin(self.scope))
            return game.version, table_fragment(document)


class LobbiesConsumer(Listener):
    """Sends {"html"}: the list of open tables on connecting, and whenever it has changed."""

    async def connect(self) -> None:
        """Let anybody in, and show the list."""
        self.sent = ""
        await self.accept()
        await self.listen(LOBBIES)
        await self.is_looked_at()

    async def is_looked_at(self) -> None:
        """Send the list as it is now, unless it is as it was."""
        html = await database_sync_to_async(self.read_list, thread_sensitive=False)()
        if html != self.sent:
            self.sent = html
            await self.say({"html": html})

    async def lobbies_changed(self, message: dict) -> None:
        """Look what has changed."""
        await self.is_looked_at()

    def read_list(self) -> str:
        """Return the list for this viewer."""
        with translation.override(_language(self.scope)):
            return lobbies_fragment(self.scope["user"])


def _header(scope: dict, name: bytes) -> str:
    return next((value.decode("latin1") for key, value in scope["headers"] if key == name), "")


def _origin(scope: dict) -> str:
    return _header(scope, b"origin")


def _asked(scope: dict, name: str) -> str:
    """The first value that the address gives to this name, "" if there is none."""
    return parse_qs(scope["query_string"].decode("latin1")).get(name, [""])[0]


def _language(scope: dict) -> str:
    asked = _asked(scope, "language")
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
