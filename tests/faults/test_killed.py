"""Killing any process in the middle of a game delays it and loses nothing.

Every test kills real processes with SIGKILL and starts them again as a service manager does; what
happens next, the site does by itself. The limits are those that docs/operations.md states.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.db import connection
from django.urls import URLResolver, get_resolver
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from accounts.delivery import LOOKING_SECONDS
from accounts.models import User
from config.local import site as local_site
from config.local.servers import Server
from games import clock
from games.broadcast import group_of
from games.models import Game, MoveRecord
from games.services.clock import CLAIM
from tests.faults.killable import Killable, put_clock_forward
from tests.faults.playing import (
    PASSWORD,
    PATIENCE,
    Player,
    bot_has_moved,
    bring_to_the_bot,
    check,
    in_turn,
    is_bots_turn,
    now,
    play,
    until,
    version_on,
)
from tests.games.playing import fields_of, first_move

# What docs/operations.md promises, from the moment that what was killed is back.
PLAYED_AGAIN = 60.0
AFTER_REDIS = 120.0
# Seconds after which a turn of two minutes is overdue, whatever an outage meanwhile gives back.
OVERDUE = 121.0 + PLAYED_AGAIN
HELD_UP = 30.0


def a_game_with_a_bot(site: Killable, pace: str = "1h") -> tuple[Player, str]:
    """Return somebody and their game, in which a bot is to act."""
    alice = site.player()
    pk = alice.open_table(pace)
    alice.seat_a_bot(pk)
    bring_to_the_bot(pk, alice)
    return alice, pk


def a_game_of_two(site: Killable, pace: str = "2m") -> tuple[Player, Player, str]:
    alice, bob = site.player(), site.player()
    pk = alice.open_table(pace)
    bob.join(now(pk).code)
    assert now(pk).status == Game.Status.PLAYING
    return alice, bob, pk


def moves_by(pk: str, author: str) -> int:
    return MoveRecord.objects.filter(game=pk, author=author).count()


# --- Worker and bots -----------------------------------------------------------------------------


def test_a_bot_plays_although_the_worker_died_while_it_waited(site):
    alice, pk = a_game_with_a_bot(site)
    before = _killed_while_a_bot_waits(site, alice, pk)
    made = moves_by(pk, MoveRecord.Author.BOT)
    until(lambda: now(pk).deadline < clock.now())
    site.start("worker", "bots")
    until(lambda: bot_has_moved(pk, before), PLAYED_AGAIN)
    assert moves_by(pk, MoveRecord.Author.BOT) > made
    check(pk, alice)


def _killed_while_a_bot_waits(site: Killable, alice: Player, pk: str) -> Game:
    """Kill the worker in the two seconds before the bot's moment; return the game as it is."""
    for _ in range(10):
        before = bring_to_the_bot(pk, alice)
        site.kill("worker", "bots")
        if now(pk).deadline == before.deadline > clock.now():
            return before
        site.start("worker", "bots")  # this machine was too slow
    raise AssertionError("the bot was always quicker")


def test_a_bot_killed_in_the_middle_of_its_move_makes_it_once(site):
    alice, pk = a_game_with_a_bot(site)
    with _nobody_writes_a_move(site) as link:
        before = now(pk)
        made = moves_by(pk, MoveRecord.Author.BOT)
        until(lambda: _somebody_waits(link))  # in the middle of the transaction
        site.kill("bots")
    assert now(pk).version == before.version
    assert moves_by(pk, MoveRecord.Author.BOT) == made
    site.start("bots")
    put_clock_forward(CLAIM.total_seconds())  # then the thought counts as lost
    until(lambda: bot_has_moved(pk, before), PLAYED_AGAIN)
    check(pk, alice)


@contextmanager
def _nobody_writes_a_move(site: Killable) -> Iterator[psycopg.Connection]:
    """Hold up every transaction at the line where it records its move; nothing else."""
    with psycopg.connect(site.live.env["DATABASE_URL"]) as link:
        link.execute("LOCK TABLE games_moverecord IN SHARE MODE")
        yield link
        link.rollback()


def _somebody_waits(link: psycopg.Connection) -> bool:
    waiting = "SELECT 1 FROM pg_locks WHERE relation = 'games_moverecord'::regclass AND NOT granted"
    return link.execute(waiting).fetchone() is not None


