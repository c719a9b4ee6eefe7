"""The standing cast: alice and bob play, charlie is the stranger."""

import zlib
from random import Random
from types import SimpleNamespace

import pytest
from django.test import Client

from accounts.models import User
from games import services
from games.models import Game
from games.services import lobby as opening


@pytest.fixture(autouse=True)
def awake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom a test makes has no quiet hours unless it says so: no test depends on the hour."""
    for name in ("quiet_from", "quiet_until"):
        monkeypatch.setattr(User._meta.get_field(name), "_get_default", lambda: 0)


@pytest.fixture(autouse=True)
def same_cards(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is dealt in a test, and who begins, is the same each time: no test depends on luck."""
    chance = Random(zlib.crc32(request.node.nodeid.encode()))
    monkeypatch.setattr(opening, "secrets", SimpleNamespace(token_bytes=chance.randbytes))


@pytest.fixture
def alice(db) -> User:
    return User.objects.create_user("Alice")


@pytest.fixture
def bob(db) -> User:
    return User.objects.create_user("Bob")


@pytest.fixture
def charlie(db) -> User:
    return User.objects.create_user("Charlie")


@pytest.fixture
def browser_of():
    """Return a client that is signed in as the given person."""

    def signed_in(user: User, **options) -> Client:
        client = Client(**options)
        client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def lobby(alice) -> Game:
    """Alice's table for two, waiting."""
    return services.create(alice, services.Terms("matatu", "rwanda", 2))


@pytest.fixture
def game(lobby, bob) -> Game:
    """Alice (seat 0) and Bob (seat 1) playing Matatu."""
    services.join(bob, lobby.pk)
    lobby.refresh_from_db()
    return lobby
