"""When a turn has run out: a pure function, whatever stops the clock and wherever the person is."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.quiet_hours import MOST, QuietHours
from games.deadlines import Pause, deadline, time_run
from games.models import Game

SECOND = timedelta(seconds=1)
ZONES = ["UTC", "Africa/Kigali", "Europe/Berlin", "Africa/Johannesburg", "America/New_York"]
ZONES += ["Asia/Kolkata", "Pacific/Chatham", "Australia/Lord_Howe", "Pacific/Apia"]
# Two years around changes of clocks in every zone that has them.
FIRST = datetime(2025, 1, 1, tzinfo=UTC)
instants = st.integers(0, 730 * 86_400).map(lambda seconds: FIRST + seconds * SECOND)
paces = st.sampled_from([pace.seconds for pace in Game.Pace if pace.seconds])
nights = st.builds(
    lambda zone, begins, hours: QuietHours(zone, begins, (begins + hours) % 24),
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.integers(0, MOST),
)


@st.composite
def pauses_after(draw, began: datetime) -> list[Pause]:
    """Pauses that begin within three weeks of the turn, and may overlap or have begun before."""
    spans = st.tuples(st.integers(-86_400, 21 * 86_400), st.integers(0, 15 * 86_400))
    return [
        Pause(began + begins * SECOND, began + (begins + length) * SECOND, "holiday")
        for begins, length in draw(st.lists(spans, max_size=5))
    ]


@st.composite
def turns(draw) -> tuple:
    """Everything that a deadline comes from."""
    began = draw(instants)
    return draw(paces), began, draw(pauses_after(began)), draw(st.none() | nights)


def stands(at: datetime, pauses: list[Pause], night: QuietHours | None) -> bool:
    """Whether the clock stands still at an instant, told from the wall clock, in another way."""
    if any(pause.begins <= at < pause.ends for pause in pauses):
        return True
    if night is None or not night.hours:
        return False
    hour = at.astimezone(ZoneInfo(night.zone)).hour
    return (hour - night.begins) % 24 < night.hours


@given(turns())
def test_at_the_deadline_the_clock_has_run_for_the_whole_pace(turn):
    seconds, began, pauses, night = turn
    ends = deadline(seconds, began, pauses, night)
    assert time_run(began, ends, pauses, night) == timedelta(seconds=seconds)
    assert time_run(began, ends - SECOND, pauses, night) <= timedelta(seconds=seconds)


@given(turns())
def test_without_what_stops_it_a_turn_lasts_as_long_as_its_pace(turn):
    seconds, began, pauses, night = turn
    assert deadline(seconds, began) == began + timedelta(seconds=seconds)
    assert deadline(seconds, began, pauses, night) >= deadline(seconds, began)


@given(turns(), st.data())
def test_one_pause_more_never_takes_time_and_all_give_no_more_than_their_lengths(turn, data):
    seconds, began, pauses, _ = turn
    more = data.draw(pauses_after(began))
    before, after = deadline(seconds, began, pauses), deadline(seconds, began, [*pauses, *more])
    longest = sum((pause.ends - pause.begins for pause in [*pauses, *more]), timedelta(0))
    assert before <= after <= began + timedelta(seconds=seconds) + longest
    assert after == deadline(seconds, began, [*more, *pauses])


@given(turns(), st.integers(0, 14 * 86_400))
def test_the_clock_runs_when_nothing_stops_it_and_only_then(turn, later):
    _, began, pauses, night = turn
    at = began + later * SECOND
    if night and _clocks_change_near(at, night.zone):
        return  # an hour that is there twice or not at all is looked at below
    run = time_run(began, at + SECOND, pauses, night) - time_run(began, at, pauses, night)
    edge = stands(at, pauses, night) != stands(at + SECOND, pauses, night)
    assert edge or run == (timedelta(0) if stands(at, pauses, night) else SECOND)


def _clocks_change_near(at: datetime, zone: str) -> bool:
    around = (at + timedelta(hours=hours) for hours in (-26, 0, 26))
    return len({moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in around}) > 1


@given(instants, nights)
def test_nights_come_in_order_one_a_day_and_are_no_longer_than_set(since, night):
    horizon = since + timedelta(days=20)
    coming = (
        list(takewhile(lambda each: each[0] < horizon, night.nights(since))) if night.hours else []
    )
    for begins, ends in coming:
        assert timedelta(0) < ends - begins <= timedelta(hours=night.hours + 1)  # clocks go back
    for (_, ends), (begins, _) in pairwise(coming):
        assert ends <= begins
    assert len(coming) in ((19, 20, 21) if night.hours else (0,))


@pytest.mark.parametrize(
    ("zone", "evening", "length"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 21, tzinfo=UTC), 8),  # clocks go forward
        ("Europe/Berlin", datetime(2026, 10, 24, 20, tzinfo=UTC), 10),  # clocks go back
        ("Africa/Kigali", datetime(2026, 10, 24, 20, tzinfo=UTC), 9),  # where they never change
    ],
)
def test_a_night_in_which_the_clocks_change(zone, evening, length):
    night = QuietHours(zone, 22, 7)
    begins, ends = next(night.nights(evening))
    assert (begins, ends) == (evening, evening + timedelta(hours=length))
    assert night.end_of_night(evening + timedelta(minutes=1)) == ends
    assert night.end_of_night(ends) is None


def test_an_hour_at_ten_in_the_evening_ends_the_next_morning():
    night = QuietHours("Africa/Kigali", 22, 7)
    began = datetime(2026, 12, 1, 19, 30, tzinfo=UTC)  # half past nine in Kigali
    assert deadline(3600, began, [], night) == datetime(2026, 12, 2, 5, 30, tzinfo=UTC)
