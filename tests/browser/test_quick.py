"""Strangers who look for players meet at a table; and several games that count together."""

from playwright.sync_api import expect

from tests.browser.playing import (
    fits,
    follow,
    join,
    log_in,
    put_clock_forward,
    resign,
)

PHONE = {"width": 360, "height": 740}
WITHOUT_BOTS = "main .stack button[name=bots][value='0']"
OR_BOTS = "main .stack button[name=bots][value='1']"


def test_two_strangers_find_each_other(new_page, language):
    one, other = new_page(viewport=PHONE), new_page(viewport=PHONE)
    one.goto(f"/{language}/")
    follow(one, f"main a[href='/{language}/quick/']")
    assert fits(one)
    follow(one, WITHOUT_BOTS)
    expect(one.locator("[data-every]")).to_be_attached()
    assert fits(one)
    other.goto(f"/{language}/quick/")
    other.fill("main [name=name]", "Mukundwa wa Kigali")
    follow(other, WITHOUT_BOTS)
    for page in (one, other):
        expect(page.locator("#table.playing")).to_be_attached()
        expect(page.locator("#table")).to_contain_text("Mukundwa wa Kigali")
    one.go_back()
    expect(one.locator("h1")).not_to_have_text("500")


def test_bots_come_when_nobody_does(page, language):
    page.goto(f"/{language}/quick/")
    page.select_option("[name=seats]", "3")
    follow(page, OR_BOTS)
    for left in ("0:1", "0:0"):  # a sign of life counts for 25 seconds
        put_clock_forward(10)
        expect(page.locator("[role=timer]")).to_contain_text(left)
    put_clock_forward(10)
    expect(page.locator("#table.playing")).to_be_attached()
    expect(page.locator(".seats .seat")).to_have_count(2)


def test_without_the_script_the_page_asks_again_by_itself(new_page):
    one = new_page(java_script_enabled=False)
    other = new_page()
    one.goto("/de/quick/")
    follow(one, WITHOUT_BOTS)
    assert one.locator("meta[http-equiv=refresh]").count() == 1
    other.goto("/de/quick/")
    follow(other, WITHOUT_BOTS)
    expect(other.locator("#table.playing")).to_be_attached()
    expect(one.locator("#table.playing")).to_be_attached(timeout=20_000)


def test_who_hides_the_page_loses_the_place_and_is_told(page):
    page.goto("/en/quick/")
    follow(page, WITHOUT_BOTS)
    put_clock_forward(60)
    expect(page.locator("#quick")).to_contain_text("You were away")
    follow(page, WITHOUT_BOTS)
    expect(page.locator("[data-every]")).to_be_attached()


def test_a_series_is_played_to_its_end(new_page, language):
    alice, bob = new_page(viewport=PHONE), new_page(viewport=PHONE)
    log_in(alice, "Alice", language)
    log_in(bob, "Bob", language)
    alice.goto(f"/{language}/lobbies/new/?game=maumau/mau")
    alice.select_option("[name=series]", "wins-3")
    follow(alice, "main form button.go")
    assert fits(alice)
    join(bob, alice.locator("#share").input_value())
    for won in (1, 2):
        for page in (alice, bob):
            expect(page.locator("#table.playing .series")).to_be_attached()
        resign(bob)
        for page in (alice, bob):
            expect(page.locator("#result .series li").first).to_contain_text("Alice")
            expect(page.locator("#result .series li").first).to_contain_text(str(won))
            assert fits(page)
        for page in (alice, bob):
            follow(page, "form.after button.go")
    expect(alice.locator(".series")).to_contain_text("Alice")
    expect(alice.locator(".series li b").first).to_have_text("0")
