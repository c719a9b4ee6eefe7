"""The door out: all that leaves the server about a game is built here, for one viewer.

An allow-list: `present` copies what `rules.observe` lets the viewer see, and never the state.
"""

from games.presenters.letters import turn_letter
from games.presenters.lists import lobby_line, presets, summary
from games.presenters.reading import counts, read
from games.presenters.record import record
from games.presenters.table import present, refusal_text

__all__ = [
    "counts",
    "lobby_line",
    "present",
    "presets",
    "read",
    "record",
    "refusal_text",
    "summary",
    "turn_letter",
]
