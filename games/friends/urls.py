"""The address of the page about friends, under a language's prefix."""

from django.urls import path

from games.friends import views

urlpatterns = [
    path("friends/", views.friends, name="friends"),
    path("games/<slug:game_id>/report/", views.report_at, name="report_at"),
    # A path: no name of old, whatever stands in it, may break a page.
    path("report/<path:name>/", views.report_player, name="report_player"),
]
