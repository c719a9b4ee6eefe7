"""The web process: HTTP and sockets under Daphne."""

import gc
import os

# Before the settings are read: only the web process, with its thread a request, needs a pool.
os.environ.setdefault("DB_POOL", "4")
os.environ.setdefault("ASGI_THREADS", "20")  # threads for the sockets' database work
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

django.setup(set_prefix=False)


class OneThreadARequest(ASGIHandler):
    """Answers each request in one thread from the first middleware to the last.

    Every view and most middleware here are synchronous. Django's own handler goes back to the event
    loop between each two of them, a dozen times a request (decision 36).
    """

    def __init__(self) -> None:
        super(ASGIHandler, self).__init__()
        self.load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the thread that belongs to this request."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


http = OneThreadARequest()

# Only now are Django's apps ready for these.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from config.origins import OwnOriginValidator  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": OwnOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)

# What was loaded stays: to look through it for garbage again and again held every reader up for a
# tenth of a second or two (decision 31).
get_resolver().url_patterns  # noqa: B018 (loads the views, which the first reader would wait for)
gc.collect()
gc.freeze()
gc.set_threshold(5_000, 10, 10)
