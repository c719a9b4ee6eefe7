"""What is told by which way: the one table of defaults, and what a person has set instead.

In the page everything is told, always. A kind of notice has a row; a table's pace makes the column:
`live` (minutes a turn), `hours`, `days`.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

MAIL = "mail"
LIVE, HOURS, DAYS = SPEEDS = ("live", "hours", "days")
NEAR = "near"  # with how much of a turn is over, in percent: near50
PARTS = (25, 50, 75, 90)  # percent of a turn after which a person can be reminded

DEFAULTS: dict[str, dict[str, tuple[str, ...]]] = {
    "turn": {LIVE: (), HOURS: (MAIL,), DAYS: (MAIL,)},
    NEAR: {LIVE: (), HOURS: (), DAYS: (MAIL,)},
    "started": {LIVE: (MAIL,), HOURS: (MAIL,), DAYS: (MAIL,)},
    "absent": {LIVE: (), HOURS: (MAIL,), DAYS: (MAIL,)},
    "rematch": {LIVE: (), HOURS: (MAIL,), DAYS: (MAIL,)},
    "over": {LIVE: (), HOURS: (), DAYS: (MAIL,)},
    "caught": {LIVE: (), HOURS: (), DAYS: ()},
}

NAMES = {
    "turn": _("It is my turn"),
    NEAR: _("My turn is soon over"),
    "started": _("A game has begun"),
    "absent": _("A bot plays for me"),
    "rematch": _("I am invited to a rematch"),
    "over": _("A game is over"),
    "caught": _("I was caught without calling Mau"),
}
CHANNEL_NAMES = {MAIL: _("E-mail")}


def usual_reminders() -> list[int]:
    """Return when somebody is reminded who has chosen nothing, in percent of a turn."""
    return [50, 90]


def name_of(kind: str) -> str:
    """Return what a kind of notice tells, in the reader's words."""
    return str(NAMES[family(kind)])


def family(kind: str) -> str:
    """Return the row of the table for a kind of notice."""
    return NEAR if kind.startswith(NEAR) else kind


def channels_of(user: Any, kind: str, speed: str) -> list[str]:
    """Return by which ways a person is told this, beside the page."""
    chosen: Iterable[str] | None = user.channels.get(family(kind))
    ways = DEFAULTS[family(kind)][speed] if chosen is None else chosen
    return [way for way in ways if way != MAIL or (user.email and user.mail_turns)]


def chosen_channels(user: Any, kind: str) -> list[str]:
    """Return by which ways a person has chosen to be told this, or is told it from tables of days
    without having chosen."""
    return list(user.channels.get(kind, DEFAULTS[kind][DAYS]))
