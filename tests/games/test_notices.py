"""Whom what is told by which way, when, and how often: with a clock that is moved, no waiting."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import combinations, product

import pytest
from django.core.checks import run_checks
from icalendar import Calendar

from accounts import delivery, mailing, push_key, sending, ties
from accounts.channels import (
    AWAY,
    DAYS,
    DEFAULTS,
    FRIEND,
    HOOK,
    HOURS,
    LIVE,
    MAIL,
    PUSH,
    SPEEDS,
    family,
)
from accounts.delivery import LONGEST_DELAY
from accounts.mailing import MAILS_A_DAY
from accounts.models import Delivery, MailPace, Notice, User
from accounts.sending import CLAIM, RETRIES
from accounts.tasks import deliver_notices, forget_old_notices
from games import notices, rules, services
from games.models import Game
from games.services.change import deadline_of_turn
from tests.games.playing import first_move, person_in_turn
from tests.games.test_clock import (
    _movable_clock,
    forgotten_mau,
    now,
    put_forward,
    sweep,
    table,
)
from tests.games.test_nights import let_it_be
from tests.games.test_races import at_once

__all__ = ["_movable_clock"]  # a fixture, for every test here
pytestmark = pytest.mark.django_db(transaction=True)

RESIGN = rules.Move("resign")
PACES = {LIVE: "2m", HOURS: "1h", DAYS: "1d"}


@pytest.fixture(autouse=True)
def addresses(alice, bob, charlie):
    """Everybody can be written to."""
    for person in (alice, bob, charlie):
        person.email = f"{person.name}@example.org"
        person.save()


def other_than(person: User, *people: User) -> User:
    return next(each for each in people if each != person)


def addressees(mailoutbox) -> list[str]:
    return [mail.to[0].split("@")[0] for mail in mailoutbox]


def mails_to(person: User, mailoutbox) -> list:
    return [mail for mail in mailoutbox if mail.to == [person.email]]


# --- Every event, by every way, as it was chosen --------------------------------------------------


def turn_begins(alice: User, bob: User, pace: str) -> User:
    return person_in_turn(table(alice, bob, pace=pace))


def turn_is_half_over(alice: User, bob: User, pace: str) -> User:
    game = table(alice, bob, pace=pace)
    put_forward(seconds=Game.Pace(pace).seconds * 3 // 4)
    return person_in_turn(game)


def game_begins(alice: User, bob: User, pace: str) -> User:
    return other_than(person_in_turn(table(alice, bob, pace=pace)), alice, bob)


def bot_takes_a_seat(alice: User, bob: User, pace: str) -> User:
    game = table(alice, bob, pace=pace, options={"max_timeouts": 1, "absent_seat": "bot"})
    person = person_in_turn(game)
    put_forward(seconds=Game.Pace(pace).seconds + 2)
    sweep()
    return person


def guest_is_invited(alice: User, bob: User, pace: str) -> User:
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace=pace))
    services.invite(alice, game.pk, bob.name)
    return bob


def rematch_is_offered(alice: User, bob: User, pace: str) -> User:
    game = table(alice, bob, pace=pace)
    services.act(alice, game.pk, RESIGN, game.version)
    services.rematch(alice, game.pk)
    return bob


def game_ends(alice: User, bob: User, pace: str) -> User:
    game = table(alice, bob, pace=pace)
    services.act(alice, game.pk, RESIGN, game.version)
    return bob


def mau_is_forgotten(alice: User, bob: User, pace: str) -> User:
    game, hers = forgotten_mau(alice, bob, pace=pace)
    services.act(bob, game.pk, rules.Move("accuse", target=hers), game.version)
    return alice


def friendship_is_offered(alice: User, bob: User, pace: str) -> User:
    ties.ask(alice, bob)
    return bob


EVENTS: dict[str, Callable[[User, User, str], User]] = {
    "turn": turn_begins,
    "near": turn_is_half_over,
    "invited": guest_is_invited,
    "started": game_begins,
    "absent": bot_takes_a_seat,
    "rematch": rematch_is_offered,
    "over": game_ends,
    "caught": mau_is_forgotten,
    "friend": friendship_is_offered,
}
TOLD_AT_LIVE_PACES = {
    "invited",
    "started",
    "rematch",
    "friend",
}  # for the rest people are at the table
CHOICES = (None, *(list(ways) for count in range(4) for ways in combinations([*AWAY, MAIL], count)))


def test_every_kind_has_its_event():
    assert {family(kind) for kind in notices.KINDS} | {FRIEND} == set(EVENTS) == set(DEFAULTS)


def name_places(person: User, channels: tuple[str, ...], number: int) -> None:
    """Give a person a device, a webhook, both or neither."""
    person.endpoints.all().delete()
    for channel in channels:
        address = f"https://example.org/{number}"
        key = push_key.public()
        person.endpoints.create(channel=channel, address=address, server_key=key)


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("kind", EVENTS)
def test_each_event_goes_where_its_person_wants_it(alice, bob, kind, speed, full):
    is_told = speed != LIVE or kind in TOLD_AT_LIVE_PACES
    places = [(), (PUSH,), (HOOK,), (PUSH, HOOK)]
    person = EVENTS[kind](alice, bob, PACES[speed])
    has = None
    for these, wanted, mails_on in product(places, CHOICES, (True, False)):
        if these and not (mails_on or full):
            continue
        User.objects.update(channels={} if wanted is None else {kind: wanted}, mail_turns=mails_on)
        if has != these:  # written once for all choices: this is what takes the time
            has = these
            for number, each in enumerate((alice, bob)):
                name_places(each, has, number)
        Delivery.objects.all().delete()
        Notice.objects.update(decided_at=None)
        while delivery.decide():
            pass
        told = person.notices.filter(kind__startswith=kind, decided_at__isnull=False)
        assert told.exists() == is_told
        ways = DEFAULTS[kind][speed] if wanted is None else wanted
        sent = Delivery.objects.filter(notice__in=told).values_list("channel", flat=True)
        due = set(ways) & set(has)
        if mails_on and (MAIL in ways or (PUSH in ways and PUSH not in has)):
            due.add(MAIL)
        assert set(sent) == (due if is_told else set()), (wanted, mails_on, has)
        if kind != "near" and is_told:
            assert kind in {notice.kind for notice in delivery.open_notices(person)}, "in the inbox"


def test_a_muted_game_tells_only_its_inbox(alice, bob, mailoutbox):
    game = table(alice, bob)
    person = person_in_turn(game)
    services.mute(person, game.pk, muted=True)
    deliver_notices()
    assert person.name not in addressees(mailoutbox)
    assert [notice.kind for notice in delivery.open_notices(person)] == ["turn"]
    services.mute(person, game.pk, muted=False)
    services.act(person, game.pk, RESIGN, game.version)
    deliver_notices()
    assert person.name in addressees(mailoutbox)


def test_nobody_mutes_a_table_for_others(alice, bob, charlie):
    game = table(alice, bob)
    with pytest.raises(services.Refused):
        services.mute(charlie, game.pk, muted=True)
    services.mute(alice, game.pk, muted=True)
    assert set(game.seats.values_list("user__name", "muted")) == {("Alice", True), ("Bob", False)}


def test_people_are_reminded_when_they_wish(alice, bob):
    User.objects.update(reminders=[25])
    first = person_in_turn(table(alice, bob))
    kinds = first.notices.filter(kind__startswith="near")
    assert [each.kind for each in kinds] == ["near25"]
    (reminder,) = kinds
    began = first.notices.get(kind="turn").created_at
    assert reminder.due_at - began == timedelta(hours=6)


# --- Only what is still true ----------------------------------------------------------------------


def test_b41_nobody_is_reminded_of_a_turn_already_played(alice, bob, mailoutbox):
    """Played a second before the reminder is due: nothing is sent, and the count drops."""
    game = table(alice, bob)
    person = person_in_turn(game)
    deliver_notices()
    told = len(mails_to(person, mailoutbox))
    put_forward(hours=11, minutes=59, seconds=50)
    services.act(person, game.pk, rules.Move("draw"), game.version)
    while person_in_turn(now(game)) == person:  # having drawn, one may have to pass
        services.act(person, game.pk, first_move(now(game)), now(game).version)
    put_forward(seconds=20)
    deliver_notices()
    assert len(mails_to(person, mailoutbox)) == told
    assert not Delivery.objects.filter(notice__user=person, notice__kind="near50").exists()
    assert [each.kind for each in delivery.open_notices(person) if each.kind == "turn"] == []


def test_b41_a_mail_that_waited_is_withdrawn_when_the_turn_was_played(alice, bob, mailoutbox):
    """Decided upon, held back for the hourly summary, and no longer true by then."""
    games = [table(alice, bob) for _ in range(4)]
    deliver_notices()
    for game in games:
        services.act(person_in_turn(game), game.pk, RESIGN, game.version)
    User.objects.update(channels={"over": [], "started": []})
    before = len(mailoutbox)
    put_forward(hours=1, seconds=1)
    deliver_notices()
    assert len(mailoutbox) == before, "an empty summary is not sent"
    states = Delivery.objects.values_list("state", flat=True).distinct()
    assert set(states) <= {"sent", "withdrawn"}


def test_a_reminder_moves_with_a_clock_that_stood_still(alice, bob, mailoutbox):
    game = table(alice, bob)
    person = person_in_turn(game)
    deliver_notices()
    put_forward(hours=10)
    services.pause_for_line(person, game.pk)
    put_forward(hours=3)
    deliver_notices()
    reminder = person.notices.get(kind="near50")
    assert reminder.decided_at is None
    assert reminder.due_at > reminder.created_at


# --- Not at night, not while looking, not too often -----------------------------------------------


def test_nothing_is_sent_in_the_quiet_hours_of_its_reader(alice, bob, mailoutbox):
    night = let_it_be(datetime(2026, 12, 1, 23, tzinfo=UTC))
    game = table(alice, bob)
    User.objects.update(time_zone="UTC", quiet_from=22, quiet_until=7)
    deliver_notices()
    assert mailoutbox == []
    assert {each.due_at.hour for each in Notice.objects.filter(kind="turn")} == {7}
    assert [notice.kind for notice in delivery.open_notices(person_in_turn(game))] == ["turn"]
    put_forward(hours=8, minutes=1)
    deliver_notices()
    assert sorted(addressees(mailoutbox)) == ["Alice", "Bob"]
    assert night < Notice.objects.earliest("decided_at").decided_at


def test_b43_who_looks_at_the_very_game_is_told_later_and_never_not(alice, bob, mailoutbox):
    """A tab delays, and no tab of another game does; after ten minutes the mail goes out."""
    game, another = table(alice, bob), table(alice, bob)
    first = person_in_turn(game)
    while person_in_turn(game) == first:  # a drawn card may be one that skips, or asks for more
        Notice.objects.all().delete()
        services.act(first, game.pk, first_move(game), game.version)
        game = now(game)
    person = person_in_turn(game)
    delivery.looks(person.pk, another.pk)
    delivery.looks(person.pk, game.pk)
    deliver_notices()
    assert mailoutbox == []
    put_forward(seconds=int(LONGEST_DELAY.total_seconds()) + 1)
    delivery.looks(person.pk, game.pk)
    deliver_notices()
    assert addressees(mailoutbox) == [person.name]


def test_b43_a_look_at_one_game_holds_nothing_about_another(alice, bob, mailoutbox):
    game, another = table(alice, bob), table(alice, bob)
    person = person_in_turn(game)
    delivery.looks(person.pk, another.pk)
    deliver_notices()
    (mail,) = mails_to(person, mailoutbox)
    assert game.pk in mail.body
    assert another.pk not in mail.body


def test_b42_a_dozen_games_make_one_mail_and_one_summary(alice, bob, mailoutbox):
    """At once the first; what comes within the hour waits and comes together, if still true."""
    User.objects.update(channels={"started": [], "near": []})
    games = []
    for _ in range(12):
        while person_in_turn(game := table(alice, bob)) != alice:
            services.act(bob, game.pk, RESIGN, game.version)
            Notice.objects.filter(kind="over").delete()
        games.append(game)
        deliver_notices()
        put_forward(seconds=40)
    (first,) = mails_to(alice, mailoutbox)
    put_forward(hours=1)
    services.act(alice, games[5].pk, RESIGN, games[5].version)
    Notice.objects.filter(kind="over").delete()
    deliver_notices()
    _, summary = mails_to(alice, mailoutbox)
    assert summary.subject == "Ikarita: 10 things wait for you"
    assert games[0].pk in first.body
    told = re.findall(r"/games/(\w+)/", first.body + summary.body)
    assert sorted(told) == sorted({game.pk for game in games} - {games[5].pk}), "each turn once"
    put_forward(hours=5)
    deliver_notices()
    assert len(mails_to(alice, mailoutbox)) == 2
    assert all("List-Unsubscribe" in mail.extra_headers for mail in mailoutbox)


def test_b42_there_is_an_end_to_mails_in_a_day(alice, bob, mailoutbox):
    """However much happens: the next day's first mail says what still waits."""
    User.objects.update(channels={"near": []})
    for _ in range(MAILS_A_DAY + 3):
        table(alice, bob, pace="3d")
        deliver_notices()
        put_forward(minutes=61)
    assert len(mails_to(alice, mailoutbox)) == MAILS_A_DAY
    put_forward(days=1)
    deliver_notices()
    *_, last = mails_to(alice, mailoutbox)
    assert last.subject == "Ikarita: 3 things wait for you"


