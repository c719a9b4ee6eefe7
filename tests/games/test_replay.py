"""Replays of finished games: who may see them, and that every step is what was played."""

import io
import re

import pytest
from PIL import Image

from games import rules, services
from games.models import Game
from games.presenters import read_finished, replay
from games.rules.cards import card_code
from tests.games.playing import first_move, person_in_turn
from tests.rules.play import all_cards

pytestmark = pytest.mark.django_db(transaction=True)


def play_to_the_end(game: Game, moves: int = 400) -> Game:
    """Play by the first move there is; whoever is in turn after so many moves resigns."""
    for number in range(moves + 1):
        game.refresh_from_db()
        if game.status != Game.Status.PLAYING:
            break
        move = first_move(game) if number < moves else rules.Move("resign")
        services.act(person_in_turn(game), game.pk, move, game.version)
    return Game.objects.with_people().get(pk=game.pk)


@pytest.fixture
def over(game) -> Game:
    """A game by invitation of Alice and Bob that has ended."""
    return play_to_the_end(game)


@pytest.fixture
def over_in_public(alice, bob) -> Game:
    terms = services.Terms("maumau", "mau", 2, pace="1h", public=True)
    game = services.create(alice, terms)
    services.join(bob, game.pk)
    return play_to_the_end(game)


def page_of(game: Game, query: str = "") -> str:
    return f"/en/games/{game.pk}/replay/{query}"


# --- Who may see it -------------------------------------------------------------------------------


def test_a_private_replay_is_for_its_players(over, alice, bob, charlie, client, browser_of):
    for person in (alice, bob):
        assert browser_of(person).get(page_of(over)).status_code == 200
    for stranger in (browser_of(charlie), client):
        for path in (page_of(over), f"/games/{over.pk}/record.json"):
            for query in ("", "?key=", "?key=wrong", "?key=%C3%A4", f"?key={over.code}"):
                assert stranger.get(path + query).status_code == 404, path + query


def test_a_public_replay_is_for_everybody(over_in_public, charlie, client, browser_of):
    for reader in (browser_of(charlie), client):
        assert reader.get(page_of(over_in_public)).status_code == 200
        assert reader.get(f"/games/{over_in_public.pk}/record.json").status_code == 200


@pytest.mark.parametrize("public", [True, False])
def test_a_game_that_is_not_over_has_no_replay(public, alice, bob, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="1h", public=public))
    assert browser_of(alice).get(page_of(game)).status_code == 404
    services.join(bob, game.pk)
    assert browser_of(alice).get(page_of(game)).status_code == 404
    with pytest.raises(services.Refused, match="not_over"):
        services.share(alice, game.pk)


