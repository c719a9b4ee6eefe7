"""Cards are seen to move: never for long, never in the way, never showing what is hidden."""

import pytest
from playwright.sync_api import Page, expect

from games import rules, services
from games.models import Game
from tests.browser.playing import press, version, wait_for_version
from tests.browser.test_special_states import MATATU, lay_out, table_of_three
from tests.live import beside_the_browser

LONGEST = 300  # ms that a motion takes, with the wait before it
# Notes each card that flies: what it is made of, until when, and whether a press would hit it.
NOTE_FLIGHTS = """() => {
    window.flights = [];
    new MutationObserver(changes => {
        for (const node of changes.flatMap(change => [...change.addedNodes]))
            if (node.matches?.('.flight')) {
                const timings = node.getAnimations().map(each => each.effect.getComputedTiming());
                const ends = Math.max(...timings.map(timing => timing.endTime));
                const {x, y, width, height} = node.getBoundingClientRect();
                const hit = document.elementFromPoint(x + width / 2, y + height / 2);
                window.flights.push({html: node.outerHTML, ends, hit: hit === node});
            }
    }).observe(document.body, {childList: true});
}"""


def flights(page: Page) -> list[dict]:
    return page.evaluate("window.flights")


@pytest.fixture
def alice(new_page) -> Page:
    """Alice's page at a table with Bob and a bot, where it is her turn."""
    page = table_of_three(new_page, "matatu/rwanda", "en")
    lay_out(page.url.rstrip("/").split("/")[-1], MATATU)
    page.reload()
    expect(page.locator("#link")).to_have_attribute("data-state", "on")
    page.evaluate(NOTE_FLIGHTS)
    return page


def test_a_card_flies_from_the_hand_and_from_the_stock(alice):
    press(alice.locator(".actions [value=draw]"))
    expect(alice.locator("#hand-8H")).to_be_visible()
    (drawn,) = flights(alice)
    assert "#p-H" in drawn["html"]
    press(alice.locator("#hand-8H button"))
    expect(alice.locator("#hand-8H")).to_have_count(0)
    laid = flights(alice)[1]
    assert all(each["ends"] <= LONGEST and not each["hit"] for each in (drawn, laid))
    expect(alice.locator(".flight")).to_have_count(0)
    top = alice.locator(".discards .card")
    assert top.evaluate("node => getComputedStyle(node).opacity") == "1"


def test_what_another_draws_flies_as_a_back(alice):
    penalty = MATATU | {"turn": 2, "penalty": 5, "top": "2H"}
    lay_out(alice.url.rstrip("/").split("/")[-1], penalty)
    alice.reload()
    alice.evaluate(NOTE_FLIGHTS)
    pay_for_bob(alice)
    seen = flights(alice)
    assert 1 < len(seen) <= 4
    for each in seen:
        assert each["ends"] <= LONGEST
        assert 'class="card back flight"' in each["html"]
        assert "<" not in each["html"][1:].split(">", 1)[1].removesuffix("</span>")


def pay_for_bob(alice: Page) -> None:
    """Let the other person at the table draw what is owed, and wait until Alice's page shows it."""
    least = version(alice) + 1
    with beside_the_browser():
        game = Game.objects.get()
        services.act(game.seats.get(number=2).user, game.pk, rules.Move("draw"), game.version)
    wait_for_version(alice, least)


@pytest.mark.parametrize("still", ["reduced motion", "light mode"])
def test_nothing_flies_where_no_motion_is_wanted(alice, still):
    if still == "light mode":
        press_light(alice)
    else:
        alice.emulate_media(reduced_motion="reduce")
    alice.evaluate(NOTE_FLIGHTS)
    press(alice.locator(".actions [value=draw]"))
    expect(alice.locator("#hand-8H")).to_be_visible()
    assert flights(alice) == []


def press_light(page: Page) -> None:
    page.locator("form.lean button").click()
    expect(page.locator("html.light")).to_be_attached()
    expect(page.locator("#link")).to_have_attribute("data-state", "on")


def test_the_next_update_ends_a_flight(alice):
    """A table that comes while a card flies is there at once, and nothing of the old one is."""
    alice.evaluate(
        "() => { Element.prototype.slow = Element.prototype.animate;"
        "Element.prototype.animate = function (path, timing) {"
        "return this.slow(path, {...Object(timing), duration: 60_000}); } }"
    )
    press(alice.locator(".actions [value=draw]"))
    expect(alice.locator(".flight")).to_have_count(1)
    press(alice.locator(".actions [value=pass]"))
    expect(alice.locator("#table:not(.mine)")).to_be_attached()
    expect(alice.locator(".flight")).to_have_count(0)
    assert alice.locator("#hand-8H .card").evaluate("node => getComputedStyle(node).opacity") == "1"
