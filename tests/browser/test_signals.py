"""Sounds and vibration: off until chosen, and then one signal for what matters most."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import follow, press
from tests.browser.test_special_states import MATATU, lay_out, table_of_three

# What is played and felt, instead of it.
NOTE_SIGNALS = """
    window.heard = [];
    const real = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        const tone = real.call(this);
        queueMicrotask(() => window.heard.push(tone.frequency.value));
        return tone;
    };
    window.felt = [];
    Object.defineProperty(navigator, 'vibrate', {value: pattern => window.felt.push(pattern)});
"""


@pytest.fixture
def alice(new_page) -> Page:
    page = table_of_three(new_page, "matatu/rwanda", "en")
    page.add_init_script(NOTE_SIGNALS)
    return page


def choose(page: Page, *names: str) -> None:
    table = page.url
    page.goto("/en/accounts/settings/")
    for name in names:
        page.check(f"[name={name}]")
    follow(page, "main form button.go")
    page.goto("/en/accounts/settings/")
    if names:
        page.click("#try")
        expect(page.locator("[name=sounds]")).to_be_checked(checked="sounds" in names)
    page.goto(table)


def end_the_game(page: Page) -> None:
    lay_out(page.url.rstrip("/").split("/")[-1], MATATU | {"hands": [["10H"], ["KD"], ["5C"]]})
    page.reload()
    expect(page.locator("#link")).to_have_attribute("data-state", "on")
    press(page.locator("#hand-10H button"))
    expect(page.locator("#table.finished")).to_be_attached()


def test_nothing_is_heard_or_felt_until_it_is_chosen(alice):
    choose(alice)
    assert alice.locator("script[src*=sounds]").count() == 0
    end_the_game(alice)
    assert alice.evaluate("[heard, felt]") == [[], []]


def test_the_end_of_a_game_is_heard_and_felt_once_chosen(alice):
    choose(alice, "sounds", "vibration")
    end_the_game(alice)
    alice.wait_for_function("heard.length")
    assert alice.evaluate("heard") == [523, 659, 784]
    assert alice.evaluate("felt") == [[120, 80, 120]]


def test_it_can_be_tried_in_the_settings(alice):
    choose(alice, "vibration")
    alice.goto("/en/accounts/settings/")
    alice.click("#try")
    alice.wait_for_function("felt.length")
    assert alice.evaluate("[heard, felt]") == [[], [[120]]]
