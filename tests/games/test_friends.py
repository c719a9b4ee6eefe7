"""Friends, who was played with, and who was blocked: what each can do, see and learn."""

import html

import pytest
from django.test import Client
from django.utils.translation import override

from accounts import delivery, ties
from accounts.models import Tie, User
from accounts.tasks import deliver_notices
from games import presenters, services
from games.friends import views
from games.models import Game
from games.services import Refused
from tests.games.playing import assert_sound, first_move, person_in_turn
from tests.games.test_races import at_once


def say(client: Client, do: str, person: User, **sent: str):
    return client.post("/en/friends/", {"do": do, "name": person.name, **sent})


def around(person: User) -> dict[str, list[str]]:
    page = presenters.friends_page(person)
    return {name: people for name, people in page.items() if people and name != "name_length"}


def public_table(host: User, seats: int = 3) -> Game:
    return services.create(host, services.Terms("matatu", "rwanda", seats, pace="60s", public=True))


def play_to_the_end(game: Game) -> None:
    game.refresh_from_db()
    while game.status == Game.Status.PLAYING:
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
        game.refresh_from_db()


# --- Friends ---------------------------------------------------------------------------------


def test_two_who_ask_each_other_are_friends(alice, bob, browser_of):
    say(browser_of(alice), "ask", bob)
    assert around(alice) == {"asked": ["Bob"]}
    assert around(bob) == {"asking": ["Alice"]}
    assert "Alice would like to be your friend." in browser_of(bob).get("/en/games/").text
    for _ in range(2):  # agreeing twice is agreeing once
        say(browser_of(bob), "ask", alice)
    assert around(alice) == {"friends": ["Bob"]}
    assert around(bob) == {"friends": ["Alice"]}
    assert "would like" not in browser_of(bob).get("/en/games/").text


@pytest.mark.parametrize("who", [0, 1])
def test_either_of_the_two_can_part(alice, bob, who):
    """A question is withdrawn or declined, a friendship ended, and nothing is left of it."""
    for friends in (False, True):
        ties.ask(alice, bob)
        if friends:
            ties.ask(bob, alice)
        for _ in range(2):
            ties.part(*[(alice, bob), (bob, alice)][who])
        assert (around(alice), around(bob)) == ({}, {})
        assert not Tie.objects.exists()


def test_a_friend_is_invited_by_one_press(alice, bob, charlie, lobby, browser_of):
    for one, other in ((alice, bob), (bob, alice), (alice, charlie)):
        ties.ask(one, other)  # Charlie has not agreed
    page = browser_of(alice).get(f"/en/games/{lobby.pk}/")
    assert page.context["game"]["lobby"]["friends"] == ["Bob"]
    browser_of(alice).post(f"/en/games/{lobby.pk}/invite/", {"name": "Bob"})
    assert lobby.seats.get(user=bob).joined is False
    again = browser_of(alice).get(f"/en/games/{lobby.pk}/")
    assert again.context["game"]["lobby"]["friends"] == []


def test_only_the_host_is_shown_friends_and_only_while_there_is_a_seat(alice, bob, charlie):
    for one, other in ((bob, charlie), (charlie, bob)):
        ties.ask(one, other)
    table = public_table(alice, seats=2)
    for viewer in (alice, bob, charlie):
        assert presenters.present(table, viewer)["lobby"]["friends"] == []


def test_the_page_tells_whom_one_has_played_with(alice, bob, charlie, game):
    assert around(alice) == {"lately": ["Bob"]}
    assert around(charlie) == {}
    ties.block(bob, alice)
    assert around(alice) == {}
    assert around(bob) == {"blocked": ["Alice"]}


def test_who_only_waited_together_has_not_played(alice, bob, lobby):
    services.invite(alice, lobby.pk, "Bob")
    assert around(alice) == {}


def test_what_is_said_of_oneself_or_nobody_is_refused_in_words(alice, browser_of):
    browser = browser_of(alice)
    for name in ("Alice", "Nobody", "", "a\0b", "x" * 500):
        answer = browser.post("/en/friends/", {"do": "ask", "name": name})
        assert answer.status_code == 404
        assert "There is no player of this name." in answer.text
    assert browser.post("/en/friends/", {"do": "marry", "name": "Bob"}).status_code == 400
    assert browser.post("/en/friends/", {}).status_code == 400
    assert Client().post("/en/friends/", {"do": "ask", "name": "Bob"}).status_code == 302
    assert not Tie.objects.exists()


def test_nobody_is_led_elsewhere(alice, bob, browser_of):
    browser = browser_of(alice)
    assert say(browser, "ask", bob, next="https://evil.example/")["Location"] == "/en/friends/"
    assert say(browser, "ask", bob, next="/en/games/")["Location"] == "/en/games/"


