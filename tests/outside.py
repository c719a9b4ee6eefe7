"""What stands outside the site, on 127.0.0.1: a push service with its devices, and webhooks."""

from __future__ import annotations

import base64
import json
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02


def base64url(data: bytes) -> str:
    """Return `data` as browsers write it."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Device:
    """A browser with a subscription: what it hands out, and what only it can read."""

    address: str
    private_key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def keys(self) -> dict[str, str]:
        """What a PushSubscription has as its keys."""
        public = self.private_key.public_key()
        point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": base64url(point), "auth": base64url(self.auth)}

    def read(self, call: Call) -> dict[str, Any]:
        """Decrypt what the push service got for it."""
        text = http_ece.decrypt(
            call.body, private_key=self.private_key, auth_secret=self.auth, version="aes128gcm"
        )
        return json.loads(text)


@dataclass
class Call:
    """A request that has come."""

    address: str
    headers: dict[str, str]  # by lower-case names
    body: bytes

    def is_signed_by_site(self) -> bool:
        """Return whether its VAPID token is sound and made for this server."""
        return Vapid02.verify(self.headers["authorization"])


class Outside:
    """A server that takes every POST and answers as it was told."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.calls: list[Call] = []
        self.answer: Callable[[Call], tuple[int, dict[str, str]]] = lambda call: (201, {})

    def device(self) -> Device:
        """Return a new device of this push service."""
        return Device(f"{self.url}/{secrets.token_urlsafe(20)}")

    def calls_to(self, device: Device) -> list[Call]:
        """Return what has come for this device, oldest first."""
        return [call for call in self.calls if call.address == device.address]

    def shown_on(self, device: Device) -> list[dict[str, Any]]:
        """Return what this device was to show, oldest first."""
        return [device.read(call) for call in self.calls_to(device)]

    def say(self, status: int, **headers: str) -> None:
        """Answer everything with this from now on."""
        self.answer = lambda call: (
            status,
            {name.replace("_", "-"): headers[name] for name in headers},
        )


@contextmanager
def outside() -> Iterator[Outside]:
    """Serve it on a free port until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            call = Call(world.url + self.path, headers, body)
            world.calls.append(call)
            status, sent = world.answer(call)
            self.send_response(status)
            for name, value in sent.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        world = Outside(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield world
        finally:
            server.shutdown()
            thread.join()
