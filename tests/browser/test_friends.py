"""Friends on a phone: asked, agreed, invited in two taps; and somebody who is kept away."""

from playwright.sync_api import expect

from tests.browser.playing import follow, join, log_in, open_table
from tests.browser.test_guests import PHONE, fits


def test_a_friend_is_asked_agrees_and_is_invited(new_page, language):
    keza, bob = new_page(viewport=PHONE), new_page(viewport=PHONE)
    log_in(keza, "Keza", language)
    log_in(bob, "Bob", language)
    keza.goto(f"/{language}/friends/")
    keza.fill("main .share [name=name]", "bob")
    follow(keza, "main .share button")
    expect(keza.locator("main .tie")).to_have_count(1)
    assert fits(keza)
    bob.goto(f"/{language}/games/")
    follow(bob, "main .note a")
    follow(bob, "main .tie button.go")
    expect(bob.locator("main .tie b")).to_have_text("Keza")
    assert fits(bob)
    open_table(keza, "maumau/mau", language, seats="3")
    keza.click("main form.bots button[name=name]")  # from the table, one tap
    expect(keza.locator("#seat-1")).to_contain_text("Bob")
    assert fits(keza)


def test_the_blocked_are_kept_away(new_page, language):
    """They find neither the table nor the person, and are told what strangers are told."""
    keza, bob = new_page(viewport=PHONE), new_page(viewport=PHONE)
    log_in(keza, "Keza", language)
    log_in(bob, "Bob", language)
    link = open_table(bob, "matatu/rwanda", language)
    join(keza, link)
    expect(keza.locator("#table.playing")).to_be_attached()
    keza.goto(f"/{language}/friends/")  # he is among those who were played with
    follow(keza, "main .tie button[value=block]")
    expect(keza.locator("main .tie button[value=part]")).to_have_count(1)
    assert fits(keza)
    link = open_table(keza, "maumau/mau", language, seats="3")
    bob.goto(link)
    expect(bob.locator("main form button.go")).to_have_count(0)
    nowhere = bob.locator("main").inner_text()
    bob.goto(f"/{language}/join/ZZZZZZ/")
    assert bob.locator("main").inner_text() == nowhere
