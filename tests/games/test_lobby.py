"""Before the first card: opening, joining, leaving, starting."""

from datetime import timedelta

import pytest

from accounts import delivery
from accounts.models import User
from games import clock, rules, services
from games.models import ClockOffset, Game


def test_the_one_who_opens_a_table_is_its_host_on_the_first_seat(lobby, alice):
    assert lobby.status == Game.Status.WAITING
    assert lobby.host == alice
    assert [seat.user for seat in lobby.seats.all()] == [alice]


def test_the_last_one_to_join_starts_the_game(lobby, bob):
    services.join(bob, lobby.pk)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.PLAYING
    assert lobby.turn in (0, 1)
    assert len(lobby.commitment) == 64
    assert lobby.deadline is None


def test_joining_twice_is_joining_once(lobby, alice, bob):
    services.join(alice, lobby.pk)
    assert lobby.seats.count() == 1
    services.join(bob, lobby.pk)
    services.join(bob, lobby.pk)
    lobby.refresh_from_db()
    assert lobby.version == 1


def test_a_full_table_takes_nobody(game, charlie):
    with pytest.raises(services.Refused, match="already_started"):
        services.join(charlie, game.pk)
    assert game.seats.count() == 2


def test_a_host_starts_with_those_who_are_there_and_the_empty_seats_close_up(alice, bob, charlie):
    table = services.create(alice, services.Terms("matatu", "rwanda", 4))
    services.join(bob, table.pk)
    services.join(charlie, table.pk)
    services.leave(bob, table.pk)
    services.start(alice, table.pk)
    table.refresh_from_db()
    assert table.seat_count == 2
    assert list(table.seats.order_by("number").values_list("number", "user__name")) == [
        (0, "Alice"),
        (1, "Charlie"),
    ]


def test_only_the_host_starts_and_not_alone(lobby, alice, bob):
    with pytest.raises(services.Refused, match="not_host"):
        services.start(bob, lobby.pk)
    with pytest.raises(services.Refused, match="need_players"):
        services.start(alice, lobby.pk)


def test_the_host_passes_to_the_eldest_and_a_deserted_table_closes(alice, bob):
    table = services.create(alice, services.Terms("matatu", "rwanda", 3))
    services.join(bob, table.pk)
    services.leave(alice, table.pk)
    table.refresh_from_db()
    assert table.host == bob
    services.leave(bob, table.pk)
    table.refresh_from_db()
    assert table.status == Game.Status.CLOSED
    assert table.deadline is None


# --- Invitations ----------------------------------------------------------------------------------


def test_a_seat_is_kept_for_whoever_is_invited(lobby, alice, bob, charlie):
    services.invite(alice, lobby.pk, " bOB ")
    assert [(seat.user, seat.joined) for seat in lobby.seats.order_by("number")] == [
        (alice, True),
        (bob, False),
    ]
    assert list(bob.notices.values_list("kind", "about")) == [("invited", lobby.pk)]
    with pytest.raises(services.Refused, match="table_full"):
        services.join(charlie, lobby.pk)
    services.join(bob, lobby.pk)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.PLAYING
    assert not [each for each in delivery.open_notices(bob) if each.kind == "invited"]


def test_inviting_twice_is_inviting_once(lobby, alice, bob):
    for _ in range(2):
        services.invite(alice, lobby.pk, bob.name)
    services.invite(alice, lobby.pk, alice.name)
    lobby.refresh_from_db()
    assert lobby.version == 1
    assert lobby.seats.count() == 2
    assert bob.notices.count() == 1


def test_whoever_declines_frees_the_seat_and_hears_no_more_of_it(lobby, alice, bob, charlie):
    services.invite(alice, lobby.pk, bob.name)
    services.leave(bob, lobby.pk)
    assert not delivery.open_notices(bob)
    services.join(charlie, lobby.pk)
    assert lobby.seats.filter(user=charlie, joined=True).exists()


def test_an_invitation_is_taken_back(lobby, alice, bob):
    services.invite(alice, lobby.pk, bob.name)
    services.remove(alice, lobby.pk, lobby.seats.get(user=bob).pk)
    assert not delivery.open_notices(bob)
    assert lobby.seats.count() == 1


