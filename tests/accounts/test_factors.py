"""The second step of a sign-in, and signing in by a mailed code. Passkeys: tests/browser."""

import json
import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.test import Client

from accounts import leaving, recovery
from accounts.models import User
from tests.passkeys import Passkey, options_of

PASSWORD = "a long pass phrase"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def owner(db) -> User:
    return User.objects.create_user("Keza", password=PASSWORD)


@pytest.fixture
def careful(owner) -> User:
    """Somebody whose password alone is not enough."""
    TOTP.activate(owner, SECRET)
    RecoveryCodes.activate(owner)
    return owner


def code(secret: str = SECRET, periods_ago: int = 0) -> str:
    """Return what an authenticator app shows (RFC 6238)."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 - periods_ago))


def sign_in(client: Client, **sent: str):
    return client.post("/en/accounts/login/", {"login": "Keza", "password": PASSWORD} | sent)


def again(client: Client) -> None:
    """Say once more who one is, as pages ask before something that matters."""
    client.post("/en/accounts/reauthenticate/", {"password": PASSWORD})


def who(client: Client) -> str | None:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).name if key else None


def test_an_app_is_switched_on_asked_for_and_switched_off(client, owner):
    sign_in(client)
    again(client)
    page = client.get("/en/accounts/2fa/totp/activate/")
    secret = re.search(r'class="code long">(\w+)<', page.text)[1]
    assert "data:image/svg+xml" in page.text
    wrong = client.post("/en/accounts/2fa/totp/activate/", {"code": "000000"})
    assert "Incorrect code" in wrong.text
    assert not Authenticator.objects.exists()
    on = client.post("/en/accounts/2fa/totp/activate/", {"code": code(secret)}, follow=True)
    spare = re.findall(r"<li>(\d{8})</li>", on.text)
    assert len(spare) == 10

    phone = Client()
    asked = sign_in(phone)
    assert asked["Location"] == "/en/accounts/2fa/authenticate/"
    assert who(phone) is None
    assert phone.get("/en/games/").status_code == 302
    phone.post(asked["Location"], {"code": code(secret)})
    assert who(phone) == "Keza"

    # A spare code works once.
    for expected in ("Keza", None):
        other = Client()
        sign_in(other)
        other.post("/en/accounts/2fa/authenticate/", {"code": spare[0]})
        assert who(other) == expected

    client.post("/en/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()  # nor spare codes without anything to spare
    plain = Client()
    sign_in(plain)
    assert who(plain) == "Keza"


def test_a_code_opens_one_sign_in_only(careful):
    first, second = Client(), Client()
    shown = code()
    for client in (first, second):
        sign_in(client)
        client.post("/en/accounts/2fa/authenticate/", {"code": shown})
    assert (who(first), who(second)) == ("Keza", None)


def test_codes_cannot_be_guessed(careful):
    client = Client()
    sign_in(client)
    for guess in range(12):
        answer = client.post("/en/accounts/2fa/authenticate/", {"code": f"{guess:06}"})
    assert "Too many" in answer.text
    client.post("/en/accounts/2fa/authenticate/", {"code": code()})
    assert who(client) is None


def test_what_signs_in_is_stored_encrypted_and_outlives_a_new_key(careful, settings):
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert SECRET not in stored
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key, after which the old one still opens"
    client = Client()
    sign_in(client)
    client.post("/en/accounts/2fa/authenticate/", {"code": code()})
    assert who(client) == "Keza"


def test_a_recovery_code_does_not_stand_in_for_the_second_step(careful):
    client = Client()
    answer = client.post(
        "/en/accounts/recover/", {"code": recovery.make_code(careful)}, follow=True
    )
    form = {"password1": "another long phrase", "password2": "another long phrase"}
    client.post(answer.redirect_chain[-1][0], form)
    sign_in(client, password="another long phrase")
    assert who(client) is None
    assert client.get("/en/accounts/2fa/authenticate/").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "",
        "totp/activate/",
        "totp/deactivate/",
        "recovery-codes/",
        "recovery-codes/generate/",
        "recovery-codes/download/",
        "webauthn/add/",
    ],
)
def test_strangers_are_sent_to_the_login(client, db, path):
    assert client.get(f"/en/accounts/2fa/{path}")["Location"].startswith("/en/accounts/")


def test_a_session_left_open_cannot_change_the_ways_in(careful):
    """Who finds somebody's phone unlocked is asked for the password, or a code."""
    client = Client()
    client.force_login(careful)
    acts = ("totp/deactivate/", "recovery-codes/generate/", "webauthn/add/")
    asked = [client.get(f"/en/accounts/2fa/{path}") for path in (*acts, "recovery-codes/")]
    asked += [client.post(f"/en/accounts/2fa/{path}") for path in acts]
    assert {answer["Location"].partition("?")[0] for answer in asked} == {
        "/en/accounts/reauthenticate/"
    }
    assert Authenticator.objects.filter(type="totp").exists()


