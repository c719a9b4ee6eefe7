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
    measured = measure()
    if "--json" in sys.argv:
        print(json.dumps(measured))
        return
    for what, value in measured.items():
        print(f"{what:<60}{value:>10,}")


def measure() -> dict[str, float]:
    """Return the figures by name, with their units in the name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from tests.live import serve_live_site

    call_command("catalogues", "compile")
    call_command("collectstatic", interactive=False, verbosity=0)
    folder = Path(tempfile.mkdtemp())
    with serve_live_site(folder) as site, site.database():
        return scripted_games(site.url) | browsers(site.url)


def scripted_games(url: str) -> dict[str, float]:
    """Let all games run at once; count moves that were accepted."""
    tables = [_table(url, number) for number in range(GAMES)]
    begun = time.perf_counter()
    with ThreadPoolExecutor(GAMES) as pool:
        made = sum(pool.map(_play, tables))
    spent = time.perf_counter() - begun
    return {f"moves a second, {GAMES} games at once": round(made / spent, 1)}


def _table(url: str, number: int):
    """Seat two people, who have sessions of their own, at a table for two."""
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

    from games.models import Game
    from tests.games.playing import fields_of, first_move

    game_id, players = table
    made = 0
    for _ in range(MOVES):
        game = Game.objects.get(pk=game_id)
        if game.status != Game.Status.PLAYING:
            break
        mover = players[game.seats.get(number=game.turn).user_id]
        answer = mover.move(game_id, fields_of(first_move(game), game.version))
        assert answer.status == 303, answer
        assert mover.get(answer.location).status == 200
        made += 1
    connection.close()
    return made


def browsers(url: str) -> dict[str, float]:
    """Play at one table in two browsers, and count what goes over the line."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import CHROMIUM, FLAGS

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            return _at_one_table(chromium, url)
        finally:
            chromium.close()


class _Line:
    """Counts the bytes that a page receives: of answers as sent, and of socket frames."""

    def __init__(self, page) -> None:
        self.answers = self.frames = 0
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.on("Network.loadingFinished", self._answer)
        devtools.on("Network.webSocketFrameReceived", self._frame)

    def _answer(self, event) -> None:
        self.answers += event["encodedDataLength"]

    def _frame(self, event) -> None:
        self.frames += len(event["response"]["payloadData"].encode())

    def taken(self) -> tuple[int, int]:
        """Return what has come since the last question: of answers, of frames."""
        taken = round(self.answers), self.frames
        self.answers = self.frames = 0
        return taken


def _at_one_table(chromium, url: str) -> dict[str, float]:
    from tests.browser.playing import has_turn, is_over, make_a_move, open_table, sign_up, version

    pages = [chromium.new_context(base_url=url).new_page() for _ in range(2)]
    home = chromium.new_context(base_url=url).new_page()
    line = _Line(home)
    home.goto("/en/", wait_until="networkidle")
    sizes: dict[str, float] = {"bytes of a first visit to the home page": line.taken()[0]}
    home.goto("/en/lobbies/", wait_until="networkidle")
    sizes["bytes of a later page"] = line.taken()[0]
    for page, name in zip(pages, ("Keza", "Ineza"), strict=True):
        sign_up(page, name)
    lines = [_Line(page) for page in pages]
    waits: list[float] = []
    pushes: list[int] = []
    while len(waits) < BROWSER_MOVES:
        link = open_table(pages[0])
        pages[1].goto(link)
        pages[1].click("main form button.go")
        pages[0].wait_for_selector("#table.playing")
        while len(waits) < BROWSER_MOVES and not is_over(pages[0]):
            mover, other = pages if has_turn(pages[0]) else reversed(pages)
            for each in lines:
                each.taken()
            waits.append(_one_move(mover, other, make_a_move, version))
            pushes.append(lines[pages.index(other)].taken()[1])
            other.wait_for_timeout(450)  # a page takes no press while it settles
    fresh = chromium.new_context(base_url=url, storage_state=pages[0].context.storage_state())
    again = fresh.new_page()
    line = _Line(again)
    again.goto(pages[0].url, wait_until="networkidle")
    sizes["bytes of a first visit to a table"] = line.taken()[0]
    again.goto(pages[0].url, wait_until="networkidle")
    sizes["bytes of a table again"] = line.taken()[0]
    return sizes | {
        "bytes of another's move, median": round(median(pushes)),
        "ms from one's press to the other's picture, p50": round(median(waits)),
        "ms from one's press to the other's picture, p95": round(quantiles(waits, n=20)[18]),
        "ms from one's press to the other's picture, longest": round(max(waits)),
    }


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


def _one_move(mover, other, make_a_move, version) -> float:
    """Make a move; return how many ms passed until the other's page was about to paint it."""
    mover.evaluate("window.pressedAt = undefined")
    mover.evaluate(NOTE_THE_PRESS)
    other.evaluate(NOTE_THE_PICTURE, str(version(other)))
    make_a_move(mover)
    other.wait_for_function("() => window.seenAt")
    return other.evaluate("window.seenAt") - mover.evaluate("window.pressedAt")


if __name__ == "__main__":
    main()
