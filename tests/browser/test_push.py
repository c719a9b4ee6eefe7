"""Notices on a device: the page subscribes, the service worker shows, a press leads to the table.

No push service can be reached here, so the browser's subscription is made up: its keys are the
test's. What the site sends is decrypted with them, and handed to the real service worker.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from celery import Celery
from playwright.sync_api import Page, expect

from accounts import push_key
from accounts.delivery import LONGEST_DELAY
from accounts.models import Delivery, Endpoint, User
from tests.browser.playing import in_turn, join, log_in, make_a_move, open_table, put_clock_forward
from tests.faults.playing import until
from tests.live import beside_the_browser
from tests.outside import Device, Outside, outside

NOTICES = "/en/accounts/notices/"
# A browser's PushManager, which finds each subscription in localStorage: it lives as long as that.
SUBSCRIPTIONS = """
const offered = %s;
const plain = (text) => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
const inBytes = (text) => Uint8Array.from(plain(text), (each) => each.charCodeAt(0));
const made = ({ endpoint, keys, key }) => ({
    endpoint,
    options: { applicationServerKey: inBytes(key).buffer },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => (localStorage.removeItem("subscription"), true),
});
PushManager.prototype.getSubscription = async () => {
    const kept = localStorage.getItem("subscription");
    return kept && made(JSON.parse(kept));
};
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new DOMException("silent", "NotAllowedError");
    const count = Number(localStorage.getItem("count") ?? 0);
    localStorage.setItem("count", count + 1);
    const kept = JSON.stringify({ ...offered[count], key: applicationServerKey });
    localStorage.setItem("subscription", kept);
    return made(JSON.parse(kept));
};
"""
SHOWN = """async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    return shown.map(({ title, body, tag, data }) => ({ title, body, tag, ...data }));
}"""
IN_CHARGE = "() => navigator.serviceWorker.controller !== null"


@pytest.fixture
def world() -> Iterator[Outside]:
    with outside() as served:
        yield served


def on_a_phone(new_page, name: str, *devices: Device) -> Page:
    """Return a page of somebody whose browser gets these subscriptions, one after the other."""
    offered = [{"endpoint": each.address, "keys": each.keys} for each in devices]
    page = new_page(service_workers="allow", viewport={"width": 360, "height": 740})
    page.context.grant_permissions(["notifications"])
    page.context.add_init_script(SUBSCRIPTIONS % json.dumps(offered))
    log_in(page, name)
    return page


def subscribe(page: Page) -> None:
    page.goto(NOTICES)
    page.locator("[data-subscribe]").click()
    expect(page.locator("form[data-this]")).to_be_visible()


@beside_the_browser()
def endpoints() -> list[tuple[str, str]]:
    """Whose device has which address."""
    return list(Endpoint.objects.order_by("pk").values_list("user__name", "address"))


@beside_the_browser()
def let_all_be_told(live_site, name: str, channel: str = "push") -> None:
    """Let the worker deliver until somebody's notices are sent."""
    User.objects.update(quiet_from=0, quiet_until=0)
    with Celery(broker=live_site.env["REDIS_URL"]) as asking:

        def is_sent() -> bool:
            for task in ("deliver_notices", "push_notices"):
                asking.send_task(f"accounts.tasks.{task}", queue="notices")
            sent = Delivery.objects.filter(state="sent", channel=channel)
            return sent.filter(notice__user__name=name).exists()

        until(is_sent)


def deliver(page: Page, text: str, title: str) -> dict[str, str]:
    """Hand a message to the page's service worker, as the browser does; return what is shown.

    Again, if the page withdraws it: what it does when it was loaded may have come after.
    """

    def is_shown() -> bool:
        _hand_over(page, text)
        return [each["title"] for each in page.evaluate(SHOWN)] == [title]

    until(is_shown)
    return page.evaluate(SHOWN)[0]


def _hand_over(page: Page, text: str) -> None:
    devtools = page.context.new_cdp_session(page)
    workers: list[dict] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda found: workers.extend(found["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.wait_for_function("() => true")
    origin = "/".join(page.url.split("/")[:3])
    (registration,) = {each["registrationId"] for each in workers if not each["isDeleted"]}
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registration, "data": text},
    )


