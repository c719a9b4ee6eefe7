"""Notices that go out to devices and webhooks: to whom, what is in them, what becomes of them."""

import base64
import contextlib
import hmac
import json
from collections.abc import Iterator

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from requests_hardened.ip_filter import InvalidIPAddress

from accounts import calls, endpoints, push_key, sending
from accounts.calls import KEPT
from accounts.channels import DAYS, HOOK, MAIL, PUSH
from accounts.models import Delivery, Endpoint, Notice, User
from accounts.sending import CLAIM, RETRIES
from accounts.tasks import WEBHOOKS_ARE_CALLED, call_webhooks, deliver_notices, push_notices
from games import rules, services
from games.models import Game
from tests.games.playing import person_in_turn
from tests.games.test_clock import _movable_clock, put_forward, table
from tests.games.test_races import at_once
from tests.outside import Device, Outside, outside

__all__ = ["_movable_clock"]  # a fixture, for every test here
pytestmark = pytest.mark.django_db(transaction=True)

RESIGN = rules.Move("resign")
DEVICES = "/en/accounts/notices/devices/"
NOTICES = "/en/accounts/notices/"


@pytest.fixture(autouse=True)
def _here(settings) -> None:
    settings.TEST_LOOPBACK = True


@pytest.fixture
def world() -> Iterator[Outside]:
    with outside() as served:
        yield served


def add(person: User, device: Device) -> Endpoint:
    keys = device.keys
    return endpoints.add_device(
        person, device.address, keys["p256dh"], keys["auth"], push_key.public()
    )


def form_of(device: Device, **more: str) -> dict[str, str]:
    return {"endpoint": device.address, "key": push_key.public(), **device.keys, **more}


def make_calls() -> None:
    push_notices()
    call_webhooks()


def tell() -> None:
    deliver_notices()
    make_calls()


def states(person: User, channel: str) -> list[str]:
    rows = Delivery.objects.filter(notice__user=person, channel=channel)
    return list(rows.order_by("pk").values_list("state", flat=True))


@pytest.fixture
def turn(alice, bob) -> tuple[Game, User]:
    """A game at a pace of days, and whose turn it is; both can be written to."""
    for person in (alice, bob):
        person.email = f"{person.name}@example.org"
        person.channels = {"started": [], "over": []}
        person.save()
    game = table(alice, bob)
    return game, person_in_turn(game)


def bring_a_turn(person: User, alice: User, bob: User) -> None:
    """Begin games until one begins with this person; who begins is left to chance."""
    while person_in_turn(table(alice, bob)) != person:
        pass


# --- Devices --------------------------------------------------------------------------------------


def test_a_turn_is_shown_on_each_device_of_its_person_and_nowhere_else(
    alice, bob, world, turn, mailoutbox
):
    game, person = turn
    other = bob if person == alice else alice
    phone, laptop, others = world.device(), world.device(), world.device()
    add(person, phone)
    add(person, laptop)
    add(other, others)
    tell()
    for device in (phone, laptop):
        (shown,) = world.shown_on(device)
        assert shown["title"] == "It is your turn in Matatu."
        assert shown["url"] == f"/games/{game.pk}/"
        assert shown["tag"] == game.pk
        assert shown["count"] == 1
    assert world.calls_to(others) == []
    assert mailoutbox == [], "a device shows it, so no mail is needed"
    for call in world.calls:
        assert call.is_signed_by_site()
        assert call.headers["topic"] == game.pk
        assert call.headers["ttl"] == str(KEPT[DAYS])
        assert game.pk.encode() not in call.body, "nobody in between reads it"


def test_no_card_of_a_game_is_in_a_notice(world, turn):
    game, person = turn
    device = world.device()
    add(person, device)
    tell()
    (shown,) = world.shown_on(device)
    hand = rules.observe(game.position(), game.turn).hand
    assert hand
    assert set(shown) == {"title", "body", "url", "tag", "lang", "count"}
    words = json.dumps(shown).replace(game.pk, "")
    assert not any(f'"{card}"' in words for card in map(str, hand))


