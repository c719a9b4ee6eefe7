"""Each person is told of each own turn, once, by the way they like: by real processes, to a push
service that decrypts what it gets and a mail server, while workers and clocks die or are two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from random import Random

import pytest
from aiosmtpd.controller import Controller
from celery import Celery

from accounts import endpoints, push_key, sending
from accounts.channels import HOOK, MAIL, PUSH
from accounts.models import Delivery, Notice, User
from games import clock
from games.models import Game
from tests.faults.killable import Killable, killable_site, put_clock_forward
from tests.faults.playing import Player, check, in_turn, now, play, until
from tests.outside import Device, Outside, outside

TURNS = 10
HOUR, HALF_A_DAY = 3_700, 43_300  # seconds: enough for the next mail; for the reminder at 50 %
TURN, NEAR, BEGUN = (
    "It is your turn in Matatu.",
    "Your turn in Matatu ends",
    "A game of Matatu has begun, with you.",
)


class Post:
    """A mail server (RFC 5321) that keeps what it takes."""

    def __init__(self, port: int) -> None:
        self.port, self.url = port, f"smtp://127.0.0.1:{port}"
        self.mails: defaultdict[str, list[str]] = defaultdict(list)

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802
        """Take a mail (the library's name for it); keep its subject by whom it is for."""
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert "one-click" in mail["List-Unsubscribe-Post"].lower()
        types = [part.get_content_type() for part in mail.iter_parts()]
        assert types == ["text/plain", "text/html"]
        for address in envelope.rcpt_tos:
            self.mails[address].append(mail["Subject"])
        return "250 OK"


@contextmanager
def post_office() -> Iterator[Post]:
    """Serve a mail server on a free port until the block ends."""
    with outside() as spare:  # a port that was free a moment ago
        post = Post(int(spare.url.rsplit(":", 1)[1]))
    controller = Controller(post, hostname="127.0.0.1", port=post.port)
    controller.start()
    try:
        yield post
    finally:
        controller.stop()


@pytest.fixture(scope="module")
def world() -> Iterator[Outside]:
    with outside() as served:
        yield served


@pytest.fixture(scope="module")
def post() -> Iterator[Post]:
    with post_office() as served:
        yield served


@pytest.fixture(scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory, post: Post) -> Iterator[Killable]:
    with killable_site(tmp_path_factory.mktemp("told"), EMAIL_URL=post.url) as site:
        yield site


@dataclass
class Person:
    """Somebody at the table, what they were to be told so far, and where they are told it."""

    player: Player
    device: Device | None
    address: str
    due: list[str] = field(default_factory=list)

    def told_on_device(self, world: Outside) -> list[str]:
        """What the device was given, by how it begins."""
        assert self.device is not None
        return [_kind_of(shown["title"]) for shown in world.shown_on(self.device)]

    def told_by_mail(self, post: Post) -> list[str]:
        """What stands in the subjects of this person's mails."""
        return [_kind_of(subject) for subject in post.mails[self.address]]


def _kind_of(words: str) -> str:
    return next(kind for kind in (TURN, NEAR, BEGUN) if words.startswith(kind))


@pytest.fixture
def people(site: Killable, world: Outside) -> list[Person]:
    """One who is told on a device, one by mail, one by both and a webhook."""
    found = []
    for way in ((PUSH,), (MAIL,), (PUSH, MAIL, HOOK)):
        player = site.player()
        user = User.objects.get(name=player.name)
        device = world.device() if PUSH in way else None
        address = f"{user.pk}@example.org" if MAIL in way else ""
        kinds = {kind: list(way) for kind in ("turn", "near", "started")}
        User.objects.filter(pk=user.pk).update(email=address, channels=kinds, reminders=[50])
        if device:
            keys = device.keys.values()
            user.endpoints.create(
                channel=PUSH,
                address=device.address,
                **dict(zip(("public_key", "secret"), keys, strict=True)),
                server_key=_key_of(site),
            )
        if HOOK in way:
            key = endpoints.KEY_PREFIX + "A" * 32
            user.endpoints.create(channel=HOOK, address=f"{world.url}/hook/{user.pk}", secret=key)
        found.append(Person(player, device, address))
    return found


def _key_of(site: Killable) -> str:
    """The site's own key: tests and site have the same secret."""
    assert site.live.env["SECRET_KEY"]
    return push_key.public()


def ten_turns(site: Killable, people: list[Person], disturb) -> str:
    """Play; after each turn has begun let all be told, some turns until their reminder is due."""
    luck = Random(4)
    players = {person.player: person for person in people}
    first, *others = players
    pk = first.open_table("1d", seats=3)
    for each in others:
        each.join(now(pk).code)
    beginner = in_turn(now(pk), *players)
    for player, person in players.items():
        if player is not beginner:
            person.due.append(BEGUN)
    for _ in range(TURNS):
        person = players[in_turn(now(pk), *players)]
        person.due.append(TURN)
        let_all_be_told(site, pk, disturb)
        put_clock_forward(HOUR)  # so that no mail waits for the hour
        if luck.random() < 0.3:
            put_clock_forward(HALF_A_DAY)
            person.due.append(NEAR)
            let_all_be_told(site, pk, disturb)
            put_clock_forward(HOUR)
        turn = now(pk).turn_version
        while now(pk).turn_version == turn:
            play(pk, person.player)
        assert now(pk).status == Game.Status.PLAYING, "long enough for ten turns"
    return pk


def let_all_be_told(site: Killable, pk: str, disturb) -> None:
    """Ask the workers to deliver, disturb them at that, and go on until all is settled."""
    with Celery(broker=site.live.env["REDIS_URL"]) as asking:

        def ask() -> None:
            for task in ("deliver_notices", "push_notices", "call_webhooks"):
                asking.send_task(f"accounts.tasks.{task}", queue="notices")

        ask()
        disturb()
        for _ in range(6):
            with suppress(AssertionError):
                until(lambda: ask() or _all_is_told(pk), 10)
                return
            put_clock_forward(sending.CLAIM.total_seconds() + 1)  # what was claimed counts as lost
    raise AssertionError("it is never settled")


def _all_is_told(pk: str) -> bool:
    undecided = Notice.objects.filter(about=pk, decided_at=None, due_at__lte=clock.now())
    open_ways = Delivery.objects.filter(notice__about=pk, state__in=["waiting", "claimed"])
    return not undecided.exists() and not open_ways.exists()


def repeats(pk: str, person: Person, channel: str) -> int:
    """How many of these are counted as perhaps doubled."""
    rows = Delivery.objects.filter(notice__about=pk, channel=channel, repeated=True)
    return rows.filter(notice__user__name=person.player.name).count()


def check_all_were_told(pk: str, people: list[Person], world: Outside, post: Post) -> int:
    """Each was told exactly what was due, and nobody anything else; return the repeats."""
    doubled = 0
    for person in people:
        ways = [(PUSH, person.told_on_device(world))] if person.device else []
        ways += [(MAIL, person.told_by_mail(post))] if person.address else []
        for channel, told in ways:
            again = repeats(pk, person, channel)
            doubled += again
            assert len(person.due) <= len(told) <= len(person.due) + again, (channel, told)
            for kind in (TURN, NEAR, BEGUN):
                assert told.count(kind) >= person.due.count(kind), (channel, kind)
            if not again:
                assert told == person.due
    *_, last = people
    hooks = [call for call in world.calls if call.address.endswith(f"/hook/{_pk_of(last)}")]
    assert len(last.due) <= len(hooks) <= len(last.due) + repeats(pk, last, HOOK)
    begun = now(pk).turn_version  # the turn after the last, of which nobody need have been told
    unsent = Delivery.objects.filter(notice__about=pk, notice__version__lt=begun)
    assert not unsent.exclude(state="sent").exists()
    check(pk, *(person.player for person in people))
    return doubled


def _pk_of(person: Person) -> int:
    return User.objects.get(name=person.player.name).pk


def test_each_is_told_of_each_turn_as_they_like(site, people, world, post):
    pk = ten_turns(site, people, disturb=lambda: None)
    assert check_all_were_told(pk, people, world, post) == 0
    assert any(NEAR in person.due for person in people)


def test_each_is_told_while_worker_and_clock_are_killed(site, people, world, post):
    luck = Random(7)

    def kill() -> None:
        if luck.random() < 0.5:
            until(lambda: luck.random() < 0.3)  # the moment is left to chance
            victim = luck.choice(["notices", "notices", "clock"])
            site.kill(victim)
            site.start(victim)

    pk = ten_turns(site, people, kill)
    check_all_were_told(pk, people, world, post)


def test_b44_each_is_told_once_by_two_workers_and_two_clocks(site, people, world, post):
    with site.live.doubled("notices", "clock"):
        pk = ten_turns(site, people, disturb=lambda: None)
        assert check_all_were_told(pk, people, world, post) == 0
