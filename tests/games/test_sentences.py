"""Every event and every refusal has its sentence, in every language."""

import random
import re

import pytest
from django.utils import translation

from games import house_rules, rules, sentences
from games.rules.options import OPTIONS

SILENT = {"over", "accused"}  # what the headline says
NAMES = ["Keza", "Jürgen", "Thandeka", "Bosco", "Anna", "Sipho"]
LANGUAGES = ["en", "rw", "de", "zu"]


def random_options(variant: str, luck: random.Random) -> dict:
    return {name: luck.choice(values) for name, values in OPTIONS[variant].choices().items()}


def some_games():
    """Yield (state before, seat, move, events) of random games with random options."""
    luck = random.Random(7)
    for number in range(60):
        variant = ("matatu", "maumau")[number % 2]
        seats = luck.randint(2, 4)
        options = rules.options_for(
            variant, random_options(variant, luck) | {"hand_size": 4}, seats
        )
        state = rules.start(variant, seats, luck.randbytes(32), options)
        for _ in range(200):
            if state.outcome:
                break
            moves = [(s, m) for s in range(seats) for m in rules.legal_moves(state, s)]
            if luck.random() < 0.03:
                moves = [(state.turn, rules.Move(luck.choice(["timeout", "resign"])))]
            # Cuts are a rare chance; hands grow without end where nobody prefers to lay.
            cuts = [(seat, move) for seat, move in moves if move.cut]
            plays = [(seat, move) for seat, move in moves if move.do == "play"]
            seat, move = luck.choice(cuts or (plays if luck.random() < 0.6 else None) or moves)
            after, events = rules.apply(state, seat, move)
            yield state, seat, move, events
            state = after


GAMES = list(some_games())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_happens_is_told(lang):
    told = set()
    with translation.override(lang):
        for state, _, _, events in GAMES:
            for event in events:
                for viewer in (None, 0):
                    shown = rules.redact(event, viewer, state)
                    text = sentences.event(shown, NAMES, viewer)
                    assert bool(text) != (event.kind in SILENT), event.kind
                    assert "%(" not in text
                told.add(event.kind)
    assert told >= set(sentences._EVENTS)  # the random games met them all


def test_no_sentence_tells_a_hidden_card():
    names = [re.escape(name) for name in sentences.CARDS.values()]
    for state, _, _, events in GAMES:
        for event in events:
            if event.kind not in ("played",):
                text = sentences.event(rules.redact(event, None, state), NAMES, None)
                assert not re.search("|".join(names), text)


def refusals():
    """Yield what the rules refuse in these games: (state, seat, refusal)."""
    luck = random.Random(8)
    tries = [rules.Move(do) for do in ("draw", "pass", "mau", "timeout", "resign")]
    tries += [rules.Move("accuse", target=target) for target in (0, 1, 5, 99)]
    tries += [rules.Move("play", card) for card in range(54)]
    tries += [rules.Move("play", card, suit="S", cut=True) for card in range(54)]
    for state, *_ in GAMES[::5]:
        for move in luck.sample(tries, 25):
            for seat in range(state.seats):
                try:
                    rules.apply(state, seat, move)
                except rules.IllegalMove as refused:
                    yield state, seat, refused


REFUSALS = list(refusals())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_says_why(lang):
    with translation.override(lang):
        for state, seat, refused in REFUSALS:
            values = {**refused.values, "player": "Keza"}
            text = sentences.refusal(refused.code, values, rules.observe(state, seat))
            assert text
            assert text != translation.gettext(sentences.UNREADABLE), refused.code
            assert "%(" not in text


def test_every_code_of_the_rules_was_met():
    met = {refused.code for *_, refused in REFUSALS}
    assert met >= {
        "not_your_turn",
        "not_in_hand",
        "illegal_card",
        "suit_required",
        "cut_not_allowed",
        "only_drawn_card",
        "already_drawn",
        "cannot_draw",
        "cannot_pass",
        "must_cover",
        "mau_not_now",
        "no_catch",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant", OPTIONS)
def test_every_value_of_every_option_has_a_sentence_of_its_own(variant, lang):
    with translation.override(lang):
        for option, values in OPTIONS[variant].choices().items():
            assert house_rules.name(option)
            told = {house_rules.sentence(option, value) for value in values}
            assert len(told) == len(values)
            assert not any("%(" in sentence for sentence in told)


def test_every_preset_has_a_name():
    names = {
        sentences.preset_name(variant, preset)
        for variant, presets in rules.PRESETS.items()
        for preset in presets
    }
    assert len(names) == sum(len(presets) for presets in rules.PRESETS.values())


def test_every_end_has_a_reason():
    for reason in ("out", "cut", "blocked", "last_player", "abandoned"):
        assert sentences.reason(reason)
