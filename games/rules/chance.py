"""Chance that anybody can check afterwards: everything random follows from one secret seed.

Each purpose has a label and so a stream of its own; a stream is the blocks
HMAC-SHA256(seed, "label:0"), HMAC-SHA256(seed, "label:1") ..., each cut into eight unsigned 32-bit
big-endian numbers. No state is kept between draws: a label always gives the same answer.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from itertools import count

SEED_BYTES = 32


def commitment(seed: bytes, game_id: str) -> str:
    """What is shown before the game: SHA-256 of seed and game id, as hex."""
    return hashlib.sha256(seed + game_id.encode("ascii")).hexdigest()


def _numbers(seed: bytes, label: str) -> Iterator[int]:
    for block in count():
        yield from struct.unpack(">8I", hmac.digest(seed, f"{label}:{block}".encode(), "sha256"))


def _below(numbers: Iterator[int], limit: int) -> int:
    """The next number below `limit`; numbers that would favour the low ones are thrown away."""
    number, fair = next(numbers), 2**32 - 2**32 % limit
    while number >= fair:
        number = next(numbers)
    return number % limit


def below(seed: bytes, label: str, limit: int) -> int:
    """A uniform number in 0 .. limit - 1."""
    return _below(_numbers(seed, label), limit)


def shuffled(seed: bytes, label: str, cards: bytes) -> bytes:
    """The same cards in another order (Fisher-Yates from the last index down)."""
    numbers = _numbers(seed, label)
    pile = bytearray(cards)
    for last in range(len(pile) - 1, 0, -1):
        other = _below(numbers, last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    return bytes(pile)