@pytest.mark.parametrize("hour", [9, 17, 19, 23])
def test_one_mail_a_day_comes_in_the_evening(alice, bob, mailoutbox, hour):
    began = let_it_be(datetime(2026, 12, 1, hour, tzinfo=UTC))
    User.objects.update(mail_pace=MailPace.DAILY, time_zone="UTC")
    for _ in range(3):
        table(alice, bob, pace="3d")
    deliver_notices()
    assert mailoutbox == []
    evening = began.replace(hour=18) + timedelta(days=int(hour >= 18))
    let_it_be(evening - timedelta(minutes=5))
    deliver_notices()
    assert mailoutbox == []
    let_it_be(evening + timedelta(minutes=5))
    deliver_notices()
    assert sorted(addressees(mailoutbox)) == ["Alice", "Bob"]
    assert all("3 things" in mail.subject for mail in mailoutbox)


def test_one_mail_until_its_reader_has_been_here(alice, bob, mailoutbox, browser_of):
    User.objects.update(mail_pace=MailPace.VISIT)
    game = table(alice, bob)
    deliver_notices()
    assert len(mails_to(alice, mailoutbox)) == 1
    for _ in range(3):
        table(alice, bob)
        put_forward(hours=2)
        deliver_notices()
    assert len(mails_to(alice, mailoutbox)) == 1
    assert browser_of(alice).get(f"/en/games/{game.pk}/").status_code == 200
    put_forward(hours=1)
    deliver_notices()
    assert len(mails_to(alice, mailoutbox)) == 2


