"""The socket stack as it is served: who may open one, and what a wrong address answers."""

import pytest
from channels.testing import WebsocketCommunicator

from config.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)


async def accepts(origin: str, host: str = "127.0.0.1:8000") -> bool:
    socket = WebsocketCommunicator(
        application,
        "/ws/games/NOPE/",
        headers=[(b"host", host.encode()), (b"origin", origin.encode())],
    )
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
    ],
)
async def test_another_port_or_scheme_is_another_origin(origin):
    """B61."""
    assert not await accepts(origin)


@pytest.mark.parametrize("path", ["/ws/", "/ws/games/a b/", "/ws/games/\u00fc/", "/nothing/"])
async def test_an_address_without_a_socket_is_no_error_of_the_server(path):
    socket = WebsocketCommunicator(
        application,
        path,
        headers=[(b"host", b"127.0.0.1:8000"), (b"origin", b"http://127.0.0.1:8000")],
    )
    accepted, _ = await socket.connect(timeout=5)
    assert not accepted
