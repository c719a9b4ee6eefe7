"""Every page fits its screen and speaks its reader's language."""

import pytest

from tests.browser.playing import is_over, open_table, resign, sign_up

SIZES = [(360, 740), (768, 1024), (1280, 800)]
TOO_SMALL_TO_TOUCH = """() => [...document.querySelectorAll(
        'main button, main .button, main summary, main input:not([type=checkbox], [type=radio])')]
    .filter(node => node.checkVisibility() && node.type !== 'hidden')
    .filter(node => {
        const {width, height} = node.getBoundingClientRect();
        return height > 0 && (height < 43.5 || width < 43.5);
    })
    .map(node => node.outerHTML.slice(0, 80))"""


def look_at(page, language: str, sizes, scheme: str) -> None:
    """Check the page that is open at each size; small targets and sideways scroll are faults."""
    assert page.locator("html").get_attribute("lang") == language
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        where = f"{page.url} at {width}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert page.evaluate(TOO_SMALL_TO_TOUCH) == [], where


@pytest.fixture
def sizes(full, language):
    """All sizes, or one by the language, so that a rotation meets all of them."""
    return SIZES if full else [SIZES[["en", "rw", "de", "zu"].index(language) % 3]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_page_fits_its_screen(new_page, language, sizes, scheme):
    alice = new_page()
    for path in ("", "accounts/signup/", "accounts/login/", "accounts/password/reset/", "lobbies/"):
        alice.goto(f"/{language}/{path}")
        look_at(alice, language, sizes, scheme)
    assert alice.goto(f"/{language}/nothing/").status == 404
    look_at(alice, language, sizes, scheme)
    sign_up(alice, "Nyiramahirwe Uwimana", language)  # names are long somewhere
    for path in ("games/", "accounts/password/change/", "accounts/email/", "accounts/inbox/"):
        alice.goto(f"/{language}/{path}")
        look_at(alice, language, sizes, scheme)
    for game in ("matatu/uganda_joker", "maumau/mau"):
        alice.goto(f"/{language}/lobbies/new/?game={game}")
        alice.click(".options summary")
        look_at(alice, language, sizes, scheme)
    alice.select_option("[name=seats]", "4")
    alice.check("[name=public][value='1']")
    alice.check("[name=jack_on_jack][value=false]")
    alice.click("main form button.go")
    alice.click(".bots [value=random]")
    look_at(alice, language, sizes, scheme)
    alice.goto(f"/{language}/lobbies/")
    alice.click("#lobbies details summary")
    look_at(alice, language, sizes, scheme)


@pytest.mark.parametrize("game", ["matatu/rwanda", "maumau/mau", "matatu/first_steps"])
def test_every_state_of_a_table_fits_the_screen(new_page, language, sizes, game):
    alice, bob = new_page(), new_page()
    sign_up(alice, "Nyiramahirwe Uwimana", language)
    link = open_table(alice, game, language)
    look_at(alice, language, sizes, "light")
    sign_up(bob, "Thandeka kaMkhize", language)
    bob.goto(link.replace("/join/", f"/{language}/join/"))
    look_at(bob, language, sizes, "dark")
    bob.click("main form button.go")
    alice.wait_for_selector("#table.playing")
    for page in (alice, bob):
        look_at(page, language, sizes, "light")
    waiting = alice if alice.locator("#table.mine").count() == 0 else bob
    waiting.locator("#hand li > button, #hand li > details > summary").first.click()
    waiting.wait_for_timeout(100)
    look_at(waiting, language, sizes, "dark")
    resign(waiting)
    for page in (alice, bob):
        page.wait_for_selector("#table.finished")
        assert is_over(page)
        look_at(page, language, sizes, "light")
