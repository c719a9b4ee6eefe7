"""Who never typed an address: two taps to a game, a link to a full table, and all of it kept."""

import io
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, expect

from games.models import Game
from tests.browser.playing import PASSWORD, fits, follow, log_in, make_a_move, open_table
from tests.live import beside_the_browser

PHONE = {"width": 360, "height": 740}


def test_two_taps_from_the_home_page_to_a_running_game(new_page, language):
    page = new_page(viewport=PHONE)
    page.goto(f"/{language}/")
    follow(page, f"main a[href='/{language}/play/']")
    assert fits(page)
    follow(page, "main form button[value=matatu]")
    expect(page.locator("#table.playing")).to_be_attached()
    assert fits(page)
    expect(page.locator("#table.mine")).to_be_attached()
    make_a_move(page)


def test_two_taps_without_the_script(new_page):
    page = new_page(viewport=PHONE, java_script_enabled=False)
    page.goto("/de/")
    follow(page, "main a[href='/de/play/']")
    follow(page, "main form button[value=maumau]")
    expect(page.locator("#table.playing")).to_be_attached()


def test_three_strangers_come_by_a_link_and_four_play(new_page, language):
    """At most four taps each: the link, the name is there, one button."""
    host = new_page()
    log_in(host, "Keza", language)
    link = open_table(host, "matatu/rwanda", language, seats="4")
    for number in range(3):
        guest = new_page(viewport=PHONE)
        guest.goto(link)
        assert fits(guest)
        if number == 0:
            guest.fill("main [name=name]", "Mukundwa wa Kigali")
        follow(guest, "main form button.go")
        expect(guest.locator("#table")).to_be_attached()
    expect(host.locator("#table.playing")).to_be_attached()
    expect(host.locator("#table")).to_contain_text("Mukundwa wa Kigali")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_reads_the_invitation_from_anothers_screen(new_page, language, scheme):
    host = new_page(viewport=PHONE, color_scheme=scheme)
    log_in(host, "Keza", language)
    link = open_table(host, "matatu/rwanda", language)
    host.click("#qr summary")
    seen = host.locator("#qr img")
    expect(seen).to_be_visible()
    assert fits(host)
    assert [code.text for code in read_codes(seen)] == [link]


def test_a_code_on_paper_brings_a_guest_back_in_another_browser(new_page, language):
    """The camera's link fills it in; without a script it is typed."""
    phone, other = new_page(viewport=PHONE), new_page(viewport=PHONE)
    plain = new_page(viewport=PHONE, java_script_enabled=False)
    phone.goto(f"/{language}/play/")
    phone.fill("main [name=name]", "Nyirahabimana")
    follow(phone, "main form button[value=matatu]")
    table = phone.url
    phone.goto(f"/{language}/accounts/recovery/")
    follow(phone, "main form button.go")
    assert fits(phone)
    code = phone.locator(".code.long").inner_text()
    (found,) = read_codes(phone.locator("img.qr"))
    assert found.text.endswith(f"/{language}/accounts/recover/#{code}")
    phone.goto(phone.url)  # it is shown once
    expect(phone.locator("main")).not_to_contain_text(code)

    other.goto(found.text)
    expect(other.locator("main [name=code]")).to_have_value(code)
    assert code not in other.url
    assert fits(other)
    follow(other, "main form button.go")
    expect(other.locator("main .note")).to_contain_text("Nyirahabimana")
    other.goto(table)
    expect(other.locator("#hand li").first).to_be_attached()

    plain.goto(f"/{language}/accounts/recover/?next=/{language}/games/")
    plain.fill("main [name=code]", code.lower().replace("-", " "))
    follow(plain, "main form button.go")
    plain.goto(table)
    expect(plain.locator("#hand li").first).to_be_attached()


def read_codes(shown: Locator) -> list:
    """What a camera reads there."""
    shown.scroll_into_view_if_needed()
    shown.evaluate("image => image.decode()")
    return zxingcpp.read_barcodes(Image.open(io.BytesIO(shown.screenshot())))


def test_a_guest_sets_a_password_and_plays_on_in_another_browser(new_page):
    page, other = new_page(viewport=PHONE), new_page(viewport=PHONE)
    page.goto("/zu/play/")
    page.fill("main [name=name]", "Nomvula")
    follow(page, "main form button[value=matatu]")
    table = page.url
    page.click(".menu summary")
    follow(page, ".menu a[href='/zu/accounts/password/set/']")
    assert fits(page)
    page.fill("main [name=password1]", PASSWORD)
    follow(page, "main form button.go")
    other.goto("/zu/accounts/login/")
    other.fill("main [name=login]", "nomvula")
    other.fill("main [name=password]", PASSWORD)
    follow(other, "main form button.go")
    expect(other).to_have_url(re.compile("/zu/games/$"))
    with beside_the_browser():
        assert Game.objects.get().host.name == "Nomvula"
    other.goto(table)
    expect(other.locator("#hand li").first).to_be_attached()
    page.goto(table)  # and this browser stays signed in
    expect(page.locator("#hand li").first).to_be_attached()
