"""How often somebody may do something."""

from django.core.cache import cache


def is_too_often(what: str, who: object, most: int, seconds: int = 60) -> bool:
    """Count one more `what` of `who`; return whether that is over `most` in so many seconds.

    The count is kept in the cache, shared by all processes; while Redis is away each counts alone.
    """
    key = f"limit:{what}:{who}"
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key) > most
    except ValueError:  # it ran out in between
        return False
