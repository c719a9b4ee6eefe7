"""How often somebody may do something: counted in Redis, or in memory while Redis is away."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from redis.exceptions import ConnectionError as AwayError

import config.cache
from accounts.limits import is_too_often


@pytest.fixture(params=["Redis", "memory"])
def _either_way(request, monkeypatch) -> None:
    """Count in Redis, or have a Redis that is away."""

    def fail(*_args) -> int:
        raise AwayError

    if request.param == "memory":
        monkeypatch.setattr(config.cache, "_asked_again_at", 0.0)
        monkeypatch.setattr(config.cache.CountingRedis, "count", fail)
    cache.clear()


@pytest.mark.usefixtures("_either_way")
def test_so_many_and_no_more():
    assert [is_too_often("tests", "alice", 3) for _ in range(5)] == [False] * 3 + [True] * 2
    assert not is_too_often("tests", "bob", 3)
    assert not is_too_often("others", "alice", 3)


def test_all_who_come_at_once_are_counted():
    cache.clear()
    with ThreadPoolExecutor(8) as pool:
        refused = list(pool.map(lambda _: is_too_often("tests", "carol", 30), range(50)))
    assert refused.count(True) == 20


def test_no_count_is_left_without_its_end():
    """Else one who was too fast once would be refused for ever."""
    cache.clear()
    redis = config.cache.CountingRedis
    (shared,) = (each for each in config.cache._redis.values() if isinstance(each, redis))
    client = shared._cache.get_client(None, write=True)
    whole = shared.make_key("limit:tests:dave")
    client.set(whole, 7)  # one that has lost its end
    assert is_too_often("tests", "dave", 3, seconds=40)
    assert 0 < client.ttl(whole) <= 40
    first = client.pttl(whole)
    is_too_often("tests", "dave", 3, seconds=400)
    assert client.pttl(whole) <= first, "one more does not put the end off"