# --- Once, whatever fails -------------------------------------------------------------------------


def test_b44_two_workers_and_two_clocks_send_one_of_each(mailoutbox):
    """Fifty turns of fifty people, told by four who all look at once."""
    people = [
        User.objects.create_user(f"P{number}", email=f"P{number}@example.org")
        for number in range(50)
    ]
    for one, two in zip(people[::2], people[1::2], strict=True):
        table(one, two)
    results = at_once(*[deliver_notices] * 4)
    assert not [each for each in results if isinstance(each, Exception)], results
    assert sorted(addressees(mailoutbox)) == sorted(person.name for person in people)
    assert not Delivery.objects.exclude(state="sent").exists()


def test_b44_a_worker_that_dies_before_it_notes_the_mail_repeats_it_once(
    alice, bob, monkeypatch, mailoutbox
):
    """The server has said yes, the worker is killed: one repeat at most, and it is counted."""
    person = person_in_turn(table(alice, bob))
    person_only = Delivery.objects.filter(notice__user=person)
    settle = sending.settle

    class Killed(BaseException):
        """As SIGKILL: nothing of ours hears of it."""

    def die(rows, state, why=""):
        if state == Delivery.State.SENT:
            raise Killed
        settle(rows, state, why)

    monkeypatch.setattr(sending, "settle", die)
    for _ in range(6):
        for _ in range(3):
            try:
                deliver_notices()
            except Killed:
                continue
        put_forward(seconds=int(CLAIM.total_seconds()) + 1)
    assert len(mails_to(person, mailoutbox)) == 2
    assert set(person_only.filter(notice__kind="turn").values_list("repeated", "state")) == {
        (True, "failed")
    }


