"""What everybody should know of a table before joining."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from accounts.quiet_hours import MOST
from games import house_rules, rules, sentences
from games.models import Game
from games.services.holidays import BANK


def house_rules_of(game: Game) -> list[str]:
    """What differs here from the rules' defaults, or from what the preset's name promises."""
    options = rules.options_for(game.variant, game.options, game.seat_count)
    promised = rules.PRESETS[game.variant].get(game.preset, {})
    broken = {name: game.options[name] for name in promised}
    return house_rules.sentences({**rules.differences(options), **broken})


def terms_of(game: Game) -> list[str]:
    """What everybody should know before joining, beside the house rules."""
    pace = sentences.pace(Game.Pace(game.pace).seconds)
    terms = [_("Time per turn: %(time)s") % {"time": pace}]
    if game.series:
        terms.append(sentences.series(game.series, game.series_length))
        terms.append(sentences.series_rule(game.series))
    if game.pace != Game.Pace.NONE:
        options = game.options
        terms.append(sentences.absence(options["max_timeouts"], options["absent_seat"]))
        terms += _clock_rules(game)
    terms.append(sentences.access(public=game.public))
    if game.public and not game.watchable:
        terms.append(_("Nobody can watch while the game is running."))
    terms.append(_("Rated") if game.rated else _("Unrated"))
    return terms


def _clock_rules(game: Game) -> Iterator[str]:
    """All that the clock of this table does beside: there are no limits that nobody was told of."""
    pace = Game.Pace(game.pace)
    if pace.is_of_days and not game.rated and game.options["absent_seat"] == "bot":
        yield _(
            "If somebody is absent, the others vote: wait, let the bot play on, or end the game."
        )
    if pace.is_slow:
        yield _("Nobody's clock runs in their quiet hours, at most %(n)d hours a day.") % {
            "n": MOST
        }
    if pace.is_of_days:
        days = {"n": BANK.days}
        yield _("Everybody has %(n)d days of holiday a year, which stop the clock.") % days
        yield _("A day of them is taken when a turn would be missed, unless a player wants none.")
    yield _("If your line or power fails, you can stop your clock once for one more turn's time.")
    yield _("If the site was away, everybody gets the time back.")
