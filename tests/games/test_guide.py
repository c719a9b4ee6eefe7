"""The rules pages tell every rule, and none that does not hold; examples are as the engine says."""

import functools
import html
import json
import random
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from games import house_rules, rules, services
from games.guide import examples, lesson
from games.guide.anchors import paragraph_for
from games.guide.chapter import BOOKS, chapter_of
from games.guide.views import SLUG_OF
from games.management.commands.rules_pages import BEGIN, PAGE, clauses, table
from games.rules.cards import card_from_code
from games.rules.positions import state_of
from tests.games.test_sentences import REFUSALS, random_options

LANGUAGES = ["en", "rw", "de", "zu"]
PRESETS = [(variant, preset) for variant, named in rules.PRESETS.items() for preset in named]
IDS = re.compile(r'id="((?:matatu|maumau)\.[a-z-]+[\d-]*\.\d+)"')


def some_options(variant: str, count: int) -> list[rules.Options]:
    """Options of tables for two: each value comes up among them."""
    luck = random.Random(variant)
    return [rules.options_for(variant, random_options(variant, luck), 2) for _ in range(count)]


def ids_that_hold(options: rules.Options) -> set[str]:
    """By the conditions of the texts themselves."""
    book = BOOKS[options.variant]
    lists = {"short": book.IN_SHORT}
    lists |= {paragraph.id: paragraph.rules for paragraph in book.PARAGRAPHS}
    lists |= {f"question-{n}": q.answers for n, q in enumerate(book.QUESTIONS, start=1)}
    return {
        f"{options.variant}.{name}.{number}"
        for name, told in lists.items()
        for number, rule in enumerate(told, start=1)
        if rule.holds(options)
    }


def path_of(variant: str, preset: str = "") -> str:
    return f"rules/{SLUG_OF[variant]}/" + (f"{preset}/" if preset else "")


# --- The texts ------------------------------------------------------------------------------------


def test_every_clause_that_a_player_can_meet_is_told():
    told = clauses()
    wanted = {f"MT-{n}" for n in range(1, 35)} | {f"MM-{n}" for n in range(1, 34)}
    wanted |= {f"G-{n}" for n in range(1, 6)} | {"F", "1-rejection", "1-concurrency"}
    assert wanted - set(told) == set()


def test_the_table_of_clauses_is_that_of_the_texts():
    assert PAGE.read_text().partition(BEGIN)[2] == table(), "run: manage.py rules_pages"


@pytest.mark.parametrize(("variant", "preset"), PRESETS)
def test_a_page_tells_all_that_holds_there_and_nothing_else(client, variant, preset, language):
    page = client.get(f"/{language}/{path_of(variant, preset)}").content.decode()
    options = rules.options_for(variant, rules.PRESETS[variant][preset], 2)
    shown = IDS.findall(page)
    assert len(shown) == len(set(shown))
    assert set(shown) == ids_that_hold(options)
    assert f'<html lang="{language}">' in page
    # Below the page stands a sentence that the script is to complete.
    assert "%(" not in page.partition("<footer")[0]


@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_at_any_table_a_question_has_one_answer_and_a_text_no_gap(variant):
    for options in some_options(variant, 200):
        chapter = chapter_of(options)
        questions = [each["question"] for each in chapter["questions"]]
        assert len(questions) == len(set(questions))
        texts = [rule["text"] for each in chapter["paragraphs"] for rule in each["rules"]]
        assert len(texts) == len(set(texts))
        assert all(text and "%(" not in text for text in texts)


@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_each_value_of_each_option_changes_the_page(variant):
    """By the sentence of the house rule, and, but for who plays and when, by the rules above it."""
    for option, values in rules.OPTIONS[variant].choices().items():
        pages = []
        for value in values:
            options = rules.options_for(variant, {option: value}, 2)
            chapter = chapter_of(options)
            said = [each["text"] for each in chapter["differences"]]
            default = value == rules.OPTIONS[variant]().to_json()[option]
            assert said == ([] if default else [house_rules.sentence(option, value)])
            pages.append(json.dumps([chapter["paragraphs"], chapter["questions"]]))
        assert len(set(pages)) == len(pages), option


