"""Which pages may open a socket: those of the site itself (RFC 6455, section 10.2)."""

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host


class OwnOriginValidator:
    """Lets a handshake through if its Origin is the site's own: scheme, host and port.

    Channels' own validator for allowed hosts takes any scheme and any port.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        """Pass on, or deny (403)."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin1")
        host = headers.get(b"host", b"").decode("latin1")
        application = self.application if _is_own(origin, host) else WebsocketDenier()
        return await application(scope, receive, send)


def _is_own(origin: str, host: str) -> bool:
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    scheme = "https" if settings.HTTPS else "http"
    return origin in {f"{scheme}://{host}", *settings.CSRF_TRUSTED_ORIGINS}