def test_who_lives_without_working_is_noticed_and_ended(site, monkeypatch):
    monkeypatch.setattr(local_site, "SILENCE", 3.0)
    monkeypatch.setattr(local_site, "LOOK_EVERY", 0.5)
    alice, pk = a_game_with_a_bot(site)
    before = bring_to_the_bot(pk, alice)
    bots = site.live.services["bots"]
    stuck = bots.process
    assert stuck is not None
    os.killpg(stuck.pid, signal.SIGSTOP)  # as one that is connected and takes no task
    with redis.Redis.from_url(site.live.env["REDIS_URL"]) as store:
        store.delete("ikarita:1:bots-seen")  # its last mark, which would run out by itself
    watch = local_site.Watch(site.url, list(site.live.services.values()))

    def is_replaced() -> bool:
        watch.look()
        bots.look_after()
        return bots.process is not stuck and bots.is_alive()

    until(is_replaced)
    assert all(each.is_alive() for each in site.live.services.values())
    put_clock_forward(CLAIM.total_seconds())
    until(lambda: bot_has_moved(pk, before), PLAYED_AGAIN)
    until(site.is_ready)
    check(pk, alice)


# --- Clock ---------------------------------------------------------------------------------------


def test_deadlines_that_passed_without_a_clock_are_settled_once(site):
    games = [a_game_of_two(site) for _ in range(3)]
    site.kill("clock")
    before = {pk: now(pk).move_count for _, _, pk in games}
    put_clock_forward(OVERDUE)
    assert all(now(pk).deadline < clock.now() for pk in before)
    site.start("clock")
    until(lambda: all(now(pk).move_count > before[pk] for pk in before), PLAYED_AGAIN)
    _let_the_sweep_come_again(site)
    for alice, bob, pk in games:
        assert moves_by(pk, MoveRecord.Author.CLOCK) == 1
        assert now(pk).move_count == before[pk] + 1
        check(pk, alice, bob)


def _let_the_sweep_come_again(site: Killable) -> None:
    """Wait until it has left its mark anew, twice."""
    with redis.Redis.from_url(site.live.env["REDIS_URL"]) as store:
        for _ in range(2):
            store.delete("ikarita:1:sweep-seen")
            until(lambda: store.exists("ikarita:1:sweep-seen"))


# --- Web -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["in the middle of the move", "between move and answer"])
def test_a_move_whose_web_process_dies_is_made_wholly_or_not_at_all(site, moment):
    alice, bob, pk = a_game_of_two(site, "1h")
    before = now(pk)
    mover = in_turn(before, alice, bob)
    sent = fields_of(first_move(before), before.version)
    with alice.sit(pk) as first, bob.sit(pk) as second:
        for line in (first, second):
            assert version_on(line) == before.version
        answers = _posted_while_the_web_dies(site, moment, mover, pk, sent)
        for line in (first, second):
            with pytest.raises(ConnectionClosed):
                line.recv(timeout=PATIENCE)
    assert answers == ["no answer"]
    is_made = moment == "between move and answer"
    assert now(pk).version == before.version + is_made
    site.start("web")
    assert mover.move(pk, sent).status == 303  # as a browser asks again, or the person does
    assert mover.move(pk, sent).status == 303
    assert now(pk).version == before.version + 1
    assert now(pk).move_count == before.move_count + 1
    with alice.sit(pk) as line:
        assert version_on(line) == before.version + 1
        play(pk, alice, bob)
        assert version_on(line) == before.version + 2
    check(pk, alice, bob)


def _posted_while_the_web_dies(
    site: Killable, moment: str, mover: Player, pk: str, sent: dict[str, object]
) -> list[object]:
    """Post the move and kill the web process at this moment; return what the mover got."""
    answers: list[object] = []

    def post() -> None:
        try:
            answers.append(mover.move(pk, sent).status)
        except OSError:
            answers.append("no answer")

    posting = threading.Thread(target=post)
    before = now(pk).version
    if moment == "in the middle of the move":
        with _nobody_writes_a_move(site) as link:
            posting.start()
            until(lambda: _somebody_waits(link))
            site.kill("web")
    else:
        with _hanging(site.valkey):  # the poke comes after the commit, and hangs
            posting.start()
            until(lambda: now(pk).version > before)
            site.kill("web")
    posting.join(PATIENCE)
    return answers


@contextmanager
def _hanging(server: Server) -> Iterator[None]:
    """A server that takes connections and answers nothing."""
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def test_whose_web_process_died_is_not_taken_for_present(site):
    alice, bob = site.player("alice@example.org"), site.player()
    pk = alice.open_table("1h")
    bob.join(now(pk).code)
    key = f"ikarita:1:looking:{_id_of(alice)}:{pk}"
    with redis.Redis.from_url(site.live.env["REDIS_URL"]) as store:
        with alice.sit(pk):
            until(lambda: store.exists(key))
            site.kill("web")
        assert 0 < store.ttl(key) <= LOOKING_SECONDS
        store.expire(key, 1)  # the rest of it passes; nothing is left that would renew it
        until(lambda: not store.exists(key))
    site.start("web")
    while in_turn(now(pk), alice, bob) is bob:
        play(pk, bob)
    until(lambda: any("List-Unsubscribe" in mail for mail in site.live.mail_texts()))
    check(pk, alice, bob)


