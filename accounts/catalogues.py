"""The catalogues of our own messages: found in the source, kept in locale/, compiled.

No system gettext is needed: Babel reads the source (development only), polib the catalogues.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from gettext import c2py
from pathlib import Path

import polib
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
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")
Key = tuple[str, str, str]  # context, message, plural ("" where there is none)


def languages() -> list[str]:
    """Return the codes of the languages that have a catalogue: all but the source's."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path_of(language: str) -> Path:
    """Return where the catalogue of `language` is kept."""
    return Path(settings.LOCALE_PATHS[0], language, "LC_MESSAGES", "django.po")


def compile_catalogues() -> None:
    """Write the .mo file of every catalogue; fuzzy messages are left out."""
    for language in languages():
        catalogue = polib.pofile(str(path_of(language)))
        catalogue.save_as_mofile(str(path_of(language).with_suffix(".mo")))


def messages_in_source() -> dict[Key, set[str]]:
    """Return every message of our Python files and templates with the files it stands in."""
    found: dict[Key, set[str]] = {}
    for path in _sources():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        for key in _messages_in(path):
            found.setdefault(key, set()).add(name)
    return found


def merge() -> None:
    """Bring the catalogues in line with the source.

    New messages are added, with the glossary's words where it has them; messages that are
    gone are removed. References name files without lines, so that a moved line changes nothing.
    """
    source = messages_in_source()
    for language in languages():
        words = glossary(language)
        kept = {_key(entry): entry for entry in _load(language)}
        catalogue = _empty(language)
        for key in sorted(source):
            entry = kept.get(key) or _entry(key, words)
            entry.occurrences = [(name, "") for name in sorted(source[key])]
            catalogue.append(entry)
        path_of(language).parent.mkdir(parents=True, exist_ok=True)
        catalogue.save(str(path_of(language)))


def problems() -> Iterator[str]:
    """Yield a line for everything that is wrong with the catalogues."""
    source = messages_in_source()
    for language in languages():
        entries = {_key(entry): entry for entry in _load(language)}
        for key in sorted(source.keys() | entries.keys()):
            fault = _fault(key, source, entries, _forms_of_one_number(language))
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


def _load(language: str) -> polib.POFile:
    path = path_of(language)
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
