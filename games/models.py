"""The game row is the unit of everything: lock, version, deadline, announcement.

A lobby is a game that is waiting; a rematch is a new game that names the old one.
Reading is open to all; only games/services changes what stands here.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from accounts import ties
from accounts.chance import letters
from accounts.quiet_hours import QuietHours
from games import rules, series
from games.deadlines import Pause


def new_id() -> str:
    """Return a game id: 16 letters, 76 bits from the operating system, so it cannot be guessed."""
    return letters(16)


def new_key() -> str:
    """Return the key of a link to a replay: 22 letters, 104 bits, never to be guessed."""
    return letters(22)


def new_code() -> str:
    """Return an invitation code: 6 letters, 28 bits, short enough to be read out."""
    return letters(6)


class Games(models.QuerySet["Game"]):
    """Reading games."""

    def with_people(self) -> "Games":
        """Return these games with their seats, in order, and the seats' people, in two queries."""
        seats = Seat.objects.select_related("user").order_by("number")
        return self.prefetch_related(models.Prefetch("seats", seats))

    def of(self, user) -> "Games":
        """Return the games in which `user` has a seat."""
        return self.filter(seats__user=user)

    def overdue(self, at: datetime) -> "Games":
        """Return the games on which the server must act by now, longest overdue first."""
        return self.filter(deadline__lte=at).order_by("deadline")

    def open_lobbies(self) -> "Games":
        """Return the public games that still wait for players, oldest first."""
        return self.filter(status=Game.Status.WAITING, public=True).order_by("created_at")

    def open_to(self, user) -> "Games":
        """Return those of them where nobody sits who has blocked `user`."""
        if not user.pk:
            return self
        return self.exclude(self.has_blocker_of(user.pk))

    @staticmethod
    def has_blocker_of(user_id: int) -> Exists:
        """Return the condition that somebody sits at a game who has blocked that person."""
        blockers = ties.blockers_of(user_id)
        return Exists(Seat.objects.filter(game=OuterRef("pk"), user__in=blockers))

    def on_show(self) -> "Games":
        """Return the games whose table everybody may see, signed in or not."""
        watched = Q(status=Game.Status.PLAYING, watchable=True)
        return self.filter(watched | Q(status=Game.Status.FINISHED), public=True)

    def to_watch(self) -> "Games":
        """Return those of them that are running, the latest first."""
        return self.on_show().filter(status=Game.Status.PLAYING).order_by("-started_at")

    def awaiting(self, user) -> "Games":
        """Return the running games in which it is `user`'s turn (a user or a user's key)."""
        return self.filter(status=Game.Status.PLAYING, seats__user=user, seats__number=F("turn"))


