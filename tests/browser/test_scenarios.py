"""Faults that people reported of software like ours, where a page and its line are to blame.

docs/scenarios.md lists what holds each, here and elsewhere.
"""

import re
from dataclasses import dataclass, field

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.db.models import F
from playwright.sync_api import Page, expect

from games.broadcast import group_of
from games.models import Game
from tests.browser.playing import (
    by_turn,
    freeze,
    has_turn,
    in_turn,
    make_a_move,
    settle,
    sit_down,
    version,
    wait_for_version,
)
from tests.live import beside_the_browser

EVENTS = 150
HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""
# A new one gets no answer, not even a refusal.
NO_SOCKET_OPENS = """() => {
    window.opening = WebSocket;
    window.WebSocket = class { static OPEN = 1; readyState = 0; close() {} send() {} };
}"""


@dataclass
class Line:
    """The line of a page: it can be cut without a word, and then opens again for new sockets."""

    page: Page
    cut: set = field(default_factory=set)
    open: list = field(default_factory=list)
    held: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.route_web_socket(re.compile("/ws/games/"), self._connect)

    def _connect(self, socket) -> None:
        server = socket.connect_to_server()
        self.open.append(socket)
        socket.on_message(lambda said: socket in self.cut or server.send(said))
        server.on_message(lambda said: socket in self.cut or socket.send(said))
        socket.on_close(lambda code, reason: socket in self.cut or server.close())

    def cut_sockets(self) -> None:
        """Let nothing through on the sockets there are, and say so to nobody."""
        self.cut.update(self.open)

    def go_dead(self) -> None:
        """Let nothing through at all: every request waits for ever."""
        self.cut_sockets()
        self.page.evaluate(NO_SOCKET_OPENS)
        self.page.route("**/*", self._hold)

    def _hold(self, route) -> None:
        self.held.append(route)

    def live_again(self) -> None:
        """Let through what is sent from now on."""
        self.page.evaluate("() => { window.WebSocket = window.opening; }")
        self.page.unroute("**/*")


def newest(*pages: Page) -> int:
    return max(version(page) for page in pages)


def test_b20_a_burst_of_changes_ends_with_the_last_one_on_the_page(new_page, live_site):
    """The pokes alone bring the page to the last of 150 changes."""
    people = [new_page(), new_page()]
    for page in people:
        page.clock.install()
    sit_down(*people)
    mine = in_turn(*people)
    freeze(mine)
    last = burst(live_site)
    wait_for_version(mine, last)
    mine.clock.resume()
    make_a_move(mine)
    expect(mine.locator(".refusal")).to_have_count(0)


@beside_the_browser()
def burst(live_site) -> int:
    """Change the one game there is again and again, tell its sockets; return the last version."""
    game = Game.objects.get()
    layer = RedisPubSubChannelLayer(hosts=[live_site.env["REDIS_URL"]])
    step = database_sync_to_async(Game.objects.update)

    async def tell() -> None:
        for number in range(1, EVENTS + 1):
            await step(version=F("version") + 1)
            poke = {"type": "game.changed", "game": game.pk, "version": game.version + number}
            await layer.group_send(group_of(game.pk), poke)
        await layer.flush()

    async_to_sync(tell)()
    return game.version + EVENTS


def test_b21_a_line_that_is_cut_without_a_word_is_noticed(new_page):
    """After 30 seconds the page says so; 30 after the line is back it shows what it has missed."""
    people = [new_page(), new_page()]
    lines = {page: Line(page) for page in people}
    for page in people:
        page.clock.install()
    sit_down(*people)
    mine, other = by_turn(*people)
    lines[other].go_dead()
    make_a_move(mine)
    before = version(other)
    assert before < version(mine)
    for _ in range(2):
        other.clock.run_for(30_000)
        assert other.locator("#link").get_attribute("data-state") == "off"
    assert version(other) == before
    lines[other].live_again()
    sockets = len(lines[other].open)
    other.clock.run_for(30_000)
    wait_for_version(other, version(mine))
    expect(other.locator("#link")).to_have_attribute("data-state", "on")
    # A call that was made while the line was dead is given up after 20 to 30 seconds, by the next
    # beat; only then comes another.
    other.clock.run_for(30_000)
    assert len(lines[other].open) > sockets, "it has not called again"
    make_a_move(in_turn(*people))
    by_turn(*people)


def test_b24_a_move_made_without_a_line_is_not_shown_as_made(new_page):
    """It is marked as not sent, and made once when the line is back; the page is the server's."""
    people = [new_page(), new_page()]
    for page in people:
        page.clock.install()
    sit_down(*people)
    mine = in_turn(*people)
    (other,) = (page for page in people if page is not mine)
    before, hand = version(mine), mine.locator("#hand li").count()
    settle(mine)
    mine.context.set_offline(True)
    mine.locator("#hand li.ok > button, #hand .actions [value=draw]").first.click()
    expect(mine.locator("#link")).to_have_attribute("data-state", "unsent")
    mine.clock.run_for(20_000)
    expect(mine.locator("#link")).to_have_attribute("data-state", "unsent")
    assert (version(mine), version(other)) == (before, before)
    expect(mine.locator("#hand li")).to_have_count(hand)
    mine.context.set_offline(False)
    mine.clock.run_for(5_000)
    for page in people:
        wait_for_version(page, before + 1)
    expect(mine.locator("#link")).to_have_attribute("data-state", "on")
    expect(mine.locator(".refusal")).to_have_count(0)
    assert moves_made() == 1
    shown = mine.locator("#table").get_attribute("class"), mine.locator("#hand li").count()
    mine.reload()
    assert version(mine) == before + 1
    assert shown == (
        mine.locator("#table").get_attribute("class"),
        mine.locator("#hand li").count(),
    )
    make_a_move(in_turn(*people))


@beside_the_browser()
def moves_made() -> int:
    return Game.objects.get().move_count


def test_b26_who_comes_back_from_another_app_or_page_sees_the_present(new_page):
    """The socket has died without an event; coming back is enough to see what was missed."""
    people = [new_page(), new_page(), new_page()]
    lines = {page: Line(page) for page in people}
    for page in people:
        page.clock.install()
    sit_down(*people)
    sleeper = by_turn(*people)[-1]
    others = [page for page in people if page is not sleeper]
    sleeper.evaluate(HIDE, arg=True)
    lines[sleeper].cut_sockets()
    make_a_move(in_turn(*others))
    assert version(sleeper) < newest(*others)
    freeze(sleeper)
    sleeper.evaluate(HIDE, arg=False)
    wait_for_version(sleeper, newest(*others))
    sleeper.clock.resume()
    while has_turn(sleeper):
        make_a_move(sleeper)
    sleeper.goto("/en/")
    make_a_move(by_turn(*others)[0])
    freeze(sleeper)
    sleeper.go_back()
    wait_for_version(sleeper, newest(*others))
    sleeper.clock.resume()
    for _ in range(len(people)):
        make_a_move(in_turn(*people))
        for page in people:
            expect(page.locator(".refusal")).to_have_count(0)
