"""A person's night: hours of the day, in the person's own time zone, in which nothing disturbs.

Pure: values in, values out. Hours of the wall clock become instants by the zone's rules, so a night
in which the clocks change is an hour longer or shorter.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import NamedTuple
from zoneinfo import ZoneInfo

MOST = 10  # hours a day


class QuietHours(NamedTuple):
    """From one full hour to another, the next day's if it is not later."""

    zone: str
    begins: int
    ends: int

    @property
    def hours(self) -> int:
        """How many hours of the wall clock that is."""
        return (self.ends - self.begins) % 24

    def nights(self, since: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the nights (beginning, end; in UTC) that are not over at `since`, for ever."""
        first = since.astimezone(ZoneInfo(self.zone)).date() - timedelta(days=1)
        for number in count() if self.hours else ():
            evening = first + timedelta(days=number)
            morning = evening + timedelta(days=int(self.ends <= self.begins))
            begins, ends = self._at(evening, self.begins), self._at(morning, self.ends)
            if since < ends and begins < ends:
                yield begins, ends

    def end_of_night(self, at: datetime) -> datetime | None:
        """Return when the night is over in which `at` falls, None by day."""
        begins, ends = next(self.nights(at), (at, at))
        return ends if begins <= at < ends else None

    def _at(self, day: date, hour: int) -> datetime:
        return datetime.combine(day, time(hour), ZoneInfo(self.zone)).astimezone(UTC)
