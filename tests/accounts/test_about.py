"""What stands about the operator, and that what is said of retention is what is done."""

import pytest
from django.core.checks import run_checks

from accounts.delivery import KEPT
from accounts.leaving import GUESTS_ARE_KEPT

PAGES = ("privacy", "terms", "imprint")


@pytest.mark.parametrize("page", PAGES)
def test_who_runs_the_site_stands_there(client, db, settings, page, language):
    settings.OPERATOR = {
        "name": "Amakarita <Ltd>",
        "address": ["KN 5 Rd", "Kigali"],
        "email": "hello@ikarita.example",
    }
    text = client.get(f"/{language}/about/{page}/").text
    for each in ("Amakarita &lt;Ltd&gt;", "KN 5 Rd<br>Kigali", "mailto:hello@ikarita.example"):
        assert each in text


@pytest.mark.parametrize("page", PAGES)
def test_as_long_as_nobody_is_named_the_page_says_so(client, db, page):
    assert "has not filled this in yet" in client.get(f"/en/about/{page}/").text


def test_an_operator_is_warned_of_an_imprint_without_a_name(settings):
    def warned() -> bool:
        found = run_checks(include_deployment_checks=True)
        return "accounts.W002" in [each.id for each in found]

    assert warned()
    settings.OPERATOR = {**settings.OPERATOR, "name": "Amakarita"}
    assert not warned()


def test_what_is_kept_how_long_is_what_the_site_does(client, db):
    text = client.get("/en/about/privacy/").text
    assert f"not been here for {GUESTS_ARE_KEPT.days} days" in text
    assert f"notices after {KEPT.days} days" in text
