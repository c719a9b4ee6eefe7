"""The rules of Matatu and Mau-Mau: values in, values out.

    state = start("matatu", 3, seed, options_for("matatu", {}, 3))
    legal_moves(state, state.turn)
    state, events = apply(state, seat, move)
    observe(state, seat)

No clock, no files, no chance but the seed. A seed and the moves replay a game exactly.
"""

from games.rules.chance import SEED_BYTES, commitment
from games.rules.observation import Observation, observe, redact
from games.rules.options import (
    OPTIONS,
    PRESETS,
    MatatuOptions,
    MauMauOptions,
    OptionError,
    Options,
    differences,
    options_for,
)
from games.rules.record import RecordError, build_record, verify
from games.rules.state import Event, IllegalMove, Move, Outcome, State
from games.rules.variants import VARIANTS
from games.rules.verbs import abandon, apply, card_points, legal_moves, start

__all__ = [
    "OPTIONS",
    "PRESETS",
    "SEED_BYTES",
    "VARIANTS",
    "Event",
    "IllegalMove",
    "MatatuOptions",
    "MauMauOptions",
    "Move",
    "Observation",
    "OptionError",
    "Options",
    "Outcome",
    "RecordError",
    "State",
    "abandon",
    "apply",
    "build_record",
    "card_points",
    "commitment",
    "differences",
    "legal_moves",
    "observe",
    "options_for",
    "redact",
    "start",
    "verify",
]
