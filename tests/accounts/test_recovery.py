"""A code on paper: who comes back by it, how, and who does not."""

import re

import pytest
from django.test import Client

from accounts import recovery, views
from accounts.models import Endpoint, User
from games import services
from tests.live import empty_cache

PASSWORD = "a long pass phrase"


@pytest.fixture
def guest(db) -> User:
    return User.objects.create_user("Imbuto", language="rw")


@pytest.fixture
def owner(db) -> User:
    return User.objects.create_user("Keza", password=PASSWORD)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def made_by(client: Client, **sent: str) -> str:
    page = client.post("/en/accounts/recovery/", sent)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    return re.search(r'class="code long">([^<]+)<', page.text)[1]


def who(client: Client) -> str | None:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).name if key else None


def come_back(client: Client, code: str, **sent: str):
    return client.post("/en/accounts/recover/", {"code": code, **sent})


def test_a_guest_comes_back_with_all_that_is_theirs(client, guest):
    game = services.create(guest, services.Terms("matatu", "rwanda", 2))
    code = made_by(signed_in(guest))
    answer = come_back(client, code, next=f"/en/games/{game.pk}/")
    assert answer["Location"] == f"/rw/games/{game.pk}/"
    page = client.get(answer["Location"])
    assert page.context["game"]["is_host"]
    assert "Murakaza neza, Imbuto!" in page.text
    assert User.objects.count() == 1


def test_an_invitation_is_taken_up_again_in_another_browser(client, guest, owner):
    """Opened on a second device after months, it never makes a second person."""
    game = services.create(owner, services.Terms("matatu", "rwanda", 3))
    services.join(guest, game.pk)
    code = recovery.make_code(guest)
    page = client.get(f"/en/join/{game.code}/")
    assert f'href="/en/accounts/recover/?next=/en/join/{game.code}/"' in page.text
    answer = come_back(client, code, next=f"/en/join/{game.code}/")
    there = client.get(answer["Location"])
    assert there["Location"] == f"/rw/games/{game.pk}/"
    assert (User.objects.count(), game.seats.count()) == (2, 2)


def test_a_code_is_understood_however_it_is_typed(guest):
    code = recovery.make_code(guest)
    for typed in (code, f" {code} ", code.lower(), code.replace("-", ""), code.replace("-", " ")):
        browser = Client()
        come_back(browser, typed)
        assert who(browser) == "Imbuto", typed


def test_a_code_stays_good_until_there_is_another(client, guest):
    first = recovery.make_code(guest)
    for _ in range(2):
        browser = Client()
        come_back(browser, first)
        assert who(browser) == "Imbuto"
    second = recovery.make_code(guest)
    assert come_back(client, first).status_code == 400
    assert who(client) is None
    come_back(client, second)
    assert who(client) == "Imbuto"


def test_what_is_kept_is_no_code(guest):
    code = recovery.make_code(guest)
    guest.refresh_from_db()
    assert guest.recovery not in (code, code.replace("-", ""))
    assert code not in str(vars(guest))
    assert len({recovery.make_code(guest) for _ in range(50)}) == 50


def test_who_has_a_password_chooses_a_new_one(client, owner):
    old = signed_in(owner)
    code = made_by(old, password=PASSWORD)
    assert code
    page = client.post("/en/accounts/recover/", {"code": code}, follow=True)
    assert "Welcome back, Keza!" in page.text
    assert who(client) is None  # not before
    new = "another pass phrase"
    answer = client.post(page.request["PATH_INFO"], {"password1": new, "password2": new})
    assert answer.status_code == 302
    owner.refresh_from_db()
    assert owner.check_password(new)
    assert old.get("/en/games/").status_code == 302  # signed out everywhere


def test_a_code_asks_for_the_password_and_soon_no_more(owner, monkeypatch):
    monkeypatch.setattr(views, "PASSWORDS_TRIED", 2)
    browser = signed_in(owner)
    answers = [browser.post("/en/accounts/recovery/", {"password": p}) for p in ("", "no", "no")]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    owner.refresh_from_db()
    assert owner.recovery is None
    empty_cache()
    assert made_by(browser, password=PASSWORD)


def test_whose_browser_it_was_leaves_nothing_behind(guest, owner):
    browser = signed_in(owner)
    device = Endpoint.objects.create(user=owner, channel="push", address="https://x", secret="y")
    session = browser.session
    session["device"] = device.pk
    session.save()
    come_back(browser, recovery.make_code(guest))
    assert who(browser) == "Imbuto"
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("state", [{"is_active": False}, {"is_staff": True}])
def test_neither_the_suspended_nor_operators_come_by_a_code(client, guest, state):
    code = recovery.make_code(guest)
    User.objects.update(**state)
    assert come_back(client, code).status_code == 400
    assert who(client) is None


@pytest.mark.parametrize("code", ["", "x", "\0", "2" * 21, "é" * 60, "2" * 500])
def test_what_is_no_code_is_refused_in_words(client, guest, code):
    """Not for somebody without a code, either: none is not a code."""
    answer = come_back(client, code)
    assert answer.status_code == 400
    assert answer.context["form"].errors
    assert who(client) is None


@pytest.mark.parametrize("then", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_nobody_is_led_elsewhere(client, guest, then):
    answer = come_back(client, recovery.make_code(guest), next=then)
    assert answer["Location"] == "/rw/games/"
    assert then not in Client().get("/en/accounts/recover/", {"next": then}).text


def test_codes_are_not_to_be_guessed(client, guest, monkeypatch):
    monkeypatch.setattr(views, "RECOVERIES_A_MINUTE", 3)
    assert [come_back(client, "x").status_code for _ in range(4)] == [400, 400, 400, 429]
    assert come_back(client, recovery.make_code(guest)).status_code == 429
