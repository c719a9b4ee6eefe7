"""Several games that count together."""

from types import SimpleNamespace

import pytest
from django.test import Client

from accounts import leaving, ties
from accounts.models import Notice
from games import rules, series, services
from games.forms import NewGameForm
from games.models import Game
from games.presenters import present, read

WINS, POINTS = series.WINS, series.POINTS
RESIGN = rules.Move("resign")


def players(*told) -> list[SimpleNamespace]:
    return [SimpleNamespace(score=s, place=pl, points=pt) for s, pl, pt in told]


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (WINS, [(1, 1, 0), (0, 2, 12)], [2, 0]),
        (WINS, [(1, 1, 7), (0, 1, 7), (2, 3, 9)], [2, 1, 2]),  # a shared win is a win
        (WINS, [(1, None, None), (2, None, None)], [1, 2]),  # everybody left: for nobody
        (POINTS, [(5, 1, 0), (8, 2, 12)], [5, 20]),
        (POINTS, [(5, 1, 17), (8, 2, 30)], [5, 38]),  # whoever cuts has won
        (POINTS, [(5, 1, 40), (8, 2, None)], [5, 58]),  # who resigns is not spared
        (POINTS, [(0, 1, 0), (0, 2, 71), (0, 3, None)], [0, 71, 71]),
        (POINTS, [(5, None, None), (8, None, None)], [5, 8]),
    ],
)
def test_a_game_adds_to_the_scores(kind, before, after):
    assert series.scores(kind, players(*before)) == after


@pytest.mark.parametrize(
    ("kind", "length", "played", "scores", "winner"),
    [
        (WINS, 3, 1, [1, 0], None),
        (WINS, 3, 2, [1, 1], None),
        (WINS, 3, 2, [0, 2], 1),  # nobody can catch up
        (WINS, 5, 3, [3, 0], 0),
        (WINS, 5, 3, [2, 1], None),
        (WINS, 3, 2, [2, 0, 0], 0),
        (WINS, 3, 3, [1, 1, 1], None),  # one more decides
        (WINS, 3, 4, [1, 2, 1], 1),
        (WINS, 3, 0, [0, 0], None),
        (POINTS, 3, 2, [0, 300], None),  # each game is played
        (POINTS, 3, 3, [40, 39, 60], 1),
        (POINTS, 3, 3, [40, 40, 60], None),
        (POINTS, 3, 4, [40, 55, 70], 0),
    ],
)
def test_a_series_is_won_when_its_last_game_can_change_nothing(
    kind, length, played, scores, winner
):
    assert series.winner(kind, length, played, scores) == winner


def begin(host, *others, kind=WINS, length=3, bots=0, seats=0, **terms) -> Game:
    """A running first game of a series."""
    count = seats or 1 + len(others) + bots
    told = services.Terms("matatu", "rwanda", count, series=kind, length=length, **terms)
    game = services.create(host, told)
    for _ in range(bots):
        services.add_bot(host, game.pk, "easy")
    for person in others:
        services.join(person, game.pk)
    return fresh(game)


def fresh(game) -> Game:
    return Game.objects.with_people().get(pk=getattr(game, "pk", game))


def lose(person, game: Game) -> Game:
    """The game, which this person has given up."""
    services.act(person, game.pk, RESIGN, game.version)
    return fresh(game)


def go_on(game: Game, *people) -> Game:
    """The next game, for which all of them have come."""
    following = [services.rematch(person, game.pk) for person in people]
    assert len(set(following)) == 1
    return fresh(following[0])


def scores_of(game: Game) -> dict[str, int]:
    """Before the game, by name, "" for a bot."""
    return {seat.user.name if seat.user else "": seat.score for seat in game.seats.all()}


def test_two_wins_of_three_are_a_series(alice, bob):
    first = lose(alice, begin(alice, bob))
    assert first.series_winner() is None
    second = go_on(first, bob, alice)
    assert (second.status, second.series_game, second.round) == ("playing", 2, 2)
    assert scores_of(second) == {"Alice": 0, "Bob": 1}
    assert second.position().dealer == (first.position().dealer + 1) % 2, "the deal moves on"
    second = lose(bob, second)
    third = lose(alice, go_on(second, alice, bob))
    assert third.series_winner().user == bob
    anew = go_on(third, alice, bob)
    assert (anew.series, anew.series_game, anew.round) == (WINS, 1, 4)
    assert scores_of(anew) == {"Alice": 0, "Bob": 0}


def test_points_are_added_up_and_the_fewest_win(alice, bob):
    game = begin(alice, bob, kind=POINTS, length=3)
    for loser in (alice, bob, alice):
        game = lose(loser, game)
        if loser is not alice or game.series_game == 1:
            game = go_on(game, alice, bob)
    assert game.series_game == 3
    assert dict(zip(scores_of(game), game.series_scores(), strict=True)) == {
        "Alice": 100,
        "Bob": 50,
    }
    assert game.series_winner().user == bob


