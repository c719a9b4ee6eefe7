"""The rules are read on a small phone, tried by tapping, learnt in a first game, and printed."""

import re

import pytest
from playwright.sync_api import Page, expect

from games import rules
from games.guide.views import SLUG_OF
from tests.browser.test_every_page import look_at

PHONE = {"width": 360, "height": 740}
SCREENS = [(360, 740), (1280, 800)]
SHEETS = re.compile(rb"/Type\s*/Page\b")
GAMES = list(SLUG_OF.values())


def follow(page: Page, link: str) -> None:
    """Follow a link whose answer is another page."""
    with page.expect_navigation():
        page.locator(link).first.click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_fit_the_screen(page, language, game, scheme):
    for path in ("", f"{game}/", f"{game}/first-game/"):
        page.goto(f"/{language}/rules/{path}")
        look_at(page, language, SCREENS, scheme)
    page.goto(f"/{language}/rules/{game}/")
    page.click("#choices summary")
    look_at(page, language, SCREENS, scheme)


@pytest.mark.parametrize("preset", ["uganda_classic", "uganda_joker", "first_steps"])
def test_other_ways_of_playing_fit_the_screen(page, language, preset):
    page.goto(f"/{language}/rules/matatu/{preset}/")
    look_at(page, language, SCREENS, "light")


def test_an_example_is_tried_without_a_script(new_page, language):
    page = new_page(java_script_enabled=False, viewport=PHONE)
    page.goto(f"/{language}/rules/matatu/")
    follow(page, "#try-match .hand a")
    expect(page.locator(".said")).to_have_count(1)
    expect(page.locator("#try-match .said")).to_be_in_viewport()
    expect(page.locator("#try-match [aria-current]")).to_have_count(1)
    follow(page, "#try-sum .row a")
    expect(page.locator("#try-sum .said")).to_have_count(1)
    expect(page.locator("#try-match .said")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_the_first_game_is_played_to_the_end_without_a_script(new_page, language, game):
    page = new_page(java_script_enabled=False, viewport=PHONE)
    page.goto(f"/{language}/rules/{game}/")
    follow(page, ".opening .go")
    taught = set()
    for _ in range(12):
        taught |= {each.get_attribute("id") for each in page.locator(".paragraph").all()}
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if page.locator(f"a[href='/{language}/lobbies/new/'].go").count():
            break
        choices = page.locator("li.good details summary")
        if choices.count():
            choices.first.click()
            follow(page, "li.good details a.good")
        else:
            follow(page, "li.good > a, .actions .go")
    expect(page.locator(f"a[href='/{language}/rules/{game}/']")).to_be_visible()
    assert {"ace", "eight", "jack"} <= taught
    follow(page, f"a[href='/{language}/rules/{game}/']")
    expect(page.locator("#winning")).to_be_attached()


@pytest.mark.parametrize(
    "path",
    [
        f"{SLUG_OF[variant]}/{preset}"
        for variant, presets in rules.PRESETS.items()
        for preset in presets
    ],
)
def test_the_rules_are_printed_on_one_sheet(page, language, path):
    page.goto(f"/{language}/rules/{path}/")
    assert len(SHEETS.findall(page.pdf(prefer_css_page_size=True))) == 1
