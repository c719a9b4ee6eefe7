"""How often somebody may do something."""

import logging

from django.core.cache import cache

logger = logging.getLogger(__name__)


def is_too_often(what: str, who: object, most: int, seconds: int = 60) -> bool:
    """Count one more `what` of `who`; return whether that is over `most` in so many seconds.

    The count is kept in the cache, shared by all processes; without a cache nobody is held up.
    """
    key = f"limit:{what}:{who}"
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key) > most
    except ValueError:  # it ran out in between
        return False
    except Exception:
        logger.warning("no limit for %s", what, exc_info=True)
        return False