def test_what_a_card_counts_is_asked_of_the_rules():
    options = rules.options_for("matatu", {"three_points": 30, "ace_spades_points": 60}, 2)
    with translation.override("en"):
        paragraphs = {each["id"]: each for each in chapter_of(options)["paragraphs"]}
    told = {each["card"]["code"]: each["text"] for each in paragraphs["points"]["points"]}
    assert told["AS"] == "60 points"
    assert told["3H"] == "30 points"
    for code, text in told.items():
        assert text == f"{rules.card_points(options, card_from_code(code))} points"


# --- The page of a table --------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_the_page_of_a_table_tells_its_own_rules(alice, browser_of, variant, number):
    options = some_options(variant, 6)[number]
    preset = next(iter(rules.PRESETS[variant]))
    terms = services.Terms(variant, preset, 2, rules.differences(options))
    game = services.create(alice, terms)
    page = browser_of(alice).get(f"/en/games/{game.pk}/rules/").content.decode()
    assert set(IDS.findall(page)) == ids_that_hold(options)
    for option, value in rules.differences(options).items():
        assert html.escape(house_rules.sentence(option, value), quote=True) in page


def test_a_table_shows_its_rules_to_those_who_may_see_it(client, alice, charlie, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2))
    assert browser_of(alice).get(f"/en/games/{game.pk}/rules/").status_code == 200
    assert browser_of(charlie).get(f"/en/games/{game.pk}/rules/").status_code == 404
    assert client.get(f"/en/games/{game.pk}/rules/").status_code == 404
    assert client.get("/en/games/nothing/rules/").status_code == 404
    assert client.get(f"/en/join/{game.code}/rules/").status_code == 200
    assert client.get("/en/join/NOTHING/rules/").status_code == 404


def test_the_ways_to_the_rules(client, alice, bob, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="60s", public=True))
    table_rules, join_rules = f"/en/games/{game.pk}/rules/", f"/en/join/{game.code}/rules/"
    assert (
        f'href="{table_rules}"' in browser_of(alice).get(f"/en/games/{game.pk}/").content.decode()
    )
    assert f'href="{join_rules}"' in browser_of(bob).get(f"/en/join/{game.code}/").content.decode()
    assert f'href="{join_rules}"' in client.get("/en/lobbies/").content.decode()
    home = client.get("/en/").content.decode()
    for path in ("rules/", path_of("matatu"), path_of("maumau"), "rules/matatu/first-game/"):
        assert f'href="/en/{path}"' in home


def test_a_refused_card_leads_to_its_paragraph(game, alice, bob, browser_of):
    state = game.position()
    person = (alice, bob)[state.turn]
    bad = next(
        card
        for card in rules.observe(state, state.turn).hand
        if card not in {move.card for move in rules.legal_moves(state, state.turn)}
    )
    sent = rules.Move("play", bad).to_json() | {"version": game.version}
    answer = browser_of(person).post(f"/en/games/{game.pk}/moves/", sent)
    assert answer.status_code == 422
    assert f'href="/en/games/{game.pk}/rules/#turn"' in answer.content.decode()


def paragraphs_of(options: rules.Options) -> set[str]:
    return {each["id"] for each in chapter_of(options)["paragraphs"]}


def test_every_refusal_has_a_paragraph_on_the_page_of_its_table():
    met, shown = set(), functools.cache(paragraphs_of)
    for state, _, refused in REFUSALS:
        name = paragraph_for(state, refused)
        assert name in shown(state.options), refused
        met.add((state.options.variant, name))
    assert met >= {
        *(("matatu", name) for name in ("turn", "draw", "penalty", "ace", "cut", "seen")),
        *(("maumau", name) for name in ("turn", "draw", "seven", "eight", "jack", "ace", "mau")),
    }


def test_a_card_that_may_not_be_the_last_leads_to_winning():
    position = {"game": "matatu", "options": {"finish_on_special": False}, "turn": 0}
    position |= {"hands": {"0": ["2H"], "1": ["3C"]}, "top": "9H", "cut_suit": "S"}
    state = state_of(position)
    with pytest.raises(rules.IllegalMove) as refused:
        rules.apply(state, 0, rules.Move("play", card_from_code("2H")))
    assert paragraph_for(state, refused.value) == "winning"


