"""What all tests share: real servers, the live site, a browser, one language a test.

`make test` sets the stage: PostgreSQL, Redis, the environment. A part of the suite:
`make test ARGS="tests/games -k cut"`.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from accounts.models import User
from tests.identity import Provider, provider
from tests.live import LiveSite, beside_the_browser, empty_cache, serve_live_site
from tests.operators import prove

OUTPUT = Path(__file__).parents[1] / "var" / "tests"
LAST = ("live_site", "browser")  # what uses these runs last
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# How long a slow machine may take. Where the time is what a test claims, the test says so itself.
PATIENCE = 30_000  # ms
expect.set_options(timeout=PATIENCE)

hypothesis.settings.register_profile("quick", max_examples=50, deadline=None)
hypothesis.settings.register_profile("full", max_examples=1000, deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="what `make test-all` runs: no shortcuts")


def pytest_configure(config: pytest.Config) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "TEST_CLOCK"):
        if not os.environ.get(name):
            raise pytest.UsageError(f"{name} is not set. Run the suite by: make test ARGS=...")
    settings.WHITENOISE_AUTOREFRESH = True  # else each test client looks through all files
    hypothesis.settings.load_profile("full" if config.getoption("full") else "quick")


def pytest_sessionstart() -> None:
    """What the pages of a site need: `make run` does the same."""
    call_command("catalogues", "compile")
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.hookimpl(trylast=True)  # after pytest-django's own order
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only the full run wants; put what uses a browser last.

    The browser's event loop stays in the thread, where the other tests want none.
    """
    if not config.getoption("full"):
        config.hook.pytest_deselected(items=[each for each in items if _is_full(each)])
        items[:] = [each for each in items if not _is_full(each)]
    items.sort(key=lambda item: any(name in getattr(item, "fixturenames", ()) for name in LAST))


def _is_full(item: pytest.Item) -> bool:
    return item.get_closest_marker("full") is not None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``language`` runs in one, chosen by the test's name; with --full in all."""
    if "language" in metafunc.fixturenames:
        codes = [code for code, _ in settings.LANGUAGES]
        if not metafunc.config.getoption("full"):
            codes = [codes[zlib.crc32(metafunc.definition.nodeid.encode()) % len(codes)]]
        metafunc.parametrize("language", codes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.failed and call.when == "call":
        OUTPUT.mkdir(parents=True, exist_ok=True)
        pages = [page for page in getattr(item, "open_pages", []) if not page.is_closed()]
        for number, page in enumerate(pages):
            page.screenshot(path=OUTPUT / f"{item.name}-{number}.png", full_page=True)
    return report


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Whether this is the run without shortcuts."""
    return bool(request.config.getoption("full"))


@pytest.fixture(autouse=True)
def _fresh_counts(request: pytest.FixtureRequest) -> None:
    """No test meets the rate limits that another has used up."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        empty_cache()


@pytest.fixture(autouse=True)
def _quick_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare each test a third of a second a password, unless it is marked ``real_passwords``.

    Nor where a live site is: it would hash such a password anew when its person signs in, which
    ends that person's other sessions.
    """
    if request.node.get_closest_marker("real_passwords") or set(LAST) & set(request.fixturenames):
        return
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1)


@pytest.fixture
def admin_client(admin_user: User) -> Client:
    """Return the browser of an operator, who has shown a second factor."""
    client = Client()
    prove(client, admin_user)
    return client


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[Provider]:
    """Another site, by whose accounts people sign in at the live site."""
    with provider() as server:
        yield server


@pytest.fixture(scope="session")
def _live_site(tmp_path_factory: pytest.TempPathFactory, elsewhere: Provider) -> Iterator[LiveSite]:
    named = json.dumps([elsewhere.login()])
    with serve_live_site(tmp_path_factory.mktemp("live"), SOCIAL_LOGINS=named) as site:
        yield site


@pytest.fixture
def live_site(_live_site: LiveSite, django_db_blocker) -> Iterator[LiveSite]:
    """The whole site, served by processes of its own, empty at the start of the test.

    The test's own Django sees the same database; where a browser is open, inside
    ``beside_the_browser()``.
    """
    with django_db_blocker.unblock(), _live_site.database():
        with beside_the_browser():
            _live_site.forget()
        yield _live_site


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing. On Debian: apt-get install chromium fonts-noto-core")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a person's browser: a context of its own, by Playwright's options for new_context.

    Without a service worker unless it is allowed: what goes through one cannot be held or counted.
    """
    contexts: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        options.setdefault("service_workers", "block")
        contexts.append(browser.new_context(**options))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def new_page(
    request: pytest.FixtureRequest, live_site: LiveSite, new_context: Callable[..., BrowserContext]
) -> Iterator[Callable[..., Page]]:
    """Makes a page of another person: ``new_page(locale="de", viewport=...)``.

    Paths are relative to the live site. A script that throws or a text that the content security
    policy stops fails the test; a failing test leaves a picture of each page in var/tests/.
    """
    complaints: list[str] = []
    request.node.open_pages = []

    def make(**options: object) -> Page:
        page = new_context(**{"base_url": live_site.url, **options}).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda line: _note_a_refusal(line.text, complaints))
        request.node.open_pages.append(page)
        return page

    yield make
    assert complaints == []


def _note_a_refusal(line: str, complaints: list[str]) -> None:
    if "Content Security Policy" in line:
        complaints.append(line)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page of one person."""
    return new_page()
