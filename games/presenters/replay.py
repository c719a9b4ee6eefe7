"""A finished game, step by step: all hands open, the same for every reader.

Nothing is stored for it: the engine plays the game again from seed and moves, as for its record.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules, sentences
from games.models import Game, Seat
from games.presenters.cards import face_of
from games.presenters.document import Document
from games.presenters.seats import name_at, name_of, points_of, shown_seat
from games.presenters.table import by_place, cloth_of, duty_of, headline_of


class Step(NamedTuple):
    """The game after so many moves, and what the last of them led to."""

    state: rules.State
    events: tuple[rules.Event, ...]


def replay(
    game: Game, viewer, *, step: int | None = None, key: str = "", origin: str = ""
) -> Document:
    """Return a finished game of `reading.read_finished` as it stood after `step` moves.

    Every step has its sentence; a step beyond the last is the last, and None is the last.
    `key` is the one the reader came by: the links go on with it. `origin` as for `present`.
    """
    steps = list(_steps(game))
    at = len(steps) - 1 if step is None else max(0, min(step, len(steps) - 1))
    names = [name_at(list(game.seats.all()), number) for number in range(game.seat_count)]
    headline = headline_of(game, None, "")
    return {
        "id": game.pk,
        "preset_name": sentences.preset_name(game.variant, game.preset),
        "headline": headline,
        "reason": sentences.reason(game.reason),
        "description": _description(game, len(steps) - 1),
        "rows": [_row(seat) for seat in by_place(list(game.seats.all()))],
        "finished_at": game.finished_at,
        "seed": game.position().seed.hex(),
        "commitment": game.commitment,
        "step": at,
        "last_step": len(steps) - 1,
        "step_text": _("Step %(n)d of %(total)d") % {"n": at, "total": len(steps) - 1},
        "said": _said(steps[at], at, names),
        "position": _position(game, steps, at, names),
        "links": _links(game, at, len(steps) - 1, key),
        "moves": [
            {"step": number, "text": _said(each, number, names), "url": _url(game, number, key)}
            for number, each in enumerate(steps)
        ],
        "key": key,
        "url": reverse("replay", args=[game.pk]),
        "record_url": reverse("record", args=[game.pk]) + _query(key),
        **_sharing(game, viewer, origin),
    }


def final_table(game: Game) -> Document:
    """Return what a picture of the end shows: the top card, and each hand with its place."""
    state = game.position()
    return {
        "top": face_of(state.top),
        "rows": [
            {"place": seat.place, "hand": [face_of(c) for c in _hand(state, seat.number)]}
            for seat in by_place(list(game.seats.all()))
        ],
    }


def _steps(game: Game) -> Iterator[Step]:
    end = game.position()
    state = rules.start(
        game.variant,
        game.seat_count,
        end.seed,
        end.options,
        dealer=end.dealer,
        last_winner=end.first,
    )
    yield Step(state, ())
    for record in game.moves.order_by("number"):
        state, events = rules.apply(state, record.seat, rules.Move.from_json(record.move))
        yield Step(state, events)


def _hand(state: rules.State, seat: int) -> tuple[int, ...]:
    """A hand as its owner saw it: what all of them saw is the open table."""
    return rules.observe(state, seat).hand or ()


def _said(step: Step, number: int, names: Sequence[str]) -> str:
    if number == 0:
        return _("The cards are dealt.")
    told = (sentences.event(event, names, None) for event in step.events)
    return " · ".join(text for text in told if text)


def _position(game: Game, steps: Sequence[Step], at: int, names: Sequence[str]) -> Document:
    """The cloth of one step, with the keys that the table's own template draws."""
    state = steps[at].state
    before = steps[at - 1].state if at else state
    seen = rules.observe(state, None)
    seats = list(game.seats.all())
    in_turn = names[seen.turn] if seen.turn is not None else ""
    return {
        "viewer_seat": None,
        "seats": [
            shown_seat(seen, names, seats, number)
            | {
                "hand": _open_hand(state, before, number),
                "status_text": "" if seen.in_game[number] else _("resigned"),
            }
            for number in range(seen.seats)
        ],
        **cloth_of(seen),
        "headline": _("%(player)s to play") % {"player": in_turn} if in_turn else _("Game over"),
        "duty": duty_of(seen),
    }


def _open_hand(state: rules.State, before: rules.State, seat: int) -> list[Document]:
    """A hand, with what came into it at this step marked."""
    held = _hand(before, seat)
    return [face_of(card) | {"fresh": card not in held} for card in _hand(state, seat)]


def _row(seat: Seat) -> Document:
    return {"place": seat.place, "name": name_of(seat), "points_text": points_of(seat)}


def _description(game: Game, moves: int) -> str:
    names = ", ".join(name_of(seat) for seat in game.seats.all())
    return ngettext(
        "A game of %(players)s, 1 move. See it again step by step, with all hands open.",
        "A game of %(players)s, %(n)d moves. See it again step by step, with all hands open.",
        moves,
    ) % {"players": names, "n": moves}


def _query(key: str, step: int | None = None) -> str:
    given = [f"key={key}"] if key else []
    given += [] if step is None else [f"step={step}"]
    return "?" + "&".join(given) if given else ""


def _url(game: Game, step: int, key: str) -> str:
    return reverse("replay", args=[game.pk]) + _query(key, step)


def _links(game: Game, at: int, last: int, key: str) -> list[Document]:
    """The ways to other steps; one that leads nowhere new has no address."""
    ways = [
        ("first", _("First step"), 0, at > 0),
        ("previous", _("Previous step"), at - 1, at > 0),
        ("next", _("Next step"), at + 1, at < last),
        ("last", _("Last step"), last, at < last),
    ]
    return [
        {"code": code, "text": text, "step": step, "url": _url(game, step, key) if leads else ""}
        for code, text, step, leads in ways
    ]


def _sharing(game: Game, viewer, origin: str) -> Document:
    """The link to share, for who may share it: everybody at a public table, else the players."""
    mine = game.seat_of(viewer) is not None
    url = f"/games/{game.pk}/replay/{_query('' if game.public else game.share_key)}"
    is_shared = game.public or bool(game.share_key)
    may_share = game.public or (mine and is_shared)
    return {
        "table_url": reverse("table", args=[game.pk]) if mine or game.public else "",
        "share_url": (settings.SITE_URL or origin) + url if may_share else "",
        "withdraw_url": (
            reverse("replay_withdraw", args=[game.pk])
            if mine and is_shared and not game.public
            else ""
        ),
        "make_link_url": reverse("replay_share", args=[game.pk]) if mine and not is_shared else "",
    }