def test_words_on_a_device_are_its_readers(world, turn):
    _, person = turn
    device = world.device()
    add(person, device)
    User.objects.filter(pk=person.pk).update(language="de")
    tell()
    (shown,) = world.shown_on(device)
    assert shown["title"] == "Sie sind in Matatu am Zug."
    assert shown["lang"] == "de"


def test_what_was_played_meanwhile_is_shown_nowhere(world, turn):
    game, person = turn
    device = world.device()
    add(person, device)
    deliver_notices()
    services.act(person, game.pk, RESIGN, game.version)
    make_calls()
    assert world.calls == []
    assert states(person, PUSH) == ["withdrawn"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten_and_a_mail_goes_instead(
    world, turn, mailoutbox, status
):
    _, person = turn
    add(person, world.device())
    world.say(status)
    tell()
    deliver_notices()
    assert not Endpoint.objects.exists()
    assert states(person, PUSH) == ["failed"]
    assert [mail.to for mail in mailoutbox] == [[person.email]]


def test_of_two_devices_one_is_enough(world, turn, mailoutbox):
    _, person = turn
    gone, there = world.device(), world.device()
    add(person, gone)
    add(person, there)
    world.answer = lambda call: (410 if call.address == gone.address else 201, {})
    tell()
    deliver_notices()
    assert len(world.shown_on(there)) == 1
    assert mailoutbox == []
    assert Endpoint.objects.get().address == there.address


@pytest.mark.parametrize(
    ("status", "asked", "waits"),
    [(429, "1200", 1200), (429, "soon", 240), (500, "", 240), (503, "999999999999", 6 * 3600)],
)
def test_a_busy_push_service_is_asked_again_later(world, turn, mailoutbox, status, asked, waits):
    _, person = turn
    add(person, world.device())
    world.say(status, **({"Retry_After": asked} if asked else {}))
    tell()
    tell()
    assert len(world.calls) == 1, "not at once"
    row = Delivery.objects.get(notice__user=person)
    assert (row.state, row.why) == ("waiting", str(status))
    put_forward(seconds=waits - 30)
    world.say(201)
    make_calls()
    assert len(world.calls) == 1
    put_forward(seconds=60)
    make_calls()
    assert len(world.calls) == 2
    assert states(person, PUSH) == ["sent"]
    assert mailoutbox == []


def test_a_push_service_that_never_answers_is_given_up_for_a_mail(world, turn, mailoutbox):
    _, person = turn
    User.objects.update(reminders=[])
    Notice.objects.filter(kind__startswith="near").delete()
    add(person, world.device())
    world.say(503)
    for _ in range(RETRIES + 2):
        tell()
        put_forward(hours=1, minutes=10)
    assert len(world.calls) == RETRIES
    assert states(person, PUSH) == ["failed"]
    assert [mail.to for mail in mailoutbox] == [[person.email]]
    assert Endpoint.objects.get().refused == 0, "it was the service, not the device"


@pytest.mark.parametrize("status", [401, 403])
def test_b39_a_device_that_refuses_five_times_is_no_longer_tried(
    alice, bob, world, turn, mailoutbox, browser_of, status
):
    """Each refused notice goes by mail; then the row is parked, until the device speaks again."""
    _, person = turn
    device = world.device()
    add(person, device)
    world.say(status)
    for count in range(1, 8):
        while person_in_turn(game := table(alice, bob)) != person:
            services.act(bob if person == alice else alice, game.pk, RESIGN, game.version)
        tell()
        assert len(world.calls) == min(Endpoint.PATIENCE, len(set(_told(person)))), count
        put_forward(hours=1, seconds=1)
        deliver_notices()
    assert Endpoint.objects.get().is_parked
    assert len(world.calls) == Endpoint.PATIENCE
    assert "does not answer any more" in browser_of(person).get(NOTICES).text
    told = "".join(mail.body for mail in mailoutbox if mail.to == [person.email])
    for notice in Notice.objects.filter(user=person, kind="turn"):
        assert f"/games/{notice.about}/" in told, "by mail instead"
    world.say(201)
    assert browser_of(person).post(DEVICES, form_of(device)).status_code == 204
    assert not Endpoint.objects.get().is_parked


def _told(person: User) -> list[int]:
    rows = Delivery.objects.filter(notice__user=person, channel=PUSH)
    return list(rows.values_list("notice", flat=True))


def test_b39_after_a_change_of_keys_mails_come_until_the_device_has_the_new_one(
    alice, bob, world, turn, mailoutbox, settings, browser_of
):
    _, person = turn
    device, browser = world.device(), browser_of(person)
    first = push_key.public()
    assert browser.post(DEVICES, form_of(device)).status_code == 204
    settings.VAPID_SECRET = "another"
    assert push_key.public() != first
    tell()
    assert world.calls == [], "it would be refused"
    assert [mail.to for mail in mailoutbox] == [[person.email]]
    assert f'data-push-key="{push_key.public()}"' in browser.get("/en/games/").text
    old = form_of(device) | {"key": first}
    assert browser.post(DEVICES, old).status_code == 400
    renewed = world.device()
    answer = browser.post(DEVICES, form_of(renewed, new="1", before=device.address))
    assert answer.status_code == 204
    assert Endpoint.objects.get().address == renewed.address, "the old row went"
    put_forward(hours=12, seconds=1)  # half of the turn is over
    tell()
    assert len(world.shown_on(renewed)) == 1
    assert world.calls_to(device) == []


def test_two_workers_call_once(world):
    people = [User.objects.create_user(f"P{number}") for number in range(20)]
    for one, two in zip(people[::2], people[1::2], strict=True):
        table(one, two)
    for person in people:
        add(person, world.device())
    results = at_once(*[deliver_notices] * 2)
    results += at_once(*[make_calls] * 4)
    assert not [each for each in results if isinstance(each, Exception)], results
    assert len(world.calls) == len(people)
    assert not Delivery.objects.exclude(state="sent").exists()


def test_a_worker_that_dies_in_a_call_repeats_it_once(world, turn, monkeypatch):
    _, person = turn
    add(person, world.device())
    settle = sending.settle

    class Killed(BaseException):
        """As SIGKILL: nothing of ours hears of it."""

    def die(rows, state, why=""):
        if state == Delivery.State.SENT:
            raise Killed
        settle(rows, state, why)

    monkeypatch.setattr(sending, "settle", die)
    deliver_notices()
    for _ in range(4):
        with contextlib.suppress(Killed):
            make_calls()
        put_forward(seconds=int(CLAIM.total_seconds()) + 1)
    assert len(world.calls) == 2
    assert states(person, PUSH)[0] == "failed"
    assert Delivery.objects.filter(repeated=True).count() == 1


def test_a_call_that_crashes_holds_up_no_other(alice, bob, world, turn, monkeypatch):
    """Nor does a notice that cannot be decided on."""
    device = world.device()
    for person in (alice, bob):
        add(person, device if person == alice else world.device())
    User.objects.update(channels={})
    said = calls._said

    def crash(notice):
        if notice.user == alice:
            raise ZeroDivisionError
        return said(notice)

    monkeypatch.setattr(calls, "_said", crash)
    deliver_notices()
    for _ in range(4):
        with contextlib.suppress(ZeroDivisionError):
            make_calls()
    assert states(bob, PUSH) == ["sent"]
    assert states(alice, PUSH) == ["waiting"]
    monkeypatch.setattr(calls, "_said", said)
    put_forward(minutes=5)
    make_calls()
    assert states(alice, PUSH) == ["sent"]


# --- Whose device ---------------------------------------------------------------------------------


def test_a_device_belongs_to_whoever_is_signed_in_there(alice, bob, world, browser_of):
    device = world.device()
    assert browser_of(alice).post(DEVICES, form_of(device, new="1")).status_code == 204
    his = browser_of(bob)
    assert his.post(DEVICES, form_of(device)).status_code == 204
    assert [each.user for each in Endpoint.objects.all()] == [bob]
    assert his.post("/en/accounts/logout/").status_code == 302
    assert not Endpoint.objects.exists(), "nothing is shown after one has signed out"


def test_a_call_that_waited_is_not_made_to_somebody_elses_device(alice, bob, world, turn):
    _, person = turn
    other = bob if person == alice else alice
    device = world.device()
    add(person, device)
    deliver_notices()
    add(other, device)
    make_calls()
    assert world.calls == []
    assert states(person, PUSH) == ["failed"]


def test_a_device_that_was_removed_elsewhere_does_not_come_back_by_itself(alice, world, browser_of):
    device, phone = world.device(), browser_of(alice)
    phone.post(DEVICES, form_of(device, new="1"))
    row = Endpoint.objects.get()
    laptop = browser_of(alice)
    assert laptop.post(f"{NOTICES}places/{row.pk}/remove/").status_code == 302
    assert phone.post(DEVICES, form_of(device)).status_code == 410
    assert not Endpoint.objects.exists()
    assert phone.post(DEVICES, form_of(device, new="1")).status_code == 204


def test_a_new_password_signs_out_other_devices(alice, world):
    alice.set_password("a long pass phrase")
    alice.save()
    browsers = []
    for _ in range(2):
        browser = Client()
        login = {"login": "Alice", "password": "a long pass phrase"}
        assert browser.post("/en/accounts/login/", login).status_code == 302
        device = world.device()
        assert browser.post(DEVICES, form_of(device, new="1")).status_code == 204
        browsers.append((browser, device))
    changer, own = browsers[0]
    new = "another long pass phrase"
    sent = {"oldpassword": "a long pass phrase", "password1": new, "password2": new}
    assert changer.post("/en/accounts/password/change/", sent).status_code == 302
    assert [each.address for each in Endpoint.objects.all()] == [own.address]


def test_nobody_removes_what_is_not_theirs(alice, bob, world, browser_of):
    row = add(alice, world.device())
    assert browser_of(bob).post(f"{NOTICES}places/{row.pk}/remove/").status_code == 302
    assert Endpoint.objects.count() == 1
    assert Client().post(DEVICES, form_of(world.device())).status_code == 302
    assert Endpoint.objects.count() == 1


@pytest.mark.parametrize(
    "address",
    [
        "",
        "fcm.googleapis.com/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evil.example/fcm.googleapis.com",
        "https://fcm.googleapis.com@evil.example/",
        "https://fcm.googleapis.com:8443/x",
        "https://evilpush.apple.com/x",
        "https://localhost/x",
        "https://[::1]/x",
        "https://[fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\x00",
        "https://fcm.googleapis.com/" + "x" * 1000,
        "http://127.0.0.1:6379/",
        "file:///etc/passwd",
    ],
)
def test_only_known_push_services_are_called(alice, browser_of, world, settings, address):
    settings.TEST_LOOPBACK = False
    device = world.device()
    answer = browser_of(alice).post(
        DEVICES, form_of(device, new="1", before=address) | {"endpoint": address}
    )
    assert answer.status_code == 400
    assert answer.text == "This is not the address of a known push service."
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "address", ["https://fcm.googleapis.com/fcm/send/a:b", "https://web.push.apple.com/Q"]
)
def test_known_push_services_are_known(alice, browser_of, world, settings, address):
    settings.TEST_LOOPBACK = False
    form = form_of(world.device(), before="\x00") | {"endpoint": address}
    assert browser_of(alice).post(DEVICES, form).status_code == 204


