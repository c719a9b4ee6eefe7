"""What the games say, in whole sentences of the reader's language.

Every function returns text in the active language. Rules and services speak in codes and
values; this is where they become words. Terms: docs/glossary.tsv.
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games import rules
from games.rules.cards import card_code
from games.series import RESIGNED

CARDS = {
    "AS": gettext_noop("Ace of spades"),
    "2S": gettext_noop("Two of spades"),
    "3S": gettext_noop("Three of spades"),
    "4S": gettext_noop("Four of spades"),
    "5S": gettext_noop("Five of spades"),
    "6S": gettext_noop("Six of spades"),
    "7S": gettext_noop("Seven of spades"),
    "8S": gettext_noop("Eight of spades"),
    "9S": gettext_noop("Nine of spades"),
    "10S": gettext_noop("Ten of spades"),
    "JS": gettext_noop("Jack of spades"),
    "QS": gettext_noop("Queen of spades"),
    "KS": gettext_noop("King of spades"),
    "AH": gettext_noop("Ace of hearts"),
    "2H": gettext_noop("Two of hearts"),
    "3H": gettext_noop("Three of hearts"),
    "4H": gettext_noop("Four of hearts"),
    "5H": gettext_noop("Five of hearts"),
    "6H": gettext_noop("Six of hearts"),
    "7H": gettext_noop("Seven of hearts"),
    "8H": gettext_noop("Eight of hearts"),
    "9H": gettext_noop("Nine of hearts"),
    "10H": gettext_noop("Ten of hearts"),
    "JH": gettext_noop("Jack of hearts"),
    "QH": gettext_noop("Queen of hearts"),
    "KH": gettext_noop("King of hearts"),
    "AD": gettext_noop("Ace of diamonds"),
    "2D": gettext_noop("Two of diamonds"),
    "3D": gettext_noop("Three of diamonds"),
    "4D": gettext_noop("Four of diamonds"),
    "5D": gettext_noop("Five of diamonds"),
    "6D": gettext_noop("Six of diamonds"),
    "7D": gettext_noop("Seven of diamonds"),
    "8D": gettext_noop("Eight of diamonds"),
    "9D": gettext_noop("Nine of diamonds"),
    "10D": gettext_noop("Ten of diamonds"),
    "JD": gettext_noop("Jack of diamonds"),
    "QD": gettext_noop("Queen of diamonds"),
    "KD": gettext_noop("King of diamonds"),
    "AC": gettext_noop("Ace of clubs"),
    "2C": gettext_noop("Two of clubs"),
    "3C": gettext_noop("Three of clubs"),
    "4C": gettext_noop("Four of clubs"),
    "5C": gettext_noop("Five of clubs"),
    "6C": gettext_noop("Six of clubs"),
    "7C": gettext_noop("Seven of clubs"),
    "8C": gettext_noop("Eight of clubs"),
    "9C": gettext_noop("Nine of clubs"),
    "10C": gettext_noop("Ten of clubs"),
    "JC": gettext_noop("Jack of clubs"),
    "QC": gettext_noop("Queen of clubs"),
    "KC": gettext_noop("King of clubs"),
    "JK1": gettext_noop("Red Joker"),
    "JK2": gettext_noop("Black Joker"),
}
SUITS = {
    "S": gettext_noop("Spades"),
    "H": gettext_noop("Hearts"),
    "D": gettext_noop("Diamonds"),
    "C": gettext_noop("Clubs"),
}
GAMES = {"matatu": gettext_noop("Matatu"), "maumau": gettext_noop("Mau-Mau")}
PRESETS = {
    ("matatu", "rwanda"): gettext_noop("Matatu as in Rwanda"),
    ("matatu", "uganda_classic"): gettext_noop("Matatu as in Uganda, without Jokers"),
    ("matatu", "uganda_joker"): gettext_noop("Matatu as in Uganda, with Jokers"),
    ("matatu", "first_steps"): gettext_noop("Matatu, first steps: open cards"),
    ("maumau", "mau"): gettext_noop("Mau-Mau"),
    ("maumau", "deutsch"): gettext_noop("Mau-Mau with plain Aces and Eights"),
    ("maumau", "big_pack"): gettext_noop("Mau-Mau with 52 cards"),
    ("maumau", "first_steps"): gettext_noop("Mau-Mau, first steps: open cards"),
}


def card_name(code: str) -> str:
    """Return the name of the card with this code: "7H" -> "Seven of hearts"."""
    return _(CARDS[code])


def suit_name(letter: str) -> str:
    """Return the name of the suit with this letter: "H" -> "Hearts"."""
    return _(SUITS[letter])


def game_name(variant: str) -> str:
    """Return the name of the game."""
    return _(GAMES[variant])


def call(variant: str) -> str:
    """Return what stands beside a link by which somebody calls others to a table."""
    return _("Play %(game)s with me!") % {"game": game_name(variant)}


def preset_name(variant: str, preset: str) -> str:
    """Return the name of a preset of part F."""
    return _(PRESETS[variant, preset])


def cards_text(count: int) -> str:
    """Return "5 cards"; none is a message of its own, since no plural form fits it in isiZulu."""
    if not count:
        return _("No cards left")
    return ngettext("1 card", "%(n)d cards", count) % {"n": count}


def points_text(count: int) -> str:
    """Return "17 points"."""
    if not count:
        return _("0 points")
    return ngettext("1 point", "%(n)d points", count) % {"n": count}


def event(happened: rules.Event, names: Sequence[str], viewer: int | None) -> str:
    """Return the sentence for an event, as `rules.redact` left it for the viewer's seat.

    `names` by seat. Empty for events that say nothing beyond their neighbours.
    """
    tell = _EVENTS.get(happened.kind)
    return tell(happened, names, viewer) if tell else ""


def _played(happened, names, viewer):
    card = card_name(card_code(happened.card))
    if happened.seat == viewer:
        return _("You play: %(card)s") % {"card": card}
    return _("%(player)s plays: %(card)s") % {"player": names[happened.seat], "card": card}


def _drew(happened, names, viewer):
    values = {"player": names[happened.seat], "count": happened.count}
    if happened.seat != viewer:
        return (
            ngettext(
                "%(player)s draws 1 card.", "%(player)s draws %(count)d cards.", happened.count
            )
            % values
        )
    if len(happened.cards) == 1:
        return _("You draw: %(card)s") % {"card": card_name(card_code(happened.cards[0]))}
    return ngettext("You draw 1 card.", "You draw %(count)d cards.", happened.count) % values


def _asked_suit(happened, names, viewer):
    values = {"player": names[happened.seat], "suit": suit_name(happened.suit)}
    if happened.seat == viewer:
        return _("You ask for: %(suit)s") % values
    return _("%(player)s asks for: %(suit)s") % values


def _caught(happened, names, viewer):
    values = {
        "catcher": names[happened.seat],
        "player": names[happened.target],
        "count": happened.count,
    }
    return _caught_words(happened, viewer) % values


def _caught_words(happened, viewer):
    if happened.seat == viewer:
        return ngettext(
            "You caught %(player)s without Mau: 1 penalty card.",
            "You caught %(player)s without Mau: %(count)d penalty cards.",
            happened.count,
        )
    if happened.target == viewer:
        return ngettext(
            "%(catcher)s caught you without Mau: 1 penalty card.",
            "%(catcher)s caught you without Mau: %(count)d penalty cards.",
            happened.count,
        )
    return ngettext(
        "%(catcher)s caught %(player)s without Mau: 1 penalty card.",
        "%(catcher)s caught %(player)s without Mau: %(count)d penalty cards.",
        happened.count,
    )


def _accused_falsely(happened, names, viewer):
    values = {"player": names[happened.seat], "target": names[happened.target]}
    if happened.seat == viewer:
        return _("You accused %(target)s wrongly.") % values
    if happened.target == viewer:
        return _("%(player)s accused you wrongly.") % values
    return _("%(player)s accused %(target)s wrongly.") % values


def _of_player(message: str, to_you: str):
    """A sentence about one player, and the same said to that player."""

    def tell(happened, names, viewer):
        if happened.seat == viewer:
            return _(to_you)
        return _(message) % {"player": names[happened.seat]}

    return tell


def _of_table(message: str):
    return lambda happened, names, viewer: _(message)


_passes = _of_player(gettext_noop("%(player)s passes."), gettext_noop("You pass."))
_EVENTS = {
    "played": _played,
    "drew": _drew,
    "asked_suit": _asked_suit,
    "caught": _caught,
    "accused_falsely": _accused_falsely,
    "kept": _passes,
    "passed": _passes,
    "stood": _of_player(
        gettext_noop("%(player)s misses a turn."), gettext_noop("You miss a turn.")
    ),
    "skipped": _of_player(gettext_noop("%(player)s is skipped."), gettext_noop("You are skipped.")),
    "reversed": _of_table(gettext_noop("The direction is reversed.")),
    "blocked_penalty": _of_player(
        gettext_noop("%(player)s blocks the penalty with the Ace of Spades."),
        gettext_noop("You block the penalty with the Ace of Spades."),
    ),
    "cut": _of_player(gettext_noop("%(player)s cuts the game."), gettext_noop("You cut the game.")),
    "called_mau": _of_player(gettext_noop("%(player)s calls Mau."), gettext_noop("You call Mau.")),
    "reshuffled": _of_table(
        gettext_noop("The discard pile has been shuffled into a new draw pile.")
    ),
    "timed_out": _of_player(
        gettext_noop("%(player)s ran out of time."), gettext_noop("You ran out of time.")
    ),
    "resigned": _of_player(gettext_noop("%(player)s resigned."), gettext_noop("You resigned.")),
}


def refusal(code: str, values: Mapping[str, object], seen: rules.Observation) -> str:
    """Return the sentence that says which rule refuses a move (codes of RULES.md section 1).

    `values` are those of the refusal; `seen` is what the mover sees of the table.
    """
    if code == "illegal_card":
        return _misfit(str(values["because"]), seen)
    if code == "cut_not_allowed":
        return _cut_not_allowed(values)
    return plain_refusal(code, values)


def plain_refusal(code: str, values: Mapping[str, object] | None = None) -> str:
    """Return the sentence for a refusal that needs no look at the table."""
    return _(_REFUSALS.get(code, UNREADABLE)) % (values or {})


UNREADABLE = gettext_noop("This move could not be read.")
_REFUSALS = {
    "not_your_turn": gettext_noop("It is not your turn."),
    "not_in_hand": gettext_noop("You do not have that card."),
    "suit_required": gettext_noop("Choose a suit first."),
    "only_drawn_card": gettext_noop("You can only play the card you have just drawn."),
    "already_drawn": gettext_noop("You have already drawn a card."),
    "cannot_draw": gettext_noop("You cannot draw a card now."),
    "cannot_pass": gettext_noop("You cannot pass now."),
    "must_cover": gettext_noop("You must play another card on the Ace."),
    "mau_not_now": gettext_noop("You cannot call Mau now."),
    "no_catch": gettext_noop("%(player)s cannot be caught now."),
    "game_over": gettext_noop("The game is over."),
    "stale": gettext_noop("The game has moved on. Look at the table and try again."),
}


def _misfit(because: str, seen: rules.Observation) -> str:
    if because == "penalty":
        return _answer_the_penalty(seen)
    if because == "requested_suit" and seen.requested_suit:
        return _("Requested suit: %(suit)s") % {"suit": suit_name(seen.requested_suit)}
    return _(_MISFITS[because])


_MISFITS = {
    "skip": gettext_noop("Only another 8 can be played now."),
    "last_card": gettext_noop("This card cannot be your last card."),
    "jack_on_jack": gettext_noop("A Jack may not be played on a Jack."),
    "no_match": gettext_noop("That card does not match the suit or the rank of the top card."),
}


def _answer_the_penalty(state: rules.Observation) -> str:
    """What this very table takes as an answer: house rules change it."""
    count = {"count": state.penalty}
    if isinstance(state.options, rules.MauMauOptions):
        if state.options.seven_stack:
            return _("Play another 7 or draw %(count)d cards.") % count
        return _only_drawing(state.penalty)
    if _answers_as_usual(state.options):
        return (
            ngettext(
                "Play a 2, a Joker or the Ace of Spades, or draw 1 card.",
                "Play a 2, a Joker or the Ace of Spades, or draw %(count)d cards.",
                state.penalty,
            )
            % count
        )
    return (
        ngettext(
            "That card does not answer the penalty here. You can draw 1 card.",
            "That card does not answer the penalty here. You can draw %(count)d cards.",
            state.penalty,
        )
        % count
    )


def _answers_as_usual(options: rules.MatatuOptions) -> bool:
    usual = options.stacking == "mixed" and options.ace_spades_blocks and options.jokers == 2
    return usual and not options.three_draws and options.finish_on_special


def _only_drawing(penalty: int) -> str:
    return ngettext("You must draw 1 card.", "You must draw %(count)d cards.", penalty) % {
        "count": penalty
    }


def _cut_not_allowed(values: Mapping[str, object]) -> str:
    if "points" in values:
        return _("You cannot cut: you have %(points)d points, the limit is %(limit)d.") % values
    return _("Only the 7 of the cut suit can cut the game.")


REASONS = {
    "out": gettext_noop("Normal win"),
    "cut": gettext_noop("Win by cutting"),
    "blocked": gettext_noop("Nobody can play or draw. The game is over."),
    "last_player": gettext_noop("Everybody else has resigned."),
    "abandoned": gettext_noop("Nobody is left at the table. The game has no winner."),
}


def reason(code: str) -> str:
    """Return how the game ended."""
    return _(REASONS[code])


LOBBY_REFUSALS = {
    "table_full": gettext_noop("The table is full."),
    "already_started": gettext_noop("The game has already begun."),
    "nobody": gettext_noop("There is no player of this name."),
    "muted": gettext_noop("A moderator has decided that you may not do this at the moment."),
    "you_blocked": gettext_noop("You have blocked this player."),
    "not_host": gettext_noop("Only the host can do this."),
    "need_players": gettext_noop("At least %(count)d players are needed."),
    "not_seated": gettext_noop("You have no seat at this table."),
    "not_started": gettext_noop("The game has not begun yet."),
    "over": gettext_noop("The game is over."),
    "closed": gettext_noop("This table is closed."),
    "not_over": gettext_noop("The game is not over yet."),
    "too_many_tables": gettext_noop("You host too many open tables. Close one first."),
    "not_your_turn": gettext_noop("It is not your turn."),
    "no_clock": gettext_noop("This table has no time limit."),
    "line_pause_taken": gettext_noop("You have already stopped your clock once in this game."),
    "nothing_to_vote_on": gettext_noop("There is nothing to vote on at the moment."),
    "no_holidays_left": gettext_noop("You have no days of holiday left this year."),
    "still_playing": gettext_noop("Others are waiting for you at a table. Finish that game first."),
    "pace_needed": gettext_noop("A public table needs a time limit."),
}


def lobby_refusal(code: str) -> str:
    """Return why a lobby did not do what was asked."""
    return _(LOBBY_REFUSALS[code]) % {"count": 2}


# --- Time ----------------------------------------------------------------------------------------


def span(seconds: int) -> str:
    """Return a length of time in its largest whole unit: "2 days", "5 minutes", "30 seconds"."""
    for size, words in _UNITS:
        if seconds >= size:
            return words(seconds // size)
    return _seconds(seconds)


def _days(n: int) -> str:
    return ngettext("1 day", "%(n)d days", n) % {"n": n}


def _hours(n: int) -> str:
    return ngettext("1 hour", "%(n)d hours", n) % {"n": n}


def _minutes(n: int) -> str:
    return ngettext("1 minute", "%(n)d minutes", n) % {"n": n}


def _seconds(n: int) -> str:
    return ngettext("1 second", "%(n)d seconds", n) % {"n": n}


_UNITS = ((86400, _days), (3600, _hours), (60, _minutes))


def pace(seconds: int | None) -> str:
    """Return the time for a turn."""
    return _("No limit") if seconds is None else span(seconds)


def access(*, public: bool) -> str:
    """Return who can come to a table."""
    return _("Public: everybody can join or watch.") if public else _("By invitation.")


def series(kind: str, length: int) -> str:
    """Return what kind of series a table plays, "" for a single game."""
    words = {
        "wins": _("Best of %(n)d games"),
        "points": _("Lowest points over %(n)d games"),
    }
    return words[kind] % {"n": length} if kind else ""


def series_rule(kind: str) -> str:
    """Return how a series is scored, "" for a single game."""
    words = {
        "wins": _("Whoever has won the most games wins the series."),
        "points": _(
            "The winner of a game gets no points, the others what is left in their hands; who"
            " resigns gets %(n)d or as much as the worst hand."
        )
        % {"n": RESIGNED},
    }
    return words.get(kind, "")


def absence(max_timeouts: int, what: str) -> str:
    """Return what happens to a seat whose player misses so many turns in a row (MT-30)."""
    if what == "resign":
        text = ngettext(
            "After 1 missed turn you have resigned.",
            "After %(n)d missed turns in a row you have resigned.",
            max_timeouts,
        )
    else:
        text = ngettext(
            "After 1 missed turn a bot plays for you until you come back.",
            "After %(n)d missed turns in a row a bot plays for you until you come back.",
            max_timeouts,
        )
    return text % {"n": max_timeouts}


LEVELS = {"easy": gettext_noop("Easy"), "random": gettext_noop("Plays anything")}


def level_name(level: str) -> str:
    """Return the name of a bot's level."""
    return _(LEVELS[level])
