"""When a turn must be made: the one place where a deadline comes from.

Pure: values in, values out; instants are aware and in UTC. A turn has so many seconds, and they run
only while nothing stops them: a pause, or a night of the person whose turn it is.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from heapq import merge
from typing import NamedTuple

from accounts.quiet_hours import QuietHours

Span = tuple[datetime, datetime]


class Pause(NamedTuple):
    """Time in which the clock of a turn stands still, and why: outage, holiday or line."""

    begins: datetime
    ends: datetime
    why: str

    @classmethod
    def from_json(cls, stored: list[str]) -> "Pause":
        """Return what `to_json` has made."""
        begins, ends, why = stored
        return cls(datetime.fromisoformat(begins), datetime.fromisoformat(ends), why)

    def to_json(self) -> list[str]:
        """Return plain values."""
        return [self.begins.isoformat(), self.ends.isoformat(), self.why]


def deadline(
    seconds: float, began: datetime, pauses: Iterable[Pause] = (), night: QuietHours | None = None
) -> datetime:
    """Return when a turn of so many seconds that began then has run out (MT-30)."""
    at, left = began, timedelta(seconds=seconds)
    for begins, ends in _stops(began, pauses, night):
        if at + left <= begins:
            break
        left -= max(begins - at, timedelta(0))
        at = max(at, ends)
    return at + left


def time_run(
    began: datetime, until: datetime, pauses: Iterable[Pause] = (), night: QuietHours | None = None
) -> timedelta:
    """Return how long the clock of a turn has run by `until`: what `deadline` counts."""
    at, run = began, timedelta(0)
    for begins, ends in _stops(began, pauses, night):
        if until <= begins:
            break
        run += max(begins - at, timedelta(0))
        at = max(at, min(ends, until))
    return run + max(until - at, timedelta(0))


def _stops(began: datetime, pauses: Iterable[Pause], night: QuietHours | None) -> Iterator[Span]:
    """When the clock stands still, by beginning; such times may overlap."""
    stops = sorted((pause.begins, pause.ends) for pause in pauses)
    return merge(stops, night.nights(began) if night else ())
