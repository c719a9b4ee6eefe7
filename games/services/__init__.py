"""The door: every change to a game is a function in here, and nothing else changes one."""

from games.services.change import Refused, StaleVersion
from games.services.clock import play_for_bot, serve_one_overdue_game
from games.services.holidays import come_home, go
from games.services.leaving import leave_everything
from games.services.lobby import (
    Terms,
    add_bot,
    allow_watching,
    create,
    invite,
    is_welcome,
    join,
    leave,
    rematch,
    remove,
    start,
)
from games.services.outage import freeze, keep_time, release
from games.services.pairing import Sought, forget_old_seeks, look_again, seek, seekers, stop_seeking
from games.services.table import act, come_back, mute, pause_for_line, share, withdraw
from games.services.votes import vote

__all__ = [
    "Refused",
    "Sought",
    "StaleVersion",
    "Terms",
    "act",
    "add_bot",
    "allow_watching",
    "come_back",
    "come_home",
    "create",
    "forget_old_seeks",
    "freeze",
    "go",
    "invite",
    "is_welcome",
    "join",
    "keep_time",
    "leave",
    "leave_everything",
    "look_again",
    "mute",
    "pause_for_line",
    "play_for_bot",
    "release",
    "rematch",
    "remove",
    "seek",
    "seekers",
    "serve_one_overdue_game",
    "share",
    "start",
    "stop_seeking",
    "vote",
    "withdraw",
]
