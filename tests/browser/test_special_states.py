"""The table in each state that a game can be in, laid out card by card, on every screen."""

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from games.models import Game, Seat
from games.rules.positions import state_of
from tests.browser.playing import join, log_in, open_table
from tests.browser.test_every_page import SIZES, look_at
from tests.conftest import OUTPUT
from tests.live import beside_the_browser

MATATU = {
    "game": "matatu",
    "turn": 0,
    "cut_suit": "H",
    "hands": [["7H", "3C", "4D", "10H"], ["KD", "QS"], ["5C"]],
    "top": "9H",
    "under": ["6H", "5H"],
    "stock": ["8H", "KC", "QD", "JS", "10C"],
}
MAU_MAU = {
    "game": "maumau",
    "turn": 0,
    "hands": [["AH", "JC", "8S", "7D", "QH"], ["KD", "QS"], ["9C", "10S"]],
    "top": "9H",
    "under": ["KH", "10H"],
    "stock": ["10D", "KC", "QD", "JS", "10C"],
}
MANY = [*MATATU["hands"][0], *(f"{rank}S" for rank in range(2, 10))]
# What is on the table, what Alice presses then, and what tells the state to the eye.
STATES = {
    "penalty": (MATATU | {"top": "2H", "penalty": 9}, "", ".plus"),
    "requested suit": (MATATU | {"top": "AD", "requested_suit": "C"}, "", ".asked"),
    "cut possible": (MATATU, "#choice-7H summary", "[name=cut]"),
    "drawn": (MATATU, "#hand [value=draw]", "#hand [value=pass]"),
    "warning and last card": (MATATU | {"turn": 1}, "", ".badge.last"),
    "many cards": (MATATU | {"hands": [MANY, ["KD"], ["5C"]]}, "", ".hand.many"),
    "skip": (MAU_MAU | {"top": "8H", "skip": True}, "", "#hand [value=pass]"),
    "sevens": (MAU_MAU | {"top": "7H", "penalty": 4}, "", ".plus"),
    "cover": (MAU_MAU, "#hand-AH button", ".duty"),
    "suit to be chosen": (MAU_MAU, "#choice-JC summary", "#choice-JC .suits"),
    "Mau called": (
        MAU_MAU | {"hands": [["QH", "JC"], ["KD"], ["9C"]]},
        "#hand [value=mau]",
        ".mau",
    ),
    "ended": (MAU_MAU | {"hands": [["QH"], ["KD"], ["9C", "7D"]]}, "#hand-QH button", ".over"),
}


@beside_the_browser()
def lay_out(game_id: str, position: dict) -> None:
    """Put this position on the table of a started game, and let no clock act on it.

    A game that had ended there runs again.
    """
    by_seat = {str(seat): hand for seat, hand in enumerate(position["hands"])}
    state = state_of(position | {"hands": by_seat}).to_json()
    later = F("version") + 1
    Game.objects.filter(pk=game_id).update(
        state=state,
        turn=position["turn"],
        version=later,
        turn_version=later,
        deadline=None,
        status=Game.Status.PLAYING,
        reason="",
        finished_at=None,
    )
    Seat.objects.filter(game=game_id).update(place=None, points=None)


def table_of_three(new_page, game: str, language: str) -> Page:
    """Return the page of Alice at a table with Bob and a bot."""
    alice, bob = new_page(), new_page()
    log_in(alice, "Nyiramahirwe Uwimana", language)
    log_in(bob, "Thandeka kaMkhize", "zu")
    join(bob, open_table(alice, game, language, bots=1, seats="3", pace="2m"))
    expect(alice.locator("#table.playing")).to_be_attached()
    return alice


@pytest.mark.parametrize("game", ["matatu", "maumau"])
def test_each_state_shows_itself_and_fits_the_screen(new_page, language, full, game):
    preset = {"matatu": "matatu/rwanda", "maumau": "maumau/mau"}[game]
    alice = table_of_three(new_page, preset, language)
    game_id = alice.url.rstrip("/").split("/")[-1]
    for name, (position, press, sign) in STATES.items():
        if position["game"] != game:
            continue
        lay_out(game_id, position)
        alice.reload()
        if press:
            alice.click(press)
        expect(alice.locator(sign).first).to_be_visible()
        for size in SIZES:
            look_at(alice, language, [size], "light")
            if full:
                path = OUTPUT / "states" / f"{name}-{language}-{size[0]}.png".replace(" ", "_")
                alice.screenshot(path=path, full_page=True)
