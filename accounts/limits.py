"""How often somebody may do something."""

from typing import Any

from django.core.cache import cache


def is_too_often(what: str, who: object, most: int, seconds: int = 60) -> bool:
    """Count one more `what` of `who`; return whether that is over `most` in so many seconds.

    The count is kept in the cache, shared by all processes; while Redis is away each counts alone.
    """
    counting: Any = cache  # config.cache
    return counting.count(f"limit:{what}:{who}", seconds) > most
