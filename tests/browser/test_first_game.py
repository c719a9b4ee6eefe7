"""Two people, two browsers, one game of Matatu from the sign-up to the end."""

from statistics import median

import pytest
from playwright.sync_api import expect

from tests.browser.playing import (
    by_turn,
    follow,
    has_turn,
    is_over,
    join,
    log_in,
    make_a_move,
    open_table,
    seconds_until,
    sign_up,
    version,
    wait_for_version,
)

PHONE = {"width": 360, "height": 740}


def test_two_friends_play_matatu_to_the_end(new_page):
    """Each move is on the other side within a second.

    What is slow by its build is slow each time, so that is claimed of the one in the middle: one
    move or the other meets a moment in which a loaded machine stands still.
    """
    alice = new_page(locale="en")
    bob = new_page(locale="de", viewport=PHONE)
    sign_up(alice, "Alice")
    link = open_table(alice)
    sign_up(bob, "Bob", "de")
    bob.goto(link)
    expect(bob.locator("html")).to_have_attribute("lang", "de")
    follow(bob, "main form button.go")
    delays = [seconds_until(alice, version(bob))]
    for _ in range(400):
        mover, other = by_turn(alice, bob)
        if is_over(mover):
            break
        make_a_move(mover)
        delays.append(seconds_until(other, version(mover)))
    assert is_over(alice)
    assert median(delays) < 1
    assert max(delays) < 5
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
    join(bob, link)
    mover, other = bob, alice
    for _ in range(400):
        other.reload()
        if is_over(other):
            break
        if has_turn(other):
            mover, other = other, mover
        make_a_move(mover)
    assert is_over(alice)
    assert is_over(bob)


def test_a_refused_card_says_which_rule_refuses_it(new_page):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice))
    _, waiting = by_turn(alice, bob)
    before = version(waiting)
    waiting.locator("#hand li > button").first.click()
    expect(waiting.locator("#refusal")).to_have_text("It is not your turn. See the rule")
    expect(waiting.locator("#refusal a")).to_be_visible()
    assert version(waiting) == before


@pytest.mark.parametrize("scripted", [True, False])
def test_a_double_press_makes_one_move(new_page, scripted):
    alice, bob = new_page(java_script_enabled=scripted), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice))
    for _ in range(50):
        alice.reload()
        if has_turn(alice):
            break
        make_a_move(bob)
    before = version(alice)
    alice.locator("#hand .actions [value=draw]").dblclick()
    expect(alice.locator(f"#table[data-version='{before + 1}']")).to_be_attached()
    wait_for_version(bob, before + 1)
    bob.reload()
    assert version(bob) == before + 1
