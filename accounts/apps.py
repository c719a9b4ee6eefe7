"""The application `accounts`: people, their language, and (later) what reaches them."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Never imports games: what it must ask of games, games registers here."""

    name = "accounts"

    def ready(self) -> None:
        """Let a trial be told like every other notice."""
        from allauth.account.signals import password_changed, password_reset, password_set

        from accounts import checks, delivery, devices, trial  # noqa: F401
        from accounts.channels import TRIAL

        delivery.register([TRIAL], trial.still_open, trial.letter, trial.due)
        for signal in (password_changed, password_reset, password_set):
            signal.connect(devices.forget_others)