def test_a_suit_in_force_after_a_joker_leads_to_the_joker():
    position = {"game": "matatu", "options": {"after_joker": "previous_suit"}, "turn": 0}
    position |= {"hands": {"0": ["4S", "5S"], "1": ["3C", "4C"]}, "top": "JK1", "cut_suit": "S"}
    state = state_of(position | {"requested_suit": "H"})
    with pytest.raises(rules.IllegalMove) as refused:
        rules.apply(state, 0, rules.Move("play", card_from_code("4S")))
    assert paragraph_for(state, refused.value) == "joker"


# --- Examples -------------------------------------------------------------------------------------


def shown_examples(options: rules.Options):
    """Yield (example, its state, its document) of what a page of these options shows."""
    documents = {
        each["id"]: each for shown in examples.examples_of(options).values() for each in shown
    }
    for example in examples.EXAMPLES[options.variant]:
        state, _ = examples.position_of(example, options)
        assert (state is not None) == (example.id in documents)
        if state is not None:
            yield example, state, documents[example.id]


def answered(options: rules.Options, example: examples.Example, answer: str) -> dict:
    documents = examples.examples_of(options, example.id, answer)[example.paragraph]
    return next(each for each in documents if each["id"] == example.id)


def is_right(kind: str, state: rules.State, value: str) -> bool:
    """By what the rules say of the position, not by trying the move."""
    if kind == "play":
        moves = rules.legal_moves(state, examples.READER)
        return card_from_code(value) in {move.card for move in moves}
    if kind == "winner":
        return int(value) in state.outcome.winners
    return int(value) == (state.penalty if kind == "penalty" else state.turn)


@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_an_example_is_answered_as_the_rules_have_it(variant):
    met = set()
    for options in [rules.OPTIONS[variant](), *some_options(variant, 30)]:
        for example, state, document in shown_examples(options):
            met.add(example.id)
            for choice in document["choices"]:
                value = choice["value"]
                told = answered(options, example, value)
                assert told["answer"]["right"] == is_right(example.kind, state, value), example
                assert all(told["answer"]["lines"])
                assert [each["chosen"] for each in told["choices"]].count(True) == 1
    assert met == {example.id for example in examples.EXAMPLES[variant]}


@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_each_example_has_a_right_answer_and_a_wrong_one(variant):
    for example, _, document in shown_examples(rules.OPTIONS[variant]()):
        if example.id == "served":
            continue  # on a Joker that has been served any card may be played: that is its point
        rights = {
            answered(rules.OPTIONS[variant](), example, choice["value"])["answer"]["right"]
            for choice in document["choices"]
        }
        assert rights == {True, False}, example.id


@pytest.mark.parametrize("query", ["?try=match", "?try=nothing&answer=KH", "?answer=KH"])
@pytest.mark.parametrize("answer", ["", "&answer=ZZ", "&answer=%00", "&answer=" + "9" * 500])
def test_an_answer_that_is_none_changes_nothing(client, query, answer):
    page = client.get("/en/rules/matatu/" + query + answer)
    assert page.status_code == 200
    assert b'class="said' not in page.content


def test_an_answer_says_the_reason(client):
    page = client.get("/en/rules/matatu/?try=answer&answer=AD").content.decode()
    assert page.count('class="said') == 1
    assert "Play a 2, a Joker or the Ace of Spades, or draw 2 cards." in page
    page = client.get("/en/rules/matatu/?try=match&answer=KH").content.decode()
    assert "You play: King of hearts" in page


# --- The first game -------------------------------------------------------------------------------

MUST_BE_TAUGHT = {
    "matatu": {"two", "joker", "penalty", "ace", "eight", "jack", "cut"},
    "maumau": {"seven", "eight", "jack", "ace", "mau"},
}


@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_the_recommended_moves_meet_the_special_cards_and_win(variant):
    game = lesson.begin(variant)
    while not game.state.outcome:
        lesson.step(game, lesson.good_move(game))
        assert len(game.moves) <= 12
    assert lesson.READER in game.state.outcome.winners
    assert set(game.told) >= MUST_BE_TAUGHT[variant]
    again = lesson.replay(variant, "-".join(game.moves))
    assert (again.state, again.told) == (game.state, game.told)


