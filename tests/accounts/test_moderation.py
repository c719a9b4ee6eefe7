"""What people say against each other, and what moderators can do about it, and what not."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client
from django.utils import timezone

from accounts import delivery, leaving, moderation, recovery, ties
from accounts.models import Delivery, Measure, Notice, Report, User
from accounts.tasks import end_suspensions
from games import services
from games.models import Game
from tests.operators import prove

PASSWORD = "a long pass phrase"
KIND = Measure.Kind


@pytest.fixture
def keza(db) -> User:
    return User.objects.create_user("Keza", password=PASSWORD, language="de")


@pytest.fixture
def bob(db) -> User:
    return User.objects.create_user("Bob", password=PASSWORD)


@pytest.fixture
def moderator(db) -> User:
    return User.objects.create_user("Mo", password=PASSWORD, is_staff=True)


@pytest.fixture
def queue(moderator) -> Client:
    client = Client()
    prove(client, moderator)
    return client


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def decide(queue: Client, person: User, kind: str, **more: object):
    sent = {"person": person.pk, "kind": kind, "reason": "So, and not otherwise.", "days": 7}
    return queue.post("/admin/accounts/measure/add/", sent | more)


# --- Reporting ------------------------------------------------------------------------------------


def test_a_name_is_reported_once_however_often_it_is_pressed(bob, keza):
    browser = signed_in(bob)
    assert "Keza" in browser.get("/en/report/Keza/").text
    for note in ("", "It is a swear word."):
        sent = {"person": keza.pk, "kind": "name", "note": note}
        assert browser.post("/en/report/Keza/", sent).status_code == 302
    said = Report.objects.get()
    assert (said.person, said.by, said.note) == (keza, bob, "It is a swear word.")


def test_somebody_at_the_own_table_is_reported_with_it(bob, keza):
    game = services.create(keza, services.Terms("matatu", "rwanda", 3))
    services.add_bot(keza, game.pk, "easy")
    services.join(bob, game.pk)
    browser = signed_in(bob)
    address = f"/en/games/{game.pk}/report/"
    assert address in browser.get(f"/en/games/{game.pk}/").text
    page = browser.get(address)
    assert re.findall(r'name="person" value="(\d+)"', page.text) == [str(keza.pk)]
    answer = browser.post(address, {"person": keza.pk, "kind": "play"}, follow=True)
    assert "A moderator will look at it" in answer.text
    assert Report.objects.get().table == game.pk


def test_who_sits_alone_with_bots_finds_nobody_to_report(bob):
    game = services.create(bob, services.Terms("matatu", "rwanda", 3))
    services.add_bot(bob, game.pk, "easy")
    browser = signed_in(bob)
    assert "/report/" not in browser.get(f"/en/games/{game.pk}/").text.replace(
        "languages/report/", ""
    )
    page = browser.get(f"/en/games/{game.pk}/report/")
    assert "Nobody else sits" in page.text


@pytest.mark.parametrize(
    "sent",
    [{}, {"kind": "name"}, {"person": "x", "kind": "name"}, {"kind": "?", "note": "a" * 501}],
)
def test_a_report_that_says_nothing_is_refused(bob, keza, sent):
    stranger = User.objects.create_user("Charlie")
    browser = signed_in(bob)
    for more in ({}, {"person": stranger.pk}):
        assert browser.post("/en/report/Keza/", sent | more).status_code == 400
    assert not Report.objects.exists()


def test_nobody_floods_the_queue(bob, keza):
    browser = signed_in(bob)
    sent = {"person": keza.pk, "kind": "name"}
    statuses = [browser.post("/en/report/Keza/", sent).status_code for _ in range(25)]
    assert statuses[-1] == 429


# --- The door of the admin ------------------------------------------------------------------------


def test_the_admin_opens_by_a_second_factor_only(moderator):
    client = Client()
    assert (
        client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/en/accounts/login/")
    )
    client.post("/en/accounts/login/", {"login": "Mo", "password": PASSWORD})
    page = client.get("/admin/accounts/report/", follow=True)
    assert page.redirect_chain[-1][0] == "/en/accounts/2fa/"
    assert "For the admin you need" in page.text
    TOTP.activate(moderator, "JBSWY3DPEHPK3PXP")
    page = client.get("/admin/accounts/report/", follow=True)
    assert "/2fa/reauthenticate/" in page.redirect_chain[-1][0]
    prove(client, moderator)
    assert client.get("/admin/accounts/report/").status_code == 200


def test_nobody_else_gets_in_however_proven(bob):
    client = Client()
    prove(client, bob)
    assert client.get("/admin/", follow=True).status_code == 403


def test_a_proof_of_yesterday_is_asked_for_again(moderator, queue, monkeypatch):
    monkeypatch.setattr("accounts.operators.PROVEN_FOR", -1)
    assert queue.get("/admin/").status_code == 302


def test_a_moderator_sees_the_queue_and_no_more(queue, keza, bob):
    moderation.report(bob, keza, "name")
    index = queue.get("/admin/").text
    assert "/admin/accounts/report/" in index
    for other in ("accounts/user/", "games/game/", "accounts/textreport/"):
        assert other not in index
        assert queue.get(f"/admin/{other}").status_code == 403
    said = Report.objects.get()
    page = queue.get(f"/admin/accounts/report/{said.pk}/change/")
    assert f"/admin/accounts/measure/add/?person={keza.pk}&amp;report={said.pk}" in page.text
    for path in (f"report/{said.pk}/delete/", f"report/{said.pk}/change/", "report/add/"):
        assert queue.post(f"/admin/accounts/{path}", {"post": "yes"}).status_code == 403


# --- What is done ---------------------------------------------------------------------------------


def test_another_name_is_logged_told_and_settles_the_reports(
    queue, moderator, keza, bob, mailoutbox
):
    User.objects.filter(pk=keza.pk).update(email="keza@example.org")
    for kind in ("name", "other"):
        moderation.report(bob, keza, kind)
    said = Report.objects.first()
    assert decide(queue, keza, "rename", new_name="Ineza", report=said.pk).status_code == 302
    keza.refresh_from_db()
    assert keza.name == "Ineza"
    assert not User.objects.has_lookalike("Keza")
    done = Measure.objects.get()
    assert (done.by, done.old_name, done.report, done.person) == (moderator, "Keza", said, keza)
    assert not Report.objects.filter(settled_at=None).exists()
    inbox = signed_in(keza).get("/de/accounts/inbox/").text
    assert "Ein Moderator hat Ihren Namen geändert, der Keza war. So, and not otherwise." in inbox
    page = signed_in(keza).get("/de/accounts/measures/").text
    assert "So, and not otherwise." in page
    assert "Mo" not in re.sub(r"<[^>]*>", " ", page).split()  # not who it was
    assert signed_in(keza).get("/de/accounts/inbox/").text.count("So, and not") == 0
    delivery.decide()
    assert Notice.objects.get(kind="measure").done_at  # it was read before the mail went


def test_it_is_told_by_mail_whatever_was_chosen(queue, keza):
    User.objects.filter(pk=keza.pk).update(email="keza@example.org", quiet_from=0, quiet_until=0)
    decide(queue, keza, "mute")
    delivery.decide()
    assert Delivery.objects.get().channel == "mail"


def test_a_name_of_no_choice_says_nothing_in_the_persons_language(queue, keza):
    decide(queue, keza, "rename")
    keza.refresh_from_db()
    assert re.fullmatch(r"Gast \d{4}", keza.name)


@pytest.mark.parametrize("name", ["Bob", "b0b", "a/b", "x"])
def test_a_moderator_gives_no_name_that_nobody_could_take(queue, keza, bob, name):
    assert decide(queue, keza, "rename", new_name=name).status_code == 200
    keza.refresh_from_db()
    assert keza.name == "Keza"
    assert not Measure.objects.exists()


def test_who_is_muted_asks_and_invites_nobody_but_plays_on(queue, keza, bob):
    decide(queue, keza, "mute", days=1)
    browser = signed_in(User.objects.get(pk=keza.pk))
    asked = browser.post("/de/friends/", {"do": "ask", "name": "Bob"})
    assert asked.status_code == 403
    assert "Moderator" in asked.text
    assert ties.circle_of(bob.pk).asking == []
    ties.ask(User.objects.create_user("Charlie"), keza)
    assert browser.post("/de/friends/", {"do": "ask", "name": "Charlie"}).status_code == 302
    assert [each.name for each in ties.circle_of(keza.pk).friends] == ["Charlie"]
    keza.refresh_from_db()
    game = services.create(keza, services.Terms("matatu", "rwanda", 2, pace="1d"))
    with pytest.raises(services.Refused, match="muted"):
        services.invite(keza, game.pk, "Bob")
    with pytest.raises(services.Refused, match="muted"):
        services.create(keza, services.Terms("matatu", "rwanda", 2, pace="1d", public=True))
    services.join(bob, game.pk)
    assert Game.objects.get(pk=game.pk).status == Game.Status.PLAYING
    User.objects.filter(pk=keza.pk).update(muted_until=timezone.now() - timedelta(seconds=1))
    assert browser.post("/de/friends/", {"do": "ask", "name": "Bob"}).status_code == 302


def test_who_is_suspended_is_out_at_once_and_told_why_and_comes_back_in_time(queue, keza):
    browser, code = signed_in(keza), recovery.make_code(keza)
    decide(queue, keza, "suspend", days=1)
    assert browser.get("/de/games/").status_code == 302
    sent = {"login": "Keza", "password": PASSWORD}
    refused = browser.post("/de/accounts/login/", sent)
    assert refused.status_code == 403
    assert "So, and not otherwise." in refused.text
    assert "So, and" not in browser.post("/de/accounts/login/", sent | {"password": "x"}).text
    assert browser.post("/de/accounts/recover/", {"code": code}).status_code == 400
    assert end_suspensions() == 0
    User.objects.filter(pk=keza.pk).update(suspended_until=timezone.now() - timedelta(seconds=1))
    assert end_suspensions() == 1
    browser.post("/de/accounts/login/", sent)
    assert browser.get("/de/games/").status_code == 200


def test_for_good_is_for_good_until_it_is_lifted(queue, keza):
    decide(queue, keza, "suspend", days=0)
    assert Measure.objects.get().until is None
    assert (
        "für immer"
        in Client().post("/de/accounts/login/", {"login": "Keza", "password": PASSWORD}).text
    )
    assert end_suspensions() == 0
    decide(queue, keza, "lift")
    keza.refresh_from_db()
    assert (keza.is_active, keza.muted_until, keza.suspended_until) == (True, None, None)


def test_nothing_is_done_about_moderators_nor_to_who_is_leaving(queue, moderator, keza):
    boss = User.objects.create_superuser("Boss")
    User.objects.filter(pk=keza.pk).update(is_active=False, leaving=True)
    for person in (boss, moderator, keza):
        assert decide(queue, person, "suspend").status_code == 200
        with pytest.raises(moderation.Protected):
            moderation.act(moderator, person, moderation.Deed("lift", "x"))
    assert not Measure.objects.exists()
    assert not User.objects.get(pk=keza.pk).is_active


def test_no_ground_is_logged_and_not_told(queue, keza, bob):
    moderation.report(bob, keza, "name")
    decide(queue, keza, "nothing")
    assert Measure.objects.get().kind == KIND.NOTHING
    assert not Notice.objects.exists()
    assert not Report.objects.filter(settled_at=None).exists()


def test_the_person_can_download_it_and_it_goes_with_them(queue, keza, bob):
    moderation.report(keza, bob, "other", note="He stalls.")
    decide(queue, keza, "mute")
    told = leaving.personal_data(keza)
    assert [each["kind"] for each in told["measures"]] == ["mute"]
    assert told["reports"][0]["name"] == "Bob"
    leaving.delete(keza)
    assert not Measure.objects.exists()
    assert Report.objects.get().by is None
