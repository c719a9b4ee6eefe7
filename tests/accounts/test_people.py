"""People: names, guests, signing up and in, and the language that follows them."""

import re

import pytest
from django.db import IntegrityError
from django.test import Client

from accounts.models import User
from tests.operators import prove

PASSWORD = "a long pass phrase"


def sign_up(client: Client, name: str, language: str = "en", **more):
    return client.post(
        f"/{language}/accounts/signup/", {"username": name, "password1": PASSWORD, **more}
    )


@pytest.mark.django_db
def test_names_are_unique_without_regard_to_case():
    User.objects.create_user("Keza")
    with pytest.raises(IntegrityError):
        User.objects.create_user("KEZA")


@pytest.mark.django_db
def test_a_guest_is_a_user_without_a_password():
    assert User.objects.create_user("Guest").is_guest
    assert not User.objects.create_user("Keza", password=PASSWORD).is_guest


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["Keza", "Jean Bosco", "Jürgen", "N'Golo", "ßara", "u_2", "Zoë-Ann"]
)
def test_honest_names_sign_up_without_an_address(client, name):
    assert sign_up(client, name).status_code == 302
    user = User.objects.get()
    assert (user.name, user.email) == (name, "")
    assert client.get("/en/games/").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        " ",
        "a\u200bb",
        "a\tb\u0000",
        "-ab",
        "ab-",
        "<b>x</b>",
        "a" * 25,
        "a/b",
        "\u202eabc",
    ],
)
def test_other_names_do_not(client, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_name_taken_in_other_letters_is_taken(client):
    sign_up(client, "Keza")
    other = Client()
    assert sign_up(other, "kEZA").status_code == 200
    assert sign_up(other, "\uff2b\uff45\uff5a\uff41").status_code == 200  # full-width Keza
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_log_in_by_name_whatever_the_case(client):
    sign_up(client, "Keza")
    client.post("/en/accounts/logout/")
    answer = client.post("/en/accounts/login/", {"login": "keza", "password": PASSWORD})
    assert answer.status_code == 302
    assert answer["Location"] == "/en/games/"


@pytest.mark.django_db
def test_a_wrong_password_does_not_log_in(client):
    sign_up(client, "Keza")
    client.post("/en/accounts/logout/")
    answer = client.post("/en/accounts/login/", {"login": "Keza", "password": "another one"})
    assert answer.status_code == 200
    assert client.get("/en/games/").status_code == 302


@pytest.mark.django_db
def test_an_account_keeps_the_language_of_its_sign_up(client):
    sign_up(client, "Keza", "rw")
    assert User.objects.get().language == "rw"
    assert client.get("/games/", headers={"Accept-Language": "de"})["Location"] == "/rw/games/"


@pytest.mark.django_db
def test_choosing_a_language_keeps_the_page_and_the_choice(client):
    sign_up(client, "Keza")
    answer = client.post("/language/", {"language": "zu", "next": "/en/games/?x=1"})
    assert answer["Location"] == "/zu/games/?x=1"
    assert User.objects.get().language == "zu"
    client.post("/zu/accounts/logout/")
    assert client.get("/lobbies/")["Location"] == "/zu/lobbies/"  # the cookie's


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accept", "lang"), [("rw", "rw"), ("zu", "zu"), ("de", "de"), ("fr", "en")]
)
def test_an_address_without_a_language_leads_to_the_browsers(client, accept, lang):
    answer = client.get("/lobbies/", headers={"Accept-Language": accept})
    assert answer.status_code == 302
    assert answer["Location"] == f"/{lang}/lobbies/"
    assert "private" in answer["Cache-Control"]
    assert "Accept-Language" in answer["Vary"]


def meanwhile(monkeypatch, **changed) -> None:
    """Let another tab change something just before this one stores what it has changed."""
    save = User.save

    def store(self, *args, **kwargs):
        User.objects.filter(pk=self.pk).update(**changed)
        save(self, *args, **kwargs)

    monkeypatch.setattr(User, "save", store)


