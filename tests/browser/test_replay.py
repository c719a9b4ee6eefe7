"""A finished game is seen again step by step: by links, by the scrubber, by keys."""

import re

from playwright.sync_api import expect

from accounts.models import User
from games import services
from games.models import Game
from tests.browser.playing import freeze, log_in
from tests.games.test_replay import play_to_the_end
from tests.live import beside_the_browser


@beside_the_browser()
def finished_game(name: str = "Keza", seats: int = 2) -> Game:
    """A game by invitation of the person with this name and others, played to its end."""
    host = User.objects.get(name=name)
    game = services.create(host, services.Terms("matatu", "rwanda", seats))
    for guest in ("Ineza", "Mugisha")[: seats - 1]:
        services.join(User.objects.create_user(guest), game.pk)
    return play_to_the_end(game)


def shows(page, step: int) -> None:
    expect(page.locator("#replay")).to_have_attribute("data-step", str(step))


def test_a_replay_without_a_script(new_page):
    page = new_page(java_script_enabled=False)
    log_in(page, "Keza")
    game = finished_game()
    page.goto(f"/en/games/{game.pk}/")
    page.get_by_role("link", name="Replay").click()
    shows(page, game.move_count)
    page.get_by_role("link", name="First step").click()
    shows(page, 0)
    expect(page.locator(".said")).to_contain_text("The cards are dealt.")
    page.get_by_role("link", name="Next step").click()
    shows(page, 1)
    page.locator("#step").focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Show").click()
    shows(page, game.move_count)
    page.locator("#steps a").nth(2).click()
    shows(page, 2)


def test_the_scrubber_and_the_keys(new_page):
    page = new_page()
    log_in(page, "Keza")
    game = finished_game(seats=3)
    page.goto(f"/en/games/{game.pk}/replay/?step=0")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    expect(page.locator("#scrub button")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    shows(page, 1)
    page.keyboard.press("ArrowRight")
    shows(page, 2)
    page.keyboard.press("ArrowLeft")
    shows(page, 1)
    assert sum("step=" in url for url in asked) == 2, "a step that was shown is kept"
    expect(page.locator("#steps [aria-current]")).to_have_attribute("data-step", "1")
    page.locator("#step").fill(str(game.move_count))
    shows(page, game.move_count)
    expect(page.locator("#step")).to_be_focused()
    page.locator("#to-previous").click()
    shows(page, game.move_count - 1)
    expect(page.locator("#to-previous")).to_be_focused()
    assert re.search(rf"step={game.move_count - 1}$", page.url)
    assert page.locator("#replay .seat .chip").count() > 0, "all hands lie open"
    page.reload()
    shows(page, game.move_count - 1)


def test_it_plays_back_by_itself_but_not_against_ones_wish(new_page):
    page = new_page()
    log_in(page, "Keza")
    game = finished_game()
    page.clock.install()
    page.goto(f"/en/games/{game.pk}/replay/?step=0")
    freeze(page)
    page.locator("#run").click()
    page.clock.run_for(100)
    shows(page, 1)
    page.clock.run_for(1_500)
    shows(page, 2)
    page.locator("#run").click()
    page.clock.run_for(5_000)
    shows(page, 2)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    shows(page, 2)
    expect(page.locator("#run")).to_be_hidden()


def test_a_shared_replay_opens_without_an_account(new_page, language):
    mine, theirs = new_page(), new_page(locale=language)
    log_in(mine, "Keza", language)
    game = finished_game()
    mine.goto(f"/{language}/games/{game.pk}/replay/")
    mine.locator("#share summary").click()
    mine.locator("#share button").click()
    link = mine.locator("#link-to-share").input_value()
    theirs.goto(link)
    shows(theirs, game.move_count)
    expect(theirs.locator("html")).to_have_attribute("lang", language)
    theirs.keyboard.press("ArrowLeft")
    shows(theirs, game.move_count - 1)
    picture = theirs.locator("#share img")
    theirs.locator("#share summary").click()
    picture.scroll_into_view_if_needed()
    theirs.wait_for_function("() => document.querySelector('#share img').naturalWidth === 1200")
    theirs.goto(link.partition("?")[0])
    expect(theirs.locator("#replay")).to_have_count(0)


def test_a_replay_fits_its_screen(new_page, language):
    page = new_page()
    log_in(page, "Keza", language)
    game = finished_game(seats=3)
    page.goto(f"/{language}/games/{game.pk}/replay/?step=9")
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
