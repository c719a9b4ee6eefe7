"""Plays whole games with the rules alone and writes their records."""

import json
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from django.core.management.base import BaseCommand, CommandError

from games.bots import LEVELS, choose
from games.rules import (
    PRESETS,
    SEED_BYTES,
    VARIANTS,
    Move,
    OptionError,
    Options,
    State,
    apply,
    build_record,
    legal_moves,
    observe,
    options_for,
    start,
)

Done: TypeAlias = tuple[int, Move, str, None]

RANDOM = "random"
MOST_MOVES = 20_000
BUDGET = 0.05  # seconds of thought for a level


class Command(BaseCommand):
    """The same arguments give the same records. Needs no database."""

    help = "Play games with the rules alone; writes game records, one JSON object a line."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to play, with whom, how often."""
        parser.add_argument("--game", required=True, choices=list(VARIANTS))
        parser.add_argument("--seats", required=True, type=int)
        parser.add_argument("--games", type=int, default=1)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--bots",
            default=RANDOM,
            metavar="LEVEL,LEVEL,...",
            help=f"one level for all or one for each seat: {', '.join(LEVELS)}",
        )
        parser.add_argument("--options", default="{}", metavar="JSON", help="house rules")
        parser.add_argument("--preset", help="a named set of house rules; --options come on top")
        parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plays and writes."""
        rules = _rules(options)
        levels = _levels(options["bots"], options["seats"])
        if options["games"] < 0:
            raise CommandError("--games: a number from 0", returncode=2)
        try:
            target = options["out"].open("w", encoding="utf-8") if options["out"] else None
        except OSError as error:
            raise CommandError(f"--out: {error}", returncode=2) from error
        with target or nullcontext(self.stdout) as out:
            self._play_all(out, rules, levels, options["games"], options["seed"])

    def _play_all(self, out: Any, rules: Options, levels: list[str], games: int, seed: int) -> None:
        for number in range(1, games + 1):
            rng = Random(f"{seed}/{number}")  # noqa: S311 - the same arguments, the same games
            record = play_game(f"simulate-{seed}-{number}", rules, levels, rng)
            out.write(json.dumps(record) + "\n")


def _rules(options: dict[str, Any]) -> Options:
    """The options of the table, from --preset and --options."""
    try:
        differences = json.loads(options["options"])
    except ValueError as error:
        raise CommandError(f"--options: not JSON: {error}", returncode=2) from error
    if not isinstance(differences, dict):
        raise CommandError("--options: a JSON object", returncode=2)
    presets = PRESETS[options["game"]]
    preset = options["preset"] or next(iter(presets))
    if preset not in presets:
        raise CommandError(f"--preset: one of {', '.join(presets)}", returncode=2)
    try:
        return options_for(options["game"], presets[preset] | differences, options["seats"])
    except OptionError as error:
        raise CommandError(f"{error}", returncode=2) from error


def _levels(text: str, seats: int) -> list[str]:
    levels = [level.strip() for level in text.split(",")]
    for level in levels:
        if level not in LEVELS:
            raise CommandError(f"--bots: no level {level!r}", returncode=2)
    if len(levels) not in (1, seats):
        raise CommandError("--bots: one level for all or one for each seat", returncode=2)
    return levels * seats if len(levels) == 1 else levels


def play_game(game_id: str, rules: Options, levels: list[str], rng: Random) -> dict[str, Any]:
    """One game from deal to end; its record."""
    seed = rng.randbytes(SEED_BYTES)
    state = start(rules.variant, len(levels), seed, rules)
    moves: list[Done] = []
    while state.outcome is None and len(moves) < MOST_MOVES:
        state = _step(state, levels, rng, moves)
    return build_record(
        id=game_id,
        variant=rules.variant,
        options=rules.to_json(),
        seats=[{"kind": "bot", "level": level} for level in levels],
        seed=seed,
        moves=moves,
    )


def _step(state: State, levels: list[str], rng: Random, moves: list[Done]) -> State:
    """First whoever wants to call or catch, then the seat to act."""
    for seat, level in enumerate(levels):
        calls = _calls(state, seat) if level == RANDOM else []
        if calls and rng.random() < 0.5:
            state = _do(state, seat, rng.choice(calls), moves)
    if len(moves) == MOST_MOVES:
        return state
    return _do(state, state.turn, _chosen(state, levels[state.turn], rng), moves)


def _calls(state: State, seat: int) -> list[Move]:
    return [move for move in legal_moves(state, seat) if move.do in ("mau", "accuse")]


def _chosen(state: State, level: str, rng: Random) -> Move:
    seen = observe(state, state.turn)
    return rng.choice(seen.moves) if level == RANDOM else choose(level, seen, rng, BUDGET)


def _do(state: State, seat: int, move: Move, moves: list[Done]) -> State:
    moves.append((seat, move, "bot", None))
    return apply(state, seat, move)[0]