def _id_of(player: Player) -> int:
    return User.objects.get(name=player.name).pk


# --- Redis ---------------------------------------------------------------------------------------


def test_redis_dies_and_the_game_is_played_on_and_goes_on_by_itself(site):
    alice, pk = a_game_with_a_bot(site)
    carol, dave, other = a_game_of_two(site)
    until(lambda: not is_bots_turn(now(pk)))
    with carol.sit(other) as line:
        version_on(line)
        _kill(site.valkey)
        assert not local_site.is_ready(site.url)
        _hears_of_the_next_move(line, other, carol, dave, by_ping=True)
        before, late = bring_to_the_bot(pk, alice), now(other)
        put_clock_forward(OVERDUE)
        for _ in range(3):  # and twice more within ten seconds
            site.valkey.restart()
            _kill(site.valkey)
        site.valkey.restart()
        until(lambda: site.supervise() and bot_has_moved(pk, before), AFTER_REDIS)
        until(lambda: site.supervise() and now(other).move_count > late.move_count, AFTER_REDIS)
        until(site.is_ready, AFTER_REDIS)
        _hears_of_the_next_move(line, other, carol, dave)
    assert moves_by(other, MoveRecord.Author.CLOCK) == 1
    check(pk, alice)
    check(other, carol, dave)


def _hears_of_the_next_move(
    line: ClientConnection, pk: str, *players: Player, by_ping: bool = False
) -> None:
    play(pk, *players)
    wanted = now(pk).version
    if by_ping:  # as the script sends one each ten seconds
        line.send("ping")
        assert line.recv(timeout=PATIENCE) == "pong"
    until(lambda: version_on(line) == wanted)


def test_a_redis_that_hangs_holds_up_no_move_for_long(site):
    alice, pk = a_game_with_a_bot(site)
    until(lambda: not is_bots_turn(now(pk)))
    with _hanging(site.valkey):
        begun = time.monotonic()
        play(pk, alice)
        assert time.monotonic() - begun < HELD_UP
        before = now(pk)
    if is_bots_turn(before):
        until(lambda: bot_has_moved(pk, before), AFTER_REDIS)
    check(pk, alice)


def _kill(server: Server) -> None:
    assert server.process is not None
    server.process.kill()
    server.process.wait()


def test_no_page_and_no_form_needs_redis(site):
    alice, admin, pk = a_game_of_two(site, "1h")
    carol, dave, other = a_game_of_two(site, "1h")
    User.objects.filter(name=admin.name).update(is_staff=True, is_superuser=True)
    waiting = admin.open_table("1h", public="1")
    nobody = Player(site.url, "")
    with carol.sit(other) as line:
        version_on(line)
    with redis.Redis.from_url(site.live.env["REDIS_URL"]) as store:
        until(lambda: not store.pubsub_channels("*specific*"))  # the socket's own
    _kill(site.valkey)
    try:
        for path in _all_paths({"game_id": pk, "code": now(waiting).code}):
            for player in (nobody, admin):
                for answer in (player.get(path), player.post(path)):
                    assert answer.status < 500 or path == "/readyz", (path, answer)
        assert nobody.get("/readyz").status == 503
        _forms_do_their_work(site)
        play(other, carol, dave)
        assert _fails_often(site, alice), "limits hold without Redis, too"
        check(pk, alice)
        check(other, carol, dave)
    finally:
        site.valkey.restart()
    until(site.is_ready, AFTER_REDIS)
    with carol.sit(other) as line:  # the first to notice that the old line to Redis is dead
        version_on(line)
        _hears_of_the_next_move(line, other, carol, dave)


def _all_paths(samples: dict[str, str]) -> list[str]:
    """Every address of the site, with samples for its parameters; those that sign out come last."""
    parameter = r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>"
    paths = [
        "/" + re.sub(parameter, lambda found: samples.get(found[1] or found[2], "1"), route)
        for route in _routes(get_resolver())
    ]
    return sorted(paths, key=lambda path: "logout" in path)


