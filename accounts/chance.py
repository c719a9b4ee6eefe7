"""Ids, keys and codes that cannot be guessed from one another."""

import secrets

# No vowels (no words by chance), nothing that is read as something else: 27 letters.
ALPHABET = "23456789BCDFGHJKMNPQRSTVWXZ"


def letters(number: int) -> str:
    """Return so many letters of ALPHABET from the operating system: 4.75 bits each."""
    return "".join(secrets.choice(ALPHABET) for _ in range(number))
