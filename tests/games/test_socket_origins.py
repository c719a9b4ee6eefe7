"""The socket stack as it is served: who may open one, and what a wrong address answers."""

import pytest
from channels.testing import WebsocketCommunicator

from config.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)


async def accepts(origin: str | None, host: str = "127.0.0.1:8000", path="/ws/games/NOPE/") -> bool:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    socket = WebsocketCommunicator(application, path, headers=headers)
    accepted, _ = await socket.connect(timeout=5)
    await socket.disconnect()
    return accepted


async def test_the_sites_own_origin_is_let_in():
    assert await accepts("http://127.0.0.1:8000")


@pytest.mark.parametrize(
    "origin",
    [
        "http://127.0.0.1:9999",
        "https://127.0.0.1:8000",
        "http://localhost:8000",
        "ftp://127.0.0.1:8000",
        "javascript://127.0.0.1:8000",
        "http://127.0.0.1",
        "http://127.0.0.1:8000.evil.test",
        "http://127.0.0.1:8000@evil.test",
        "http://evil.test",
        "null",
        "",
        None,
    ],
)
async def test_b61_a_socket_opens_from_the_own_pages_only(origin):
    """Another site, scheme or port, a look-alike, a sandbox and no origin at all are refused."""
    assert not await accepts(origin)


@pytest.mark.parametrize("path", ["/ws/games/NOPE/", "/ws/lobbies/"])
@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("https://cards.example", True),
        ("http://cards.example", False),
        ("https://cards.example:8443", False),
        ("https://cards.example.evil.test", False),
        ("https://evil.test", False),
    ],
)
async def test_b61_behind_a_proxy_the_own_pages_are_the_secure_ones(settings, path, origin, own):
    """The proxy speaks TLS, and hands on the host; a page that came without TLS is another."""
    settings.HTTPS = True
    settings.ALLOWED_HOSTS = ["cards.example"]
    assert await accepts(origin, "cards.example", path) is own
    assert not await accepts("https://evil.test", "evil.test", path)


@pytest.mark.parametrize("path", ["/ws/", "/ws/games/a b/", "/ws/games/\u00fc/", "/nothing/"])
async def test_an_address_without_a_socket_is_no_error_of_the_server(path):
    socket = WebsocketCommunicator(
        application,
        path,
        headers=[(b"host", b"127.0.0.1:8000"), (b"origin", b"http://127.0.0.1:8000")],
    )
    accepted, _ = await socket.connect(timeout=5)
    assert not accepted