def test_not_too_many_and_not_too_fast(alice, bob, charlie, browser_of, monkeypatch):
    monkeypatch.setattr(ties, "MOST", 1)
    browser = browser_of(alice)
    say(browser, "ask", bob)
    page = html.unescape(
        browser.post("/en/friends/", {"do": "ask", "name": "Charlie"}, follow=True).text
    )
    assert "You have as many people here as one can have." in page
    say(browser, "block", bob)  # what is known of somebody can always be changed
    assert around(alice) == {"blocked": ["Bob"]}
    monkeypatch.setattr(views, "WORDS_AN_HOUR", 3)
    assert say(browser, "ask", bob).status_code == 429


@pytest.mark.django_db(transaction=True)
def test_whatever_two_say_at_once_one_row_a_direction_is_left(alice, bob):
    for _ in range(5):
        results = at_once(
            lambda: ties.ask(alice, bob),
            lambda: ties.block(bob, alice),
            lambda: ties.ask(alice, bob),
            lambda: ties.ask(bob, alice),
            lambda: ties.block(alice, bob),
        )
        assert set(results) == {True}
        assert Tie.objects.filter(owner=alice).count() <= 1
        assert Tie.objects.filter(owner=bob).count() <= 1


def test_a_persons_data_names_whom_they_have_spoken_of(alice, bob, charlie, browser_of):
    ties.block(alice, bob)
    ties.ask(charlie, alice)
    told = browser_of(alice).get("/en/accounts/data/").json()["people"]
    assert [(each["name"], each["kind"]) for each in told] == [("Bob", "block")]


def test_who_goes_takes_all_ties_along(alice, bob):
    ties.ask(alice, bob)
    ties.ask(bob, alice)
    bob.delete()
    assert around(alice) == {}


# --- Who is blocked ----------------------------------------------------------------------------


@pytest.fixture
def blocked(alice, bob) -> User:
    """Bob, whom Alice has blocked."""
    ties.ask(alice, bob)
    ties.ask(bob, alice)
    ties.block(alice, bob)
    return bob


def test_the_blocked_see_no_tables_of_who_has_blocked_them(alice, blocked, charlie, browser_of):
    waiting, running = public_table(alice), public_table(alice, seats=2)
    services.add_bot(alice, running.pk, "easy")
    for viewer, is_kept_away in ((browser_of(blocked), True), (browser_of(charlie), False)):
        listed = viewer.get("/en/lobbies/")
        assert bool(listed.context["games"]) != is_kept_away
        assert bool(listed.context["watched"]) != is_kept_away
        status = 404 if is_kept_away else 200
        for address in (f"games/{waiting.pk}", f"games/{running.pk}", f"join/{waiting.code}"):
            assert viewer.get(f"/en/{address}/").status_code == status, address


def test_the_blocked_read_of_a_code_what_they_read_of_a_wrong_one(alice, blocked, browser_of):
    table = public_table(alice)
    browser = browser_of(blocked)
    right, wrong = browser.get(f"/en/join/{table.code}/"), browser.get("/en/join/ZZZZZZ/")
    assert right.status_code == wrong.status_code == 404
    assert right.text.replace(table.code, "ZZZZZZ").replace(
        str(right.context["csrf_token"]), ""
    ) == (wrong.text.replace(str(wrong.context["csrf_token"]), ""))


def test_the_blocked_cannot_join_not_even_in_a_hurry(alice, blocked, charlie, browser_of):
    table = public_table(charlie)
    services.join(alice, table.pk)
    assert browser_of(blocked).post(f"/en/join/{table.code}/").status_code == 404
    with pytest.raises(Refused, match="table_full"):
        services.join(blocked, table.pk)
    assert not table.seats.filter(user=blocked).exists()
    services.leave(alice, table.pk)
    services.join(blocked, table.pk)  # where they are not, he may


def test_the_blocked_cannot_invite(alice, blocked, browser_of):
    table = public_table(blocked)
    answer = browser_of(blocked).post(f"/en/games/{table.pk}/invite/", {"name": "Alice"})
    assert answer.status_code == 409
    assert "There is no player of this name." in answer.text
    assert presenters.present(table, blocked)["lobby"]["friends"] == []


def test_who_has_blocked_somebody_may_still_come_to_them(alice, blocked):
    """It keeps the other away, not oneself."""
    table = public_table(blocked)
    services.join(alice, table.pk)
    assert_sound(table.pk)


@pytest.mark.parametrize("is_blocker", [False, True])
def test_a_rematch_invites_nobody_who_could_not_come(alice, bob, game, is_blocker):
    """Neither who has blocked the one that asks for it, nor whom that one has blocked."""
    play_to_the_end(game)
    ties.block(alice, bob)
    asking, other = (alice, bob) if is_blocker else (bob, alice)
    again = Game.objects.get(pk=services.rematch(asking, game.pk))
    assert [seat.user for seat in again.seats.all()] == [asking]
    assert not other.notices.filter(kind="rematch").exists()