@pytest.mark.parametrize("variant", rules.VARIANTS)
def test_any_way_through_the_first_game_can_be_gone(client, variant):
    """Whoever follows links at random meets no refusal but that of a card that does not fit."""
    luck = random.Random(variant)
    address = f"/en/rules/{SLUG_OF[variant]}/first-game/"
    link = re.compile(r'href="(\?m=[^"#]+)#game"')
    for _ in range(12):
        query = ""
        for _ in range(25):
            answer = client.get(address + query)
            page = html.unescape(answer.content.decode())
            assert answer.status_code == 200
            assert "could not be read" not in page
            links = link.findall(page)
            if not links:
                assert 'class="button go" href="/en/lobbies/new/"' in page
                break
            query = luck.choice(links)


@pytest.mark.parametrize("variant", rules.VARIANTS)
@pytest.mark.parametrize("moves", ["x", "7S.", "7S.Q", "-", "draw.S", "🂡", "pass", "draw-" * 999])
def test_moves_that_cannot_be_made_lead_to_the_position_before(client, variant, moves):
    game = lesson.replay(variant, moves)
    assert bool(game.refusal) == (moves != "-") or len(game.moves) == lesson.MOST_MOVES
    page = client.get(f"/en/rules/{SLUG_OF[variant]}/first-game/", {"m": moves})
    assert page.status_code == 200
    assert (b'class="refusal"' in page.content) == bool(game.refusal) or len(moves) > 1000


def test_the_bot_catches_who_forgets_to_call():
    game = lesson.begin("maumau")
    while game.state.hands[lesson.READER].bit_count() != 2:
        lesson.step(game, lesson.good_move(game))
    assert lesson.good_move(game) == "mau"
    seen = rules.observe(game.state, lesson.READER)
    plays = [m for m in seen.moves if m.do == "play" and not m.mau]
    for play in plays:
        forgetful = lesson.replay("maumau", "-".join([*game.moves, lesson.text_of(play)]))
        if any(event.kind == "caught" for event in forgetful.news):
            return
    raise AssertionError("nobody was caught")


# --- For search engines, and for those who share a link -------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_tells_search_engines_what_it_is(client, lang):
    page = client.get(f"/{lang}/rules/matatu/rwanda/").content.decode()
    root = "http://testserver"
    assert f'<link rel="canonical" href="{root}/{lang}/rules/matatu/">' in page
    for other in LANGUAGES:
        tag = f'<link rel="alternate" hreflang="{other}" href="{root}/{other}/rules/matatu/">'
        assert tag in page
    assert f'<meta property="og:url" content="{root}/{lang}/rules/matatu/">' in page
    picture = re.search(rf'property="og:image" content="{root}(/static/share[^"]*\.png)"', page)
    assert picture
    assert re.search(r'<meta name="description" content="[^"]{40,}">', page)
    block = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    data = json.loads(block[1])
    assert data["inLanguage"] == lang
    with translation.override(lang):
        questions = chapter_of(rules.MatatuOptions())["questions"]
    assert [each["name"] for each in data["mainEntity"]] == [q["question"] for q in questions]


def test_the_site_says_where_it_is_if_it_knows(client, settings):
    settings.SITE_URL = "https://ikarita.example"
    page = client.get("/de/rules/").content.decode()
    assert '<link rel="canonical" href="https://ikarita.example/de/rules/">' in page
    assert 'content="https://ikarita.example/static/share' in page


def test_the_picture_of_a_link_is_small():
    data = Path(settings.BASE_DIR, "static", "share.png").read_bytes()
    assert struct.unpack(">II", data[16:24]) == (1200, 630)
    assert len(data) < 60_000


@pytest.mark.parametrize("path", ["rules/", "rules/mau-mau/", "rules/mau-mau/first-game/"])
def test_the_pages_are_only_read(client, path):
    assert client.get(f"/en/{path}").status_code == 200
    assert client.head(f"/en/{path}").status_code == 200
    assert client.post(f"/en/{path}").status_code == 405
    assert client.get(f"/en/{path}nothing/").status_code == 404
