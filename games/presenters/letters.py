"""What notices say in mails and in the inbox."""

from typing import Any

from django.utils.translation import gettext as _

from games import sentences


def turn_letter(notice: Any) -> tuple[str, str, str]:
    """Return subject, sentence and path of a notice (one of `notices.open_turns`) that it is
    somebody's turn."""
    sentence = _("It is your turn in %(game)s.") % {"game": sentences.game_name(notice.variant)}
    return sentence, sentence, f"/games/{notice.about}/"
