"""Pages: who sees what, and that every address says the right thing."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.html import escape
from django.views.defaults import server_error

from accounts import delivery, mailing
from accounts.tasks import deliver_notices
from games import house_rules, rules, services
from games.models import Game, MoveRecord
from games.presenters import present, read
from games.rules.options import OPTIONS, MatatuOptions, MauMauOptions
from games.services.change import change
from games.services.table import make
from tests.games.playing import person_in_turn

LANGUAGES = ["en", "rw", "de", "zu"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_without_an_account(client, db, lang):
    for address in ("", "lobbies/", "accounts/login/", "accounts/signup/"):
        page = client.get(f"/{lang}/{address}")
        assert page.status_code == 200
        assert f'<html lang="{lang}"' in page.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_about_a_fault_needs_nothing(lang, rf):
    """It is rendered when nothing can be relied on, so without a request and what comes with it."""
    with translation.override(lang):
        page = server_error(rf.get("/"))
    assert page.status_code == 500
    assert f'<html lang="{lang}"' in page.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_in_each_language(game, alice, browser_of, lang):
    page = browser_of(alice).get(f"/{lang}/games/{game.pk}/")
    assert page.status_code == 200
    assert f'<html lang="{lang}"' in page.text


def test_a_new_table_and_its_invitation(alice, bob, browser_of):
    opened = browser_of(alice).post("/en/lobbies/new/", {"game": "matatu/rwanda", "seats": "2"})
    assert opened.status_code == 302
    game = Game.objects.get()
    page = browser_of(alice).get(opened["Location"]).text
    assert f"http://testserver/join/{game.code}/" in page
    invitation = browser_of(bob).get(f"/join/{game.code}/", follow=True)
    assert invitation.status_code == 200
    assert "Alice" in invitation.text
    assert game.seats.count() == 1  # looking is not joining
    joined = browser_of(bob).post(f"/en/join/{game.code}/")
    assert joined["Location"] == f"/en/games/{game.pk}/"
    game.refresh_from_db()
    assert game.status == Game.Status.PLAYING


def test_an_invitation_lets_anybody_look_and_asks_for_a_name_or_to_sign_in(lobby, client):
    page = client.get(f"/en/join/{lobby.code}/")
    assert page.status_code == 200
    assert f"/en/accounts/login/?next=/en/join/{lobby.code}/" in page.text
    assert client.post(f"/en/join/{lobby.code}/").status_code == 400
    assert lobby.seats.count() == 1


def test_a_late_guest_is_told_so(game, charlie, browser_of):
    page = browser_of(charlie).get(f"/en/join/{game.code}/")
    assert "The game has already begun." in page.text
    answer = browser_of(charlie).post(f"/en/join/{game.code}/")
    assert answer.status_code == 409
    assert game.seats.count() == 2


def test_a_typed_code_leads_to_the_table(lobby, bob, browser_of):
    spaced = f" {lobby.code[:4].lower()} {lobby.code[4:]} "
    answer = browser_of(bob).get("/en/join/", {"code": spaced})
    assert answer["Location"] == f"/en/join/{lobby.code}/"
    assert browser_of(bob).get("/en/join/", {"code": "nothing"}).status_code == 404


PLAIN = {"game": "matatu/rwanda", "seats": "2"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose a game first."),
        ({"game": "chess/rwanda"}, "Choose a game first."),
        ({"game": "matatu"}, "Choose a game first."),
        ({"seats": "1"}, "Select a valid choice. 1 is not one of the available choices."),
        ({"seats": "two"}, "Select a valid choice. two is not one of the available choices."),
        ({"game": "maumau/mau", "seats": "6"}, "There are not enough cards for so many players."),
        ({"seats": "6", "hand_size": "10"}, "There are not enough cards for so many players."),
        ({"hand_size": "11"}, "Select a valid choice. 11 is not one of the available choices."),
        ({"cut": "maybe"}, "Select a valid choice. maybe is not one of the available choices."),
        ({"pace": "5s"}, "Select a valid choice. 5s is not one of the available choices."),
        ({"pace": "none", "public": "1"}, "A public table needs a time limit."),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_words(alice, browser_of, fields, sentence):
    sent = PLAIN | fields if fields else {}
    answer = browser_of(alice).post("/en/lobbies/new/", sent)
    assert answer.status_code == 400
    assert sentence in answer.text
    assert not Game.objects.exists()


def test_the_sixth_open_table_is_refused_in_words(alice, browser_of):
    browser = browser_of(alice)
    for _ in range(5):
        assert browser.post("/en/lobbies/new/", PLAIN).status_code == 302
    answer = browser.post("/en/lobbies/new/", PLAIN)
    assert answer.status_code == 400
    assert "You host too many open tables." in answer.text
    assert Game.objects.count() == 5


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant", rules.PRESETS)
def test_the_form_explains_every_option_and_shows_it_as_the_preset_has_it(
    alice, browser_of, lang, variant
):
    for preset, differences in rules.PRESETS[variant].items():
        page = browser_of(alice).get(f"/{lang}/lobbies/new/", {"game": f"{variant}/{preset}"})
        set_to = OPTIONS[variant]().to_json() | differences
        shown = page.text
        with translation.override(lang):
            for option, values in OPTIONS[variant].choices().items():
                for value in values:
                    assert escape(house_rules.sentence(option, value)) in shown
                field = page.context["form"][option]
                assert field.initial == str(set_to[option]).lower()
                assert field.label == house_rules.name(option)


def test_options_that_were_chosen_are_those_of_the_table(alice, bob, browser_of):
    chosen = {"game": "matatu/uganda_classic", "seats": "3", "pace": "1d", "public": "1"}
    chosen |= {"cut_limit": "20", "three_draws": "true", "hand_size": "5", "mau": "off"}
    browser_of(alice).post("/en/lobbies/new/", chosen)
    game = Game.objects.get()
    assert (game.seat_count, game.pace, game.public) == (3, "1d", True)
    expected = rules.PRESETS["matatu"]["uganda_classic"]
    expected = expected | {"cut_limit": 20, "three_draws": True, "hand_size": 5}
    assert game.options == MatatuOptions(**expected).to_json()
    page = browser_of(bob).get(f"/en/join/{game.code}/").text
    for sentence in (
        "Time per turn: 1 day",
        "Public: everybody can join or watch.",
        "There are no Jokers.",
        "Each player is dealt 5 cards.",
        "A 3 works like a 2",
        "You may cut with at most 20 points.",  # the default, but not what the preset promises
    ):
        assert sentence in page


def test_whoever_sends_no_options_gets_the_preset(alice, browser_of):
    browser_of(alice).post("/en/lobbies/new/", {"game": "maumau/big_pack", "seats": "6"})
    game = Game.objects.get()
    assert game.options == MauMauOptions(deck=52, hand_size=7).to_json()
    assert (game.pace, game.public) == ("60s", False)


def test_my_games_begin_with_those_that_wait_for_me(game, alice, bob, browser_of):
    mine = alice if game.seats.get(user=alice).number == game.turn else bob
    page = browser_of(mine).get("/en/games/").text
    assert "It is your turn!" in page
    other = bob if mine == alice else alice
    assert "It is your turn!" not in browser_of(other).get("/en/games/").text


def test_the_table_asks_to_sign_in_whether_it_exists_or_not(game, client):
    for game_id in (game.pk, "nothing"):
        answer = client.get(f"/en/games/{game_id}/")
        assert answer.status_code == 303
        assert answer["Location"].startswith("/en/accounts/login/?next=")


def test_pages_of_a_table_are_not_kept_by_anybody(game, alice, browser_of):
    page = browser_of(alice).get(f"/en/games/{game.pk}/")
    assert "no-store" in page["Cache-Control"]
    assert "X-Fragment" in page["Vary"]


def test_the_watchers_addresses(client, db):
    assert client.get("/healthz").status_code == 200
    from accounts.tasks import show_that_notices_can_go
    from games.tasks import serve_overdue_games, show_that_bots_can_think

    servers = dict.fromkeys(("database", "migrations", "redis"), True)
    ready = client.get("/readyz")
    assert ready.status_code == 503
    assert ready.json() == servers | {"sweep": False, "bots": False, "notices": False}
    works = (
        (serve_overdue_games, "sweep"),
        (show_that_bots_can_think, "bots"),
        (show_that_notices_can_go, "notices"),
    )
    for work, name in works:
        assert client.get("/readyz").json()[name] is False
        work()
        assert client.get("/readyz").json()[name] is True
    assert client.get("/readyz").status_code == 200


def test_where_nobody_may_cut_no_cut_suit_is_shown(alice, bob, browser_of):
    table = services.create(alice, services.Terms("matatu", "first_steps", 2))
    services.join(bob, table.pk)
    assert "Cut suit" not in browser_of(alice).get(f"/en/games/{table.pk}/").text


def post(browser, game, what: str, **fields):
    return browser.post(f"/en/games/{game.pk}/{what}/", fields, follow=True)


def test_the_host_seats_and_removes_bots_and_people(alice, bob, browser_of):
    lobby = services.create(alice, services.Terms("maumau", "mau", 4))
    services.join(bob, lobby.pk)
    host, guest = browser_of(alice), browser_of(bob)
    page = post(host, lobby, "bots", level="easy").text
    assert "Bot 3" in page
    assert "Remove the bot: Bot 3" in page
    assert "Remove the player: Bob" in page
    assert "Remove" not in guest.get(f"/en/games/{lobby.pk}/").text
    assert "Only the host can do this." in post(guest, lobby, "bots", level="easy").text
    bot, bob_there = (lobby.seats.get(number=number).pk for number in (2, 1))
    assert "Bot 3" not in post(host, lobby, "remove", seat=bot).text
    assert "Bob" not in post(host, lobby, "remove", seat=bob_there).text
    assert post(host, lobby, "bots", level="divine").status_code == 400
    assert lobby.seats.count() == 1


def test_all_terms_are_shown_before_joining_and_at_the_table(alice, charlie, client, browser_of):
    options = {"mau_penalty": 5, "absent_seat": "resign", "max_timeouts": 1}
    terms = services.Terms("maumau", "deutsch", 3, options, pace="12h", public=True)
    lobby = services.create(alice, terms)
    told = (
        "Mau-Mau with plain Aces and Eights",
        "Time per turn: 12 hours",
        "After 1 missed turn you have resigned.",
        "Public: everybody can join or watch.",
        "Unrated",
        "A Jack may not be played on a Jack.",
        "Penalty cards for a forgotten “Mau”: 5",
    )
    for page in (
        client.get("/en/lobbies/"),
        client.get(f"/en/join/{lobby.code}/"),
        browser_of(charlie).get(f"/en/games/{lobby.pk}/"),
        browser_of(alice).get(f"/en/games/{lobby.pk}/"),
    ):
        for sentence in told:
            assert sentence in page.text


def test_the_list_leads_to_the_table_or_to_its_invitation(alice, bob, browser_of):
    terms = services.Terms("matatu", "rwanda", 2, pace="60s", public=True)
    lobby = services.create(alice, terms)
    services.create(alice, services.Terms("matatu", "rwanda", 2))
    theirs = browser_of(bob).get("/en/lobbies/")
    assert [line["url"] for line in theirs.context["games"]] == [f"/en/join/{lobby.code}/"]
    mine = browser_of(alice).get("/en/lobbies/")
    assert [line["url"] for line in mine.context["games"]] == [f"/en/games/{lobby.pk}/"]


def test_the_script_gets_the_changing_part_alone(game, alice, browser_of):
    browser = browser_of(alice)
    for address, part in (
        ("lobbies/", "lobbies"),
        ("games/", "games"),
        ("accounts/inbox/", "inbox"),
        (f"games/{game.pk}/", "table"),
    ):
        page = browser.get(f"/en/{address}", headers={"X-Fragment": "1"})
        assert page.text.strip().startswith(f'<section id="{part}"')
        assert "no-store" in page["Cache-Control"]
        assert "X-Fragment" in page["Vary"]


def test_looking_by_script_is_a_sign_of_life_and_a_plain_page_is_none(game, alice, browser_of):
    browser = browser_of(alice)
    browser.get(f"/en/games/{game.pk}/")
    assert not delivery.is_looking(alice.pk, game.pk)
    browser.get(f"/en/games/{game.pk}/", headers={"X-Fragment": "1"})
    assert delivery.is_looking(alice.pk, game.pk)


def test_title_and_badge_count_the_games_that_wait_for_me(game, alice, bob, browser_of):
    mine = alice if game.seats.get(user=alice).number == game.turn else bob
    other = bob if mine == alice else alice
    assert "<title>(1) My games" in browser_of(mine).get("/en/games/").text
    assert "<title>My games" in browser_of(other).get("/en/games/").text


def test_who_is_away_sees_the_way_back(alice, bob, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2))
    services.join(bob, game.pk)
    game.seats.filter(user=alice).update(absent=True)
    assert "a bot plays" in browser_of(bob).get(f"/en/games/{game.pk}/").text
    assert "I am back" in browser_of(alice).get(f"/en/games/{game.pk}/").text
    page = post(browser_of(alice), game, "back").text
    assert "I am back" not in page
    assert not game.seats.get(user=alice).absent


def test_who_is_invited_to_a_rematch_can_join_or_decline(game, alice, bob, browser_of):
    services.act(alice, game.pk, rules.Move("resign"), 1)
    opened = browser_of(alice).post(f"/en/games/{game.pk}/rematch/")
    following = Game.objects.get(rematch_of=game)
    assert opened["Location"] == f"/en/games/{following.pk}/"
    assert "Join the rematch" in browser_of(bob).get(f"/en/games/{game.pk}/").text
    assert "invited" in browser_of(alice).get(f"/en/games/{following.pk}/").text
    for address in (f"/en/games/{following.pk}/", f"/en/join/{following.code}/"):
        page = browser_of(bob).get(address).text
        assert f'action="/en/join/{following.code}/"' in page
        assert "The table is full." not in page
    browser_of(bob).post(f"/en/join/{following.code}/")
    following.refresh_from_db()
    assert following.status == Game.Status.PLAYING


def test_removing_somebody_who_has_left_removes_nobody_else(alice, bob, charlie, browser_of):
    lobby = services.create(alice, services.Terms("maumau", "mau", 3))
    services.join(bob, lobby.pk)
    seen = lobby.seats.get(user=bob).pk  # on the host's page
    services.leave(bob, lobby.pk)
    services.join(charlie, lobby.pk)
    assert "Charlie" in post(browser_of(alice), lobby, "remove", seat=seen).text
    assert lobby.seats.filter(user=charlie).exists()


def test_a_rematch_that_was_closed_makes_room_for_another(game, alice, bob, browser_of):
    services.act(alice, game.pk, rules.Move("resign"), 1)
    first = services.rematch(alice, game.pk)
    services.leave(bob, first)
    services.leave(alice, first)
    assert "Join the rematch" not in browser_of(bob).get(f"/en/games/{game.pk}/").text
    opened = browser_of(bob).post(f"/en/games/{game.pk}/rematch/")
    second = Game.objects.get(rematch_of=game)
    assert second.pk != first
    assert opened["Location"] == f"/en/games/{second.pk}/"


def test_who_looks_at_an_open_public_table_can_join_it_there(alice, bob, charlie, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="60s", public=True))
    address, button = f"/en/games/{game.pk}/", f'action="/en/join/{game.code}/"'
    assert button in browser_of(charlie).get(address).text
    assert button not in browser_of(alice).get(address).text
    services.join(bob, game.pk)
    assert button not in browser_of(charlie).get(address).text


def test_the_inbox_costs_as_many_queries_for_one_notice_as_for_many(
    alice, bob, browser_of, django_assert_num_queries
):
    def sit_down(*, until: int):
        while alice.notices.filter(kind="turn").count() < until:  # the lot says who begins
            game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="1d"))
            services.join(bob, game.pk)
        delivery.read(alice.pk)  # that games have begun

    sit_down(until=1)
    reader = browser_of(alice)
    with CaptureQueriesContext(connection) as one:
        reader.get("/en/accounts/inbox/")
    sit_down(until=4)
    with django_assert_num_queries(len(one)):
        page = reader.get("/en/accounts/inbox/").text
    assert page.count('class="mine"') == 4


def test_the_inbox_tells_what_waits_and_turns_mails_off_and_on(alice, bob, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="1d"))
    services.join(bob, game.pk)
    game.refresh_from_db()
    mine = game.seats.get(number=game.turn).user
    mine.email = "me@example.com"
    mine.save()
    browser = browser_of(mine)
    page = browser.get("/de/accounts/inbox/").text
    assert "Sie sind in Matatu am Zug." in page
    assert f'href="/games/{game.pk}/"' in page
    assert "/de/accounts/settings/" in page
    chosen = {"sort_hand": "suit", "slip_guard": "slow", "voice": "all"}
    chosen |= {"quiet_from": "22", "quiet_until": "7"}
    for wanted in ({}, {"mail_turns": "on"}):
        before = {"initial-mail_turns": mine.mail_turns}
        browser.post("/en/accounts/settings/", chosen | before | wanted)
        mine.refresh_from_db()
        assert mine.mail_turns == bool(wanted)
    other = browser_of(bob if mine == alice else alice)
    inbox = "/en/accounts/inbox/"
    assert "A game of Matatu has begun, with you." in other.get(inbox).text
    assert other.post(inbox).status_code == 302
    assert "Nothing waits for you." in other.get(inbox).text


def test_the_link_in_a_mail_turns_mails_off_without_signing_in(alice, client):
    link = f"/en/accounts/mail-off/{mailing.off_token(alice)}/"
    assert "Turn these mails off" in client.get(link).text
    alice.refresh_from_db()
    assert alice.mail_turns  # looking changes nothing
    assert "You will get no more of these mails." in client.post(link).text
    alice.refresh_from_db()
    assert not alice.mail_turns
    assert client.post("/en/accounts/mail-off/1:forged/").status_code == 404


def test_the_mail_about_a_turn(alice, bob, mailoutbox, settings):
    settings.SITE_URL = "https://cards.example"
    game = services.create(alice, services.Terms("maumau", "mau", 2, pace="1h"))
    services.join(bob, game.pk)
    for user, language in ((alice, "zu"), (bob, "rw")):
        user.email, user.language = f"{user.name}@example.com", language
        user.save()
    deliver_notices()
    game.refresh_from_db()
    mine = game.seats.get(number=game.turn).user
    (mail,) = [each for each in mailoutbox if each.to == [mine.email]]
    words = {
        "zu": "Yithuba lakho emdlalweni i-Mau-Mau.",
        "rw": "Ni wowe utahiwe mu mukino Mau-Mau.",
    }
    assert words[mine.language] == mail.subject
    assert f"https://cards.example/games/{game.pk}/" in mail.body
    assert "https://cards.example/" + mine.language + "/accounts/mail-off/" in mail.body
    assert mine.name in mail.body


def test_a_hand_is_sorted_as_its_owner_wishes(alice, bob, browser_of):
    game = services.create(alice, services.Terms("maumau", "mau", 2))
    services.join(bob, game.pk)
    for order, wanted in (("suit", "SHDC"), ("rank", ["7", "8", "9", "10", "J", "Q", "K", "A"])):
        alice.sort_hand = order
        alice.save()
        page = browser_of(alice).get(f"/en/games/{game.pk}/").text
        codes = re.findall(r'id="hand-(\w+)"', page)
        assert len(codes) > 3
        keys = [code[-1] if order == "suit" else code[:-1] for code in codes]
        ranks = list(wanted) if order == "suit" else ["A", *wanted[:-1]]
        assert keys == sorted(keys, key=ranks.index)


def test_the_table_tells_all_since_ones_own_last_move(alice, bob, charlie):
    """However much that was: bots have played for whoever was away."""
    game = services.create(alice, services.Terms("matatu", "rwanda", 3, pace="1d"))
    services.join(bob, game.pk)
    services.join(charlie, game.pk)
    game.refresh_from_db()
    mine = None
    while mine is None or game.move_count < mine + 20:
        mover = person_in_turn(game)
        if mover == alice and mine:
            with change(game.pk) as changed:  # as the clock does
                make(changed, game.turn, rules.Move("timeout"), MoveRecord.Author.CLOCK, 0)
        else:
            allowed = {move.do for move in rules.legal_moves(game.position(), game.turn)}
            move = rules.Move("draw" if "draw" in allowed else "pass")
            services.act(mover, game.pk, move, game.version)
        game.refresh_from_db()
        mine = mine or (game.move_count if mover == alice else None)
    log = present(read(game.pk, alice), alice)
    assert log["since_text"]
    assert [line["new"] for line in log["log"]] == [True] * len(log["log"])
    told = MoveRecord.objects.filter(game=game, number__gt=mine).count()
    assert len(log["log"]) >= told >= 20
    assert len(present(read(game.pk, charlie), charlie)["log"]) < told, "what is new to each"
