"""The door: every change to a game is a function in here, and nothing else changes one."""

from games.services.change import Refused, StaleVersion
from games.services.clock import serve_one_overdue_game
from games.services.lobby import create, join, leave, start
from games.services.table import act

__all__ = [
    "Refused",
    "StaleVersion",
    "act",
    "create",
    "join",
    "leave",
    "serve_one_overdue_game",
    "start",
]
