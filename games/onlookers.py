"""How many look on at a table: signs of life in the cache that run out by themselves."""

import time
from typing import Any

from django.core.cache import cache

SECONDS = 30  # a page that is looked at gives a sign every ten
_signs: Any = cache  # config.cache


def looks_on(game_id: str, who: object) -> None:
    """Note that `who` (any key of theirs) has the table before their eyes now."""
    _signs.note(_key(game_id), str(who), time.time(), SECONDS)


def number_of_onlookers(game_id: str) -> int:
    """Return how many have given a sign of late."""
    return int(_signs.noted(_key(game_id), time.time() - SECONDS))


def _key(game_id: str) -> str:
    return f"looking-on:{game_id}"
