"""Addresses of finished games, under a language's prefix."""

from django.urls import path

from games.archive import views

urlpatterns = [
    path("games/<slug:game_id>/replay/", views.replay_page, name="replay"),
    path("games/<slug:game_id>/replay/share/", views.replay_share, name="replay_share"),
    path("games/<slug:game_id>/replay/withdraw/", views.replay_withdraw, name="replay_withdraw"),
    # A path: no name of old, whatever stands in it, may break a page.
    path("players/<path:name>/", views.player, name="player"),
]
