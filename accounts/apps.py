"""The application `accounts`: people, their language, and (later) what reaches them."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Never imports games: what it must ask of games, games registers here."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Let a trial be told like every other notice, and listen to what allauth does."""
        from allauth.account.signals import password_changed, password_reset, password_set
        from allauth.mfa.signals import authenticator_added

        from accounts import checks, delivery, devices, factors, moderation, trial  # noqa: F401
        from accounts.channels import MEASURE, TRIAL

        delivery.register([TRIAL], trial.still_open, trial.letter, trial.page)
        delivery.register([MEASURE], moderation.untold, moderation.letter, moderation.page)
        for signal in (password_changed, password_reset, password_set):
            signal.connect(devices.forget_others)
        authenticator_added.connect(factors.note_the_proof)
