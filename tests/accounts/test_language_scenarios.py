"""Scenarios of languages: the right one, whole and kept; and no form leads off the site."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import formats, translation
from django.utils.timesince import timeuntil

from accounts import catalogues
from accounts.models import User
from games import services

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "rw", "de", "zu")
PASSWORD = "a long pass phrase"
ENDONYMS = ("English", "Ikinyarwanda", "Deutsch", "isiZulu")


@pytest.fixture
def keza() -> User:
    return User.objects.create_user("Keza", password=PASSWORD)


def language_of(answer) -> str:
    return re.search(r'<html lang="([^"]+)"', answer.text)[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_b52_every_page_lists_the_languages_by_their_own_names(client, admin_client, lang):
    for reader, path in ((client, ""), (client, "accounts/login/"), (admin_client, "games/")):
        page = reader.get(f"/{lang}/{path}").text
        for code, name in zip(LANGUAGES, ENDONYMS, strict=True):
            assert re.search(rf'<button[^>]*lang="{code}"[^>]*>{name}</button>', page)
    translation.activate(lang)
    assert admin_client.get("/admin/accounts/user/").status_code == 200


@pytest.mark.parametrize(
    "odd", ["rw-RW", "zu-ZA", "RW", "xx", "de-x" + "y" * 5000, "\u00e9", "*", ""]
)
def test_b52_an_odd_language_is_cleaned(client, odd):
    expected = {"rw-RW": "rw", "RW": "rw", "zu-ZA": "zu"}.get(odd, "en")
    header = odd.encode("latin-1", "replace").decode("latin-1")
    answer = client.get("/lobbies/", headers={"Accept-Language": header})
    assert (answer.status_code, answer["Location"]) == (302, f"/{expected}/lobbies/")
    client.cookies["django_language"] = header
    answer = client.get("/lobbies/")
    assert answer.status_code == 302
    assert re.fullmatch(r"/(en|rw|de|zu)/lobbies/", answer["Location"])
    assert client.post("/language/", {"language": odd}).status_code == 400


@pytest.mark.parametrize(
    ("lang", "day", "number", "soon"),
    [
        ("en", "March 5, 2026", "1,234.5", "3 hours, 5 minutes"),
        ("de", "5. März 2026", "1.234,5", "3 Stunden, 5 Minuten"),
        ("rw", "5 Werurwe 2026", "1.234,5", "amasaha 3, iminota 5"),
        ("zu", "Mashi 5, 2026", "1,234.5", "amahora angu-3, amaminithi angu-5"),
    ],
)
def test_b52_dates_numbers_and_spans_are_of_one_language(lang, day, number, soon):
    now = datetime(2026, 3, 5, 12, tzinfo=UTC)
    with translation.override(lang):
        assert formats.date_format(date(2026, 3, 5), "DATE_FORMAT") == day
        assert formats.number_format(1234.5, 1, use_l10n=True, force_grouping=True) == number
        told = timeuntil(now + timedelta(hours=3, minutes=5), now).replace("\xa0", " ")
        assert told == soon


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("count", [0, 1, 2, 5, 21])
def test_b53_counts_have_the_right_form_and_no_raw_placeholder(lang, count):
    template = Template(
        "{% load i18n %}{% blocktranslate count n=n %}{{ n }} text reviewed{% plural %}"
        "{{ n }} texts reviewed{% endblocktranslate %}"
    )
    with translation.override(lang):
        text = template.render(Context({"n": count}))
    assert str(count) in text
    assert "%(" not in text
    one = {"en": "text reviewed", "de": "Text geprüft", "rw": "Inyandiko 1", "zu": "Umbhalo"}[lang]
    assert (one in text) == (count == 1 or (lang == "zu" and count == 0))


@pytest.mark.parametrize("lang", ["rw", "de", "zu"])
def test_b53_the_header_of_each_catalogue_is_the_plural_rule_of_its_language(lang):
    for path in catalogues.paths_of(lang):
        assert f"Plural-Forms: {catalogues.PLURALS[lang]}" in path.read_text(encoding="utf-8")


def test_b54_everybody_reads_their_own_language_whoever_came_first(keza):
    services.create(keza, services.Terms("maumau", "mau", 3, pace="1d", public=True))
    words = {"de": "Besetzte Plätze", "zu": "Izihlalo ezithathiwe", "en": "Seats taken"}
    for order in (("de", "zu", "en"), ("en", "zu", "de")):
        for lang in order:
            page = Client().get("/lobbies/", headers={"Accept-Language": lang}, follow=True)
            others = [word for code, word in words.items() if code != lang]
            assert words[lang] in page.text
            assert not any(word in page.text for word in others)
            assert page["Content-Language"] == lang


def test_b54_labels_of_forms_are_read_in_each_language():
    labels = {
        lang: re.findall(r"<label[^>]*>([^<]+)", Client().get(f"/{lang}/accounts/signup/").text)
        for lang in ("de", "zu", "rw", "de")
    }
    assert len({tuple(each) for each in labels.values()}) == 3


def test_b54_what_depends_on_the_reader_says_so(client):
    answer = client.get("/lobbies/")
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in answer["Vary"].split(",")}


def test_b57_the_choice_survives_links_from_mails_and_logging_out(client, keza, mailoutbox):
    client.post("/language/", {"language": "rw", "next": "/en/"})
    assert client.cookies["django_language"]["samesite"] == "Lax"
    assert client.cookies["django_language"]["path"] == "/"
    assert client.cookies["django_language"]["max-age"] >= 365 * 24 * 3600
    address = EmailAddress.objects.create(user=keza, email="keza@example.com", primary=True)
    with translation.override(None):
        link = reverse("account_confirm_email", args=[EmailConfirmationHMAC.create(address).key])
    page = client.get(re.sub(r"^/\w\w/", "/", link), follow=True)  # a link that names no language
    assert language_of(page) == "rw"
    client.force_login(keza)
    client.post("/rw/accounts/logout/")
    assert client.get("/")["Location"] == "/rw/"


def test_b57_the_choice_of_an_account_wins_on_another_device(keza):
    first, second = Client(), Client(headers={"Accept-Language": "en"})
    first.force_login(keza)
    first.post("/language/", {"language": "rw"})
    answer = second.post("/en/accounts/login/", {"login": "Keza", "password": PASSWORD})
    assert answer.status_code == 302
    assert second.get("/games/")["Location"] == "/rw/games/"
    assert answer["Location"] == "/rw/games/"
    second.post("/rw/accounts/logout/")
    assert second.get("/games/")["Location"].startswith("/rw/")


def test_b57_a_switch_keeps_page_and_query(client):
    page = client.get("/de/lobbies/new/?game=maumau/mau", follow=True).text
    here = re.search(r'name="next" value="([^"]+)"', page)[1]
    assert client.post("/language/", {"language": "zu", "next": here})["Location"].startswith(
        "/zu/"
    )
    answer = client.post("/language/", {"language": "zu", "next": "/de/lobbies/?x=1&y=2"})
    assert answer["Location"] == "/zu/lobbies/?x=1&y=2"


EVIL = [
    "https://evil.test",
    "//evil.test",
    "/\\evil.test",
    "https:evil.test",
    "javascript:alert(1)",
    "%2F%2Fevil.test",
    "/en/\n//evil.test",
    "///evil.test",
    "http://testserver@evil.test/",
]


@pytest.mark.parametrize("evil", EVIL)
def test_b63_no_form_leads_off_the_site(keza, evil):
    lobby = services.create(keza, services.Terms("matatu", "rwanda", 3))
    login = {"login": "Keza", "password": PASSWORD, "next": evil}
    signup = {"username": "Ineza", "password1": PASSWORD, "next": evil}
    forms = [
        ("/language/", {"language": "de", "next": evil}),
        ("/en/accounts/login/", login),
        ("/en/accounts/signup/", signup),
        ("/en/accounts/logout/", {"next": evil}),
        (f"/en/join/{lobby.code}/", {"name": "Umushyitsi", "next": evil}),
        ("/en/play/", {"name": "Isivakashi", "game": "matatu", "next": evil}),
    ]
    for path, sent in forms:
        browser = Client(headers={"Referer": evil.replace("\n", "")})
        if "logout" in path:
            browser.force_login(keza)
        place = browser.post(path, sent)["Location"]
        assert re.match(r"/(?![/\\])", place), (path, place)
        assert "evil" not in place.partition("?")[0]


def test_b63_a_page_of_ours_is_followed(client, keza):
    sent = {"login": "Keza", "password": PASSWORD, "next": "/games/17?x=1"}
    assert client.post("/en/accounts/login/", sent)["Location"] == "/games/17?x=1"
    answer = client.post("/language/", {"language": "de", "next": "/games/17?x=1"})
    assert answer["Location"] == "/games/17?x=1"


@pytest.mark.parametrize("lang", ["de", "zu"])
def test_what_programs_read_is_never_localised(client, lang):
    """Numbers over a thousand and with fractions in attributes, data and addresses."""
    keza, ineza = (User.objects.create_user(name) for name in ("Keza", "Ineza"))
    game = services.create(keza, services.Terms("matatu", "rwanda", 2, pace="7d"))
    services.join(ineza, game.pk)
    type(game).objects.filter(pk=game.pk).update(version=123456, turn_version=123456)
    client.force_login(keza)
    page = client.get(f"/{lang}/games/{game.pk}/").text
    assert 'data-version="123456"' in page
    assert 'name="version" value="123456"' in page
    left = re.search(r'data-left="([^"]+)"', page)[1]
    assert left.isdigit()
    assert int(left) > 500_000
    for attribute, value in re.findall(r'(data-[\w-]+|value|href|action|style)="([^"]*)"', page):
        if attribute not in ("data-words", "data-title"):
            assert not re.search(r"\d[.,]\d{3}\b", value), (attribute, value)
    for block in re.findall(r'<script type="application/(?:ld\+)?json"[^>]*>(.*?)</script>', page):
        json.loads(block)