def test_the_link_opens_the_replay_its_record_and_its_picture(over, alice, client, browser_of):
    mine = browser_of(alice)
    assert mine.post(f"/en/games/{over.pk}/replay/share/").status_code == 302
    link = re.search(r'value="(http://testserver/games/[^"]*)"', mine.get(page_of(over)).text)[1]
    answer = client.get(link, follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[0][0].endswith(link.partition("?")[2])
    page = answer.text.replace("&amp;", "&")
    assert f'property="og:url" content="http://testserver{page_of(over)}?key=' in page
    for each in (r'href="(/games/[^"]*record\.json[^"]*)"', r'og:image" content="([^"]*)"'):
        assert client.get(re.search(each, page)[1]).status_code == 200
    ways = re.findall(r'href="([^"]*step=[^"]*)"', page)
    assert client.get(ways[0]).status_code == 200, "links go on with the key"
    assert all("key=" in way for way in ways)


def test_one_link_however_often_it_is_asked_for(over, alice, bob):
    first = services.share(alice, over.pk)
    assert len(first) == 22
    assert services.share(bob, over.pk) == first


def test_a_link_that_is_withdrawn_leads_nowhere(over, alice, bob, charlie, client, browser_of):
    key = services.share(alice, over.pk)
    assert client.get(page_of(over), {"key": key}).status_code == 200
    address = f"/en/games/{over.pk}/replay/withdraw/"
    assert browser_of(charlie).post(address).status_code == 404
    assert "/accounts/login/" in client.post(address)["Location"]
    mine = browser_of(bob)
    assert address in mine.get(page_of(over)).text
    for _ in range(2):
        assert mine.post(address).status_code == 302
    assert client.get(page_of(over), {"key": key}).status_code == 404
    assert client.get(page_of(over), {"key": ""}).status_code == 404
    assert address not in mine.get(page_of(over)).text
    assert services.share(alice, over.pk) != key


def test_only_players_make_the_link(over, over_in_public, charlie, client, browser_of):
    for game in (over, over_in_public):
        answer = browser_of(charlie).post(f"/en/games/{game.pk}/replay/share/")
        assert answer.status_code == 404
        assert "/accounts/login/" in client.post(f"/en/games/{game.pk}/replay/share/")["Location"]
        assert client.get(f"/en/games/{game.pk}/replay/share/").status_code == 405
        game.refresh_from_db()
        assert game.share_key == ""


def test_the_key_is_on_no_page_of_a_stranger(over_in_public, alice, charlie, browser_of):
    key = services.share(alice, over_in_public.pk)
    for path in (page_of(over_in_public), f"/en/games/{over_in_public.pk}/"):
        assert key not in browser_of(charlie).get(path).text


# --- What it shows --------------------------------------------------------------------------------


def shown_cards(step: dict) -> list[list[str]]:
    return [[card["code"] for card in seat["hand"]] for seat in step["position"]["seats"]]


@pytest.mark.parametrize(
    ("variant", "preset", "seats"), [("matatu", "rwanda", 3), ("maumau", "deutsch", 2)]
)
def test_every_step_is_what_the_engine_played(variant, preset, seats, alice, bob, charlie):
    game = services.create(alice, services.Terms(variant, preset, seats))
    for guest in (bob, charlie)[: seats - 1]:
        services.join(guest, game.pk)
    game = play_to_the_end(game)
    state = rules.start(variant, seats, game.position().seed, game.position().options)
    moves = list(game.moves.order_by("number"))
    for number in range(len(moves) + 1):
        shown = replay(game, alice, step=number)
        assert (shown["step"], shown["last_step"]) == (number, len(moves))
        assert shown["said"]
        assert shown["position"]["top"]["code"] == card_code(state.top)
        assert shown["position"]["stock_count"] == len(state.stock)
        cards = sum(len(hand) for hand in shown_cards(shown)) + len(state.stock)
        assert cards + len(state.under) + 1 == len(all_cards(state))
        if number < len(moves):
            move = rules.Move.from_json(moves[number].move)
            state, _ = rules.apply(state, moves[number].seat, move)
    assert state == game.position()


def test_what_came_into_a_hand_is_marked(over, alice):
    for number in range(1, over.move_count + 1):
        before, after = replay(over, alice, step=number - 1), replay(over, alice, step=number)
        for held, seat in zip(shown_cards(before), after["position"]["seats"], strict=True):
            for card in seat["hand"]:
                assert card["fresh"] == (card["code"] not in held)


def test_each_reader_sees_the_same(over, alice, bob, charlie):
    key = services.share(alice, over.pk)
    over.refresh_from_db()
    shown = [replay(read_finished(over.pk, who, key), who, step=3) for who in (alice, bob, charlie)]
    assert shown[0]["position"] == shown[1]["position"] == shown[2]["position"]
    assert shown[0]["said"] == shown[1]["said"] == shown[2]["said"]
    assert shown[2]["share_url"] == "" == shown[2]["make_link_url"]


def test_a_rematch_is_played_back_with_its_own_deal(over, alice, bob):
    services.rematch(alice, over.pk)
    following = Game.objects.get(rematch_of=over)
    services.join(bob, following.pk)
    following = play_to_the_end(following)
    assert replay(following, alice, step=0)["last_step"] == following.move_count


@pytest.mark.parametrize("moves", [0, 7])
def test_a_game_given_up_is_played_back(moves, game, alice):
    over = play_to_the_end(game, moves)
    shown = replay(over, alice)
    assert "resigned" in shown["said"]
    assert shown["reason"] == "Everybody else has resigned."


def test_a_game_that_everybody_left_is_played_back(game, alice, browser_of):
    game.refresh_from_db()
    over, _ = rules.abandon(game.position())
    Game.objects.filter(pk=game.pk).update(
        state=over.to_json(), status="finished", turn=None, deadline=None, reason="abandoned",
        finished_at=game.started_at,
    )  # fmt: skip
    page = browser_of(alice).get(page_of(game))
    assert page.status_code == 200
    assert "The cards are dealt." in page.text


@pytest.mark.parametrize("step", ["-1", "x", "99999", "9" * 40, "", "²"])
def test_any_step_asked_for_is_answered(step, over, alice, browser_of):
    assert browser_of(alice).get(page_of(over), {"step": step}).status_code == 200


def test_the_page_says_who_won_and_how_the_deal_is_checked(over, alice, browser_of):
    page = browser_of(alice).get(page_of(over)).text
    state = over.position()
    winner = over.seats.get(place=1).user.name
    for text in (f"{winner} wins!", state.seed.hex(), over.commitment, "record.json"):
        assert text in page
    assert page.count("data-step=") >= over.move_count


def test_the_script_gets_the_step_alone(over, alice, browser_of):
    answer = browser_of(alice).get(page_of(over, "?step=2"), headers={"X-Fragment": "1"})
    assert answer.text.lstrip().startswith('<section id="replay"')
    assert "X-Fragment" in answer["Vary"]
    assert len(answer.content) < 12_000


def test_a_step_costs_few_queries(over, alice, browser_of, django_assert_max_num_queries):
    mine = browser_of(alice)
    with django_assert_max_num_queries(8):
        mine.get(page_of(over, "?step=2"))


def test_the_ways_to_it(over, alice, charlie, browser_of):
    for path in (f"/en/games/{over.pk}/", "/en/games/"):
        assert f'href="{page_of(over)}"' in browser_of(alice).get(path).text
    assert page_of(over) not in browser_of(charlie).get("/en/games/").text


# --- The picture ----------------------------------------------------------------------------------


def picture_of(client, game: Game) -> str:
    page = client.get(page_of(game)).text
    return re.search(r'og:image" content="http://testserver([^"]*)"', page)[1]


def test_the_picture_shows_the_final_table(over_in_public, client):
    answer = client.get(picture_of(client, over_in_public))
    assert answer["Content-Type"] == "image/png"
    assert "immutable" in answer["Cache-Control"]
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.size == (1200, 630)
        assert len(image.getcolors()) > 10
    assert len(answer.content) < 60_000


def test_another_end_has_another_picture(over, over_in_public, alice, browser_of):
    mine = browser_of(alice)
    one, other = (picture_of(mine, each) for each in (over, over_in_public))
    assert mine.get(one).content != mine.get(other).content
    assert one.rsplit("-")[-1] != other.rsplit("-")[-1]
    assert mine.get(one.replace("table-", "table-0")).status_code == 404


def test_the_picture_of_a_private_game_is_no_strangers(over, alice, client, browser_of):
    assert client.get(picture_of(browser_of(alice), over)).status_code == 404
