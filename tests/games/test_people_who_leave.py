"""What is left of people, and what operators see of them."""

import pytest
from django.test import Client

from accounts.models import User
from games import rules, services
from tests.operators import prove

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_record_names_former_players_alike_for_every_reader(game, alice, bob, browser_of):
    services.act(alice, game.pk, rules.Move("resign"), game.version)
    alice.delete()
    texts = {
        browser_of(bob, headers={"Accept-Language": language})
        .get(f"/games/{game.pk}/record.json")
        .content
        for language in ("en", "rw", "de", "zu")
    }
    assert len(texts) == 1


def test_the_admin_shows_no_cards_and_deletes_nobody(game, alice, browser_of):
    client = Client()
    prove(client, User.objects.create_superuser("Boss"))
    pages = [
        "",
        "games/game/",
        f"games/game/{game.pk}/change/",
        f"games/game/{game.pk}/history/",
        "accounts/user/",
        f"accounts/user/{alice.pk}/change/",
    ]
    for path in pages:
        page = client.get(f"/admin/{path}")
        assert page.status_code == 200, path
        assert game.position().seed.hex() not in page.text
        assert "stock" not in page.text
    answer = client.post(f"/admin/accounts/user/{alice.pk}/delete/", {"post": "yes"})
    assert answer.status_code == 403
    assert User.objects.filter(pk=alice.pk).exists()
