"""No request, however odd, is answered by a 5xx, and none does half of what it asks."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from games import clock, services
from games.models import Game
from tests.games.playing import person_in_turn
from tests.games.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


def sign_up(client, name, **more):
    return client.post(
        "/en/accounts/signup/", {"username": name, "password1": "gorilla-tango-99"} | more
    )


def test_a_code_with_a_nul_byte(client):
    assert client.get("/en/join/", {"code": "\0"}).status_code == 404


@pytest.mark.parametrize("charset", ["utf-16", "utf-7"])
def test_a_form_in_another_charset(game, charset):
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(person_in_turn(game))
    client.cookies["csrftoken"] = "a" * 32  # with it the token in the form is looked for
    answer = client.post(
        f"/en/games/{game.pk}/moves/",
        b"version=1&do=draw",
        content_type=f"application/x-www-form-urlencoded; charset={charset}",
    )
    assert answer.status_code == 400


def test_a_session_cookie_with_a_nul_byte(client):
    assert client.get("/en/", headers={"Cookie": '"'}).status_code == 200
    answer = client.get("/en/", headers={"Cookie": 'sessionid="\\000abcdefghijk"'})
    assert answer.status_code == 200


@pytest.mark.parametrize("code", ["de@euro12345678", "de-ch-1901", "de-AT", "EN", "xx", ""])
def test_only_the_sites_languages_can_be_chosen(client, alice, code):
    client.force_login(alice)
    assert client.post("/language/", {"language": code, "next": "/en/games/"}).status_code == 400
    assert client.get("/games/", follow=True).status_code == 200
    alice.refresh_from_db()
    assert alice.language == ""


@pytest.mark.parametrize(
    ("first", "second"),
    [("Straße", "STRAẞE"), ("ﷺﷺﷺ", "ﷺﷺﷺﷺ"), ("Keza", "\uff4b\uff45\uff5a\uff41")],
)
def test_a_name_that_is_taken_in_any_spelling(client, first, second):
    sign_up(client, first)
    client.logout()
    assert sign_up(client, second).status_code == 200
    assert User.objects.count() <= 1


@pytest.mark.parametrize("name", ["\u1160\u1160", "\u3164\u3164", "\u115f\u115f", "\uffa0\uffa0"])
def test_no_name_is_invisible(client, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["R\u043esa", "\u0420\u043esa", "Ros\u0430"])
def test_no_name_mixes_scripts(client, name):
    """B48: a name that looks like another cannot be had."""
    sign_up(client, "Rosa")
    client.logout()
    sign_up(client, name)
    assert User.objects.count() == 1


def test_a_double_press_on_sign_up(db):
    """B45: one user, no 5xx."""
    clients = [Client(raise_request_exception=False) for _ in range(4)]
    answers = at_once(*[lambda c=c: sign_up(c, "imbuto").status_code for c in clients])
    assert User.objects.filter(name="imbuto").count() == 1
    assert max(answers) < 500, answers


@pytest.mark.parametrize("_", range(8))
def test_the_sweep_against_a_join_at_the_end_of_the_lobby(lobby, bob, _):
    Game.objects.filter(pk=lobby.pk).update(deadline=clock.now() - timedelta(seconds=1))

    def sweep():
        return services.serve_one_overdue_game(services.play_for_bot)

    results = at_once(lambda: services.join(bob, lobby.pk), sweep, sweep)
    lobby.refresh_from_db()
    assert lobby.status in ("playing", "closed")
    assert lobby.seats.count() == (2 if lobby.status == "playing" else 1)
    errors = [result for result in results if isinstance(result, Exception)]
    assert all(isinstance(error, services.Refused) for error in errors), errors


def test_a_closed_tables_invitation_does_not_say_it_has_begun(lobby, alice, bob, browser_of):
    services.leave(alice, lobby.pk)
    page = browser_of(bob).get(f"/en/join/{lobby.code}/")
    assert "The game has already begun." not in page.text


def test_who_is_not_at_the_table_cannot_be_accused_by_name(game, browser_of):
    answer = browser_of(person_in_turn(game)).post(
        f"/en/games/{game.pk}/moves/", {"version": game.version, "do": "accuse", "target": 5}
    )
    assert "Former player" not in answer.text


@pytest.mark.parametrize("what", ["moves", "codes"])
def test_too_many_is_429(game, alice, browser_of, what):
    client = browser_of(alice)
    if what == "moves":
        fields = {"version": 0, "do": "accuse", "target": 1}
        url = f"/en/games/{game.pk}/moves/"
        answers = [client.post(url, fields).status_code for _ in range(130)]
    else:
        codes = [{"code": f"AAAA{n:04d}"} for n in range(70)]
        answers = [client.get("/en/join/", code).status_code for code in codes]
    assert 429 in answers