def test_whom_one_has_blocked_one_cannot_invite_and_is_told_why(alice, blocked, lobby, browser_of):
    """They could not come."""
    answer = browser_of(alice).post(f"/en/games/{lobby.pk}/invite/", {"name": "Bob"})
    assert answer.status_code == 409
    assert "You have blocked this player." in answer.text
    assert lobby.seats.count() == 1


def test_a_game_that_both_play_goes_on(alice, bob, game, browser_of):
    ties.block(alice, bob)
    for person in (alice, bob):
        assert browser_of(person).get(f"/en/games/{game.pk}/").status_code == 200
    play_to_the_end(game)
    assert_sound(game.pk)
    assert browser_of(bob).get(f"/en/games/{game.pk}/replay/").status_code == 200


def test_the_page_of_a_player_is_none_for_the_blocked(alice, bob, charlie, browser_of):
    table = public_table(alice, seats=2)
    services.join(bob, table.pk)
    play_to_the_end(table)
    page = browser_of(bob).get("/en/players/Alice/")
    assert page.context["player"]["tie"] == ""
    say(browser_of(bob), "ask", alice)
    assert browser_of(bob).get("/en/players/Alice/").context["player"]["tie"] == "asked"
    assert browser_of(alice).get("/en/players/Alice/").context["player"]["tie"] is None
    assert Client().get("/en/players/Alice/").context["player"]["tie"] is None
    ties.block(alice, bob)
    assert browser_of(bob).get("/en/players/Alice/").status_code == 404
    assert browser_of(charlie).get("/en/players/Alice/").status_code == 200


def test_nothing_that_the_blocked_read_tells_them(alice, bob, browser_of):
    """A question to who has blocked one is taken as any other, and shown to nobody."""
    ties.block(alice, bob)
    assert say(browser_of(bob), "ask", alice).status_code == 302
    assert around(bob) == {"asked": ["Alice"]}
    assert around(alice) == {"blocked": ["Bob"]}
    ties.part(alice, bob)
    assert (around(alice), around(bob)) == ({}, {})


def test_the_blocked_still_have_their_own_seat_there(alice, bob, lobby, browser_of):
    """Who sat there first and was blocked then is not left before a closed door."""
    table = public_table(alice)
    services.join(bob, table.pk)
    ties.block(alice, bob)
    assert browser_of(bob).get(f"/en/games/{table.pk}/").status_code == 200
    assert browser_of(bob).get(f"/en/join/{table.code}/").status_code == 302
    assert browser_of(bob).post(f"/en/games/{table.pk}/leave/").status_code == 302
    assert browser_of(bob).get(f"/en/games/{table.pk}/").status_code == 404


# --- A question is told -----------------------------------------------------------------------


def questions(person: User) -> list[str]:
    """What the inbox says of questions."""
    with override("en"):
        told = [delivery.letter(notice) for notice in delivery.open_notices(person)]
    return [said for said, _, path in told if path.endswith("/friends/")]


def test_who_is_asked_is_told_once(alice, bob, browser_of):
    for _ in range(2):
        ties.ask(alice, bob)
    assert questions(bob) == ["Alice would like to be your friend."]
    assert questions(alice) == []
    browser_of(bob).get("/en/friends/")
    assert questions(bob) == [], "read"
    ties.part(alice, bob)
    ties.ask(alice, bob)
    assert questions(bob) == [], "nobody nags by asking again and again"


@pytest.mark.parametrize("answer", [ties.ask, ties.block])
def test_an_answered_question_is_no_news(alice, bob, answer):
    ties.ask(alice, bob)
    answer(bob, alice)
    assert questions(bob) == questions(alice) == []


def test_a_withdrawn_question_is_no_news(alice, bob):
    ties.ask(alice, bob)
    ties.part(alice, bob)
    assert questions(bob) == []


def test_who_was_blocked_asks_nothing(alice, bob, mailoutbox):
    User.objects.update(email="bob@example.com")
    ties.block(bob, alice)
    ties.ask(alice, bob)
    assert questions(bob) == []
    deliver_notices()
    assert mailoutbox == []


def test_a_mail_tells_of_each_who_asks(alice, bob, charlie, mailoutbox):
    User.objects.filter(pk=charlie.pk).update(email="charlie@example.com", mail_pace="once")
    for asking in (alice, bob):
        ties.ask(asking, charlie)
    deliver_notices()
    (mail,) = mailoutbox
    for asking in (alice, bob):
        assert f"{asking.name} would like to be your friend." in mail.body


def test_a_question_comes_by_mail_if_no_device_shows_it(alice, bob, mailoutbox):
    User.objects.filter(pk=bob.pk).update(email="bob@example.com", mail_pace="once", language="de")
    ties.ask(alice, bob)
    deliver_notices()
    (mail,) = mailoutbox
    assert mail.subject == "Alice möchte mit Ihnen befreundet sein."
    assert "/friends/" in mail.body