def test_a_mail_server_that_is_away_loses_nothing(alice, bob, monkeypatch, mailoutbox):
    person = person_in_turn(table(alice, bob))
    send = mailing.EmailMultiAlternatives.send

    def refuse(mail):
        raise ConnectionRefusedError

    monkeypatch.setattr(mailing.EmailMultiAlternatives, "send", refuse)
    deliver_notices()
    row = Delivery.objects.get(notice__user=person)
    assert (row.state, row.tries, row.why) == ("waiting", 1, "ConnectionRefusedError")
    monkeypatch.setattr(mailing.EmailMultiAlternatives, "send", send)
    deliver_notices()
    assert mailoutbox == [], "not at once: it is tried again after a while"
    put_forward(minutes=5)
    deliver_notices()
    assert addressees(mails_to(person, mailoutbox)) == [person.name]


def test_a_mail_that_can_never_be_sent_is_given_up_and_said_so(alice, bob, monkeypatch, browser_of):
    def refuse(mail):
        raise ConnectionRefusedError

    monkeypatch.setattr(mailing.EmailMultiAlternatives, "send", refuse)
    person = person_in_turn(table(alice, bob, pace="3d"))
    for _ in range(RETRIES + 2):
        deliver_notices()
        put_forward(hours=2)
    row = Delivery.objects.get(notice__user=person, notice__kind="turn")
    assert (row.state, row.tries) == ("failed", RETRIES)
    page = browser_of(person).get("/en/accounts/notices/sent/").text
    assert "could not be sent" in page