@pytest.mark.django_db
def test_b15_choosing_a_language_leaves_what_another_tab_has_changed(client, monkeypatch):
    """Each form stores its own field: the mails turned off in another tab stay off."""
    sign_up(client, "Keza")
    meanwhile(monkeypatch, mail_turns=False)
    client.post("/language/", {"language": "rw"})
    user = User.objects.get()
    assert (user.language, user.mail_turns) == ("rw", False)


def settings_sent(client, **changed) -> dict:
    """What the page of settings sends as it stands, but for what was changed there."""
    form = client.get("/en/accounts/settings/").context["form"]
    sent = {}
    for bound in form:
        sent[bound.html_initial_name] = bound.initial
        if bound.initial is not False:
            sent[bound.html_name] = bound.initial
    return {name: value for name, value in (sent | changed).items() if value is not None}


@pytest.mark.django_db
def test_settings_are_stored(client):
    sign_up(client, "Keza")
    radios = {"sort_hand": "rank", "slip_guard": "always", "voice": "turn"}
    boxes = {"left_handed": "on", "four_colours": None, "letter_keys": None}
    sent = settings_sent(client, **radios, **boxes)
    answer = client.post("/en/accounts/settings/", sent, follow=True)
    assert "Your settings are saved." in answer.text
    user = User.objects.get()
    assert (user.sort_hand, user.slip_guard, user.voice) == ("rank", "always", "turn")
    assert (user.letter_keys, user.mail_turns) == (False, True)
    assert user.look == "two-colours left"
    assert re.search('<html [^>]*class="two-colours left"', answer.text)


@pytest.mark.django_db
def test_a_setting_that_does_not_exist_is_refused(client):
    sign_up(client, "Keza")
    sent = settings_sent(client, voice="loud")
    assert client.post("/en/accounts/settings/", sent).status_code == 400
    assert User.objects.get().voice == "all"


@pytest.mark.django_db
def test_b15_settings_leave_what_another_tab_has_changed(client):
    """A page read before another tab's change stores what was changed on it, and nothing else."""
    sign_up(client, "Keza")
    sent = settings_sent(client, sort_hand="rank")
    User.objects.update(mail_turns=False, language="rw", voice="mine")
    assert client.post("/en/accounts/settings/", sent).status_code == 302
    user = User.objects.get()
    assert (user.sort_hand, user.mail_turns, user.voice) == ("rank", False, "mine")
    assert user.language == "rw"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wish", "live", "guarded"),
    [
        ("slow", True, False),
        ("slow", False, True),
        ("always", True, True),
        ("never", False, False),
    ],
)
def test_a_card_asks_again_as_wished(wish, live, guarded):
    assert User(name="Keza", slip_guard=wish).is_guarded(live=live) is guarded


@pytest.mark.django_db
def test_b15_a_new_password_leaves_what_another_tab_has_changed(client, monkeypatch):
    """The same for what the account's own pages store."""
    sign_up(client, "Keza")
    meanwhile(monkeypatch, mail_turns=False, language="zu")
    new = "another pass phrase"
    fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert client.post("/en/accounts/password/change/", fields).status_code == 302
    user = User.objects.get()
    assert (user.language, user.mail_turns) == ("zu", False)
    assert user.check_password(new)


@pytest.mark.django_db
def test_b15_an_operator_puts_no_old_value_back(client, monkeypatch):
    """A form opened before somebody chose another language does not bring the old one back."""
    prove(client, User.objects.create_superuser("Boss"))
    keza = User.objects.create_user("Keza", language="en")
    path = f"/admin/accounts/user/{keza.pk}/change/"
    form = client.get(path).context["adminform"].form
    sent = {name: form[name].value() or "" for name in form.fields}
    User.objects.filter(pk=keza.pk).update(language="rw", mail_turns=False)
    meanwhile(monkeypatch, time_zone="Africa/Kigali")
    assert client.post(path, sent | {"is_staff": "on"}).status_code == 302
    keza.refresh_from_db()
    assert keza.is_staff
    assert (keza.language, keza.mail_turns, keza.time_zone) == ("rw", False, "Africa/Kigali")
