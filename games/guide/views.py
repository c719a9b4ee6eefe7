"""The pages of rules: of a game, of a preset, of one table; and the first game."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules, sentences
from games.guide import lesson
from games.guide.chapter import chapter_of, choices_of
from games.guide.examples import examples_of
from games.models import Game
from games.presenters import present, presets, read
from games.presenters.document import Document
from games.rules import Options

# A game's name in an address.
SLUGS = {"matatu": "matatu", "mau-mau": "maumau"}
SLUG_OF = {variant: slug for slug, variant in SLUGS.items()}
LONGEST_GAME = 1000  # characters of moves in an address


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Both games with their presets and first games."""
    games = [
        {"slug": slug, "variant": variant, "presets": _presets_of(variant)} | named
        for (slug, variant), named in zip(SLUGS.items(), presets(), strict=True)
    ]
    context = {
        "games": games,
        "title": _("The rules of Matatu and Mau-Mau"),
        "description": _(
            "The rules of Matatu and Mau-Mau in simple words: every special card with examples to "
            "try, house rules, and a first game against a bot."
        ),
        "canonical": request.path,
    }
    return render(request, "rules/index.html", context)


@require_safe
def game(request: HttpRequest, slug: str, preset: str = "") -> HttpResponse:
    """The rules of a game as one of its presets has them; the first preset is the standard."""
    variant = SLUGS[slug]
    named = rules.PRESETS[variant]
    standard = next(iter(named))
    preset = preset or standard
    if preset not in named:
        raise Http404
    options = rules.options_for(variant, named[preset], 2)
    context = {
        "title": _("How to play %(game)s") % {"game": sentences.game_name(variant)},
        "preset": sentences.preset_name(variant, preset),
        "presets": _presets_of(variant, preset),
        "choices": choices_of(variant) if preset == standard else [],
        "canonical": _address_of(variant, preset),
    }
    return _chapter(request, options, context)


@require_safe
def table_rules(request: HttpRequest, game_id: str) -> HttpResponse:
    """The rules of one table, for whoever may see it."""
    found = read(game_id, request.user)
    if found is None:
        raise Http404
    return _of_table(request, found, reverse("table", args=[found.pk]))


@require_safe
def join_rules(request: HttpRequest, code: str) -> HttpResponse:
    """The rules of the table that an invitation leads to."""
    found = get_object_or_404(Game.objects.with_people(), code=code.upper())
    return _of_table(request, found, reverse("join", args=[found.code]))


@require_safe
def first_game(request: HttpRequest, slug: str) -> HttpResponse:
    """The first game, after the moves in the address."""
    variant = SLUGS[slug]
    played = lesson.replay(variant, request.GET.get("m", "")[:LONGEST_GAME])
    name = sentences.game_name(variant)
    context = {
        "title": _("Your first game of %(game)s") % {"game": name},
        "description": _(
            "Learn %(game)s in two minutes: a first game against a bot that explains each special "
            "card as it comes."
        )
        % {"game": name},
        "canonical": request.path,
        "slug": slug,
        "name": name,
        "variant": variant,
        "lesson": lesson.document_of(played),
    }
    return render(request, "rules/first_game.html", context)


def _of_table(request: HttpRequest, found: Game, back: str) -> HttpResponse:
    options = rules.options_for(found.variant, found.options, found.seat_count)
    context = {
        "title": _("The rules of this table"),
        "preset": sentences.preset_name(found.variant, found.preset),
        "terms": present(found, request.user)["terms"],
        "table_url": back,
    }
    return _chapter(request, options, context)


def _chapter(request: HttpRequest, options: Options, context: Document) -> HttpResponse:
    chapter = chapter_of(options)
    tried, answer = request.GET.get("try", ""), request.GET.get("answer", "")
    examples = examples_of(options, tried, answer)
    for paragraph in chapter["paragraphs"]:
        paragraph["examples"] = examples.get(paragraph["id"], [])
    shown = context | {
        "description": _description(options.variant),
        "chapter": chapter,
        "slug": SLUG_OF[options.variant],
        "data": _questions_as_data(chapter),
    }
    return render(request, "rules/chapter.html", shown)


def _description(variant: str) -> str:
    if variant == "matatu":
        return _(
            "How to play Matatu: the turn, the special cards, penalties, cutting, card points and "
            "house rules, with examples to try and a first game."
        )
    return _(
        "How to play Mau-Mau: the turn, 7, 8, Jack and Ace, calling “Mau” and catching, and house "
        "rules, with examples to try and a first game."
    )


def _presets_of(variant: str, chosen: str = "") -> list[Document]:
    return [
        {
            "name": sentences.preset_name(variant, preset),
            "url": _address_of(variant, preset),
            "chosen": preset == chosen,
        }
        for preset in rules.PRESETS[variant]
    ]


def _address_of(variant: str, preset: str) -> str:
    """Where the rules of a preset stand; the standard ones have the shorter address."""
    slug = SLUG_OF[variant]
    if preset == next(iter(rules.PRESETS[variant])):
        return reverse("rules_of_game", args=[slug])
    return reverse("rules_of_preset", args=[slug, preset])


def _questions_as_data(chapter: Document) -> SafeString:
    """The questions as schema.org has them, for search engines; a data block, never a script."""
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "FAQPage",
        "inLanguage": get_language(),
        "mainEntity": [
            {
                "@type": "Question",
                "name": each["question"],
                "acceptedAnswer": {"@type": "Answer", "text": each["text"]},
            }
            for each in chapter["questions"]
        ],
    }
    text = json.dumps(data, ensure_ascii=False)
    for sign in "<>&":  # no text may end the block
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return mark_safe(text)  # noqa: S308  # escaped above
