"""Who is friends with whom, and who wants to have nothing to do with whom.

One row a pair and direction. Two rows of friendship that meet make friends; a single one is a
question. Who is blocked is never told, nor finds out by how a question is answered.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from accounts import channels, delivery
from accounts.models import Notice, Tie, User

FRIEND, BLOCK = Tie.Kind.FRIEND, Tie.Kind.BLOCK
MOST = 500  # ties of one person
ASKED = "friend-"  # and the key of who asks: what the notice of a question is about


@dataclass
class Circle:
    """The people around somebody, each list by name."""

    friends: list[User] = field(default_factory=list)
    asking: list[User] = field(default_factory=list)  # they would like to be friends
    asked: list[User] = field(default_factory=list)
    blocked: list[User] = field(default_factory=list)

    def everybody(self) -> set[int]:
        """Return the keys of them all."""
        lists = (self.friends, self.asking, self.asked, self.blocked)
        return {person.pk for people in lists for person in people}


def circle_of(user_id: int) -> Circle:
    """Return who is around the person with this key; one query."""
    ties = Tie.objects.filter(Q(owner=user_id) | Q(other=user_id, kind=FRIEND))
    ties = ties.filter(owner__is_active=True, other__is_active=True)
    mine: dict[User, str] = {}
    theirs: set[User] = set()
    for tie in ties.select_related("owner", "other"):
        if tie.owner_id == user_id:
            mine[tie.other] = tie.kind
        else:
            theirs.add(tie.owner)
    circle = Circle()
    for person in sorted({*mine, *theirs}, key=lambda each: each.name.casefold()):
        said = mine.get(person)
        if said == BLOCK:
            circle.blocked.append(person)
        elif said is None:
            circle.asking.append(person)
        else:
            (circle.friends if person in theirs else circle.asked).append(person)
    return circle


def friends_of(user_id: int) -> QuerySet[User]:
    """Return the friends of the person with this key, by name."""
    mine = Tie.objects.filter(owner=user_id, kind=FRIEND).values("other")
    theirs = User.objects.filter(ties__other=user_id, ties__kind=FRIEND, is_active=True)
    return theirs.filter(pk__in=mine).order_by("name")


class Muted(Exception):
    """A moderator has decided that this person asks nobody (moderation.py)."""


def ask(user: User, other: User) -> bool:
    """Let `user` ask `other` to be friends, who is told of it, or agree if that was asked.

    Asking twice is asking once, and it unblocks. Returns False if `user` has MOST ties. Raises
    Muted; to agree is open to everybody.
    """
    if user.is_muted and not Tie.objects.filter(owner=other, other=user, kind=FRIEND).exists():
        raise Muted
    with transaction.atomic():
        is_said = _say(user, other, FRIEND)
        if is_said:
            # Whether it holds (`open_questions`) is looked at when it is told.
            kind, about, now = channels.FRIEND, f"{ASKED}{user.pk}", delivery.instant()
            delivery.write([delivery.News(other.pk, kind, about, 0, channels.DAYS, now)])
    return is_said


def block(user: User, other: User) -> bool:
    """End what is between the two, and keep `other` from `user`; blocking twice is blocking once.

    Returns False if `user` has MOST ties.
    """
    return _say(user, other, BLOCK)


def part(user: User, other: User) -> None:
    """End what `user` has said, and a friendship or a question of `other`: unfriend, withdraw,
    decline, unblock. Parting twice is parting once."""
    _of_both(user, other).exclude(owner=other, kind=BLOCK).delete()


def blockers_of(user_id: int) -> QuerySet[Tie, Any]:
    """Return the keys of those who have blocked the person with this key."""
    return Tie.objects.filter(other=user_id, kind=BLOCK).values("owner")


def kept_apart_from(user_id: int) -> set[int]:
    """Return the keys of whom the person with this key has blocked, and of who has blocked them."""
    blocks = Tie.objects.filter(Q(owner=user_id) | Q(other=user_id), kind=BLOCK)
    pairs = blocks.values_list("owner", "other")
    return {key for pair in pairs for key in pair} - {user_id}


def open_questions(user_id: int, kind: str) -> QuerySet[Notice]:
    """Return the notices, not read yet, of questions that the person with this key has not
    answered; who was blocked has asked nothing. For `delivery.register`."""
    asking = Tie.objects.annotate(key=Concat(Value(ASKED), Cast("owner_id", CharField())))
    asking = asking.filter(key=OuterRef("about"), other=user_id, kind=FRIEND, owner__is_active=True)
    answers = Tie.objects.filter(owner=user_id, other=OuterRef("owner"))
    rows = Notice.objects.filter(Exists(asking.exclude(Exists(answers))), user=user_id)
    return rows.filter(kind=channels.FRIEND, read_at=None)


def pairs_apart(user_ids: Collection[int]) -> set[frozenset[int]]:
    """Return which of these people are kept apart, because one of the two has blocked the other."""
    blocks = Tie.objects.filter(owner__in=user_ids, other__in=user_ids, kind=BLOCK)
    return {frozenset(pair) for pair in blocks.values_list("owner", "other")}


def is_blocked(user_id: int, by: Collection[int]) -> bool:
    """Return whether one of those people has blocked the person with this key."""
    return Tie.objects.filter(other=user_id, kind=BLOCK, owner__in=by).exists()


def _of_both(user: User, other: User) -> QuerySet[Tie]:
    return Tie.objects.filter(Q(owner=user, other=other) | Q(owner=other, other=user))


def _say(user: User, other: User, kind: str) -> bool:
    with transaction.atomic():
        # Two who say something of each other wait for one another, in the order of their keys.
        list(
            User.objects.select_for_update(no_key=True)
            .filter(pk__in=(user.pk, other.pk))
            .order_by("pk")
        )
        if user == other or Tie.objects.filter(owner=user).exclude(other=other).count() >= MOST:
            return False
        Tie.objects.update_or_create(owner=user, other=other, defaults={"kind": kind})
        if kind == BLOCK:
            Tie.objects.filter(owner=other, other=user, kind=FRIEND).delete()
    return True
