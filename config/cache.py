"""The cache of the site: Redis, and while Redis is away the memory of each process."""

import logging
import time
from collections.abc import Mapping
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
PAUSE = 5.0  # seconds without asking a Redis that has failed: one that hangs costs each ask two
MOST_KEPT = 100_000  # entries; more than can be asked for in the time of an outage
_asked_again_at = 0.0  # by the monotonic clock; one Redis, so one for the process


class EnduringCache(BaseCache):
    """Never raises for a Redis that is away: the process's own memory serves meanwhile.

    So pages need no Redis, and limits still hold, counted by each process alone. What was kept
    in Redis is not seen while it is away, and what was kept meanwhile is not seen afterwards.
    """

    def __init__(self, server: str, params: Mapping[str, Any]) -> None:
        """Take the settings of Django's RedisCache."""
        super().__init__(dict(params))
        own = {**params, "OPTIONS": {"MAX_ENTRIES": MOST_KEPT}}
        self._shared, self._own = RedisCache(server, dict(params)), LocMemCache("enduring", own)

    def _ask(self, what: str, *args: Any, **kwargs: Any) -> Any:
        global _asked_again_at  # noqa: PLW0603  a backend is made anew in each thread
        if time.monotonic() >= _asked_again_at:
            try:
                return getattr(self._shared, what)(*args, **kwargs)
            except RedisError as away:
                _asked_again_at = time.monotonic() + PAUSE
                logger.warning("cache in memory for %s s: %s", PAUSE, away)
        return getattr(self._own, what)(*args, **kwargs)

    # The rest of a cache's methods are made of these by BaseCache.

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._ask("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask("touch", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask("delete", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return self._ask("incr", *args, **kwargs)

    def clear(self) -> None:
        self._ask("clear")