def _routes(resolver: URLResolver) -> Iterator[str]:
    for each in resolver.url_patterns:
        own = str(each.pattern).removeprefix("^").removesuffix("$").removesuffix(r"\Z")
        below = _routes(each) if isinstance(each, URLResolver) else [""]
        yield from (own + rest for rest in below)


def _forms_do_their_work(site: Killable) -> None:
    """Sign up, sign in, open a table, begin a game: all without Redis."""
    newcomer = site.player()
    sent = {"login": newcomer.name, "password": PASSWORD}
    assert Player(site.url, "").post("/en/accounts/login/", **sent).status == 302
    assert newcomer.post("/en/accounts/password/reset/", email="a@example.org").status == 302
    table = newcomer.open_table("1h")
    newcomer.seat_a_bot(table)
    assert now(table).status == Game.Status.PLAYING


def _fails_often(site: Killable, victim: Player) -> bool:
    """Guess passwords until no more are taken, not even the right one."""
    guesser = Player(site.url, "")
    for guess in [*(f"guess {number}" for number in range(6)), PASSWORD]:
        answer = guesser.post("/en/accounts/login/", login=victim.name, password=guess)
    return answer.status != 302


# --- PostgreSQL ----------------------------------------------------------------------------------


def test_postgresql_dies_in_the_middle_of_a_game(site):
    alice, pk = a_game_with_a_bot(site)
    carol, dave, other = a_game_of_two(site)
    play(other, carol, dave)
    before, committed = bring_to_the_bot(pk, alice), now(other)
    _kill(site.postgres)
    connection.close()
    site.postgres.restart()
    assert now(other).version == committed.version
    until(lambda: bot_has_moved(pk, before), PLAYED_AGAIN)
    play(other, carol, dave)
    put_clock_forward(OVERDUE)
    until(lambda: moves_by(other, MoveRecord.Author.CLOCK) == 1, PLAYED_AGAIN)
    until(site.is_ready)
    check(pk, alice)
    check(other, carol, dave)


# --- Commits that come late, or never ------------------------------------------------------------


def test_nothing_is_told_before_it_is_committed_and_nothing_if_it_is_not(site):
    games = [a_game_with_a_bot(site) for _ in range(4)]
    until(lambda: not any(is_bots_turn(now(pk)) for _, pk in games))
    with _at_each_commit(site, "PERFORM pg_sleep(0.3)"):
        before = {}
        for alice, pk in games:
            before[pk] = bring_to_the_bot(pk, alice)
        until(lambda: all(bot_has_moved(pk, seen) for pk, seen in before.items()))
    for alice, pk in games:
        check(pk, alice)
    alice, bob, pk = a_game_of_two(site, "1h")
    seen = now(pk)
    mover, sent = in_turn(seen, alice, bob), fields_of(first_move(seen), seen.version)
    with bob.sit(pk) as line:
        version_on(line)
        with _at_each_commit(site, "RAISE EXCEPTION 'no'"):
            for _ in range(20):
                assert mover.move(pk, sent).status == 500
        with pytest.raises(TimeoutError):
            line.recv(timeout=1)
        assert (now(pk).version, now(pk).move_count) == (seen.version, seen.move_count)
        assert mover.move(pk, sent).status == 303
        assert version_on(line) == seen.version + 1
    words = "".join(log.read_text() for log in site.live.logs.iterdir())
    assert "DoesNotExist" not in words
    check(pk, alice, bob)


@contextmanager
def _at_each_commit(site: Killable, what: str) -> Iterator[None]:
    """Let PostgreSQL do this at the end of each transaction that has recorded a move."""
    with psycopg.connect(site.live.env["DATABASE_URL"], autocommit=True) as link:
        link.execute(
            "CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {what}; RETURN NULL; END $$"
        )
        link.execute(
            "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON games_moverecord"
            " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_commit()"
        )
        try:
            yield
        finally:
            link.execute("DROP FUNCTION at_commit CASCADE")


# --- Pokes without end ---------------------------------------------------------------------------


def test_a_burst_of_pokes_ends_with_the_last_table_on_every_page(site):
    alice, bob, pk = a_game_of_two(site, "1h")
    with alice.sit(pk) as first, bob.sit(pk) as second:
        poke = {"type": "game.changed", "game": pk}
        layer = RedisPubSubChannelLayer(hosts=[site.live.env["REDIS_URL"]])

        async def burst() -> None:
            for version in range(150):
                await layer.group_send(group_of(pk), poke | {"version": version})
            await layer.flush()

        asyncio.run(burst())
        for _ in range(3):
            play(pk, alice, bob)
        wanted = now(pk).version
        for line in (first, second):
            until(lambda line=line: version_on(line) == wanted)
    check(pk, alice, bob)
