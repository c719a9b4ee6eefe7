"""The site can be installed; what it keeps on a device tells nothing of anybody."""

import re

from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.playing import by_turn, follow, join, log_in, make_a_move, open_table
from tests.live import beside_the_browser

KEPT = """async () => {
    const all = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
            all[request.url] = await (await cache.match(request)).text();
    }
    return all;
}"""
SINCE = "path => caches.match(path).then(page => page && Number(page.headers.get('X-Kept-Since')))"
IN_CHARGE = "() => navigator.serviceWorker.controller !== null"
MAY_BE_KEPT = re.compile(
    r"/static/[^?]*\.[0-9a-f]{12}\.\w+$|/(en|rw|de|zu)/(offline/|rules/[^?]*)$|/language$"
)


def kept(page: Page) -> dict[str, str]:
    """Everything in the caches of the site on this device, by address."""
    return page.evaluate(KEPT)


def wait_until_kept(page: Page, path: str) -> None:
    page.wait_for_function("path => caches.match(path).then(answer => Boolean(answer))", arg=path)


def kept_since(page: Page, path: str) -> int:
    """When that page was kept, in ms. A cache that is being written to may not find it at once."""
    return page.wait_for_function(SINCE, arg=path).json_value()


def visit(page: Page, language: str) -> None:
    """Open the home page, and wait until the service worker is in charge of it."""
    page.goto(f"/{language}/")
    page.wait_for_function(IN_CHARGE)
    wait_until_kept(page, f"/{language}/offline/")


def test_the_browser_takes_the_manifest(new_page, language):
    page = new_page(service_workers="allow", locale=language)
    page.goto(f"/{language}/")
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []
    against = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in against] == ["in-incognito"], "a test's browser is"
    content = page.evaluate("() => fetch('/manifest.webmanifest').then(each => each.json())")
    assert content["lang"] == language
    for icon in content["icons"]:
        answer = page.request.get(icon["src"])
        width = int.from_bytes(answer.body()[16:20], "big")
        assert f"{width}x{width}" == icon["sizes"]


def test_without_a_line_a_page_says_so_in_the_readers_language(new_page, language):
    page = new_page(service_workers="allow", locale=language)
    visit(page, language)
    with_line = page.request.get(f"/{language}/offline/").text()
    title = re.search(r"<h1>([^<]*)", with_line)[1]
    page.context.set_offline(True)
    for path in (f"/{language}/games/", "/games/", f"/{language}/rules/matatu/"):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_text(title)
    assert page.evaluate("getComputedStyle(document.body).display") == "flex", "with its looks"
    page.context.set_offline(False)
    page.goto(f"/{language}/lobbies/")
    expect(page.locator("#lobbies")).to_be_attached()


def test_rules_once_read_can_be_read_without_a_line(new_page, language):
    page = new_page(service_workers="allow", locale=language)
    visit(page, language)
    page.goto(f"/{language}/rules/matatu/")
    title = page.locator("h1").first.inner_text()
    wait_until_kept(page, f"/{language}/rules/matatu/")
    since = kept_since(page, f"/{language}/rules/matatu/")
    page.reload()
    page.goto(f"/{language}/rules/mau-mau/")
    wait_until_kept(page, f"/{language}/rules/mau-mau/")
    assert kept_since(page, f"/{language}/rules/matatu/") == since > 0, "fetched once"
    page.context.set_offline(True)
    page.goto(f"/{language}/rules/matatu/?try=1")
    expect(page.locator("h1").first).to_have_text(title)
    page.context.set_offline(False)


def test_nothing_private_is_kept_and_signing_out_clears_the_rest(new_page):
    mine = new_page(service_workers="allow")
    other = new_page(service_workers="allow")
    for page, name in ((mine, "Keza"), (other, "Ineza")):
        log_in(page, name)
        visit(page, "en")
    link = open_table(mine, "maumau/mau")
    join(other, link)
    for _ in range(8):
        make_a_move(by_turn(mine, other)[0])
    for path in (
        mine.url.removesuffix("/") + "/rules/",
        "/en/games/",
        "/en/accounts/inbox/",
        "/en/rules/",
        "/en/rules/mau-mau/",
    ):
        mine.goto(path)
    wait_until_kept(mine, "/en/rules/mau-mau/")
    everything = kept(mine)
    assert len(everything) > 5
    for address, text in everything.items():
        assert MAY_BE_KEPT.search(address), address
        assert "Signed in as" not in text, address
        assert "/accounts/logout/" not in text, f"{address} was kept as somebody's"
    mine.evaluate("localStorage.setItem('mau', '1')")
    mine.locator("details.menu summary").click()
    follow(mine, "details.menu form button")
    # The home page has a worker again by now, which has kept nothing but the page without a line.
    mine.wait_for_function(
        "() => caches.match('/en/rules/mau-mau/').then(answer => answer === undefined)"
    )
    assert mine.evaluate("() => localStorage.getItem('mau')") is None


def test_a_new_version_waits_for_the_pages_in_use(new_page, live_site):
    page = new_page(service_workers="allow")
    visit(page, "en")
    before = page.evaluate("caches.keys()")
    page.evaluate("navigator.serviceWorker.register('/sw.js?as=another', {scope: '/'})")
    page.wait_for_function(
        "() => navigator.serviceWorker.getRegistration().then(all => Boolean(all.waiting))"
    )
    assert page.evaluate("caches.keys()") == before
    page.goto("/en/rules/")
    expect(page.locator("h1").first).to_be_visible()
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL").endswith("/sw.js")


@beside_the_browser()
def test_the_worker_is_asked_for_anew_each_time(live_site):
    answer = Client().get("/sw.js")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    assert "Set-Cookie" not in answer
