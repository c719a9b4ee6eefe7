"""A language in which every message is marked, to see what stands outside any message.

The catalogue is made from the source and the libraries and put in the place of Kinyarwanda, for
which no library ships one: what is not a message there comes out in English, without marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import polib

from accounts import catalogues

LANGUAGE = "rw"
OPEN, CLOSE = "⟦", "⟧"

# What is the same in every language: our name, those of the languages and games, and
# what is on a card or on a key.
NO_WORDS = (
    "Ikarita",
    "English",
    "Ikinyarwanda",
    "Deutsch",
    "isiZulu",
    "JK",
    "M",
    "C",
    "Matatu",
    "Mau-Mau",
    "Joker",
)
SILENT = {"script", "style", "template"}
SPOKEN = {"alt", "title", "placeholder", "aria-label", "aria-description", "aria-roledescription"}


def write_catalogue(folder: Path) -> None:
    """Write the compiled catalogue of marked messages into a folder for LOCALE_PATHS."""
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": catalogues.PLURALS[LANGUAGE],
    }
    messages = catalogues.messages_in_source() | catalogues.messages_of_libraries()
    for context, message, plural in sorted(messages):
        entry = polib.POEntry(msgctxt=context or None, msgid=message, msgid_plural=plural)
        if plural:
            entry.msgstr_plural = {0: _marked(message), 1: _marked(plural)}
        else:
            entry.msgstr = _marked(message)
        catalogue.append(entry)
    path = folder / LANGUAGE / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    catalogue.save_as_mofile(str(path))


def _marked(message: str) -> str:
    """The message in marks, within the line ends that it has."""
    words = message.strip("\n")
    return message.replace(words, f"{OPEN}{words}{CLOSE}") if words else message


def unmarked(texts: Iterable[str], names: Iterable[str] = ()) -> list[str]:
    """Return those of the texts that hold letters outside marks, but for these names."""
    known = sorted((*NO_WORDS, *names), key=len, reverse=True)
    allowed = re.compile(
        r"\b(?:" + "|".join(map(re.escape, known)) + r")\b|https?://\S+|\b[AJQK]\b"
    )
    return [text for text in texts if re.search(r"[^\W\d_]", allowed.sub("", outside_marks(text)))]


def outside_marks(text: str) -> str:
    """Return what stands outside every pair of marks, which may hold each other."""
    depth, kept = 0, []
    for letter in text:
        if letter == OPEN:
            depth += 1
        elif letter == CLOSE:
            depth -= 1
            kept.append(" ")
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)


def spoken(html: str) -> list[str]:
    """Return every text of a page that a person can see or have read out."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [" ".join(text.split()) for text in reader.texts if text.strip()]


class _Reader(HTMLParser):
    """Collects text, spoken attributes, descriptions, and the sentences a script may show."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.silent.append(tag)
        self.texts += _attributes(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.texts.append(data)


def _attributes(tag: str, attrs: dict[str, str]) -> Iterator[str]:
    for name, value in attrs.items():
        sentence = name.startswith("data-") and " " in value and not value.startswith(("/", "{"))
        button = name == "value" and attrs.get("type") in ("submit", "button", "reset")
        told = name == "content" and tag == "meta" and attrs.get("name") == "description"
        shared = name == "content" and attrs.get("property") in ("og:title", "og:description")
        if name in SPOKEN or sentence or button or told or shared:
            yield value
