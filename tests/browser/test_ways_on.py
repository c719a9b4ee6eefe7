"""From every page there is a way on, and what is offered works: links, copies, files, notes."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.playing import (
    has_turn,
    in_turn,
    join,
    log_in,
    open_table,
    resign,
    sit_down,
)
from tests.live import beside_the_browser

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


# --- The link to share ----------------------------------------------------------------------------


def pasted(page) -> str:
    """What the clipboard holds, as a person finds out."""
    page.goto("/en/accounts/email/")
    page.click("main [name=email][type=email]")
    page.keyboard.press("Control+V")
    return page.locator("main [name=email][type=email]").input_value()


@pytest.mark.parametrize("secure", [True, False])
def test_the_link_is_copied_and_the_button_says_so(page, secure):
    """navigator.clipboard is there on https only; a friend's computer at home has none."""
    if secure:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.add_init_script(NO_CLIPBOARD)
    log_in(page, "Keza")
    link = open_table(page)
    page.click("text=Copy the link")
    expect(page.locator("[data-copy]")).to_have_text("Link copied.")
    expect(page.locator("#live")).to_have_text("Link copied.")
    assert pasted(page) == link


def test_nothing_is_said_to_be_copied_that_was_not(page):
    page.add_init_script(NO_CLIPBOARD)
    page.add_init_script("document.execCommand = () => false")
    log_in(page, "Keza")
    open_table(page)
    page.click("text=Copy the link")
    page.wait_for_function("getSelection().toString().startsWith('http')")
    expect(page.locator("[data-copy]")).to_have_text("Copy the link")
    expect(page.locator("#live")).to_have_text("")


# --- Without a script -----------------------------------------------------------------------------


def test_without_a_script_nothing_is_dead_and_the_page_says_to_refresh_it(new_page):
    host, guest = new_page(java_script_enabled=False), new_page()
    log_in(host, "Keza")
    link = open_table(host)
    expect(host.locator("text=Copy the link")).to_be_hidden()
    note = host.locator(".note", has_text="This page does not change by itself.")
    expect(note).to_be_visible()
    log_in(guest, "Ineza")
    expect(guest.locator(".note")).to_have_count(0)
    join(guest, link)
    note.locator("a").click()
    expect(host.locator("#hand")).to_be_visible()
    expect(note).to_be_visible(visible=not has_turn(host))


# --- Ends of roads --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["join/?code=NQTABL", "join/?code=", "join/NQTABL/"])
def test_a_wrong_code_can_be_typed_again(new_page, path):
    host, guest = new_page(), new_page()
    log_in(host, "Keza")
    open_table(host)
    code = host.locator(".code").inner_text()
    assert guest.goto(f"/en/{path}").status == 404
    guest.fill("main [name=code]", code.lower())
    guest.click("main .find button")
    expect(guest).to_have_url(host.url.split("/en/")[0] + f"/en/join/{code}/")


def test_a_stranger_at_a_running_table_finds_a_way_on(new_page):
    host, guest, stranger = new_page(), new_page(), new_page()
    sit_down(host, guest)
    code = the_game().code
    log_in(stranger, "Stranger")
    stranger.goto(f"/en/join/{code}/")
    stranger.click("main >> text=My games")
    expect(stranger.locator("h1")).to_have_text("My games")


def test_who_resigned_finds_a_way_on(new_page):
    people = [new_page(), new_page(), new_page()]
    sit_down(*people)
    loser = in_turn(*people)
    expect(loser.locator("main >> text=My games")).to_have_count(0)
    resign(loser)
    expect(loser.locator("#resign")).to_have_count(0)
    expect(loser.locator("#table.playing")).to_be_attached()
    loser.click("main >> text=My games")
    expect(loser.locator("h1")).to_have_text("My games")


def test_the_menu_leads_to_the_account(page):
    log_in(page, "Keza")
    page.goto("/en/games/")
    for text, path in (("Change password", "password/change"), ("E-mail address", "email")):
        page.click(".menu summary")
        page.click(f".menu >> text={text}")
        page.wait_for_url(f"**/accounts/{path}/")
        expect(page.locator("h1")).to_have_text(text)


def test_the_record_of_a_game_is_saved_as_a_file(new_page):
    host, guest = new_page(), new_page()
    sit_down(host, guest)
    resign(host)
    expect(host.locator("#table.finished")).to_be_attached()
    host.click("#fair summary")
    with host.expect_download() as coming:
        host.click("text=Game record")
    assert coming.value.suggested_filename == f"ikarita-{the_game().pk}.json"
    assert json.loads(Path(coming.value.path()).read_text())["result"]["reason"] == "last_player"


@beside_the_browser()
def the_game():
    """The one game there is."""
    return Game.objects.get()