def test_a_guest_with_a_passkey_is_one_no_more(db):
    guest = User.objects.create_user("Imbuto")
    User.objects.filter(pk=guest.pk).update(seen_on="2020-01-01")
    key = Authenticator.objects.create(user=guest, type="webauthn", data={"name": "Phone"})
    assert not User.objects.get().is_guest
    leaving.delete_who_has_left()
    assert User.objects.get().name == "Imbuto"
    key.delete()
    assert User.objects.get().is_guest
    leaving.delete_who_has_left()
    assert not User.objects.exists()


def mailed(mailoutbox: list) -> str:
    return re.search(r"^\s*([A-Z0-9-]{5,9})\s*$", mailoutbox[-1].body, re.MULTILINE)[1]


def ask_for_a_code(client: Client, address: str, language: str = "en"):
    return client.post(f"/{language}/accounts/login/code/", {"email": address}, follow=True)


@pytest.fixture
def reachable(owner) -> User:
    EmailAddress.objects.create(user=owner, email="keza@example.org", verified=True, primary=True)
    return owner


def test_a_mailed_code_signs_in(client, reachable, mailoutbox):
    page = ask_for_a_code(client, "keza@example.org")
    assert "keza@example.org" in page.text
    client.post("/en/accounts/login/code/confirm/", {"code": "WRONG"})
    assert who(client) is None
    client.post("/en/accounts/login/code/confirm/", {"code": mailed(mailoutbox)})
    assert who(client) == "Keza"


def test_a_mailed_code_is_no_second_step(client, reachable, mailoutbox):
    TOTP.activate(reachable, SECRET)
    ask_for_a_code(client, "keza@example.org")
    client.post("/en/accounts/login/code/confirm/", {"code": mailed(mailoutbox)})
    assert who(client) is None
    client.post("/en/accounts/2fa/authenticate/", {"code": code()})
    assert who(client) == "Keza"


def test_an_address_that_nobody_has_is_answered_alike(client, reachable, mailoutbox):
    """Nor does one help that was never confirmed: it may be somebody else's."""
    EmailAddress.objects.create(user=reachable, email="claimed@example.org", verified=False)
    pages = [
        ask_for_a_code(Client(), address).text.replace(address, "")
        for address in ("keza@example.org", "nobody@example.org", "claimed@example.org")
    ]
    token = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')
    assert len({token.sub("", page) for page in pages}) == 1
    bodies = [mail.body for mail in mailoutbox]
    assert len(bodies) == 3
    assert "code" in bodies[0]
    assert all("do not have any record" in body for body in bodies[1:])


def test_mails_with_a_code_speak_the_readers_language(client, reachable, mailoutbox, language):
    page = ask_for_a_code(client, "keza@example.org", language)
    assert page.status_code == 200
    words = {"en": "sign-in code", "de": "Anmeldecode", "rw": "ode", "zu": "khodi"}
    assert words[language] in mailoutbox[-1].body
    assert language == "en" or "Please" not in mailoutbox[-1].body


