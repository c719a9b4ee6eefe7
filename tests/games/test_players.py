"""A player's page: what is counted, who sees which games, and in how many queries."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import rules, services
from games.models import Game
from games.presenters.players import A_PAGE

pytestmark = pytest.mark.django_db(transaction=True)


def finish(loser, winner, *, public=True, variant="matatu/rwanda") -> str:
    """Let a game for two end by a resignation; return its id."""
    game, preset = variant.split("/")
    terms = services.Terms(game, preset, 2, pace="60s", public=public)
    pk = services.create(loser, terms).pk
    services.join(winner, pk)
    services.act(loser, pk, rules.Move("resign"), Game.objects.get(pk=pk).version)
    return pk


def counts_on(page: str) -> list[int]:
    """Games, wins, and the longest run of wins."""
    return [int(n) for n in re.findall(r"<dd>(\d+)</dd>", page)]


def table_on(page: str, caption: str) -> list[tuple[str, int]]:
    """The rows of the plot of that title, as a table reads."""
    plot = page.split(f"<caption>{caption}</caption>")[1].split("</table>", maxsplit=1)[0]
    rows = re.findall(r'<th scope="row">([^<]*)</th><td>(\d+)</td>', plot)
    return [(label, int(n)) for label, n in rows]


def _without_tokens(page: str) -> str:
    return re.sub(r'value="\w{64}"', "", page)


def test_it_counts_games_wins_runs_and_places(alice, bob, browser_of):
    for loser, winner in [(bob, alice), (bob, alice), (alice, bob), (bob, alice)]:
        finish(loser, winner)
    finish(alice, bob, variant="maumau/mau")
    page = browser_of(bob).get("/en/players/Alice/").text
    assert counts_on(page) == [5, 3, 2]
    assert table_on(page, "Matatu") == [("1", 3), ("2", 1)]
    assert table_on(page, "Mau-Mau") == [("1", 0), ("2", 1)]
    weeks = table_on(page, "Games in the last weeks")
    assert [n for _, n in weeks] == [0] * 11 + [5]


def test_others_see_what_was_public_and_oneself_all(alice, bob, charlie, browser_of, client):
    shown, hidden = finish(alice, bob), finish(bob, alice, public=False)
    for reader in (client, browser_of(charlie), browser_of(bob)):
        page = reader.get("/en/players/Alice/").text
        assert counts_on(page) == [1, 0, 0]
        assert shown in page
        assert hidden not in page
    own = browser_of(alice).get("/en/players/Alice/").text
    assert counts_on(own) == [2, 1, 1]
    assert hidden in own


def test_of_who_has_nothing_public_nothing_is_learnt(alice, bob, browser_of, client):
    finish(alice, bob, public=False)
    for reader in (client, browser_of(bob)):
        known, unknown = (reader.get(f"/en/players/{name}/") for name in ("Alice", "Nobody"))
        assert known.status_code == unknown.status_code == 404
        assert _without_tokens(known.text).replace("Alice", "Nobody") == _without_tokens(
            unknown.text
        )
    assert counts_on(browser_of(bob).get("/en/players/bob/").text) == [1, 1, 1]


def test_a_page_of_one_who_is_new_is_there_for_oneself(alice, browser_of):
    page = browser_of(alice).get("/en/players/alice/").text
    assert counts_on(page) == [0, 0, 0]
    assert "You have no games yet." in page


def test_an_abandoned_or_running_game_counts_for_nothing(game, alice, bob, browser_of):
    assert game.status == Game.Status.PLAYING
    assert counts_on(browser_of(alice).get("/en/players/Alice/").text) == [0, 0, 0]


def test_it_costs_as_many_queries_for_one_game_as_for_many(alice, bob, browser_of):
    reader = browser_of(bob)
    finish(alice, bob)
    with CaptureQueriesContext(connection) as one:
        reader.get("/en/players/Alice/")
    for _ in range(4):
        finish(alice, bob, variant="maumau/mau")
    with CaptureQueriesContext(connection) as many:
        reader.get("/en/players/Alice/")
    assert len(many) == len(one)


def test_many_games_are_read_page_by_page(alice, bob, browser_of):
    first = finish(alice, bob)
    for _ in range(A_PAGE):
        finish(alice, bob)
    reader = browser_of(alice)
    page = reader.get("/en/players/Alice/").text
    assert first not in page
    assert 'href="?page=2"' in page
    older = reader.get("/en/players/Alice/?page=2").text
    assert first in older
    assert 'href="?page=1"' in older
    assert reader.get("/en/players/Alice/?page=x").status_code == 200


def test_the_result_at_a_public_table_leads_to_its_players(alice, bob, browser_of):
    public, private = finish(alice, bob), finish(alice, bob, public=False)
    address = 'href="/en/players/Bob/"'
    assert address in browser_of(alice).get(f"/en/games/{public}/").text
    assert address not in browser_of(alice).get(f"/en/games/{private}/").text


@pytest.mark.parametrize(
    "name", ["%00", "a%00b", "%FF", "..", "a/b", "%22%3E%3Cscript%3E", "x" * 5000]
)
def test_an_address_that_names_nobody_is_not_found(client, name):
    assert client.get(f"/en/players/{name}/").status_code == 404
