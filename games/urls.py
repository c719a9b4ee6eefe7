"""Addresses of pages about games, all under a language's prefix (CONTRACTS section 2)."""

from django.urls import include, path

from games import views

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("games.guide.urls")),
    path("", include("games.archive.urls")),
    path("", include("games.friends.urls")),
    path("", include("games.invitation.urls")),
    path("", include("games.quick.urls")),
    path("play/", views.play_now, name="play_now"),
    path("lobbies/", views.lobby_list, name="lobbies"),
    path("lobbies/new/", views.lobby_new, name="lobby_new"),
    path("games/", views.game_list, name="games"),
    path("games/<slug:game_id>/", views.table, name="table"),
    path("games/<slug:game_id>/moves/", views.moves, name="moves"),
    path("games/<slug:game_id>/start/", views.start, name="start"),
    path("games/<slug:game_id>/watching/", views.watching, name="watching"),
    path("games/<slug:game_id>/leave/", views.leave, name="leave"),
    path("games/<slug:game_id>/bots/", views.add_bot, name="add_bot"),
    path("games/<slug:game_id>/invite/", views.invite, name="invite"),
    path("games/<slug:game_id>/remove/", views.remove, name="remove"),
    path("games/<slug:game_id>/back/", views.come_back, name="come_back"),
    path("games/<slug:game_id>/line/", views.line_failed, name="line_failed"),
    path("games/<slug:game_id>/mute/", views.mute, name="mute"),
    path("games/<slug:game_id>/vote/", views.vote, name="vote"),
    path("holiday/", views.holiday, name="holiday"),
    path("games/<slug:game_id>/rematch/", views.rematch, name="rematch"),
]
