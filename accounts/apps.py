"""The application `accounts`: people, their language, and (later) what reaches them."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Never imports games: what it must ask of games, games registers here."""

    name = "accounts"
