"""Another site by which people sign in here: a small OpenID Connect provider."""

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from django.test import override_settings

CLIENT = "ikarita"


class Provider(ThreadingHTTPServer):
    """Says that whoever comes is `person`, or refuses, or falls silent; notes what it was asked."""

    person = "1001"
    refuses = False
    is_broken = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.asked: list[dict[str, str]] = []
        self.codes: set[str] = set()

    def login(self) -> dict[str, str]:
        """Return what an operator says of it in SOCIAL_LOGINS."""
        return {
            "id": "elsewhere",
            "name": "Elsewhere",
            "server": self.url,
            "client_id": CLIENT,
            "secret": "a secret",
        }


@contextmanager
def named(server: Provider) -> Iterator[None]:
    """Let this process's own Django know the provider inside the block, as if it was configured."""
    told = server.login()
    kept = {"server_url": told["server"], "scope": ["openid"], "fetch_userinfo": False}
    app = {"provider_id": told["id"], "name": told["name"], "client_id": told["client_id"]}
    app |= {"secret": told["secret"], "settings": kept | {"oauth_pkce_enabled": True}}
    with override_settings(
        SOCIAL_LOGINS=[told], SOCIALACCOUNT_PROVIDERS={"openid_connect": {"APPS": [app]}}
    ):
        yield


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/authorize":
            self._send_back({key: each[0] for key, each in parse_qs(address.query).items()})
        else:
            self._say(
                {
                    "issuer": self.server.url,
                    "authorization_endpoint": f"{self.server.url}/authorize",
                    "token_endpoint": f"{self.server.url}/token",
                    "userinfo_endpoint": f"{self.server.url}/userinfo",
                    "jwks_uri": f"{self.server.url}/keys",
                }
            )

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        code = sent["code"][0]
        if code not in self.server.codes:
            self.send_error(400)
            return
        self.server.codes.remove(code)
        now = int(time.time())
        told = {
            "iss": self.server.url,
            "aud": CLIENT,
            "sub": self.server.person,
            "iat": now,
            "exp": now + 60,
            "email": "somebody@example.com",
            "email_verified": True,
            "name": "A name from elsewhere",
        }
        token = jwt.encode(told, "k" * 32, "HS256")
        self._say({"access_token": "x", "token_type": "Bearer", "id_token": token})

    def _send_back(self, asked: dict[str, str]) -> None:
        self.server.asked.append(asked)
        answer = {"state": asked["state"]}
        if self.server.refuses:
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_hex(8)
            self.server.codes.add(answer["code"])
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(answer)}")
        self.end_headers()

    def _say(self, told: dict[str, object]) -> None:
        if self.server.is_broken:
            self.send_error(500)
            return
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def provider() -> Iterator[Provider]:
    """Run a provider inside the block."""
    server = Provider()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