def test_a_turn_is_shown_on_the_phone_and_leads_to_the_table(new_page, world, live_site):
    phone = world.device()
    mine = on_a_phone(new_page, "Keza", phone)
    subscribe(mine)
    assert endpoints() == [("Keza", phone.address)]
    other = new_page()
    log_in(other, "Ineza")
    link = open_table(other, "matatu/rwanda", pace="1d")
    mine.goto(NOTICES)
    join(mine, link)
    table = mine.url
    while in_turn(mine, other) is not mine:
        make_a_move(other)
    mine.goto("/en/rules/")
    put_clock_forward(LONGEST_DELAY.total_seconds() + 1)  # else whoever has just looked is not told
    let_all_be_told(live_site, "Keza")
    (*_, call) = world.calls_to(phone)
    assert call.is_signed_by_site()
    said = phone.read(call)
    shown = deliver(mine, json.dumps(said), "It is your turn in Matatu.")
    assert table.endswith(shown["url"])
    newer = said | {"title": "A newer one about the same game"}
    deliver(mine, json.dumps(newer), newer["title"])
    mine.goto(table)
    until(lambda: mine.evaluate(SHOWN) == [])


def test_a_message_that_cannot_be_read_leads_to_the_inbox(new_page, world):
    page = on_a_phone(new_page, "Keza", world.device())
    page.goto("/en/")
    page.wait_for_function(IN_CHARGE)
    shown = deliver(page, "{}", "Ikarita")
    assert shown["url"] == "/accounts/inbox/"


def test_b39_a_page_notices_another_key_and_subscribes_anew(new_page, world):
    old, new = world.device(), world.device()
    page = on_a_phone(new_page, "Keza", old, new)
    subscribe(page)
    kept = json.dumps(
        {"endpoint": old.address, "keys": old.keys, "key": push_key.public()[:-2] + "AA"}
    )
    page.evaluate("kept => localStorage.setItem('subscription', kept)", kept)
    page.goto("/en/rules/")
    until(lambda: endpoints() == [("Keza", new.address)])
    page.goto(NOTICES)
    expect(page.locator("form[data-this]")).to_be_visible()


def test_a_device_goes_with_whoever_signs_in_and_stays_with_nobody(new_page, world):
    first, second = world.device(), world.device()
    page = on_a_phone(new_page, "Keza", first, second)
    subscribe(page)
    page.locator("form[data-this] button").click()
    expect(page.locator("[data-subscribe]")).to_be_visible()
    assert endpoints() == []
    assert page.evaluate("localStorage.getItem('subscription')") is None
    page.locator("[data-subscribe]").click()
    expect(page.locator("form[data-this]")).to_be_visible()
    assert endpoints() == [("Keza", second.address)]
    page.context.clear_cookies()  # signed out by the years, not by the button
    log_in(page, "Ineza")
    page.goto("/en/rules/")
    until(lambda: endpoints() == [("Ineza", second.address)])
    page.locator("details.menu summary").click()
    page.locator("details.menu form button").click()
    until(lambda: endpoints() == [])


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ("delete window.PushManager", "none"),
        ("delete window.PushManager; navigator.standalone = false", "install"),
        ("Object.defineProperty(Notification, 'permission', {get: () => 'denied'})", "denied"),
    ],
)
def test_a_device_that_cannot_show_notices_is_told_why(new_page, language, script, state):
    page = new_page(service_workers="allow", locale=language)
    page.context.add_init_script(script)
    log_in(page, "Keza")
    page.goto(f"/{language}/accounts/notices/")
    expect(page.locator(f"[data-when={state}]")).to_be_visible()
    for other in {"none", "install", "denied", "off", "failed"} - {state}:
        expect(page.locator(f"[data-when={other}]")).to_be_hidden()


def test_a_push_service_that_cannot_be_reached_is_said(new_page, world):
    page = on_a_phone(new_page, "Keza")
    page.add_init_script("PushManager.prototype.subscribe = async () => { throw new Error('no') }")
    page.goto(NOTICES)
    page.locator("[data-subscribe]").click()
    expect(page.locator("[data-when=failed]")).to_be_visible()
    expect(page.locator("[data-subscribe]")).to_be_enabled()
    assert endpoints() == []
