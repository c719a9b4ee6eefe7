"""The catalogues of what a person can read here: our own messages, and those of the libraries.

Ours are found in the source and kept in locale/; what a library says and does not itself translate
is kept in locale/libraries/. No system gettext is needed: Babel reads the source (development
only), polib the catalogues.
"""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from gettext import c2py
from pathlib import Path

import django
import polib
from django.apps import apps
from django.conf import settings
from django.utils.translation.template import templatize

KEYWORDS = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "_": None,
}
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "rw": "nplurals=2; plural=(n != 1);",
    "zu": "nplurals=2; plural=(n > 1);",
}
ADMIN = "django.contrib.admin"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")
Key = tuple[str, str, str]  # context, message, plural ("" where there is none)


# What no page here shows, by where a library's message stands in it.
UNSEEN = re.compile(
    r"""conf/global_settings\.py  # names of languages: ours are endonyms
    | contrib/(messages|sitemaps|staticfiles|syndication|sessions|contenttypes)/  # the admin's
    | contrib/auth/(models|hashers|management/.*)\.py  # the admin's, too
    | .*/(admin|apps)\.py
    | views/templates/default_urlconf\.html  # the page of a site without pages
    | views/static\.py | views/templates/directory_index\.html  # lists of folders, never served
    | socialaccount/providers/ | headless/  # doors that are not built here
    | (templates/)?idp/  # being an identity provider for others
    """,
    re.VERBOSE,
)


