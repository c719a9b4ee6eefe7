"""Every text of ours is there in every language, with its placeholders."""

import pytest
from django.utils import translation

from accounts import catalogues


def test_nothing_is_missing_fuzzy_or_broken():
    assert list(catalogues.problems()) == []


def test_the_source_is_really_read():
    found = catalogues.messages_in_source()
    assert ("", "It is your turn!", "") in found
    assert ("", "1 card", "%(n)d cards") in found
    assert any(name.startswith("templates/") for names in found.values() for name in names)
    assert len(found) > 150


@pytest.fixture
def a_catalogue(tmp_path, settings):
    """Return a way to write a German catalogue, the only one there is."""
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    settings.BASE_DIR = tmp_path
    (tmp_path / "games").mkdir()
    path = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)

    def write(source: str, catalogue: str) -> list[str]:
        (tmp_path / "games" / "x.py").write_text(source)
        path.write_text(
            'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n' + catalogue
        )
        return list(catalogues.problems())

    return write


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        ("", "missing"),
        ('msgid "%(n)d left"\nmsgstr ""\n', "not translated"),
        ('#, fuzzy\nmsgid "%(n)d left"\nmsgstr "noch %(n)d"\n', "fuzzy"),
        ('msgid "%(n)d left"\nmsgstr "noch %(m)d"\n', "other placeholders"),
        ('msgid "%(n)d left"\nmsgstr "noch welche"\n', "other placeholders"),
    ],
)
def test_each_kind_of_fault_is_found(a_catalogue, catalogue, fault):
    assert a_catalogue('_("%(n)d left")', catalogue) == [f"de: {fault}: '%(n)d left'"]


def test_a_message_that_is_gone_is_found(a_catalogue):
    assert a_catalogue("", 'msgid "old"\nmsgstr "alt"\n') == [
        "de: not in the source any more: 'old'"
    ]


def test_a_sound_catalogue_has_no_faults(a_catalogue):
    plural = 'msgid "1 card"\nmsgid_plural "%(n)d cards"\nmsgstr[0] "eine"\nmsgstr[1] "%(n)d"\n'
    assert a_catalogue('ngettext("1 card", "%(n)d cards", n)', plural) == []


@pytest.mark.parametrize(
    ("lang", "none", "one", "two"),
    [
        ("de", "0 Karten", "1 Karte", "2 Karten"),
        ("rw", "amakarita 0", "ikarita 1", "amakarita 2"),
        ("zu", "ikhadi elingu-0", "ikhadi elingu-1", "amakhadi angu-2"),
    ],
)
def test_plural_forms(lang, none, one, two):
    with translation.override(lang):
        texts = [translation.ngettext("1 card", "%(n)d cards", n) % {"n": n} for n in (0, 1, 2)]
    assert texts == [none, one, two]


@pytest.mark.parametrize("lang", ["rw", "de", "zu"])
def test_the_names_of_the_cards_are_distinct(lang):
    from games import sentences

    with translation.override(lang):
        names = [sentences.card_name(code) for code in sentences.CARDS]
    assert len(set(names)) == 54
