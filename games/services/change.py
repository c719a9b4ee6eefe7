"""The hinge of the door: lock, change, count, say so."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction

from games.broadcast import announce
from games.models import Game

LOBBY_LIFETIME = timedelta(days=7)


class Refused(Exception):
    """What was asked cannot be done now; `code` says why. Nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class StaleVersion(Exception):
    """The asker was looking at a table that has moved on since. Nothing has changed."""


class Unchanged(Exception):
    """Raised by a verb inside `change` when what was asked for is so already."""


@contextmanager
def change(game_id: str) -> Iterator[Game]:
    """Lock a game, let the body change it, and make that one new version of it.

    Yields the locked game. The order matters: 1. lock, 2. the body, 3. version and deadline,
    4. save, 5. announce, which waits for the commit. Whatever the body raises undoes all of
    it; `Unchanged` does so silently. Raises Game.DoesNotExist.
    """
    try:
        with transaction.atomic(durable=True):
            game = Game.objects.select_for_update(no_key=True).get(pk=game_id)
            yield game
            game.version += 1
            game.deadline = deadline_of(game)
            game.save()
            announce(game.pk, game.version)
    except Unchanged:
        pass


def deadline_of(game: Game) -> datetime | None:
    """Return the moment at which the server must act on this game, or None for never."""
    if game.status == Game.Status.WAITING:
        return game.created_at + LOBBY_LIFETIME
    return None
