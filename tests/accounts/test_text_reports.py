"""Saying that a text is wrong, and seeing how much of the site speaks a language."""

import re

import pytest
from django.test import Client

from accounts.models import TextReport, User

pytestmark = pytest.mark.django_db
THANKS = "Thank you. Your report has reached us."


def report(client: Client, **sent: str):
    return client.post("/en/languages/report/", sent)


@pytest.mark.parametrize("lang", ["en", "rw", "de", "zu"])
def test_the_page_of_languages_is_honest(client, lang):
    page = client.get(f"/{lang}/languages/").text
    assert page.count("100") == 3
    for name in ("Ikinyarwanda", "Deutsch", "isiZulu"):
        assert name in page
    if lang == "en":
        assert page.count("Not yet reviewed by a native speaker.") == 3


def test_one_tap_below_a_page_reaches_the_operators(client, admin_client):
    page = client.get("/de/lobbies/").text
    assert '<input type="hidden" name="page" value="/de/lobbies/">' in page
    assert client.post("/de/languages/report/", {"page": "/de/lobbies/"}).status_code == 200
    stored = TextReport.objects.get()
    assert (stored.page, stored.language) == ("/de/lobbies/", "de")
    assert "/de/lobbies/" in admin_client.get("/admin/accounts/textreport/").text


def test_the_reader_can_say_more_about_the_same_report(client):
    page = report(client, page="/en/").text
    assert THANKS in page
    signed = re.search(r'name="report" value="([^"]+)"', page)[1]
    answer = report(client, report=signed, text="Pas", better="Pass")
    assert THANKS in answer.text
    stored = TextReport.objects.get()
    assert (stored.page, stored.text, stored.better) == ("/en/", "Pas", "Pass")


def test_nobody_writes_into_a_report_of_others(client):
    report(client, page="/en/")
    forged = TextReport.objects.get().pk
    assert report(client, report=str(forged), text="mine now").status_code == 400
    assert TextReport.objects.get().text == ""


@pytest.mark.parametrize(
    "page", ["", "https://evil.test/", "//evil.test", "javascript:alert(1)", "/" * 201, "/\x00"]
)
def test_a_page_elsewhere_is_no_page(client, page):
    assert report(client, page=page).status_code == 400
    assert not TextReport.objects.exists()


def test_markup_in_a_report_stays_text(client, admin_client):
    report(client, page="/en/", text="<script>alert(1)</script>")
    shown = admin_client.get("/admin/accounts/textreport/").text
    assert "<script>alert(1)" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_too_many_reports_wait(client):
    answers = [report(client, page="/en/").status_code for _ in range(12)]
    assert answers[0] == 200
    assert answers[-1] == 429


def test_a_report_tells_nobody_who_made_it(client):
    client.force_login(User.objects.create_user("Alice"))
    report(client, page="/en/")
    stored = {field.name: getattr(TextReport.objects.get(), field.name) for field in FIELDS}
    assert set(stored) == {"id", "page", "language", "text", "better", "created_at", "settled"}
    assert "Alice" not in str(stored)


FIELDS = TextReport._meta.fields