@pytest.mark.parametrize(
    "broken", [{"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "é"}, {"auth": "\x00"}]
)
def test_keys_that_encrypt_nothing_are_refused(alice, browser_of, world, broken):
    form = form_of(world.device(), new="1") | broken
    assert browser_of(alice).post(DEVICES, form).status_code == 400


def test_a_person_has_so_many_devices_and_no_more(alice, world):
    for _ in range(endpoints.MOST + 3):
        last = add(alice, world.device())
    assert Endpoint.objects.count() == endpoints.MOST
    assert Endpoint.objects.filter(pk=last.pk).exists()


# --- Webhooks -------------------------------------------------------------------------------------


def test_a_webhook_gets_each_notice_signed(world, turn, browser_of):
    game, person = turn
    browser = browser_of(person)
    browser.post(f"{NOTICES}webhooks/", {"address": f"{world.url}/hook"})
    hook = Endpoint.objects.get()
    assert hook.secret in browser.get(NOTICES).text
    tell()
    (call,) = world.calls
    shown = json.loads(call.body)
    assert shown["kind"] == "turn"
    assert shown["title"] == "It is your turn in Matatu."
    assert shown["url"].endswith(f"/games/{game.pk}/")
    assert shown["title"] in shown["text"] == shown["content"]
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    head = f"{call.headers['webhook-id']}.{call.headers['webhook-timestamp']}.".encode()
    proof = base64.b64encode(hmac.digest(key, head + call.body, "sha256")).decode()
    assert call.headers["webhook-signature"] == f"v1,{proof}"
    assert states(person, HOOK) == ["sent"]


def test_a_webhook_is_beside_the_other_ways_and_can_be_switched_off(world, turn, mailoutbox):
    _, person = turn
    endpoints.add_webhook(person, f"{world.url}/hook")
    tell()
    assert len(world.calls) == 1
    assert len(mailoutbox) == 1, "no device shows it"
    User.objects.filter(pk=person.pk).update(channels={"turn": [MAIL], "near": []})
    put_forward(hours=12, seconds=5)
    tell()
    assert len(world.calls) == 1


def test_a_webhook_that_answers_nonsense_does_no_harm(world, turn):
    _, person = turn
    hook = endpoints.add_webhook(person, f"{world.url}/hook")
    world.say(302, Location=f"{world.url}/elsewhere")
    tell()
    assert [call.address for call in world.calls] == [hook.address], "no redirect is followed"
    assert states(person, HOOK) == ["failed"]
    assert Endpoint.objects.get().refused == 1


def test_a_webhook_that_never_answers_is_parked_in_the_end(alice, bob, world, turn):
    _, person = turn
    hook = endpoints.add_webhook(person, f"{world.url}/hook")
    world.say(500)
    for _ in range(Endpoint.PATIENCE + 1):
        tell()
        put_forward(hours=1, minutes=10)
    assert Endpoint.objects.get().is_parked
    assert len(world.calls) == Endpoint.PATIENCE
    bring_a_turn(person, alice, bob)
    tell()
    assert len(world.calls) == Endpoint.PATIENCE
    assert not endpoints.add_webhook(person, hook.address).is_parked, "for one more try"
    bring_a_turn(person, alice, bob)
    tell()
    assert len(world.calls) == Endpoint.PATIENCE + 1
    assert Endpoint.objects.get().is_parked


def test_a_webhook_that_drips_its_answer_keeps_a_worker_for_a_while_only(
    alice, bob, turn, world, monkeypatch
):
    """The task's time is over in the middle of a call: that one comes later, others at once."""
    _, person = turn
    other = bob if person == alice else alice
    User.objects.update(channels={})
    slow = endpoints.add_webhook(person, f"{world.url}/slow")
    endpoints.add_webhook(other, f"{world.url}/quick")
    post = calls._post

    def drip(session, endpoint, notice, number):
        if endpoint == slow:
            raise SoftTimeLimitExceeded
        return post(session, endpoint, notice, number)

    monkeypatch.setattr(calls, "_post", drip)
    deliver_notices()
    for _ in range(3):
        with contextlib.suppress(SoftTimeLimitExceeded):
            call_webhooks()
    assert [call.address for call in world.calls] == [f"{world.url}/quick"]
    assert states(person, HOOK)[0] == "waiting"
    assert Endpoint.objects.get(pk=slow.pk).refused >= 1
    assert cache.get(WEBHOOKS_ARE_CALLED) is None, "the next worker may"


def test_one_worker_at_a_time_calls_webhooks(turn, world):
    _, person = turn
    endpoints.add_webhook(person, f"{world.url}/hook")
    deliver_notices()
    cache.add(WEBHOOKS_ARE_CALLED, True, 60)
    assert call_webhooks() == 0
    cache.delete(WEBHOOKS_ARE_CALLED)
    assert call_webhooks() == 1


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ftp://example.org/",
        "https://localhost/",
        "https://a:b@example.org/",
        "https://x/\x00",
        "http://example.org/",
        "https://example.org:22/",
        "https://exämple.org/",
    ],
)
def test_what_is_no_address_on_the_web_is_refused(alice, browser_of, settings, address):
    settings.TEST_LOOPBACK = False
    answer = browser_of(alice).post(f"{NOTICES}webhooks/", {"address": address})
    assert answer.status_code == 400
    assert "https://" in answer.text
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.9"]
)
def test_no_name_leads_to_an_inside_address(world, settings, monkeypatch, host):
    """Looked at when it is called, for a name can lead elsewhere by then."""
    settings.TEST_LOOPBACK = False
    found = [(2, 1, 6, "", (host, 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *args, **more: found)
    with calls._session() as session, pytest.raises(InvalidIPAddress):
        session.post("https://inside.example.org/")


def test_a_webhook_whose_name_leads_nowhere_is_tried_again(turn, settings, monkeypatch):
    settings.TEST_LOOPBACK = False
    _, person = turn
    endpoints.add_webhook(person, "https://nowhere.invalid/")
    found = [(2, 1, 6, "", ("10.0.0.1", 443))]
    deliver_notices()
    with monkeypatch.context() as patch:
        patch.setattr("requests_hardened.ip_filter.socket.getaddrinfo", lambda *a, **k: found)
        make_calls()
    row = Delivery.objects.get(channel=HOOK)
    assert (row.state, row.why) == ("waiting", "InvalidIPAddress")


def test_too_many_webhooks_are_refused(alice):
    for number in range(endpoints.MOST_WEBHOOKS):
        endpoints.add_webhook(alice, f"https://example.org/{number}")
    with pytest.raises(ValidationError):
        endpoints.add_webhook(alice, "https://example.org/more")
    assert endpoints.add_webhook(alice, "https://example.org/1").pk


# --- A trial --------------------------------------------------------------------------------------


def test_a_trial_goes_to_each_place_at_once_and_says_what_came_of_it(alice, world, browser_of):
    browser, device = browser_of(alice), world.device()
    page = browser.post(f"{NOTICES}trial/", follow=True).text
    assert "No device and no webhook" in page
    add(alice, device)
    endpoints.add_webhook(alice, f"{world.url}/hook")
    User.objects.update(quiet_from=0, quiet_until=9, time_zone="UTC")
    put_forward(seconds=1)
    page = browser.post(f"{NOTICES}trial/", follow=True).text
    assert "on its way to 2 places" in page
    make_calls()
    (shown,) = world.shown_on(device)
    assert shown["title"] == "Notices from Ikarita reach you here."
    assert len(world.calls) == 2
    page = browser.get(f"{NOTICES}sent/").text
    assert "A notice to try it" in page
    assert "Device: sent" in page
    assert "Webhook: sent" in page
    assert browser.get("/en/accounts/inbox/").text.count("reach you here") == 0
    assert browser.post(f"{NOTICES}trial/").status_code == 429
