"""Time zones: where a reader's clock stands."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

COOKIE = "zone"  # set by the script, which knows where the device is
HOMES = {"rw": "Africa/Kigali", "zu": "Africa/Johannesburg", "de": "Europe/Berlin"}
REGIONS = {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe"}
REGIONS |= {"Indian", "Pacific"}


@cache
def names() -> tuple[str, ...]:
    """Return the names of all zones that people live in, and UTC."""
    return ("UTC", *sorted(name for name in available_timezones() if _region(name) in REGIONS))


def _region(name: str) -> str:
    return name.partition("/")[0]


def of_language(language: str) -> str:
    """Return the zone in which most readers of a language live, UTC for one spoken everywhere."""
    return HOMES.get(language, "UTC")


def of_device(cookies: Mapping[str, str]) -> str:
    """Return the zone that the reader's device has told, "" if it has told none that exists."""
    told = cookies.get(COOKIE, "")
    return told if told in names() else ""


def of_reader(user: Any, cookies: Mapping[str, str], language: str) -> ZoneInfo:
    """Return where a reader's clock stands: as the account has it, the device, the language."""
    chosen = user.time_zone if user.is_authenticated else ""
    return ZoneInfo(chosen or of_device(cookies) or of_language(language))
