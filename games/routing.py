"""Addresses of sockets."""

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from games.consumers import LobbiesConsumer, TableConsumer

websocket_urlpatterns = [
    path("ws/lobbies/", LobbiesConsumer.as_asgi()),
    path("ws/games/<slug:game_id>/", TableConsumer.as_asgi()),
    # An address without a socket is the asker's mistake, not an error of the server.
    re_path(r"", WebsocketDenier.as_asgi()),
]
