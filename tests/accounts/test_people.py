"""People: names, guests, signing up and in, and the language that follows them."""

import pytest
from django.db import IntegrityError
from django.test import Client

from accounts.models import User

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
    client.post("/rw/accounts/inbox/mail/", {"mail_turns": "1"})
    user.refresh_from_db()
    assert (user.language, user.mail_turns) == ("rw", True)


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
    client.force_login(User.objects.create_superuser("Boss"))
    keza = User.objects.create_user("Keza", language="en")
    path = f"/admin/accounts/user/{keza.pk}/change/"
    form = client.get(path).context["adminform"].form
    sent = {name: form[name].value() or "" for name in form.fields}
    User.objects.filter(pk=keza.pk).update(language="rw", mail_turns=False)
    meanwhile(monkeypatch, time_zone="Africa/Kigali")
    sent.pop("is_active")
    assert client.post(path, sent | {"name": "Keza B"}).status_code == 302
    keza.refresh_from_db()
    assert (keza.name, keza.is_active) == ("Keza B", False)
    assert (keza.language, keza.mail_turns, keza.time_zone) == ("rw", False, "Africa/Kigali")
