"""Passkeys in a real browser, by Chromium's own virtual authenticator (WebDriver, Web Authn 11)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import PASSWORD, fits, follow, log_in

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def phone(new_page, live_site) -> Callable[[], tuple[Page, Callable[[bool], None]]]:
    """Make pages of a phone that asks for a finger; the second value says whose finger it is."""

    def make() -> tuple[Page, Callable[[bool], None]]:
        # A passkey belongs to a domain, and an address of the internet protocol is none.
        page = new_page(viewport=PHONE, base_url=live_site.url.replace("127.0.0.1", "localhost"))
        chromium = page.context.new_cdp_session(page)
        chromium.send("WebAuthn.enable")
        kind = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
        options = kind | {"hasResidentKey": True, "hasUserVerification": True}
        added = chromium.send(
            "WebAuthn.addVirtualAuthenticator", {"options": options | {"isUserVerified": True}}
        )

        def finger(right: bool) -> None:
            told = {"authenticatorId": added["authenticatorId"], "isUserVerified": right}
            chromium.send("WebAuthn.setUserVerified", told)

        return page, finger

    return make


def add_a_passkey(page: Page) -> None:
    follow(page, "main form[data-passkey=create] button.go")
    expect(page.locator(".codes li")).to_have_count(10)
    assert fits(page)
    follow(page, "main a.go")
    expect(page.locator("main .tie")).to_have_count(1)
    assert fits(page)


def sign_out(page: Page, language: str) -> None:
    page.goto(f"/{language}/accounts/logout/")
    follow(page, "main form button")


def test_a_guest_keeps_the_games_by_a_passkey(phone, language):
    page, finger = phone()
    page.goto(f"/{language}/play/")
    page.fill("main [name=name]", "Nyirahabimana")
    follow(page, "main form button[value=matatu]")
    table = page.url
    page.goto(f"/{language}/accounts/password/set/")
    follow(page, f"main a[href='/{language}/accounts/2fa/webauthn/add/']")
    assert fits(page)
    add_a_passkey(page)
    sign_out(page, language)

    page.goto(
        f"/{language}/accounts/login/?next={table.partition('localhost')[2].partition('/')[2]}"
    )
    assert fits(page)
    button = page.locator("form[data-passkey] button")
    finger(False)
    button.click()
    expect(page.locator("form[data-passkey] [role=alert]")).to_be_visible()
    finger(True)
    follow(page, "form[data-passkey] button")
    page.goto(table)
    expect(page.locator("#table.playing")).to_be_attached()


def test_after_a_password_the_passkey_is_asked_for(phone, language):
    page, _ = phone()
    log_in(page, "Keza", language, domain="localhost")
    page.goto(f"/{language}/accounts/2fa/")
    assert fits(page)
    follow(page, f"main a[href='/{language}/accounts/2fa/webauthn/add/']")
    page.fill("main [name=password]", PASSWORD)
    follow(page, "main form button.go")
    add_a_passkey(page)
    sign_out(page, language)

    page.goto(f"/{language}/accounts/login/")
    page.fill("[name=login]", "Keza")
    page.fill("[name=password]", PASSWORD)
    follow(page, "main form button.go")
    assert "/2fa/authenticate/" in page.url
    assert fits(page)
    follow(page, "form[data-passkey] button")
    expect(page.locator(".menu form[action$='/logout/']")).to_be_attached()

    # Renamed, then removed, which asks for it once more.
    page.goto(f"/{language}/accounts/2fa/")
    follow(page, "main .tie a >> nth=0")
    if "reauthenticate" in page.url:
        follow(page, f"main a[href^='/{language}/accounts/2fa/webauthn/reauthenticate/']")
        follow(page, "form[data-passkey] button")
    page.fill("main [name=name]", "Samsung")
    follow(page, "main form button.go")
    expect(page.locator("main .tie")).to_contain_text("Samsung")
    follow(page, "main .tie a >> nth=1")
    follow(page, "main form button.go")
    expect(page.locator("main .tie")).to_have_count(0)


def test_without_the_script_the_pages_say_what_is_missing(new_page):
    page = new_page(viewport=PHONE, java_script_enabled=False)
    log_in(page, "Keza", "de")
    page.goto("/de/accounts/2fa/webauthn/add/")
    page.fill("main [name=password]", PASSWORD)
    follow(page, "main form button.go")
    expect(page.locator("main .scriptless")).to_be_visible()
    expect(page.locator("form[data-passkey]")).to_be_hidden()
