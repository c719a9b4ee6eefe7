"""What is told by which way: the one table of defaults, and what a person has set instead.

In the page everything is told, always. A kind of notice has a row; a table's pace makes the
column: `live` (minutes a turn), `hours`, `days`. Who is to be told on a device and has none is told
by mail.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

MAIL, PUSH, HOOK = "mail", "push", "hook"
LIVE, HOURS, DAYS = SPEEDS = ("live", "hours", "days")
NEAR = "near"  # with how much of a turn is over, in percent: near50
FRIEND = "friend"  # a question, at no table
PARTS = (25, 50, 75, 90)  # percent of a turn after which a person can be reminded

AWAY = (PUSH, HOOK)  # reaches people who are not on the site
DEFAULTS: dict[str, dict[str, tuple[str, ...]]] = {
    "turn": {LIVE: (), HOURS: AWAY, DAYS: AWAY},
    NEAR: {LIVE: (), HOURS: (), DAYS: AWAY},
    "invited": {LIVE: AWAY, HOURS: AWAY, DAYS: AWAY},
    "started": {LIVE: AWAY, HOURS: AWAY, DAYS: AWAY},
    "absent": {LIVE: (), HOURS: AWAY, DAYS: AWAY},
    "rematch": {LIVE: (), HOURS: AWAY, DAYS: AWAY},
    "over": {LIVE: (), HOURS: (), DAYS: AWAY},
    "caught": {LIVE: (), HOURS: (), DAYS: ()},
    FRIEND: {LIVE: AWAY, HOURS: AWAY, DAYS: AWAY},
}

NAMES = {
    "turn": _("It is my turn"),
    NEAR: _("My turn is soon over"),
    "invited": _("I am invited to a game"),
    "started": _("A game has begun"),
    "absent": _("A bot plays for me"),
    "rematch": _("I am invited to a rematch"),
    "over": _("A game is over"),
    "caught": _("I was caught without calling Mau"),
    FRIEND: _("Somebody would like to be my friend"),
}
TRIAL = "trial"  # only says that notices arrive; asked for by its reader
TRIAL_NAME = _("A notice to try it")
MEASURE = "measure"  # of a moderator; nobody can choose not to be told of it
MEASURE_NAME = _("A moderator has done something")
CHANNEL_NAMES = {PUSH: _("Device"), MAIL: _("E-mail"), HOOK: _("Webhook")}


def usual_reminders() -> list[int]:
    """Return when somebody is reminded who has chosen nothing, in percent of a turn."""
    return [50, 90]


def name_of(kind: str) -> str:
    """Return what a kind of notice tells, in the reader's words."""
    return str({TRIAL: TRIAL_NAME, MEASURE: MEASURE_NAME}.get(kind) or NAMES[family(kind)])


def family(kind: str) -> str:
    """Return the row of the table for a kind of notice."""
    return NEAR if kind.startswith(NEAR) else kind


def ways_of(user: Any, kind: str, speed: str = DAYS) -> tuple[str, ...]:
    """Return by which ways a person is to be told this beside the page, if they lead anywhere:
    as was chosen, else as it is usual at tables so quick."""
    if kind == TRIAL:
        return AWAY
    if kind == MEASURE:
        return (MAIL,)
    chosen: Iterable[str] | None = user.channels.get(family(kind))
    return DEFAULTS[family(kind)][speed] if chosen is None else tuple(chosen)