def test_a_single_game_has_no_score(alice, bob):
    game = lose(alice, begin(alice, bob, kind="", length=1))
    assert game.series_winner() is None
    again = go_on(game, alice, bob)
    assert (again.series_game, scores_of(again)) == (1, {"Alice": 0, "Bob": 0})
    assert present(read(again.pk, alice), alice)["series"] == {}


def test_a_game_that_everybody_left_is_played_again(alice, bob):
    first = lose(bob, lose(alice, begin(alice, bob, bots=2)))
    assert first.reason == "abandoned"
    again = go_on(first, alice, bob)
    assert again.series_game == 1
    assert set(scores_of(again).values()) == {0}


@pytest.mark.parametrize("goes", ["deleted", "blocked"])
def test_a_game_counts_though_its_winner_is_gone(alice, bob, charlie, goes):
    first = lose(bob, lose(alice, begin(alice, bob, charlie)))
    if goes == "deleted":
        leaving.delete(charlie)
    else:
        ties.block(alice, charlie)
    second = fresh(services.rematch(alice, first.pk))
    assert (second.series_game, second.seat_count) == (2, 2)
    assert set(scores_of(second)) == {"Alice", "Bob"}


def test_a_score_stays_with_its_person_when_somebody_leaves(alice, bob, charlie):
    """Amid a series nobody else can take the seat; the others go on without."""
    first = begin(alice, bob, charlie)
    first = lose(bob, lose(alice, first))
    second = fresh(services.rematch(bob, first.pk))
    services.leave(alice, second.pk)
    assert fresh(second).status == "waiting"
    services.join(charlie, second.pk)
    second = fresh(second)
    assert (second.status, second.seat_count) == ("playing", 2)
    assert scores_of(second) == {"Bob": 0, "Charlie": 1}


def test_the_others_begin_when_the_one_who_was_awaited_leaves(alice, bob, charlie):
    first = lose(bob, lose(alice, begin(alice, bob, charlie)))
    second = go_on(first, bob, charlie)
    services.leave(alice, second.pk)
    assert (fresh(second).status, fresh(second).seat_count) == ("playing", 2)


def test_nobody_comes_in_amid_a_series(alice, bob, charlie):
    first = lose(alice, begin(alice, bob, pace="60s", public=True))
    second = fresh(services.rematch(alice, first.pk))
    with pytest.raises(services.Refused, match="table_full"):
        services.join(charlie, second.pk)
    with pytest.raises(services.Refused, match="table_full"):
        services.add_bot(alice, second.pk, "easy")
    services.leave(bob, second.pk)
    assert fresh(second).status == "closed", "one alone plays no series"


def test_a_bot_keeps_its_score(alice, bob):
    first = lose(bob, lose(alice, begin(alice, bob, bots=1)))
    assert first.reason == "last_player"
    assert scores_of(go_on(first, alice, bob)) == {"Alice": 0, "Bob": 0, "": 1}


def test_everybody_is_told_that_the_next_game_waits(alice, bob):
    first = lose(alice, begin(alice, bob, pace="1d"))
    second = services.rematch(alice, first.pk)
    assert Notice.objects.filter(user=bob, kind="rematch", about=second).exists()


def test_the_score_is_seen_by_everybody_at_the_table(alice, bob, charlie):
    game = lose(alice, begin(alice, bob, pace="60s", public=True))
    shown = present(read(game.pk, alice), alice)["series"]
    assert shown["goes_on"]
    assert [(row["name"], row["score"], row["you"]) for row in shown["rows"]] == [
        ("Bob", 1, False),
        ("Alice", 0, True),
    ]
    second = lose(alice, go_on(game, alice, bob))
    headlines = [present(read(second.pk, who), who)["series"]["headline"] for who in (bob, charlie)]
    assert headlines == ["You win the series!", "Bob wins the series!"]


def test_a_series_is_chosen_with_the_table(alice, browser_of, language):
    browser = browser_of(alice)
    sent = {"game": "matatu/rwanda", "seats": 2, "pace": "1d", "series": "points-5"}
    assert browser.post(f"/{language}/lobbies/new/", sent).status_code == 302
    game = Game.objects.get()
    assert (game.series, game.series_length) == (POINTS, 5)
    assert "5" in present(game, alice)["terms"][1]


def test_an_invitation_tells_of_the_series(alice):
    terms = services.Terms("matatu", "rwanda", 2, series=WINS, length=5)
    game = services.create(alice, terms)
    assert "Best of 5 games" in Client().get(f"/en/join/{game.code}/").text.partition("<body")[0]


@pytest.mark.parametrize("sent", ["wins-4", "points", "wins-", "x-3", "points-0"])
def test_only_series_that_there_are_can_be_chosen(alice, browser_of, sent):
    form = {"game": "matatu/rwanda", "seats": 2, "pace": "1d", "series": sent}
    assert browser_of(alice).post("/en/lobbies/new/", form).status_code == 400
    assert not Game.objects.exists()


def test_cards_without_points_play_for_wins():
    """MM-32."""
    codes = [code for code, _ in NewGameForm("maumau", "mau").fields["series"].choices]
    assert codes == ["", "wins-3", "wins-5", "wins-7"]
