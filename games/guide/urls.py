"""Addresses of the rules, under a language's prefix."""

from django.urls import path, re_path

from games.guide import views

GAMES = "|".join(views.SLUGS)

urlpatterns = [
    path("rules/", views.index, name="rules"),
    re_path(rf"^rules/(?P<slug>{GAMES})/$", views.game, name="rules_of_game"),
    re_path(rf"^rules/(?P<slug>{GAMES})/first-game/$", views.first_game, name="first_game"),
    re_path(rf"^rules/(?P<slug>{GAMES})/(?P<preset>\w+)/$", views.game, name="rules_of_preset"),
    path("games/<slug:game_id>/rules/", views.table_rules, name="table_rules"),
    path("join/<slug:code>/rules/", views.join_rules, name="join_rules"),
]