def languages() -> list[str]:
    """Return the codes of the languages that have a catalogue: all but the source's."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def paths_of(language: str) -> list[Path]:
    """Return where the catalogues of `language` are kept: ours, and that of the libraries."""
    return [Path(each, language, "LC_MESSAGES", "django.po") for each in settings.LOCALE_PATHS]


def compile_catalogues() -> None:
    """Write the .mo file of every catalogue; fuzzy messages are left out.

    Whoever reads one meanwhile finds the old file or the new one, never half of it.
    """
    for language in languages():
        for path in paths_of(language):
            fresh = path.with_suffix(f".{os.getpid()}")
            polib.pofile(str(path)).save_as_mofile(str(fresh))
            fresh.replace(path.with_suffix(".mo"))


def messages_in_source() -> dict[Key, set[str]]:
    """Return every message of our Python files and templates with the files it stands in."""
    found: dict[Key, set[str]] = {}
    for path in _sources():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        for key in _messages_in(path):
            found.setdefault(key, set()).add(name)
    return found


def messages_of_libraries() -> dict[Key, set[str]]:
    """Return what the installed libraries can show here, with the files it stands in."""
    found: dict[Key, set[str]] = {}
    for folder in _library_folders():
        for entry in _load(folder, settings.LANGUAGE_CODE):
            files = {name for name, _ in entry.occurrences if not UNSEEN.match(name)}
            names = {f"{folder.parent.name}/{name}" for name in files}
            if names:
                found.setdefault(_key(entry), set()).update(names)
    return found


def messages_wanted(language: str) -> list[dict[Key, set[str]]]:
    """Return the messages, with their files, that each of `paths_of(language)` is to hold.

    A library's own translation is good enough where it has one.
    """
    ours, theirs = messages_in_source(), messages_of_libraries()
    left = theirs.keys() - ours.keys() - _said_by_libraries(language)
    return [ours, {key: theirs[key] for key in left}]


@dataclass(frozen=True)
class Coverage:
    """How many messages can be met on the site, ours and the libraries', and how many of them
    are translated."""

    total: int
    translated: int

    @property
    def percent(self) -> int:
        """The share in whole percent; 100 only if nothing is missing."""
        return 100 * self.translated // self.total


def coverage(language: str) -> Coverage:
    """Return how much of the site speaks `language`.

    Our messages are counted in the catalogue; `problems` holds it to the source. Counted once a
    process: catalogues change with a new version of the site only.
    """
    return _coverage(language, tuple(paths_of(language)))


@cache
def _coverage(language: str, paths: tuple[Path, ...]) -> Coverage:
    entries = {_key(entry): entry for path in paths for entry in _read(path, language)}
    keys = entries.keys() | messages_of_libraries().keys()
    said = {key for key, entry in entries.items() if entry.translated()}
    return Coverage(len(keys), len(said | keys & _said_by_libraries(language)))


@dataclass(frozen=True)
class Review:
    """One reading of a language by somebody who grew up with it."""

    language: str
    on: date
    by: str
    messages: int  # read and found good, or mended


def last_review(language: str) -> Review | None:
    """Return the latest row about `language` in locale/reviews.tsv, None if nobody has read it."""
    with Path(settings.LOCALE_PATHS[0], "reviews.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = [
        Review(language, date.fromisoformat(row["on"]), row["by"], int(row["messages"]))
        for row in rows
        if row["language"] == language
    ]
    return max(found, key=lambda review: review.on, default=None)


def merge() -> None:
    """Bring the catalogues in line with the source and with the libraries.

    New messages are added, with the glossary's words where it has them; messages that are
    gone are removed. References name files without lines, so that a moved line changes nothing.
    """
    for language in languages():
        words = glossary(language)
        for path, wanted in zip(paths_of(language), messages_wanted(language), strict=True):
            kept = {_key(entry): entry for entry in _read(path, language)}
            catalogue = _empty(language)
            for key in sorted(wanted):
                entry = kept.get(key) or _entry(key, words)
                entry.occurrences = [(name, "") for name in sorted(wanted[key])]
                catalogue.append(entry)
            path.parent.mkdir(parents=True, exist_ok=True)
            catalogue.save(str(path))


def problems() -> Iterator[str]:
    """Yield a line for everything that is wrong with the catalogues."""
    for language in languages():
        for path, wanted in zip(paths_of(language), messages_wanted(language), strict=True):
            entries = {_key(entry): entry for entry in _read(path, language)}
            for key in sorted(wanted.keys() | entries.keys()):
                fault = _fault(key, wanted, entries, _forms_of_one_number(language))
                if fault:
                    yield f"{language}: {fault}: {key[1]!r}"


def glossary(language: str) -> dict[Key, list[str]]:
    """Return the glossary's words for `language`: key -> one translation, or both plural forms."""
    path = Path(settings.LOCALE_PATHS[0], "glossary.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    by_name = {row["key"]: row for row in rows}
    words: dict[Key, list[str]] = {}
    for row in rows:
        words.setdefault(("", row["en"], ""), [row[language]])
        other = by_name.get(re.sub(r"\.one$", ".other", row["key"]), row)
        if other is not row:
            forms = [row[language], other[language]]
            if 0 not in _forms_of_one_number(language):
                forms[0] = _with_number(forms[0], other["en"])
            words.setdefault(("", row["en"], other["en"]), forms)
    return words


def _with_number(text: str, plural: str) -> str:
    """The form for one with its number as a placeholder again: it serves another number too."""
    number = next(name for name in PLACEHOLDER.findall(plural) if name.endswith("d"))
    return re.sub(r"(?<=-)1\b", number, text.replace("elilodwa", "elingu-1"))


def _forms_of_one_number(language: str) -> set[int]:
    """Which plural forms serve a single number: isiZulu's first serves 0 and 1, so it does not."""
    form_of = c2py(PLURALS[language].partition("plural=")[2].rstrip(";"))
    served = [form_of(n) for n in range(200)]
    return {form for form in served if served.count(form) == 1}


def _fault(
    key: Key, source: Iterable[Key], entries: dict[Key, polib.POEntry], spells_one: set[int]
) -> str:
    if key not in source:
        return "not in the source any more"
    if key not in entries:
        return "missing"
    entry = entries[key]
    if entry.fuzzy:
        return "fuzzy"
    forms = [entry.msgstr_plural.get(n, "") for n in (0, 1)] if key[2] else [entry.msgstr]
    if not all(forms):
        return "not translated"
    wanted = set(PLACEHOLDER.findall(key[2] or key[1]))
    for form, text in enumerate(forms):
        has = set(PLACEHOLDER.findall(text))
        # A form that serves one number only may spell that number out.
        if has - wanted or (has != wanted and not (key[2] and form in spells_one)):
            return "other placeholders"
    return ""


def _sources() -> list[Path]:
    base = Path(settings.BASE_DIR)
    code = [path for app in ("accounts", "games", "config") for path in (base / app).rglob("*.py")]
    pages = [path for path in (base / "templates").rglob("*") if path.suffix in {".html", ".txt"}]
    return sorted(code + pages)


def _messages_in(path: Path) -> Iterator[Key]:
    from babel.messages.extract import extract

    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        # Django turns a template into calls of gettext; their indentation means nothing.
        text = re.sub(r"^[ \t]+", "", templatize(text, origin=str(path)), flags=re.MULTILINE)
    for _, message, _, context in extract("python", io.BytesIO(text.encode()), KEYWORDS):
        singular, plural = message if isinstance(message, tuple) else (message, "")
        yield (context or "", singular, plural)


def _library_folders() -> list[Path]:
    """The locale folders of Django and of the installed apps that are not ours, but the admin."""
    base = Path(settings.BASE_DIR)
    roots = [Path(django.__file__).parent / "conf"]
    roots += [Path(app.path) for app in apps.get_app_configs() if app.name != ADMIN]
    return [root / "locale" for root in roots if _is_installed(root, base)]


def _said_by_libraries(language: str) -> set[Key]:
    entries = (entry for folder in _library_folders() for entry in _load(folder, language))
    return {_key(entry) for entry in entries if entry.translated()}


def _is_installed(root: Path, base: Path) -> bool:
    ours = {base / "accounts", base / "games"}
    return root not in ours and (root / "locale").is_dir()


def _load(folder: Path, language: str) -> polib.POFile:
    return _read(folder / language / "LC_MESSAGES" / "django.po", language)


def _read(path: Path, language: str) -> polib.POFile:
    return polib.pofile(str(path), wrapwidth=98) if path.exists() else _empty(language)


def _empty(language: str) -> polib.POFile:
    catalogue = polib.POFile(wrapwidth=98)
    catalogue.metadata = {
        "Project-Id-Version": "Ikarita",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    return catalogue


def _key(entry: polib.POEntry) -> Key:
    return (entry.msgctxt or "", entry.msgid, entry.msgid_plural or "")


def _entry(key: Key, words: dict[Key, list[str]]) -> polib.POEntry:
    context, message, plural = key
    known = words.get(("", message, plural), [])
    entry = polib.POEntry(msgctxt=context or None, msgid=message, msgid_plural=plural)
    if plural:
        entry.msgstr_plural = dict(enumerate(known or ["", ""]))
    elif known:
        entry.msgstr = known[0]
    if PLACEHOLDER.search(message + plural):
        entry.flags = ["python-format"]
    return entry
