"""What everybody should know of a table before joining."""

from django.utils.translation import gettext as _

from games import house_rules, rules, sentences
from games.models import Game


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
    if game.pace != Game.Pace.NONE:
        options = game.options
        terms.append(sentences.absence(options["max_timeouts"], options["absent_seat"]))
    terms.append(sentences.access(public=game.public))
    if game.public and not game.watchable:
        terms.append(_("Nobody can watch while the game is running."))
    terms.append(_("Rated") if game.rated else _("Unrated"))
    return terms
