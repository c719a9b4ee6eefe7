"""How quick and how light the whole site is: ``python -m tests.bench.site_speed [--json]``.

A live site (Daphne, worker, PostgreSQL, Redis) on this machine:
- 20 games of two scripted players who post moves as forms and follow to the table, all at once:
  moves a second;
- two browsers at one table: from the press of one to the picture of the other, p50 and p95;
- the bytes on the wire of a first page, of a later one, and of what another's move costs.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import Cookie
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

GAMES = 20
MOVES = 50  # of each game; nobody may send more than 120 a minute
BROWSER_MOVES = 60


def main() -> None:
    """Measure and print."""
    measured = on_a_live_site(lambda url: scripted_games(url) | with_chromium(_at_one_table, url))
    if "--json" in sys.argv:
        print(json.dumps(measured))
        return
    for what, value in measured.items():
        print(f"{what:<60}{value:>10,}")


def on_a_live_site(measure: Callable[[str], dict[str, float]]) -> dict[str, float]:
    """Serve a site as docs/operations.md advises for two cores, with two web processes, and return
    what `measure` finds there, given its address."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from tests.live import serve_live_site

    call_command("catalogues", "compile")
    call_command("collectstatic", interactive=False, verbosity=0)
    folder = Path(tempfile.mkdtemp())
    with serve_live_site(folder) as site, site.doubled("web"), site.database():
        return measure(site.url)


def scripted_games(url: str) -> dict[str, float]:
    """Let all games run at once; count moves that were accepted."""
    tables = [open_table_for_two(url, number) for number in range(GAMES)]
    begun = time.perf_counter()
    with ThreadPoolExecutor(GAMES) as pool:
        made = sum(pool.map(_play, tables))
    spent = time.perf_counter() - begun
    return {f"moves a second, {GAMES} games at once": round(made / spent, 1)}


def open_table_for_two(url: str, number: int):
    """Seat two people, who have sessions of their own; return the game's key and them by theirs."""
    from games import services

    players = [_player(url, f"Bench {number} {side}") for side in "ab"]
    game = services.create(players[0][0], services.Terms("matatu", "rwanda", 2))
    services.join(players[1][0], game.pk)
    return game.pk, {user.pk: player for user, player in players}


def _player(url: str, name: str):
    from django.test import Client

    from accounts.models import User
    from tests.faults.playing import Player

    user = User.objects.create_user(name)
    client = Client()
    client.force_login(user)
    player = Player(url, "")
    player.jar.set_cookie(_cookie("sessionid", client.cookies["sessionid"].value, url))
    player.get("/en/games/")  # brings the token that forms need
    return user, player


def _cookie(name: str, value: str, url: str) -> Cookie:
    host = urlsplit(url).hostname or ""
    where = (host, False, False, "/", True)
    return Cookie(0, name, value, None, False, *where, False, None, False, None, None, {})


def _play(table) -> int:
    """Play a game by its forms until so many moves are made or it is over."""
    from django.db import connection

    made = 0
    while made < MOVES and make_a_move(table):
        made += 1
    connection.close()
    return made


def make_a_move(table, *, by_script: bool = False) -> bool:
    """Send a move by the table's form and follow to the table, or as its script does; return False
    where it is over."""
    from games.models import Game
    from tests.games.playing import fields_of, first_move

    game_id, players = table
    game = Game.objects.get(pk=game_id)
    if game.status != Game.Status.PLAYING:
        return False
    mover = players[game.seats.get(number=game.turn).user_id]
    fields = fields_of(first_move(game), game.version)
    if by_script:
        assert mover.move_by_script(game_id, fields).status == 200
        return True
    answer = mover.move(game_id, fields)
    assert answer.status == 303, answer
    assert mover.get(answer.location).status == 200
    return True


def with_chromium(measure: Callable, url: str):
    """Return what `measure(chromium, url)` finds."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import CHROMIUM, FLAGS

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            return measure(chromium, url)
        finally:
            chromium.close()


def _at_one_table(chromium, url: str) -> dict[str, float]:
    """Play at one table in two browsers, and count what goes over the line."""
    pages = [chromium.new_context(base_url=url).new_page() for _ in range(2)]
    home = chromium.new_context(base_url=url, service_workers="block").new_page()
    sizes = _sizes(home, {"a first visit to the home page": "/en/", "a later page": "/en/lobbies/"})
    moves = moves_of_two(pages, BROWSER_MOVES)
    waits, pushes = [wait for wait, _ in moves], [size for _, size in moves]
    stored = pages[0].context.storage_state()
    fresh = chromium.new_context(base_url=url, storage_state=stored, service_workers="block")
    table = pages[0].url
    sizes |= _sizes(fresh.new_page(), {"a first visit to a table": table, "a table again": table})
    return sizes | {
        "bytes of another's move, median": round(median(pushes)),
        "bytes of another's move, most": max(pushes),
        "ms from one's press to the other's picture, p50": round(median(waits)),
        "ms from one's press to the other's picture, p95": round(quantiles(waits, n=20)[18]),
        "ms from one's press to the other's picture, longest": round(max(waits)),
    }


def _sizes(page, addresses: dict[str, str]) -> dict[str, float]:
    from tests.browser.wire import Wire

    wire, sizes = Wire(page), {}
    for name, address in addresses.items():
        wire.begin()
        page.goto(address, wait_until="networkidle")
        sizes[f"bytes of {name}"] = wire.answers + sum(wire.frames)
    return sizes


def moves_of_two(pages, number: int) -> list[tuple[float, int]]:
    """Let two new people play; return, for each move, after how many ms the other page painted it
    and how many bytes its socket had brought."""
    from tests.browser.playing import has_turn, is_over, sign_up
    from tests.browser.wire import Wire

    for page, name in zip(pages, ("Keza", "Ineza"), strict=True):
        sign_up(page, name)
    wires = {page: Wire(page) for page in pages}
    moves: list[tuple[float, int]] = []
    while len(moves) < number:
        _begin(*pages)
        while len(moves) < number and not is_over(pages[0]):
            mover, other = pages if has_turn(pages[0]) else reversed(pages)
            wires[other].begin()
            moves.append((_one_move(mover, other), sum(wires[other].frames)))
            other.wait_for_timeout(450)  # a page takes no press while it settles
    return moves


def _begin(host, guest) -> None:
    from tests.browser.playing import open_table

    guest.goto(open_table(host))
    guest.click("main form button.go")
    for page in (host, guest):
        page.wait_for_selector("#table.playing")
        page.wait_for_selector("#link[data-state=on]", state="attached")


NOTE_THE_PRESS = """() => document.addEventListener(
    "submit", () => { window.pressedAt ??= Date.now() }, { capture: true, once: true })"""
NOTE_THE_PICTURE = """(before) => {
    window.seenAt = undefined;
    new MutationObserver((_, watcher) => {
        if (document.getElementById("table").dataset.version === before) return;
        watcher.disconnect();
        requestAnimationFrame(() => { window.seenAt = Date.now() });
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-version"] });
}"""


def _one_move(mover, other) -> float:
    """Make a move; return how many ms passed until the other's page was about to paint it."""
    from tests.browser.playing import make_a_move, version

    mover.evaluate("window.pressedAt = undefined")
    mover.evaluate(NOTE_THE_PRESS)
    other.evaluate(NOTE_THE_PICTURE, str(version(other)))
    make_a_move(mover)
    other.wait_for_function("() => window.seenAt")
    return other.evaluate("window.seenAt") - mover.evaluate("window.pressedAt")


if __name__ == "__main__":
    main()
