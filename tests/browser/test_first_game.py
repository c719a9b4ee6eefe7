"""Two people, two browsers, one game of Matatu from the sign-up to the end."""

import pytest
from playwright.sync_api import expect

from tests.browser.playing import (
    has_turn,
    is_over,
    make_a_move,
    open_table,
    seconds_until,
    sign_up,
    version,
)

PHONE = {"width": 360, "height": 740}


def test_two_friends_play_matatu_to_the_end(new_page):
    """Each move is on the other side within a second."""
    alice = new_page(locale="en")
    bob = new_page(locale="de", viewport=PHONE)
    sign_up(alice, "Alice")
    link = open_table(alice)
    sign_up(bob, "Bob", "de")
    bob.goto(link)
    expect(bob.locator("html")).to_have_attribute("lang", "de")
    bob.click("main form button.go")
    expect(alice.locator("#table.playing")).to_be_attached(timeout=1000)

    delays = []
    for _ in range(400):
        if is_over(alice):
            break
        mover, other = (alice, bob) if has_turn(alice) else (bob, alice)
        before = version(mover)
        make_a_move(mover)
        expect(mover.locator(f"#table[data-version='{before}']")).to_have_count(0)
        delays.append(seconds_until(other, before + 1))
    assert is_over(alice)
    assert max(delays) < 1
    expect(bob.locator("#table.finished")).to_be_attached()
    for page in (alice, bob):
        expect(page.locator(".places li")).to_have_count(2)
        expect(page.locator("#fair code")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    headlines = {page.locator(".headline").inner_text() for page in (alice, bob)}
    assert "You win!" in headlines or "Sie haben gewonnen!" in headlines
    record = alice.request.get(alice.locator("#fair a").get_attribute("href"))
    assert record.json()["result"]["reason"] in ("out", "cut")


def test_without_a_script_everything_is_played_by_plain_forms(new_page):
    alice = new_page(java_script_enabled=False, viewport=PHONE)
    bob = new_page(java_script_enabled=False, locale="rw")
    sign_up(alice, "Alice")
    link = open_table(alice)
    sign_up(bob, "Bob", "rw")
    bob.goto(link)
    bob.click("main form button.go")
    for _ in range(400):
        alice.reload()
        bob.reload()
        if is_over(alice):
            break
        mover = alice if has_turn(alice) else bob
        make_a_move(mover)
    assert is_over(alice)
    assert is_over(bob)


def test_a_refused_card_says_which_rule_refuses_it(new_page):
    alice, bob = new_page(), new_page()
    sign_up(alice, "Alice")
    link = open_table(alice)
    sign_up(bob, "Bob")
    bob.goto(link)
    bob.click("main form button.go")
    expect(alice.locator("#table.playing")).to_be_attached()
    waiting = bob if has_turn(alice) else alice
    before = version(waiting)
    waiting.locator("#hand li > button").first.click()
    expect(waiting.locator("#refusal")).to_have_text("It is not your turn.")
    assert version(waiting) == before


@pytest.mark.parametrize("scripted", [True, False])
def test_a_double_press_makes_one_move(new_page, scripted):
    alice, bob = new_page(java_script_enabled=scripted), new_page()
    sign_up(alice, "Alice")
    link = open_table(alice)
    sign_up(bob, "Bob")
    bob.goto(link)
    bob.click("main form button.go")
    for _ in range(50):
        alice.reload()
        if has_turn(alice):
            break
        before = version(bob)
        make_a_move(bob)
        expect(bob.locator(f"#table[data-version='{before}']")).to_have_count(0)
    before = version(alice)
    alice.locator("#hand .actions [value=draw]").dblclick()
    expect(bob.locator(f"#table[data-version='{before + 1}']")).to_be_attached()
    bob.reload()
    assert version(bob) == before + 1
