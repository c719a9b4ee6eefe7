"""The light mode: asked for by the browser, switched by the reader, said to caches."""

import pytest

pytestmark = pytest.mark.django_db
LIGHT = '<html lang="en" class="light'


def is_light(client, **headers) -> bool:
    answer = client.get("/en/", headers=headers)
    assert {"Save-Data", "Cookie"} <= set(answer["Vary"].split(", "))
    return LIGHT in answer.text


@pytest.mark.parametrize(
    ("header", "light"), [("on", True), ("On ", True), ("off", False), ("", False), ("1", False)]
)
def test_the_browser_asks(client, header, light):
    assert is_light(client, **{"Save-Data": header}) is light
    assert not is_light(client)


@pytest.mark.parametrize(("switch", "light"), [("1", True), ("0", False), ("x", False)])
def test_the_readers_switch_says_more_than_the_browser(client, switch, light):
    answer = client.post("/light/", {"light": switch, "next": "/en/rules/"})
    assert (answer.status_code, answer["Location"]) == (302, "/en/rules/")
    for header in ("on", "off"):
        assert is_light(client, **{"Save-Data": header}) is light


def test_an_odd_cookie_says_nothing(client):
    client.cookies["light"] = "maybe"
    assert not is_light(client)
    assert is_light(client, **{"Save-Data": "on"})


@pytest.mark.parametrize("to", ["//evil.example/", "https://evil.example/", "", "/\\evil.example"])
def test_the_switch_leads_nowhere_else(client, to):
    assert client.post("/light/", {"light": "1", "next": to})["Location"] == "/"


def test_only_a_form_switches(client):
    assert client.get("/light/").status_code == 405


def test_a_light_page_fetches_nothing_ahead(client):
    assert 'rel="prefetch"' in client.get("/en/").text
    assert 'rel="prefetch"' not in client.get("/en/", headers={"Save-Data": "on"}).text
