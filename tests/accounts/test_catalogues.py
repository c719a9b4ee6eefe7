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
def a_catalogue(tmp_path, settings, monkeypatch):
    """Return a way to write a German catalogue, the only one there is."""
    settings.LOCALE_PATHS = [tmp_path, tmp_path / "libraries"]
    monkeypatch.setattr(catalogues, "messages_of_libraries", dict)
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


@pytest.fixture
def a_library(tmp_path, settings, monkeypatch):
    """Return the catalogue folders of a library that says two things, one of them in German too."""

    def write(language: str, entries: str) -> None:
        path = tmp_path / "library" / language / "LC_MESSAGES" / "django.po"
        path.parent.mkdir(parents=True)
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        path.write_text(head + entries)

    write(
        "en",
        '#: forms.py\nmsgid "Hello"\nmsgstr ""\n\n#: forms.py\nmsgid "Bye"\nmsgstr ""\n\n'
        '#: account/admin.py conf/apps.py\nmsgid "For operators"\nmsgstr ""\n',
    )
    write("de", 'msgid "Hello"\nmsgstr "Hallo"\n')
    settings.LOCALE_PATHS = [tmp_path / "ours", tmp_path / "libraries"]
    monkeypatch.setattr(catalogues, "_library_folders", lambda: [tmp_path / "library"])


def test_what_a_library_does_not_say_itself_is_asked_for(a_library):
    assert set(catalogues.messages_wanted("de")[1]) == {("", "Bye", "")}
    assert set(catalogues.messages_wanted("rw")[1]) == {("", "Bye", ""), ("", "Hello", "")}


def test_coverage_counts_ours_and_the_libraries(a_library):
    assert catalogues.coverage("de") == catalogues.Coverage(total=2, translated=1)
    assert catalogues.coverage("rw") == catalogues.Coverage(total=2, translated=0)


@pytest.mark.parametrize("lang", ["rw", "de", "zu"])
def test_everything_is_said_in_each_language(lang):
    assert catalogues.coverage(lang).percent == 100


def test_the_last_review_counts(tmp_path, settings):
    settings.LOCALE_PATHS = [tmp_path]
    (tmp_path / "reviews.tsv").write_text(
        "language\ton\tby\tmessages\n"
        "rw\t2026-12-03\tA. Reader\t120\nrw\t2027-01-04\tB. Reader\t300\n"
    )
    assert catalogues.last_review("zu") is None
    assert catalogues.last_review("rw").messages == 300