# --- What a person sees of it ---------------------------------------------------------------------


def test_the_list_of_what_was_sent_says_what_came_of_it(alice, bob, browser_of, mailoutbox):
    game = table(alice, bob)
    person = person_in_turn(game)
    browser = browser_of(person)
    deliver_notices()
    page = browser.get("/en/accounts/notices/sent/").text
    assert "It is my turn" in page
    assert "E-mail: sent" in page
    assert "Inbox: read" not in page
    browser.get(f"/en/games/{game.pk}/")
    assert "Inbox: read" in browser.get("/en/accounts/notices/sent/").text
    stranger = browser_of(User.objects.create_user("Stranger"))
    assert "Nobody has told you anything yet." in stranger.get("/en/accounts/notices/sent/").text


def test_a_test_mail_says_whether_mails_arrive(alice, browser_of, mailoutbox, monkeypatch):
    browser = browser_of(alice)
    send = "/en/accounts/notices/test-mail/"
    assert "on its way" in browser.post(send, follow=True).text
    assert addressees(mailoutbox) == ["Alice"]

    def refuse(mail):
        raise ConnectionRefusedError

    monkeypatch.setattr(mailing.EmailMessage, "send", refuse)
    assert "could not be sent" in browser.post(send, follow=True).text
    assert browser.post(send).status_code == 429
    User.objects.filter(pk=alice.pk).update(email="")
    assert browser.get(send).status_code == 405


