"""Games and presets, a line each, for lists to choose from."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import house_rules, rules, sentences
from games.models import Game, Seat
from games.presenters.clocks import in_words
from games.presenters.document import Document
from games.presenters.seats import is_turn_of, name_of
from games.presenters.table import headline_of
from games.presenters.terms import house_rules_of, terms_of
from games.services.change import deadline_of_turn


def summary(game: Game, viewer) -> Document:
    """Return a line about a game for a list of games, as `viewer` may see it."""
    me = game.seat_of(viewer)
    others = [name_of(seat) for seat in game.seats.all() if seat != me]
    in_turn = [name_of(seat) for seat in game.seats.all() if seat.number == game.turn]
    return {
        "url": reverse("table", args=[game.pk]),
        "replay_url": reverse("replay", args=[game.pk]) if game.status == "finished" else "",
        "title": sentences.preset_name(game.variant, game.preset),
        "status": game.status,
        "headline": headline_of(game, me, "".join(in_turn)),
        "my_turn": is_turn_of(game, me),
        "deadline": game.deadline if game.status == "playing" else None,
        "until": _until(game, me),
        "others": others,
    }


def _until(game: Game, me: Seat | None) -> str:
    """By when the viewer is to act at a table where that takes hours, or days."""
    deadline = deadline_of_turn(game) if is_turn_of(game, me) else None
    if deadline is None or not Game.Pace(game.pace).is_slow:
        return ""
    return _("until %(time)s") % {"time": in_words(deadline)}


def invitation(game: Game) -> Document:
    """Return what a link to a table says of itself where it is shared: no name of a person."""
    pace = sentences.pace(Game.Pace(game.pace).seconds)
    players = ngettext("%(n)d player", "%(n)d players", game.seat_count) % {"n": game.seat_count}
    series = [sentences.series(game.series, game.series_length)] if game.series else []
    told = [players, _("Time per turn: %(time)s") % {"time": pace}, *series, *house_rules_of(game)]
    return {
        "title": sentences.call(game.variant),
        "preset": sentences.preset_name(game.variant, game.preset),
        "description": " · ".join(told),
    }


def lobby_line(game: Game, viewer) -> Document:
    """Return what the list of open tables says of one: who sits there, and all its terms."""
    seats = game.seats.all()
    mine = game.seat_of(viewer)
    values = {"n": len(seats), "total": game.seat_count}
    return {
        "id": game.pk,
        "url": reverse("table", args=[game.pk]) if mine else reverse("join", args=[game.code]),
        "rules_url": reverse("join_rules", args=[game.code]),
        "title": sentences.preset_name(game.variant, game.preset),
        "mine": mine is not None,
        "full": len(seats) == game.seat_count,
        "people": [name_of(seat) for seat in seats],
        "seats_text": _("Seats taken: %(n)d of %(total)d") % values,
        "terms": terms_of(game),
        "house_rules": house_rules_of(game),
    }


def watch_line(game: Game) -> Document:
    """Return what the list of games to watch says of one."""
    return {
        "url": reverse("table", args=[game.pk]),
        "title": sentences.preset_name(game.variant, game.preset),
        "people": [name_of(seat) for seat in game.seats.all()],
        "pace_text": sentences.pace(Game.Pace(game.pace).seconds),
    }


def presets() -> list[Document]:
    """Return the games with their presets, and what each preset changes, to choose from."""
    return [
        {
            "name": sentences.game_name(variant),
            "presets": [
                {
                    "code": f"{variant}/{preset}",
                    "name": sentences.preset_name(variant, preset),
                    "house_rules": house_rules.sentences(differences),
                }
                for preset, differences in named.items()
            ],
        }
        for variant, named in rules.PRESETS.items()
    ]
