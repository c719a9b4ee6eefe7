"""Signing in by an account elsewhere, where the operator has named one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
import requests
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings as site
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import leaving
from accounts.models import User
from games import services
from games.models import Game
from tests.identity import Provider, named, provider

PASSWORD = "a long pass phrase"


@pytest.fixture
def elsewhere():
    with provider() as server, named(server):
        yield server


def go(browser: Client, process: str = "login", language: str = "en"):
    """Press the button, be sent there and back; return the answer to coming back."""
    there = browser.post(f"/{language}/accounts/oidc/elsewhere/?process={process}")
    assert there.status_code == 302, there.content
    back = requests.get(there["Location"], allow_redirects=False, timeout=5)
    address = urlsplit(back.headers["Location"])
    assert address.path == "/oidc/elsewhere/callback/", "one address, whatever the language"
    return browser.get(f"{address.path}?{address.query}")


def sign_up(browser: Client, name: str):
    go(browser)
    return browser.post("/en/accounts/3rdparty/signup/", {"username": name})


def test_nothing_is_offered_where_nothing_is_configured(db):
    assert site.SOCIAL_LOGINS == []
    for path in ("login/", "signup/"):
        assert "oidc" not in Client().get(f"/en/accounts/{path}").text
    assert Client().post("/en/accounts/oidc/elsewhere/").status_code == 404
    assert Client().get("/oidc/elsewhere/callback/").status_code == 404


def test_who_is_new_chooses_a_name_and_comes_back_as_the_same(elsewhere, db, language):
    browser = Client()
    assert "Elsewhere" in browser.get(f"/{language}/accounts/login/").text
    answer = go(browser, language=language)
    assert answer["Location"] == f"/{language}/accounts/3rdparty/signup/"
    page = browser.get(f"/{language}/accounts/3rdparty/signup/").text
    assert "A name from elsewhere" not in page
    assert "somebody@example.com" not in page
    assert sign_up(browser, "Keza").status_code == 302
    keza = User.objects.get()
    assert (keza.name, keza.email, keza.is_guest) == ("Keza", "", False)
    assert not keza.has_usable_password()

    other = Client()
    assert go(other)["Location"].endswith("/games/")
    assert other.get("/en/games/").context["user"] == keza
    assert User.objects.count() == 1


def test_nothing_is_asked_or_kept_but_who_it_is(elsewhere, db):
    for browser in (Client(), Client()):
        sign_up(browser, "Keza")
    assert {asked["scope"] for asked in elsewhere.asked} == {"openid"}
    assert all(asked["code_challenge"] for asked in elsewhere.asked)
    account = SocialAccount.objects.get()
    assert (account.uid, account.extra_data) == ("1001", {})


@pytest.mark.parametrize("name", ["Bob", "bob", "B\u043eb", "", "a/b"])
def test_names_are_checked_as_everywhere(elsewhere, db, name):
    User.objects.create_user("Bob")
    browser = Client()
    assert sign_up(browser, name).status_code == 200
    assert User.objects.count() == 1


def test_a_guest_keeps_all_games_by_an_account_elsewhere(elsewhere, db):
    guest = User.objects.create_user("Gast")
    game = services.create(guest, services.Terms("matatu", "rwanda", 2))
    browser = Client()
    browser.force_login(guest)
    assert "Elsewhere" in browser.get("/en/accounts/password/set/").text
    go(browser, "connect")
    guest = User.objects.get()
    assert not guest.is_guest
    User.objects.update(seen_on=timezone.now().date() - timedelta(days=100))
    leaving.delete_who_has_left()
    other = Client()
    go(other)
    assert other.get(f"/en/games/{game.pk}/").context["user"] == guest
    assert Game.objects.get().seat_of(guest)


def test_somebody_elses_account_is_not_taken_over(elsewhere, db, alice_and_bob):
    alice, bob = alice_and_bob
    go(alice, "connect")
    go(bob, "connect")
    assert SocialAccount.objects.get().user.name == "Alice"
    assert "Somebody else" in bob.get("/en/accounts/3rdparty/").text


@pytest.fixture
def alice_and_bob(db) -> list[Client]:
    browsers = []
    for name in ("Alice", "Bob"):
        User.objects.create_user(name, password=PASSWORD)
        browser = Client()
        browser.post("/en/accounts/login/", {"login": name, "password": PASSWORD})
        browsers.append(browser)
    return browsers


def test_an_address_that_is_vouched_for_elsewhere_opens_no_account(elsewhere, db):
    owner = User.objects.create_user("Owner", "somebody@example.com", PASSWORD)
    owner.emailaddress_set.create(email=owner.email, verified=True, primary=True)
    browser = Client()
    assert go(browser)["Location"].endswith("/accounts/3rdparty/signup/")
    assert not browser.get("/en/").context["user"].is_authenticated


def test_a_second_step_is_asked_for_as_after_a_password(elsewhere, alice_and_bob):
    alice, _ = alice_and_bob
    go(alice, "connect")
    user = User.objects.get(name="Alice")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    browser = Client()
    assert go(browser)["Location"].endswith("/accounts/2fa/authenticate/")
    assert not browser.get("/en/").context["user"].is_authenticated


def test_who_is_suspended_stays_out(elsewhere, db):
    sign_up(Client(), "Keza")
    User.objects.update(is_active=False)
    browser = Client()
    go(browser)
    assert not browser.get("/en/").context["user"].is_authenticated


def test_the_last_way_in_is_not_removed(elsewhere, db, alice_and_bob):
    alice, _ = alice_and_bob
    go(alice, "connect")
    only = Client()
    elsewhere.person = "1002"
    sign_up(only, "Keza")
    for browser, stays in ((only, True), (alice, False)):
        account = SocialAccount.objects.get(user=browser.get("/en/").context["user"])
        browser.post("/en/accounts/3rdparty/", {"account": account.pk})
        assert SocialAccount.objects.filter(pk=account.pk).exists() == stays


def test_nobody_removes_what_is_anothers(elsewhere, db, alice_and_bob):
    alice, bob = alice_and_bob
    go(alice, "connect")
    bob.post("/en/accounts/3rdparty/", {"account": SocialAccount.objects.get().pk})
    assert SocialAccount.objects.exists()


@pytest.mark.parametrize("fault", ["refuses", "is_broken", "state", "code"])
def test_what_goes_wrong_elsewhere_is_said_here(elsewhere: Provider, db, fault, language):
    browser = Client()
    there = browser.post(f"/{language}/accounts/oidc/elsewhere/?process=login")
    if fault in ("refuses", "is_broken"):
        setattr(elsewhere, fault, True)
    back = requests.get(there["Location"], allow_redirects=False, timeout=5)
    query = urlsplit(back.headers["Location"]).query
    sent = {"state": query.replace("state=", "state=x"), "code": query.replace("code=", "code=x")}
    answer = browser.get(f"/oidc/elsewhere/callback/?{sent.get(fault, query)}", follow=True)
    assert answer.status_code == 502 if fault == "is_broken" else answer.status_code < 500
    assert not SocialAccount.objects.exists()
    assert not answer.context["user"].is_authenticated


def test_a_site_that_is_away_breaks_no_page(elsewhere: Provider, db):
    elsewhere.is_broken = True
    answer = Client().post("/en/accounts/oidc/elsewhere/?process=login")
    assert answer.status_code == 502
    assert "did not work" in answer.text


def test_the_own_data_tell_of_it(elsewhere, db):
    browser = Client()
    sign_up(browser, "Keza")
    (told,) = browser.get("/en/accounts/data/").json()["accounts_elsewhere"]
    assert (told["provider"], told["uid"]) == ("elsewhere", "1001")


def test_two_presses_of_a_first_name_make_one_account(elsewhere, transactional_db):
    """At once: both forms are checked before either is stored."""
    browsers = [Client(), Client()]
    for number, browser in enumerate(browsers):
        elsewhere.person = f"100{number}"
        go(browser)

    def press(browser: Client) -> int:
        try:
            return browser.post("/en/accounts/3rdparty/signup/", {"username": "Keza"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(press, browsers))
    assert all(status < 500 for status in answers)
    assert User.objects.count() == SocialAccount.objects.count() == 1
