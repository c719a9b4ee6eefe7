"""The application `games`: tables, moves, and what is shown of them."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Rules and bots inside are pure; everything else is Django."""

    name = "games"
