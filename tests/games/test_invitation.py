"""How people are called to a table: the code, the link and what it shows of itself."""

import html
import io
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from accounts.chance import ALPHABET
from games import models, services
from games.invitation import picture
from games.models import Game
from games.services import lobby as opening


def open_table(host, **terms) -> Game:
    return services.create(host, services.Terms("maumau", "mau", 4, **terms))


def test_a_code_has_six_letters_that_cannot_be_mistaken(alice):
    code = open_table(alice).code
    assert re.fullmatch(f"[{ALPHABET}]{{6}}", code)
    assert not set("01ILO") & set(ALPHABET)


def test_a_code_that_comes_twice_is_given_once(alice, bob, monkeypatch):
    first = open_table(alice).code
    code = Game._meta.get_field("code")
    monkeypatch.setattr(code, "_get_default", lambda: first)
    monkeypatch.setattr(opening, "new_code", iter([first, "BBBBBB"]).__next__)
    assert open_table(bob).code == "BBBBBB"


@pytest.mark.parametrize("typed", ["{0}", "{1}", " {2} ", "{3}"])
def test_a_code_is_understood_however_it_is_typed(client, lobby, typed):
    code = lobby.code
    spelt = typed.format(code, code.lower(), f"{code[:3]} {code[3:]}", "-".join(code))
    answer = client.get("/en/join/", {"code": spelt})
    assert answer["Location"] == f"/en/join/{code}/"


def test_an_older_code_of_eight_letters_still_leads_to_its_table(client, lobby):
    Game.objects.filter(pk=lobby.pk).update(code="BCDFGHJK")
    assert client.get("/en/join/", {"code": "bcdf ghjk"})["Location"] == "/en/join/BCDFGHJK/"
    assert client.get("/en/join/BCDFGHJK/").status_code == 200


def test_wrong_codes_are_soon_too_many_and_right_ones_never(client, lobby):
    """Typed, or as an address: neither way tables can be looked for."""
    answers = []
    for number in range(40):
        answers.append(client.get("/en/join/", {"code": f"AAAA{number:02d}"}).status_code)
        answers.append(client.get(f"/en/join/AAAA{number:02d}/").status_code)
    assert answers == [404] * 60 + [429] * 20
    assert client.get(f"/en/join/{lobby.code}/").status_code == 200
    assert client.get("/en/join/", {"code": lobby.code}).status_code == 302


def test_a_table_that_waits_can_be_shared(alice, browser_of, settings, language):
    settings.SITE_URL = "https://ikarita.example"
    game = open_table(alice)
    page = browser_of(alice).get(f"/{language}/games/{game.pk}/")
    shown = page.context["game"]
    link = f"https://ikarita.example/join/{game.code}/"
    assert shown["join_url"] == link
    whatsapp = urlsplit(shown["whatsapp_url"])
    assert (whatsapp.scheme, whatsapp.netloc) == ("https", "wa.me")
    assert parse_qs(whatsapp.query) == {"text": [f"{shown['share_text']} {link}"]}
    text = html.unescape(page.text)
    for each in (link, shown["share_text"], shown["whatsapp_url"], shown["qr_url"], game.code):
        assert each in text


def test_who_does_not_sit_there_is_not_given_the_code(alice, bob, browser_of):
    game = open_table(alice, public=True, pace="60s")
    shown = browser_of(bob).get(f"/en/games/{game.pk}/").context["game"]
    assert [shown[name] for name in ("join_url", "join_code", "qr_url", "whatsapp_url")] == [""] * 4


def test_a_shared_link_shows_game_terms_and_picture_but_no_name(client, alice):
    game = open_table(alice, pace="1d")
    page = client.get(f"/de/join/{game.code}/", follow=True).text
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page))
    assert told["title"].startswith("Spiel Mau-Mau mit mir!")
    assert "4 Spieler" in told["description"]
    assert "1 Tag" in told["description"]
    assert told["url"] == f"http://testserver/de/join/{game.code}/"
    assert not any(alice.name in value for value in told.values())
    drawn = client.get(urlsplit(told["image"]).path)
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(drawn.content)).size == (1200, 630)
    assert len(drawn.content) < 60_000


def test_each_game_and_table_has_its_own_picture(alice, bob):
    tables = [
        open_table(alice),
        open_table(bob),
        services.create(alice, services.Terms("matatu", "rwanda", 2)),
    ]
    assert len({picture.draw(game) for game in tables}) == 3


@pytest.mark.parametrize("name", ["qr.svg", f"invitation-{picture.DESIGN}.png"])
def test_no_picture_of_a_table_that_there_is_not(client, db, lobby, name):
    assert client.get(f"/join/{lobby.code}/{name}").status_code == 200
    assert client.get(f"/join/{models.new_code()}/{name}").status_code == 404
    assert client.post(f"/join/{lobby.code}/{name}").status_code == 405
    assert client.get(f"/join/{lobby.code}/invitation-{picture.DESIGN + 1}.png").status_code == 404