def add_passkey(client: Client) -> Passkey:
    passkey = Passkey()
    page = client.get("/en/accounts/2fa/webauthn/add/")
    made = passkey.create(options_of(page.text)["creation_options"])
    sent = {"name": "Phone", "passwordless": "True", "credential": json.dumps(made)}
    assert client.post("/en/accounts/2fa/webauthn/add/", sent).status_code == 302
    return passkey


def by_passkey(client: Client, passkey: Passkey, **changed: str):
    asked = client.get("/en/accounts/2fa/webauthn/login/", headers={"accept": "application/json"})
    answer = passkey.get(asked.json()["request_options"])
    answer["response"] |= changed
    return client.post("/en/accounts/2fa/webauthn/login/", {"credential": json.dumps(answer)})


@pytest.fixture
def passkey(owner) -> Passkey:
    client = Client()
    sign_in(client)
    again(client)
    return add_passkey(client)


def test_a_passkey_signs_in_by_itself(client, passkey):
    by_passkey(client, passkey)
    assert who(client) == "Keza"


def test_a_passkey_signs_nobody_in_who_is_away(client, passkey):
    User.objects.update(is_active=False)
    by_passkey(client, passkey)
    assert who(client) is None


def test_anothers_passkey_opens_nothing(client, passkey):
    """Nor does one that names somebody else, or one whose challenge was used."""
    other = User.objects.create_user("Themba")
    thief = Client()
    thief.force_login(other)
    stolen = add_passkey(thief)
    by_passkey(client, stolen, userHandle=passkey.user)
    assert who(client) is None
    asked = client.get("/en/accounts/2fa/webauthn/login/", headers={"accept": "application/json"})
    answer = json.dumps(passkey.get(asked.json()["request_options"]))
    client.get("/en/accounts/2fa/webauthn/login/", headers={"accept": "application/json"})
    client.post("/en/accounts/2fa/webauthn/login/", {"credential": answer})
    assert who(client) is None


MALFORMED = ("", "{", "null", "5", "[]", "{}", '{"response": 5}', '{"response": {"userHandle": 5}}')


@pytest.mark.parametrize("path", ["webauthn/login/", "webauthn/add/", "authenticate/"])
def test_what_is_no_passkey_is_refused_in_words(owner, path):
    client = Client()
    sign_in(client)
    again(client)
    passkey = add_passkey(client)
    page = client.get("/en/accounts/2fa/webauthn/add/")
    answer_to = passkey.get if path == "webauthn/add/" else passkey.create
    of_the_wrong_kind = json.dumps(answer_to(options_of(page.text)["creation_options"]))
    if path != "webauthn/add/":
        client.logout()
        sign_in(client)
    for sent in (*MALFORMED, of_the_wrong_kind, "\x00", '{"rawId": "%%"}'):
        answer = client.post(f"/en/accounts/2fa/{path}", {"credential": sent}, follow=True)
        assert answer.status_code == 200, sent
    assert Authenticator.objects.filter(type="webauthn").count() == 1
    assert path == "webauthn/add/" or who(client) is None


# --- Signing up without a password ----------------------------------------------------------------


def sign_up(client: Client, **sent: str):
    sent = {"name": "Imbuto", "email": "imbuto@example.org", "by": "mail"} | sent
    return client.post("/rw/accounts/signup/without-password/", sent)


def test_a_mailed_code_makes_an_account(client, db, mailoutbox):
    assert sign_up(client)["Location"] == "/rw/accounts/login/code/confirm/"
    assert who(client) is None
    client.post("/rw/accounts/login/code/confirm/", {"code": mailed(mailoutbox)})
    assert who(client) == "Imbuto"
    person = User.objects.get()
    assert (person.email, person.language, person.is_guest) == ("imbuto@example.org", "rw", False)
    later = Client()
    ask_for_a_code(later, "imbuto@example.org")
    later.post("/en/accounts/login/code/confirm/", {"code": mailed(mailoutbox)})
    assert who(later) == "Imbuto"


def test_two_presses_make_one_account(client, db, mailoutbox):
    client.get("/rw/accounts/signup/without-password/")
    for _ in range(2):
        assert sign_up(client).status_code == 302
    assert User.objects.count() == 1
    client.post("/rw/accounts/login/code/confirm/", {"code": mailed(mailoutbox)})
    assert who(client) == "Imbuto"