class Game(models.Model):
    """One game from the open lobby to the end."""

    class Status(models.TextChoices):
        """Where a game is in its life; it never goes back."""

        WAITING = "waiting"
        PLAYING = "playing"
        FINISHED = "finished"
        CLOSED = "closed"  # a lobby that never became a game

    class Pace(models.TextChoices):
        """Time for a turn (MT-30); without a limit at private tables only."""

        NONE = "none"
        HALF_MINUTE = "30s"
        MINUTE = "60s"
        TWO_MINUTES = "2m"
        HOUR = "1h"
        HALF_DAY = "12h"
        DAY = "1d"
        THREE_DAYS = "3d"
        WEEK = "7d"

        @property
        def seconds(self) -> int | None:
            """The time for a turn in seconds, None without a limit."""
            if self == Game.Pace.NONE:
                return None
            return int(self[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[self[-1]]

        @property
        def is_live(self) -> bool:
            """Whether people are expected to stay at the table (MT-30)."""
            return self.seconds is not None and self.seconds < 3600

        @property
        def is_slow(self) -> bool:
            """Whether people come back to the table for their turn, an hour later or more."""
            return self.seconds is not None and self.seconds >= 3600

        @property
        def is_of_days(self) -> bool:
            """Whether people come back to the table for their turn, a day later or more."""
            return self.seconds is not None and self.seconds >= 86400

    id = models.CharField(primary_key=True, max_length=16, default=new_id, editable=False)
    # Older games have eight letters.
    code = models.CharField(max_length=8, unique=True, default=new_code, editable=False)
    variant = models.CharField(max_length=16)
    preset = models.CharField(max_length=32)
    options = models.JSONField()  # every option, as the rules print them
    seat_count = models.PositiveSmallIntegerField()
    pace = models.CharField(max_length=4, choices=Pace, default=Pace.NONE)
    public = models.BooleanField(default=False)
    watchable = models.BooleanField(default=True)  # by who has no seat, while a public game runs
    rated = models.BooleanField(default=False)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="hosted_games"
    )
    round = models.PositiveSmallIntegerField(default=1)  # 2 for the first rematch, and so on
    series = models.CharField(max_length=8, blank=True, choices=[(k, k) for k in series.KINDS])
    series_length = models.PositiveSmallIntegerField(default=1)  # games, unless it is undecided
    series_game = models.PositiveSmallIntegerField(default=1)  # which game of its series this is
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch"
    )

    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    version = models.PositiveIntegerField(default=0)
    move_count = models.PositiveIntegerField(default=0)
    turn_version = models.PositiveIntegerField(default=0)  # of the last turn act (CONTRACTS 3)
    turn = models.PositiveSmallIntegerField(null=True)  # whose turn: the state's, to be asked for
    state = models.JSONField(null=True)
    commitment = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=16, blank=True)  # of the end
    turn_began = models.DateTimeField(null=True)  # when the last turn act was
    pauses = models.JSONField(default=list)  # of this turn's clock (deadlines.Pause)
    night = models.JSONField(null=True)  # of who is in turn, as it was when the turn began
    glance_at = models.DateTimeField(null=True)  # when bots look who forgot to call Mau
    deadline = models.DateTimeField(null=True)  # when the server must act on this game
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    share_key = models.CharField(max_length=22, blank=True)  # of the replay, once it is shared

    at: datetime  # the instant of a change, while it is made
    reminders: Sequence[int] = ()  # of the turn that begins: channels.PARTS
    news: list[tuple[str, int]]  # what a change brings to seats: kind of notice and seat number
    page: str = ""  # the mark of the page that makes it, if it has one

    objects = Games.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="game_has_a_state_once_started",
                condition=Q(status__in=["waiting", "closed"], state=None, commitment="")
                | (Q(status__in=["playing", "finished"], state__isnull=False) & ~Q(commitment="")),
            ),
            models.CheckConstraint(
                name="game_has_somebody_to_act_while_playing",
                condition=Q(status="playing", turn__isnull=False)
                | (~Q(status="playing") & Q(turn=None)),
            ),
            models.CheckConstraint(
                name="game_finished_has_a_reason_and_a_time",
                condition=(Q(status="finished") & ~Q(reason="") & Q(finished_at__isnull=False))
                | (~Q(status="finished") & Q(reason="", finished_at=None)),
            ),
            models.CheckConstraint(
                name="game_over_has_no_deadline",
                condition=Q(status__in=["waiting", "playing"]) | Q(deadline=None),
            ),
            models.CheckConstraint(
                name="game_seats_two_to_six", condition=Q(seat_count__range=(2, 6))
            ),
            models.CheckConstraint(
                name="game_turn_version_not_ahead", condition=Q(turn_version__lte=F("version"))
            ),
        ]
        indexes = [
            models.Index(
                fields=["deadline"], name="game_deadline", condition=Q(deadline__isnull=False)
            ),
            models.Index(
                fields=["created_at"],
                name="game_open_lobbies",
                condition=Q(status="waiting", public=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.id} ({self.status})"

    def position(self) -> rules.State:
        """Return the state of the rules; only services change it, only presenters show it."""
        return rules.State.from_json(self.state or {})

    def seat_of(self, user) -> "Seat | None":
        """Return the seat that `user` holds here, or None. Reads the prefetched seats."""
        return next((s for s in self.seats.all() if user.pk and s.user_id == user.pk), None)

    def may_be_seen_by(self, user) -> bool:
        """Return whether `user` (or anybody, signed in or not) may see this table."""
        open_to_all = self.public and (self.watchable or self.status != Game.Status.PLAYING)
        may_look_on = open_to_all and not getattr(self, "viewer_is_blocked", False)
        return may_look_on or self.seat_of(user) is not None

    def turn_pauses(self) -> list[Pause]:
        """Return when the clock of this turn stands still, beside the nights."""
        return [Pause.from_json(stored) for stored in self.pauses]

    def turn_night(self) -> QuietHours | None:
        """Return the night of the person in turn, if the clock stands still then."""
        return QuietHours(*self.night) if self.night else None

    def is_amid_a_series(self) -> bool:
        """Return whether its seats are those of the game before, and nobody else's."""
        return self.series_game > 1

    def series_scores(self) -> list[int]:
        """Return each seat's score of the series, with this game if it is over. Reads the
        prefetched seats."""
        return series.scores(self.series, list(self.seats.all()))

    def series_played(self) -> int:
        """Return how many games of the series have been won, with this one if it is over. Reads the
        prefetched seats."""
        return self.series_game - 1 + series.was_won(list(self.seats.all()))

    def series_winner(self) -> "Seat | None":
        """Return the seat that has won the series, or None. Reads the prefetched seats."""
        seats = list(self.seats.all())
        if not self.series or not seats or self.status != Game.Status.FINISHED:
            return None
        scores = self.series_scores()
        index = series.winner(self.series, self.series_length, self.series_played(), scores)
        return None if index is None else seats[index]

    def seat_in_turn(self) -> "Seat | None":
        """Return the seat that is to act, or None. Reads the prefetched seats."""
        return next((s for s in self.seats.all() if s.number == self.turn), None)


class Seat(models.Model):
    """A place at a table. It belongs to its account, whatever happens to a line or a tab."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats"
    )
    bot = models.CharField(max_length=16, blank=True)  # the level of a bot's own seat
    joined = models.BooleanField(default=True)  # False: invited, not there yet
    timeouts = models.PositiveSmallIntegerField(default=0)  # in a row
    absent = models.BooleanField(default=False)  # a bot plays until the owner comes back
    line_failed = models.BooleanField(default=False)  # has taken the one extra time of a game
    muted = models.BooleanField(default=False)  # its notices stay in the inbox
    score = models.PositiveSmallIntegerField(default=0)  # of the series, before this game
    vote = models.CharField(max_length=4, blank=True)  # on what to do about who is absent
    place = models.PositiveSmallIntegerField(null=True)  # 1 = winner; equal places are shared
    points = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "user"], name="seat_one_for_each_person"),
            models.CheckConstraint(name="seat_number_below_six", condition=Q(number__range=(0, 5))),
            models.CheckConstraint(
                name="seat_of_a_bot_is_nobody_elses", condition=Q(bot="") | Q(user=None)
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot acts for this seat now: its own, or for somebody who is absent."""
        return bool(self.bot) or self.absent


class MoveRecord(models.Model):
    """One move that was made: what, by whom, upon which version, and what came of it."""

    class Author(models.TextChoices):
        """Who made the move for the seat."""

        PLAYER = "player"
        BOT = "bot"
        CLOCK = "clock"

    game = models.ForeignKey(Game, models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    author = models.CharField(max_length=6, choices=Author, default=Author.PLAYER)
    upon = models.PositiveIntegerField()  # the version of the table that the mover was looking at
    move = models.JSONField()  # as it was sent, to know a repeat of it by
    events = models.JSONField()  # with all cards: shown through rules.redact only
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="move_number_once_a_game")
        ]

    def __str__(self) -> str:
        return f"move {self.number} of {self.game_id}"


class Seek(models.Model):
    """Somebody who looks for people to play with now; one for each person."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seek")
    variant = models.CharField(max_length=16)
    seat_count = models.PositiveSmallIntegerField()
    pace = models.CharField(max_length=4, choices=Game.Pace)
    bots = models.BooleanField(default=False)  # after a while they may take the seats left
    asked_at = models.DateTimeField()  # whoever has waited longest comes first
    seen_at = models.DateTimeField()  # the last sign of life
    game = models.ForeignKey(Game, models.SET_NULL, null=True)  # what came of it

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="seek_seats_two_to_six", condition=Q(seat_count__range=(2, 6))
            ),
        ]
        indexes = [
            models.Index(
                fields=["variant", "seat_count", "pace", "asked_at"],
                name="seek_that_waits",
                condition=Q(game=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant} for {self.seat_count}, sought by {self.user_id}"


class Holiday(models.Model):
    """Days on which the clocks of a person stand still at tables of days."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="holidays")
    began_at = models.DateTimeField()
    ends_at = models.DateTimeField()  # at the latest: coming back earlier ends it
    automatic = models.BooleanField(default=False)  # because a turn would have been missed

    class Meta:
        indexes = [models.Index(fields=["user", "ends_at"], name="holiday_of_a_person")]

    def __str__(self) -> str:
        return f"holiday of {self.user_id} until {self.ends_at}"


class Sweep(models.Model):
    """When the sweep last ran, by the database's own clock, and since when it is held: one row."""

    ran_at = models.DateTimeField()
    frozen_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"sweep at {self.ran_at}"


class ClockOffset(models.Model):
    """How far the site's clock is put forward: one row, honoured only with TEST_CLOCK on."""

    offset = models.DurationField(default=timedelta(0))

    def __str__(self) -> str:
        return f"clock put forward by {self.offset}"
