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


class CountingRedis(RedisCache):
    """Counts, and notes who was there, in one step: nothing is lost between reading and writing."""

    def count(self, key: str, seconds: int) -> int:
        """As EnduringCache.count. Django's `incr` asks first whether there is a count: one that
        ran out in between would stay for ever."""
        whole = self.make_and_validate_key(key)
        step = self._cache.get_client(whole, write=True).pipeline()
        step.incr(whole)
        step.expire(whole, seconds, nx=True)
        return int(step.execute()[0])

    def note(self, key: str, who: str, at: float, seconds: int) -> None:
        """As EnduringCache.note."""
        whole = self.make_and_validate_key(key)
        step = self._cache.get_client(whole, write=True).pipeline()
        step.zadd(whole, {who: at})
        step.zremrangebyscore(whole, "-inf", at - seconds)
        step.expire(whole, seconds)
        step.execute()

    def noted(self, key: str, since: float) -> int:
        """As EnduringCache.noted."""
        whole = self.make_and_validate_key(key)
        client: Any = self._cache.get_client(whole)
        return int(client.zcount(whole, f"({since}", "inf"))


class CountingMemory(LocMemCache):
    """Counts well enough for the time of an outage."""

    def count(self, key: str, seconds: int) -> int:
        """As EnduringCache.count."""
        self.add(key, 0, seconds)
        try:
            return self.incr(key)
        except ValueError:  # it ran out in between
            return 1

    def note(self, key: str, who: str, at: float, seconds: int) -> None:
        """As EnduringCache.note."""
        self.set(key, self.get(key, {}) | {who: at}, seconds)

    def noted(self, key: str, since: float) -> int:
        """As EnduringCache.noted."""
        return sum(at > since for at in self.get(key, {}).values())


# By address: Django makes a backend anew in each thread, and the web process has a thread for each
# request, which would each connect again.
_redis: dict[str, CountingRedis] = {}
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
        self._shared = _redis.setdefault(server, CountingRedis(server, dict(params)))
        self._own = CountingMemory("enduring", own)

    def _ask(self, what: str, *args: Any, **kwargs: Any) -> Any:
        global _asked_again_at  # noqa: PLW0603  a backend is made anew in each thread
        if time.monotonic() >= _asked_again_at:
            try:
                return getattr(self._shared, what)(*args, **kwargs)
            except RedisError as away:
                _asked_again_at = time.monotonic() + PAUSE
                logger.warning("cache in memory for %s s: %s", PAUSE, away)
        return getattr(self._own, what)(*args, **kwargs)

    def count(self, key: str, seconds: int) -> int:
        """Count one more of `key`; return how many there are since the first, which is forgotten
        with all the others after so many seconds."""
        return int(self._ask("count", key, seconds))

    def note(self, key: str, who: str, at: float, seconds: int) -> None:
        """Note under `key` that `who` was there at that time (of time.time()); all of it is
        forgotten when nobody has been noted for so many seconds."""
        self._ask("note", key, who, at, seconds)

    def noted(self, key: str, since: float) -> int:
        """Return how many were noted under `key` later than `since`."""
        return int(self._ask("noted", key, since))

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
