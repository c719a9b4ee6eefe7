"""The door out: all that leaves the server about a game is built here, for one viewer.

An allow-list: `present` copies what `rules.observe` lets the viewer see, and never the state.
"""

from games.presenters.calendar import deadlines
from games.presenters.clocks import holiday_of
from games.presenters.friends import askers, friends_page, page_of_a_question, question
from games.presenters.letters import letter, page
from games.presenters.lists import invitation, lobby_line, presets, summary, watch_line
from games.presenters.personal import personal_data
from games.presenters.players import player_page
from games.presenters.quick import quick_page
from games.presenters.reading import counts, read, read_finished
from games.presenters.record import record
from games.presenters.replay import final_table, replay
from games.presenters.seats import people_beside
from games.presenters.table import join_link, present, refusal_text

__all__ = [
    "askers",
    "counts",
    "deadlines",
    "final_table",
    "friends_page",
    "holiday_of",
    "invitation",
    "join_link",
    "letter",
    "lobby_line",
    "page",
    "page_of_a_question",
    "people_beside",
    "personal_data",
    "player_page",
    "present",
    "presets",
    "question",
    "quick_page",
    "read",
    "read_finished",
    "record",
    "refusal_text",
    "replay",
    "summary",
    "watch_line",
]