def test_who_signs_up_again_by_a_known_address_comes_in_as_before(client, reachable, mailoutbox):
    sign_up(client, email="keza@example.org")
    client.post("/rw/accounts/login/code/confirm/", {"code": mailed(mailoutbox)})
    assert who(client) == "Keza"


@pytest.mark.parametrize("address", ["keza@example.org", "nobody@example.org"])
def test_a_sign_up_tells_by_nothing_whether_the_address_is_known(client, reachable, address):
    """Neither at once, nor by the same form again, nor by whether the name is taken now."""
    client.get("/rw/accounts/signup/without-password/")
    statuses = [sign_up(client, email="first@example.org").status_code]
    statuses += [sign_up(client, email=address).status_code for _ in range(2)]
    other = Client()
    statuses += [sign_up(other, name="Rosa", email=address).status_code]
    statuses += [sign_up(Client(), name="Rosa", email="other@example.org").status_code]
    assert statuses == [302, 302, 302, 302, 400]


def test_no_guest_too_many_tells_it_either(reachable, monkeypatch):
    monkeypatch.setattr("accounts.guests.MOST_AN_HOUR", 1)
    assert sign_up(Client()).status_code == 302
    refused = [
        sign_up(Client(), name="Rosa", email=address).status_code
        for address in ("keza@example.org", "nobody@example.org")
    ]
    assert refused == [429, 429]


def test_an_address_of_another_is_not_ones_own_by_claiming_it(client, reachable, mailoutbox):
    """Whoever cannot read the mail gets nothing."""
    sign_up(client, name="Thief", email="keza@example.org")
    client.post("/rw/accounts/login/code/confirm/", {"code": "AAAA-AAAA"})
    assert who(client) is None
    assert not EmailAddress.objects.exclude(user=reachable).exists()


@pytest.mark.parametrize(
    "sent", [{"name": ""}, {"name": "a/b"}, {"name": "KEZA"}, {"email": ""}, {"email": "x"}]
)
def test_what_cannot_be_is_said(client, owner, sent, mailoutbox):
    answer = sign_up(client, **sent)
    assert answer.status_code == 400
    assert "errorlist" in answer.text
    assert User.objects.count() == 1
    assert not mailoutbox


def test_a_passkey_makes_an_account(client, db):
    assert sign_up(client, email="", by="passkey")["Location"] == "/rw/accounts/2fa/webauthn/add/"
    passkey = add_passkey(client)
    assert not User.objects.get().is_guest
    later = Client()
    by_passkey(later, passkey)
    assert who(later) == "Imbuto"


# --- A forgotten password -------------------------------------------------------------------------


def test_a_mailed_code_leads_to_a_new_password(client, reachable, mailoutbox):
    client.post("/en/accounts/password/reset/", {"email": "keza@example.org"})
    client.post("/en/accounts/password/reset/confirm/", {"code": "AAAA-AAAA"})
    assert client.get("/en/accounts/password/reset/complete/").status_code == 302
    client.post("/en/accounts/password/reset/confirm/", {"code": mailed(mailoutbox)})
    new = {"password1": "another long phrase", "password2": "another long phrase"}
    client.post("/en/accounts/password/reset/complete/", new)
    assert who(client) is None  # it is typed once more, and a second step would follow
    sign_in(client, password="another long phrase")
    assert who(client) == "Keza"


def test_codes_for_a_new_password_cannot_be_guessed(client, reachable, mailoutbox):
    client.post("/en/accounts/password/reset/", {"email": "keza@example.org"})
    for _ in range(4):
        client.post("/en/accounts/password/reset/confirm/", {"code": "AAAA-AAAA"})
    client.post("/en/accounts/password/reset/confirm/", {"code": mailed(mailoutbox)})
    assert client.get("/en/accounts/password/reset/complete/").status_code == 302
    assert User.objects.get().check_password(PASSWORD)
