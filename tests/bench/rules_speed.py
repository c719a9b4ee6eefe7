"""How fast the rules play: random games of ours through the public verbs, beside RLCard's UNO.

    python -m tests.bench.rules_speed [--seconds 10] [--json]

Ours is counted in moves: each is one `legal_moves`, a uniform choice, and one `apply` with all its
checks. RLCard's is counted in decisions of its random agents in `env.run`. Both run by turns in one
process, so that whatever else the machine does meets both alike.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from random import Random
from time import process_time

import rlcard
from rlcard.agents import RandomAgent

from games.rules import apply, legal_moves, options_for, start

TABLES = [(game, seats) for game in ("matatu", "maumau") for seats in (2, 3, 4, 5)]
ROUNDS = 10


def our_game(rng: Random, game: str, seats: int) -> int:
    """Plays one random game of ours to its end; the number of moves."""
    state = start(game, seats, rng.randbytes(32), options_for(game, {}, seats))
    moves = 0
    while state.outcome is None:
        seat = state.turn
        state, _ = apply(state, seat, rng.choice(legal_moves(state, seat)))
        moves += 1
    return moves


def ours(seed: int) -> Callable[[], int]:
    """Plays one game at each kind of table when called; the number of moves."""
    rng = Random(seed)
    return lambda: sum(our_game(rng, game, seats) for game, seats in TABLES)


def theirs(seed: int) -> Callable[[], int]:
    """Plays one game of UNO when called; the number of decisions."""
    env = rlcard.make("uno", config={"seed": seed})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        trajectories, _ = env.run(is_training=False)
        # state, action, state, action ... state: one for each player
        return sum(len(trajectory) // 2 for trajectory in trajectories)

    return play


def timed(play: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Plays for about so long; steps and seconds."""
    steps, began = 0, process_time()
    while process_time() - began < seconds:
        steps += play()
    return steps, process_time() - began


def measure(seconds: float) -> dict[str, float]:
    """Steps a second of both and how many times faster ours is."""
    players = {"ikarita": ours(1), "rlcard_uno": theirs(1)}
    totals = {name: [0, 0.0] for name in players}
    for _ in range(ROUNDS):
        for name, play in players.items():
            steps, took = timed(play, seconds / ROUNDS)
            totals[name][0] += steps
            totals[name][1] += took
    rate = {name: steps / took for name, (steps, took) in totals.items()}
    return {
        "ikarita_moves_per_second": round(rate["ikarita"]),
        "rlcard_uno_steps_per_second": round(rate["rlcard_uno"]),
        "ratio": round(rate["ikarita"] / rate["rlcard_uno"], 2),
    }


def main() -> None:
    """Prints the measurement."""
    parser = ArgumentParser(description="Speed of the rules beside RLCard's UNO.")
    parser.add_argument("--seconds", type=float, default=10, help="for each of the two")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    arguments = parser.parse_args()
    measured = measure(arguments.seconds)
    if arguments.json:
        print(json.dumps(measured))
    else:
        for name, value in measured.items():
            print(f"{name:<30}{value:>12}")


if __name__ == "__main__":
    main()