def test_only_a_host_invites_and_only_who_is_there(lobby, alice, bob, charlie):
    with pytest.raises(services.Refused, match="not_host"):
        services.invite(bob, lobby.pk, charlie.name)
    gone = User.objects.create_user("Gone", is_active=False)
    for name in ("Nobody", "", "A\0lice", gone.name):
        with pytest.raises(services.Refused, match="nobody"):
            services.invite(alice, lobby.pk, name)
    lobby.refresh_from_db()
    assert lobby.version == 0


def test_nobody_is_invited_to_a_running_game(game, charlie):
    with pytest.raises(services.Refused, match="already_started"):
        services.invite(game.host, game.pk, charlie.name)


def test_tables_that_others_left_to_a_guest_do_not_keep_him_from_opening_his_own(alice, bob):
    terms = services.Terms("matatu", "rwanda", 2)
    for _ in range(5):
        left = services.create(alice, terms)
        services.invite(alice, left.pk, bob.name)
        services.leave(alice, left.pk)
    assert bob.hosted_games.count() == 5
    for _ in range(5):
        services.create(bob, terms)
    with pytest.raises(services.Refused, match="too_many_tables"):
        services.create(bob, terms)


def test_a_host_invites_by_name_from_the_table(alice, bob, browser_of):
    table = services.create(alice, services.Terms("matatu", "rwanda", 3))
    browser, page, address = browser_of(alice), f"/en/games/{table.pk}/", "invite/"
    assert 'name="name"' in browser.get(page).text
    answer = browser.post(page + address, {"name": "Nobody"})
    assert answer.status_code == 409
    assert "There is no player of this name." in answer.text
    assert browser.post(page + address, {"name": bob.name}).status_code == 302
    shown = browser.get(page).text
    assert "invited" in shown
    assert "Start the game" not in shown, "nobody else is there yet"
    guest = browser_of(bob)
    assert "You are invited to a game of Matatu." in guest.get("/en/accounts/inbox/").text
    assert "Join the game" in guest.get(page).text
    assert 'name="name"' not in guest.get(page).text


def test_nobody_invites_without_end(lobby, alice, browser_of):
    browser = browser_of(alice)
    send = f"/en/games/{lobby.pk}/invite/"
    answers = [browser.post(send, {"name": "Nobody"}).status_code for _ in range(31)]
    assert answers == [409] * 30 + [429]


# --- The next game --------------------------------------------------------------------------------


@pytest.fixture
def rematch(alice, bob, charlie) -> Game:
    """The next game of Alice, who asked for it and has gone again; the others are invited."""
    game = services.create(alice, services.Terms("matatu", "rwanda", 5))
    for level in ("easy", "easy"):
        services.add_bot(alice, game.pk, level)
    services.join(bob, game.pk)
    services.join(charlie, game.pk)
    for person in (alice, bob, charlie):
        services.act(person, game.pk, rules.Move("resign"), 0)
    following = services.rematch(alice, game.pk)
    services.leave(alice, following)
    return Game.objects.get(pk=following)


def test_whoever_comes_first_to_a_table_without_its_host_is_the_host(rematch, bob, charlie):
    assert rematch.host == bob, "bob is invited, and may never come"
    services.join(charlie, rematch.pk)
    rematch.refresh_from_db()
    assert rematch.host == charlie
    services.start(charlie, rematch.pk)
    assert set(rematch.seats.values_list("user", "bot")) == {(charlie.pk, ""), (None, "easy")}


def test_an_invited_host_who_starts_the_game_plays_in_it(rematch, bob):
    services.start(bob, rematch.pk)
    rematch.refresh_from_db()
    assert rematch.status == Game.Status.PLAYING
    assert rematch.seats.get(user=bob).joined
    assert rematch.seats.count() == 3


def test_nobody_leaves_a_running_game(game, bob):
    with pytest.raises(services.Refused, match="already_started"):
        services.leave(bob, game.pk)


def test_a_forgotten_lobby_is_closed_by_the_clock(lobby, settings):
    settings.TEST_CLOCK = True
    assert not services.serve_one_overdue_game(print)
    ClockOffset.objects.create(offset=timedelta(days=8))
    assert services.serve_one_overdue_game(print)
    assert not services.serve_one_overdue_game(print)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.CLOSED


def test_the_clock_cannot_be_put_forward_on_a_real_site(db, settings):
    settings.TEST_CLOCK = False
    ClockOffset.objects.create(offset=timedelta(days=8))
    before = clock.now()
    assert abs(clock.now() - before) < timedelta(minutes=1)
    settings.TEST_CLOCK = True
    assert clock.now() - before > timedelta(days=7)