def test_two_pages_of_choices_do_not_undo_each_other(alice, browser_of):
    """Each stores what was changed on it: two tabs, one choice in each."""
    browser = browser_of(alice)
    usual = {"mail_pace": "once", "reminders": ["50", "90"]}
    usual |= {kind: [PUSH] if PUSH in ways[DAYS] else [] for kind, ways in DEFAULTS.items()}
    seen = {f"initial-{name}": value for name, value in usual.items()}
    for changed in ({"over": []}, {"caught": ["mail"]}, {"reminders": ["25"]}):
        answer = browser.post("/en/accounts/notices/", usual | seen | changed)
        assert answer.status_code == 302
    alice.refresh_from_db()
    # Who has no webhook was not asked about them, and has not said that none is to be told.
    assert alice.channels == {"over": [HOOK], "caught": ["mail"]}
    assert (alice.reminders, alice.mail_pace) == ([25], "once")


def test_old_notices_are_forgotten_and_open_ones_are_not(alice, bob):
    game = table(alice, bob, pace="none")
    open_one = Notice.objects.create(
        user=alice, kind="turn", about=game.pk, version=99, due_at=delivery.instant()
    )
    deliver_notices()
    Notice.objects.filter(pk=open_one.pk).update(decided_at=None)
    put_forward(days=61)
    forget_old_notices()
    assert list(Notice.objects.values_list("pk", flat=True)) == [open_one.pk]


# --- A calendar of deadlines ----------------------------------------------------------------------


def feed_of(person: User, browser, client) -> str:
    """Make a link for this person; return its path."""
    assert browser.post("/en/accounts/notices/calendar/", {"make": "1"}).status_code == 302
    person.refresh_from_db()
    path = f"/calendar/{person.calendar_key}.ics"
    assert path in browser.get("/en/accounts/notices/").text
    assert client.get(path).headers["Content-Type"] == "text/calendar; charset=utf-8"
    return path


def test_a_secret_link_leads_to_the_deadlines_of_its_owner(alice, bob, browser_of, client):
    game, quick, unlimited = (table(alice, bob, pace=pace) for pace in ("1d", "2m", "none"))
    person = person_in_turn(game)
    User.objects.filter(pk=person.pk).update(language="de")
    path = feed_of(person, browser_of(person), client)
    (event,) = Calendar.from_ical(client.get(path).content).walk("VEVENT")
    assert event["summary"] == "Ihr Zug in Matatu endet"
    assert event["url"].endswith(f"/games/{game.pk}/")
    assert event.start.replace(microsecond=0) == deadline_of_turn(game).replace(microsecond=0)
    text = client.get(path).text
    assert quick.pk not in text
    assert unlimited.pk not in text
    services.act(person, game.pk, RESIGN, game.version)
    assert Calendar.from_ical(client.get(path).content).walk("VEVENT") == []


def test_a_link_that_was_withdrawn_or_made_anew_leads_nowhere(alice, browser_of, client):
    browser = browser_of(alice)
    first = feed_of(alice, browser, client)
    second = feed_of(alice, browser, client)
    assert first != second
    assert client.get(first).status_code == 404
    browser.post("/en/accounts/notices/calendar/", {"make": "0"})
    assert client.get(second).status_code == 404
    for nothing in ("/calendar/.ics", "/calendar/x.ics", "/calendar/%00.ics"):
        assert client.get(nothing).status_code == 404


@pytest.mark.parametrize("address", ["", "http://ikarita.example", "ikarita.example"])
def test_a_site_whose_mails_would_lead_nowhere_is_warned(settings, address):
    settings.SITE_URL = address
    said = [warning.id for warning in run_checks(include_deployment_checks=True)]
    assert "accounts.W001" in said
    settings.SITE_URL = "https://ikarita.example"
    said = [warning.id for warning in run_checks(include_deployment_checks=True)]
    assert "accounts.W001" not in said
