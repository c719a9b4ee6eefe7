"""A poke to everybody at a table: "now at version n". No card ever enters the channel layer."""

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

logger = logging.getLogger(__name__)


def group_of(game_id: str) -> str:
    """Return the name of the channel group of a game's sockets."""
    return f"game.{game_id}"


def announce(game_id: str, version: int) -> None:
    """Poke the game's sockets once the present transaction is committed.

    A poke that cannot be sent is logged and forgotten: the database is the truth, and the
    pages ask again by themselves.
    """
    transaction.on_commit(lambda: _poke(game_id, version), robust=True)


def _poke(game_id: str, version: int) -> None:
    message = {"type": "game.changed", "game": game_id, "version": version}
    try:
        async_to_sync(get_channel_layer().group_send)(group_of(game_id), message)
    except Exception:  # whatever the layer raises, the move stands
        logger.warning("no poke for game %s version %s", game_id, version, exc_info=True)
