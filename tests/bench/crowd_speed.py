"""How quick a table is while 100 games run: ``python -m tests.bench.crowd_speed [--json]``.

A live site (Daphne, worker, bots, PostgreSQL, Redis) on this machine, with 100 games of two
scripted players, each with a socket open; every ten games make a move a second, as the script of
the table sends it. Beside them two browsers play at one table: from the press of one to the
picture of the other. And a player's table page, from the request to the last byte.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from statistics import quantiles

from websockets.exceptions import ConnectionClosed

from tests.bench import site_speed

GAMES = 100
MOVES_A_SECOND = GAMES / 10
HANDS = 8  # moves under way at once, at most
PAGES = 200
BROWSER_MOVES = 60


def main() -> None:
    """Measure and print."""
    measured = site_speed.on_a_live_site(measure)
    if "--json" in sys.argv:
        print(json.dumps(measured))
        return
    for what, value in measured.items():
        print(f"{what:<70}{value:>10,}")


def measure(url: str) -> dict[str, float]:
    """Return the figures by name, with their units in the name."""
    tables = [site_speed.open_table_for_two(url, number) for number in range(GAMES)]
    sockets = [player.sit(pk, "deflate") for pk, players in tables for player in players.values()]
    for socket in sockets:
        threading.Thread(target=_listen, args=(socket,), daemon=True).start()
    with _playing(tables) as made:
        begun = time.perf_counter()
        waits = site_speed.with_chromium(_two_browsers, url)
        pages = [_page(tables[number % GAMES]) for number in range(PAGES)]
        rate = len(made) / (time.perf_counter() - begun)
    for socket in sockets:
        socket.close()
    return {
        "moves a second of the crowd": round(rate, 1),
        **_spread("ms from one's press to the other's picture", waits),
        **_spread("ms for a table page", pages),
    }


def _listen(socket) -> None:
    """Take what is pushed, as browsers do."""
    with suppress(ConnectionClosed):
        for _ in socket:
            pass


@contextmanager
def _playing(tables: list) -> Iterator[list[float]]:
    """Let the tables play in turn, at an even pace, until the block ends; note each move made."""
    due: Queue = Queue()
    made: list[float] = []
    over = threading.Event()
    hands = [threading.Thread(target=_play, args=(due, made)) for _ in range(HANDS)]
    for hand in hands:
        hand.start()
    clock = threading.Thread(target=_give_out, args=(tables, due, over))
    clock.start()
    try:
        yield made
    finally:
        over.set()
        clock.join()
        for _ in hands:
            due.put(None)
        for hand in hands:
            hand.join()


def _give_out(tables: list, due: Queue, over: threading.Event) -> None:
    number = 0
    while not over.wait(1 / MOVES_A_SECOND):
        due.put(tables[number % GAMES])
        number += 1


def _play(due: Queue, made: list[float]) -> None:
    from django.db import connection

    while (table := due.get()) is not None:
        if site_speed.make_a_move(table, by_script=True):
            made.append(time.perf_counter())
    connection.close()


def _page(table) -> float:
    """Open the table as one of its players; return how many ms that took."""
    pk, players = table
    player = next(iter(players.values()))
    begun = time.perf_counter()
    assert player.get(f"/en/games/{pk}/").status == 200
    return 1000 * (time.perf_counter() - begun)


def _two_browsers(chromium, url: str) -> list[float]:
    pages = [chromium.new_context(base_url=url).new_page() for _ in range(2)]
    return [wait for wait, _ in site_speed.moves_of_two(pages, BROWSER_MOVES)]


def _spread(what: str, measured: list[float]) -> dict[str, float]:
    cuts = quantiles(measured, n=20)
    return {
        f"{what}, p50": round(cuts[9]),
        f"{what}, p95": round(cuts[18]),
        f"{what}, longest": round(max(measured)),
    }


if __name__ == "__main__":
    main()
