"""A code on paper that brings a person back who has no address, and no password or no memory of it.

It is as good as the password: 100 bits of chance, of which only a hash is kept. It stays good
after it was used, so that whoever has found it cannot shut its owner out; a new code ends it.
"""

from hashlib import sha256

from accounts import chance
from accounts.models import User

LENGTH, GROUP = 21, 3  # 27**21 > 2**99; in threes, to be read out


def make_code(user: User) -> str:
    """Give `user` a new code, which ends the one before, and return it: it is not seen again."""
    letters = chance.letters(LENGTH)
    User.objects.filter(pk=user.pk).update(recovery=_hash(letters))
    return "-".join(letters[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def person_of(code: str) -> User | None:
    """Return whose code that is, however it is typed; None for nobody's, and for operators."""
    letters = "".join(filter(chance.ALPHABET.__contains__, code.upper()))
    people = User.objects.filter(recovery=_hash(letters), is_active=True, is_staff=False)
    return people.first() if len(letters) == LENGTH else None


def _hash(letters: str) -> str:
    return sha256(letters.encode()).hexdigest()
