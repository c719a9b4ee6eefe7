"""In which browsers somebody is signed in, and that the others can be signed out."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts import browsers
from accounts.models import Endpoint, User
from accounts.sessions import is_still_signed_in
from accounts.tasks import forget_ended_sessions

PASSWORD = "a long pass phrase"
PHONE = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36"
)
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/17.0 Safari/605.1"


@pytest.fixture
def keza(db) -> User:
    return User.objects.create_user("Keza", password=PASSWORD)


def signed_in(agent: str) -> Client:
    browser = Client(headers={"user-agent": agent})
    browser.post("/en/accounts/login/", {"login": "Keza", "password": PASSWORD})
    assert "_auth_user_id" in browser.session
    return browser


def test_each_browser_is_listed_and_this_one_named(keza):
    signed_in(PHONE)
    page = signed_in(MAC).get("/en/accounts/sessions/").text
    assert "Chrome · Android" in page
    assert "<b>Safari · Mac</b> · this browser" in page
    assert page.count("127.0.0.1") == 2


def test_a_session_that_was_never_listed_is_by_looking(keza):
    browser = Client(headers={"user-agent": PHONE})
    browser.force_login(keza)
    UserSession.objects.all().delete()
    for _ in range(2):
        assert browser.get("/en/accounts/sessions/").text.count("Chrome · Android") == 1


def test_the_others_are_signed_out_and_show_no_notices_any_more(keza):
    phone, mac = signed_in(PHONE), signed_in(MAC)
    keys = {}
    for name, browser in (("phone", phone), ("mac", mac)):
        place = {"channel": "push", "address": f"https://{name}.example", "secret": "x"}
        keys[name] = Endpoint.objects.create(user=keza, **place).pk
        session = browser.session
        session["device"] = keys[name]
        session.save()
    page = mac.post("/en/accounts/sessions/", follow=True)
    assert "Sign out everywhere else" not in page.text
    assert phone.get("/en/games/").status_code == 302
    assert mac.get("/en/games/").status_code == 200
    assert not is_still_signed_in(phone.session.session_key)  # so its sockets close
    assert list(Endpoint.objects.values_list("pk", flat=True)) == [keys["mac"]]


def test_a_guest_is_listed_too_and_keeps_this_browser_with_a_password(db):
    browser = Client(headers={"user-agent": PHONE})
    browser.post("/en/play/", {"name": "Imbuto", "game": "matatu"})
    assert "Chrome · Android" in browser.get("/en/accounts/sessions/").text
    sent = {"username": "Imbuto", "password1": PASSWORD}
    browser.post("/en/accounts/password/set/", sent)
    assert browser.get("/en/accounts/sessions/").text.count("Chrome · Android") == 1


def test_what_has_ended_is_forgotten(keza):
    phone, mac = signed_in(PHONE), signed_in(MAC)
    phone.post("/en/accounts/logout/")
    assert UserSession.objects.count() == 1
    mac.session.flush()
    assert forget_ended_sessions() == 1
    assert not UserSession.objects.exists()


def test_it_is_part_of_a_persons_data_and_goes_with_them(keza):
    (told,) = signed_in(PHONE).get("/en/accounts/data/").json()["browsers"]
    assert told["user_agent"] == PHONE
    keza.delete()
    assert not UserSession.objects.exists()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (PHONE, "Chrome · Android"),
        ("Opera/9.80 (Android; Opera Mini/36.2/191) Presto/2.12", "Opera Mini · Android"),
        ("Mozilla/5.0 (iPhone) AppleWebKit/605 FxiOS/120 Safari/605", "Firefox · iPhone"),
        ("curl/8.0", ""),
        ("", ""),
        ("<b>" * 200, ""),
    ],
)
def test_browsers_have_the_names_that_people_use(agent, name):
    assert browsers.name_of(agent) == name
