"""How many look on at a table: signs of life in the cache that run out by themselves."""

import time

from django.core.cache import cache

SECONDS = 30  # a page that is looked at gives a sign every ten


def looks_on(game_id: str, who: object) -> None:
    """Note that `who` (any key of theirs) has the table before their eyes now.

    Two signs in the same moment may lose one; the next, ten seconds on, makes up for it.
    """
    cache.set(_key(game_id), _lately(game_id) | {str(who): time.time()}, SECONDS)


def number_of_onlookers(game_id: str) -> int:
    """Return how many have given a sign of late."""
    return len(_lately(game_id))


def _lately(game_id: str) -> dict[str, float]:
    now = time.time()
    signs: dict[str, float] = cache.get(_key(game_id), {})
    return {who: at for who, at in signs.items() if now - at < SECONDS}


def _key(game_id: str) -> str:
    return f"onlookers:{game_id}"
