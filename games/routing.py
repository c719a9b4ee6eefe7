"""Addresses of sockets."""

from django.urls import path

from games.consumers import LobbiesConsumer, TableConsumer

websocket_urlpatterns = [
    path("ws/lobbies/", LobbiesConsumer.as_asgi()),
    path("ws/games/<slug:game_id>/", TableConsumer.as_asgi()),
]
