"""Who goes for good leaves nobody waiting and takes no game along."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import leaving
from accounts.channels import HOOK
from accounts.models import Endpoint, Notice, User
from accounts.tasks import delete_who_has_left
from games import rules, services
from games.models import Game
from tests.games.playing import first_move, person_in_turn

PASSWORD = "a long pass phrase"
RESIGN = rules.Move("resign")


@pytest.fixture
def keza(db) -> User:
    return User.objects.create_user("Keza", "keza@example.com", PASSWORD)


@pytest.fixture
def mine(keza, browser_of) -> Client:
    return browser_of(keza)


def table(host: User, *guests: User, seats: int = 0) -> Game:
    terms = services.Terms("matatu", "rwanda", seats or 1 + len(guests), pace="1d", public=True)
    game = services.create(host, terms)
    for guest in guests:
        services.join(guest, game.pk)
    game.refresh_from_db()
    return game


def test_b51_who_deletes_the_account_leaves_others_their_games(keza, alice, bob, mine):
    over = table(keza, alice)
    services.act(alice, over.pk, RESIGN, over.version)
    running, duel = table(alice, bob, keza), table(bob, keza)
    while person_in_turn(running) != keza:
        move = first_move(running)
        services.act(person_in_turn(running), running.pk, move, running.version)
        running.refresh_from_db()
    with_a_guest, alone = table(keza, bob, seats=3), table(keza, seats=2)
    Endpoint.objects.create(user=keza, channel=HOOK, address="https://example.org", secret="x")
    number = running.seat_of(keza).number

    assert mine.post("/de/accounts/delete/", {"password": PASSWORD}).status_code == 302

    assert not User.objects.filter(name="Keza").exists()
    assert not Endpoint.objects.exists()
    assert not EmailAddress.objects.exists()
    for game in (over, running, duel, with_a_guest, alone):
        game.refresh_from_db()
    assert running.status == Game.Status.PLAYING
    assert running.moves.filter(seat=number).latest("number").move["do"] == "resign"
    assert person_in_turn(running) in (alice, bob)
    assert duel.status == over.status == Game.Status.FINISHED
    assert duel.seats.get(user=bob).place == 1
    assert Notice.objects.filter(user=bob, about=duel.pk, kind="over").exists()
    assert (with_a_guest.status, with_a_guest.host) == (Game.Status.WAITING, bob)
    assert alone.status == Game.Status.CLOSED
    theirs = Client()
    theirs.force_login(alice)
    for address in (f"games/{over.pk}/", f"games/{running.pk}/", f"games/{over.pk}/replay/"):
        page = theirs.get(f"/en/{address}").text
        assert "Former player" in page
        assert "Keza" not in page
    assert theirs.get(f"/games/{over.pk}/record.json").json()["seats"][0]["name"] == "-"


def test_the_browser_that_deletes_is_signed_out_and_told(mine, keza):
    answer = mine.post("/en/accounts/delete/", {"password": PASSWORD}, follow=True)
    assert "Your account is deleted." in answer.text
    assert mine.get("/en/games/").status_code == 302


@pytest.mark.parametrize("sent", [{}, {"password": ""}, {"password": "wrong"}, {"sure": "on"}])
def test_without_the_password_nothing_is_deleted(mine, keza, sent):
    game = table(keza, seats=2)
    assert mine.post("/en/accounts/delete/", sent).status_code == 400
    assert mine.get("/en/accounts/delete/").status_code == 200
    game.refresh_from_db()
    assert game.status == Game.Status.WAITING
    assert User.objects.filter(name="Keza", is_active=True).exists()


def test_nobody_guesses_the_password_there(mine):
    tries = [mine.post("/en/accounts/delete/", {"password": "wrong"}) for _ in range(6)]
    assert [answer.status_code for answer in tries] == [400] * 5 + [429]


def test_a_guest_says_yes_instead_of_a_password(client, db):
    client.post("/en/play/", {"name": "Imbuto", "game": "matatu"})
    assert client.post("/en/accounts/delete/", {}).status_code == 400
    assert client.post("/en/accounts/delete/", {"sure": "on"}).status_code == 302
    assert not User.objects.exists()
    assert Game.objects.get().status == Game.Status.FINISHED  # the bots do not play alone


def test_who_has_resigned_before_can_go(keza, alice, bob):
    game = table(keza, alice, bob)
    services.act(keza, game.pk, RESIGN, game.version)
    leaving.delete(keza)
    game.refresh_from_db()
    assert game.status == Game.Status.PLAYING


def test_what_died_half_way_is_finished_later(keza, alice, monkeypatch):
    game = table(keza, alice)

    def die(user: User) -> None:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(leaving, "_registered", [(die, dict)])
        with pytest.raises(MemoryError):
            leaving.delete(keza)
    assert not Client().login(username="Keza", password=PASSWORD)
    assert delete_who_has_left() == 1
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert not User.objects.filter(name="Keza").exists()


def test_guests_who_stay_away_are_deleted_and_nobody_else(db):
    names = ("Old", "Young", "Reachable", "Guarded", "Verified", "Operator")
    people = {name: User.objects.create_user(name) for name in names}
    people["Guarded"].set_password(PASSWORD)
    people["Guarded"].save()
    EmailAddress.objects.create(user=people["Verified"], email="v@example.com")
    User.objects.filter(name="Reachable").update(email="r@example.com")
    User.objects.filter(name="Operator").update(is_staff=True)
    long_ago = timezone.now().date() - leaving.GUESTS_ARE_KEPT - timedelta(days=1)
    User.objects.update(seen_on=long_ago)
    User.objects.filter(name="Young").update(seen_on=long_ago + timedelta(days=1))
    assert delete_who_has_left() == 1
    assert sorted(User.objects.values_list("name", flat=True)) == sorted(set(names) - {"Old"})


def test_a_visit_is_noted_once_a_day(alice, browser_of):
    today, browser = timezone.now().date(), browser_of(alice)
    User.objects.update(seen_on=today - timedelta(days=3))
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            browser.get("/en/accounts/data/")
        counts.append(len(asked))
    alice.refresh_from_db()
    assert alice.seen_on == today
    assert counts[0] == counts[1] + 1


def test_all_that_is_kept_comes_in_one_file(keza, alice, mine):
    game = table(keza, alice)
    move = first_move(game)
    services.act(person_in_turn(game), game.pk, move, game.version)
    answer = mine.get("/rw/accounts/data/")
    assert answer["Content-Disposition"].startswith("attachment")
    assert "no-cache" in answer["Cache-Control"]
    told = answer.json()
    assert told["account"]["name"] == "Keza"
    assert [each["id"] for each in told["games"]] == [game.pk]
    made = game.moves.filter(seat=game.seat_of(keza).number).values_list("number", flat=True)
    assert [each["n"] for each in told["games"][0]["moves"]] == list(made)
    assert told["holidays"] == []
    for secret in ("password", keza.password, "Alice", game.position().seed.hex()):
        assert secret not in answer.text


def test_nobody_reads_or_deletes_without_being_signed_in(client, db):
    for address in ("accounts/data/", "accounts/delete/"):
        assert client.get(f"/en/{address}")["Location"].startswith("/en/accounts/login/")


def test_what_is_told_costs_the_same_however_many_games(keza, alice, mine):
    counts = []
    for _ in range(2):
        game = table(keza, alice)
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
        with CaptureQueriesContext(connection) as asked:
            mine.get("/en/accounts/data/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_what_others_did_on_ones_seat_is_not_told_as_ones_own(keza, alice, mine):
    game = table(keza, alice)
    seat = game.seat_of(keza)
    act_for_both(game)
    game.moves.filter(seat=seat.number).update(author="bot")
    (told,) = mine.get("/en/accounts/data/").json()["games"]
    assert told["moves"] == []


def act_for_both(game: Game) -> None:
    for _ in range(4):
        game.refresh_from_db()
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
