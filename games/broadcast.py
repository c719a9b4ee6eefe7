"""A poke to everybody at a table: "now at version n". No card ever enters the channel layer."""

import logging

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction

logger = logging.getLogger(__name__)
SWEEP = "games.tasks.serve_overdue_games"
LOBBIES = "lobbies"  # the group of those who look at the list of open tables


def group_of(game_id: str) -> str:
    """Return the name of the channel group of a game's sockets."""
    return f"game.{game_id}"


def announce(
    game_id: str,
    version: int,
    *,
    due: float | None = None,
    listed: bool = False,
    page: str = "",
) -> None:
    """Poke the game's sockets once the present transaction is committed.

    `page`: the mark of the page that made the change, which learns of it by the answer;
    `due`: in so many seconds the server itself is to act, so the sweep is nudged for then;
    `listed`: the list of open tables has changed. What cannot be sent is logged and forgotten: the
    database is the truth, the pages ask again by themselves, and the sweep comes anyway.
    """
    transaction.on_commit(lambda: _poke(game_id, version, page), robust=True)
    if listed:
        transaction.on_commit(lambda: _send(LOBBIES, {"type": "lobbies.changed"}), robust=True)
    if due is not None:
        transaction.on_commit(lambda: _nudge(due), robust=True)


def _poke(game_id: str, version: int, page: str) -> None:
    message = {"type": "game.changed", "game": game_id, "version": version, "page": page}
    _send(group_of(game_id), message)


def _send(group: str, message: dict[str, object]) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group, message)
    except Exception:
        logger.warning("no poke for %s", group, exc_info=True)


def _nudge(seconds: float) -> None:
    try:
        # Without retries: a broker that is down must not hold up the answer to a move.
        current_app.send_task(SWEEP, countdown=seconds, expires=seconds + 5, retry=False)
    except Exception:
        logger.warning("no nudge", exc_info=True)
