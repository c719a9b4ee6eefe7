"""People: a name, a language, a time zone. A guest is a person with no way to sign in."""

import unicodedata
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts import zones
from accounts.channels import DAYS, NEAR, family, usual_reminders
from accounts.lookalikes import skeleton
from accounts.quiet_hours import QuietHours

NAME_MAX_LENGTH = 24


def check_one_script(name: str) -> None:
    """Raise ValidationError for a name whose letters are of several scripts.

    So nobody takes a Cyrillic o into a Latin name to look like somebody else. The script is the
    first word of a letter's name in Unicode.
    """
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in name if letter.isalpha()}
    if len(scripts) > 1:
        raise ValidationError(_("The letters of a name are of one script."))


# Letters of one script, digits, and between them . - _ ' or one space: nothing invisible, so not
# the two Hangul fillers either, which Unicode counts as letters.
NAME_VALIDATORS: list[Callable[[Any], None]] = [
    MinLengthValidator(2, _("A name has at least 2 letters.")),
    MaxLengthValidator(NAME_MAX_LENGTH),
    RegexValidator(
        "[\u115f\u1160]",
        _("A name has letters and digits, and between them spaces or . - _ '"),
        inverse_match=True,
    ),
    check_one_script,
    RegexValidator(
        r"\A[^\W_](?:[\w.'\u2019 -]*\w)?\Z",
        _("A name has letters and digits, and between them spaces or . - _ '"),
    ),
]


def normal_name(name: str) -> str:
    """Return `name` in the one form in which names are stored: NFKC, single spaces, trimmed."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


class People(BaseUserManager["User"]):
    """Makes users; without a password, a guest."""

    def create_user(self, name: str, email: str = "", password: str | None = None, **extra):
        """Store and return a user called `name`; raises IntegrityError if the name is taken."""
        user = self.model(name=normal_name(name), email=self.normalize_email(email), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, name: str, email: str = "", password: str | None = None, **extra):
        """Store and return an operator, who may enter the admin."""
        return self.create_user(name, email, password, is_staff=True, is_superuser=True, **extra)

    def has_name(self, name: str) -> bool:
        """Return whether somebody has that name, as the database's constraint compares names."""
        return self.annotate(key=Lower("name")).filter(key=Lower(models.Value(name))).exists()

    def has_lookalike(self, name: str) -> bool:
        """Return whether somebody's name can be taken for that one."""
        return self.filter(skeleton=skeleton(name)).exists()

    def get_by_natural_key(self, name: str | None) -> "User":
        """Return the user of that name, without regard to case."""
        return self.get(name__iexact=normal_name(name or ""))

    def called(self, name: str) -> "User | None":
        """Return whoever has that name and may use the site, None if there is nobody."""
        if "\0" in name:  # what no text in PostgreSQL can hold
            return None
        return self.filter(name__iexact=normal_name(name), is_active=True).first()


class Order(models.TextChoices):
    """How a hand is sorted."""

    SUIT = "suit", _("By suit")
    RANK = "rank", _("By rank")


class Guard(models.TextChoices):
    """Where one tap chooses a card and a second one plays it."""

    SLOW = "slow", _("At tables with an hour or more for a turn")
    ALWAYS = "always", _("At every table")
    NEVER = "never", _("Never")


class Voice(models.TextChoices):
    """What of a game is read out to people who do not look at it."""

    ALL = "all", _("Everything that happens")
    MINE = "mine", _("My turn and what concerns me")
    TURN = "turn", _("My turn only")


class MailPace(models.TextChoices):
    """How often mails about notices may come."""

    ONCE = "once", _("At once, then all that has come meanwhile in one mail an hour")
    DAILY = "daily", _("All together in one mail a day, in the evening")
    VISIT = "visit", _("One mail, and no more until I have been here")


def _today() -> date:
    return timezone.now().date()


class User(AbstractBaseUser, PermissionsMixin):
    """One person (or, later, an operator). Names are unique without regard to case."""

    name = models.CharField(_("User name"), max_length=NAME_MAX_LENGTH, validators=NAME_VALIDATORS)
    skeleton = models.CharField(max_length=96, db_index=True, editable=False)  # lookalikes.py
    email = models.EmailField(_("E-mail address"), blank=True)
    language = models.CharField(_("Language"), max_length=8, blank=True)
    mail_turns = models.BooleanField(_("Tell me by e-mail what waits for me"), default=True)
    mail_pace = models.CharField(
        _("How often mails may come"), max_length=5, choices=MailPace, default=MailPace.ONCE
    )
    channels = models.JSONField(default=dict, blank=True)  # by kind of notice, where set otherwise
    calendar_key = models.CharField(max_length=22, blank=True, db_index=True)  # of its secret link
    reminders = models.JSONField(default=usual_reminders, blank=True)  # channels.PARTS
    sort_hand = models.CharField(_("Sort your cards"), max_length=4, choices=Order, default="suit")
    slip_guard = models.CharField(
        _("Ask again before a card is played"), max_length=6, choices=Guard, default="slow"
    )
    voice = models.CharField(
        _("What a screen reader says by itself"), max_length=4, choices=Voice, default="all"
    )
    four_colours = models.BooleanField(_("Four-colour suits"), default=True)
    left_handed = models.BooleanField(_("Cards and buttons for the left hand"), default=False)
    letter_keys = models.BooleanField(
        _("Letter keys: M calls “Mau”, C is for “Forgot Mau!”"), default=True
    )
    sounds = models.BooleanField(_("Sounds at the table"), default=False)
    vibration = models.BooleanField(_("Vibration when it is my turn"), default=False)
    time_zone = models.CharField(_("Time zone"), max_length=64, blank=True)
    quiet_from = models.PositiveSmallIntegerField(_("Quiet hours begin"), default=22)
    quiet_until = models.PositiveSmallIntegerField(_("Quiet hours end"), default=7)
    holidays_by_themselves = models.BooleanField(
        _("Take a day of holiday when I would miss a turn"), default=True
    )
    # Of the form that made a guest: its second press finds who the first one has made.
    first_form = models.CharField(max_length=64, null=True, editable=False)  # noqa: DJ001
    recovery = models.CharField(max_length=64, null=True, editable=False)  # noqa: DJ001  a hash
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    seen_on = models.DateField(default=_today)  # the day of the last visit, in UTC
    leaving = models.BooleanField(default=False, editable=False)  # to be deleted, see leaving.py
    muted_until = models.DateTimeField(null=True, editable=False)  # moderation.py
    suspended_until = models.DateTimeField(null=True, editable=False)  # while not active

    socialaccount_set: Any  # allauth's: accounts elsewhere, by which one signs in
    authenticator_set: Any  # allauth's: passkeys, an authenticator app, spare codes
    emailaddress_set: Any

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = People()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("name"),
                name="user_name_unique_whatever_case",
                violation_error_message=_("This user name is already taken."),
            ),
            models.UniqueConstraint(fields=["first_form"], name="user_once_a_form"),
            models.UniqueConstraint(fields=["recovery"], name="user_of_a_recovery_code"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Store the person, and with the name what names that look like it have in common."""
        self.skeleton = skeleton(self.name)
        if update_fields is not None and "name" in update_fields:
            update_fields = {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)

    @cached_property
    def is_guest(self) -> bool:
        """Whether this person has no way to sign in: no password, passkey, own address or account
        elsewhere."""
        return not (
            self.has_usable_password()
            or self.authenticator_set.filter(type="webauthn").exists()
            or self.emailaddress_set.filter(verified=True).exists()
            or self.socialaccount_set.exists()
        )

    @property
    def is_muted(self) -> bool:
        """Whether this person may not invite or ask anybody at the moment."""
        return self.muted_until is not None and self.muted_until > timezone.now()

    @property
    def look(self) -> str:
        """The classes that pages of this person bear, beside the defaults."""
        chosen = {"two-colours": not self.four_colours, "left": self.left_handed}
        return " ".join(name for name, wanted in chosen.items() if wanted)

    @property
    def signals(self) -> str:
        """By what the table draws attention to itself, beside what is seen."""
        chosen = {"sounds": self.sounds, "vibration": self.vibration}
        return " ".join(name for name, wanted in chosen.items() if wanted)

    @property
    def zone(self) -> str:
        """The name of the time zone: the one that was chosen, else where the language lives."""
        return self.time_zone or zones.of_language(self.language)

    @property
    def quiet_hours(self) -> QuietHours:
        """The person's night."""
        return QuietHours(self.zone, self.quiet_from, self.quiet_until)

    def is_guarded(self, *, live: bool) -> bool:
        """Return whether a card asks again before it is played, at a table of live pace or not."""
        return self.slip_guard == Guard.ALWAYS or (self.slip_guard == Guard.SLOW and not live)


class Tie(models.Model):
    """What one person says of another; accounts/ties.py tells what follows."""

    class Kind(models.TextChoices):
        """What is said."""

        FRIEND = "friend"
        BLOCK = "block"

    owner = models.ForeignKey(User, models.CASCADE, related_name="ties")
    other = models.ForeignKey(User, models.CASCADE, related_name="ties_to")
    kind = models.CharField(max_length=6, choices=Kind)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "other"], name="tie_once_a_pair"),
            models.CheckConstraint(
                condition=~models.Q(owner=models.F("other")), name="tie_of_two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} {self.kind} {self.other_id}"


class Report(models.Model):
    """Somebody says that a name, or how somebody behaves at a table, is not right."""

    class Kind(models.TextChoices):
        """What is said to be wrong."""

        NAME = "name", _("The name is offensive or pretends to be somebody else")
        PLAY = "play", _("Spoils games: plays for another, stalls, leaves again and again")
        TROUBLE = "trouble", _("Harasses people with invitations or questions")
        OTHER = "other", _("Something else")

    person = models.ForeignKey(
        User, models.CASCADE, related_name="reports", verbose_name=_("Who is it about?")
    )
    by = models.ForeignKey(
        User,
        models.SET_NULL,
        null=True,
        related_name="reports_made",
        verbose_name=_("Who says so"),
    )
    kind = models.CharField(_("What is wrong?"), max_length=7, choices=Kind)
    table = models.CharField(_("Table"), max_length=32, blank=True)  # the id of a game
    note = models.CharField(_("What we should know"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("When"), default=timezone.now)
    settled_at = models.DateTimeField(_("Settled"), null=True)

    class Meta:
        verbose_name = _("Report about somebody")
        verbose_name_plural = _("Reports about people")
        ordering: ClassVar[list[Any]] = [
            models.F("settled_at").desc(nulls_first=True),
            "created_at",
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "by", "kind", "table"],
                name="report_once_while_open",
                condition=models.Q(settled_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.get_kind_display()}"


class Measure(models.Model):
    """What a moderator has done about somebody, why, and until when: the log of moderation."""

    class Kind(models.TextChoices):
        """What was done."""

        NOTHING = "nothing", _("Nothing: there is no ground for it")
        RENAME = "rename", _("Another name")
        MUTE = "mute", _("May not invite, ask for friendship or open public tables")
        SUSPEND = "suspend", _("May not use the site")
        LIFT = "lift", _("All of this is lifted")

    person = models.ForeignKey(
        User, models.CASCADE, related_name="measures", verbose_name=_("Who is it about?")
    )
    by = models.ForeignKey(
        User,
        models.SET_NULL,
        null=True,
        related_name="measures_taken",
        verbose_name=_("Moderator"),
    )
    report = models.ForeignKey(
        Report, models.SET_NULL, null=True, blank=True, verbose_name=_("Report about somebody")
    )
    kind = models.CharField(_("What is done"), max_length=7, choices=Kind)
    reason = models.CharField(_("Why, in words that the person reads"), max_length=500)
    until = models.DateTimeField(_("Until"), null=True)  # for good, if nothing
    old_name = models.CharField(_("Name then"), max_length=NAME_MAX_LENGTH, blank=True)
    created_at = models.DateTimeField(_("When"), default=timezone.now)

    class Meta:
        verbose_name = _("Decision")
        verbose_name_plural = _("Decisions")
        ordering: ClassVar[list[str]] = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.person}"


class Notice(models.Model):
    """Something that a person is to be told once, about a thing (say, a game) at a version."""

    user = models.ForeignKey(User, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=16)
    about = models.CharField(max_length=32)
    version = models.PositiveIntegerField()
    speed = models.CharField(max_length=5, default=DAYS)  # of the table: channels.SPEEDS
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)  # not to be told before
    decided_at = models.DateTimeField(null=True)  # when the ways were chosen by which it is told
    done_at = models.DateTimeField(null=True)  # when it was found to be no longer true
    read_at = models.DateTimeField(null=True)  # when its person had seen it

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "about", "version", "kind"], name="notice_once_a_person_and_event"
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="notice_to_decide", condition=models.Q(decided_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id} about {self.about} at {self.version}"

    @property
    def is_reminder(self) -> bool:
        """Whether it only reminds of what another notice has told."""
        return family(self.kind) == NEAR


class Endpoint(models.Model):
    """Where notices of a person can be sent without mail: to a device's push service (RFC 8030),
    or to a webhook. It belongs to one person, and is no longer tried after it refused often."""

    PATIENCE = 5  # refusals in a row

    user = models.ForeignKey(User, models.CASCADE, related_name="endpoints")
    channel = models.CharField(max_length=8)  # channels.PUSH or channels.HOOK
    address = models.CharField(max_length=1000)
    secret = models.CharField(max_length=64)  # a device's (RFC 8291, 3.2), or what signs a webhook
    public_key = models.CharField(max_length=128, blank=True)  # a device's
    server_key = models.CharField(max_length=128, blank=True)  # ours, that a device knows us by
    refused = models.PositiveSmallIntegerField(default=0)  # in a row
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["address"],
                name="endpoint_of_one_person",
                condition=models.Q(channel="push"),
            ),
            models.UniqueConstraint(
                fields=["user", "channel", "address"], name="endpoint_once_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} of {self.user_id}"

    @property
    def is_parked(self) -> bool:
        """Whether it has refused so often that it is no longer tried."""
        return self.refused >= self.PATIENCE


class Delivery(models.Model):
    """One notice on its way by one channel, and what came of it."""

    class State(models.TextChoices):
        """Where it is on its way; a row is claimed before anything is sent."""

        WAITING = "waiting", _("waits")
        CLAIMED = "claimed", _("is being sent")
        SENT = "sent", _("sent")
        WITHDRAWN = "withdrawn", _("no longer true, so not sent")
        FAILED = "failed", _("could not be sent")

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8)
    # Mail has none, and one that was removed is none any more.
    endpoint = models.ForeignKey(Endpoint, models.SET_NULL, null=True, related_name="deliveries")
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    repeated = models.BooleanField(default=False)  # its first worker was lost: it may come twice
    settled_at = models.DateTimeField(null=True)
    why = models.CharField(max_length=64, blank=True)  # the kind of fault, for operators

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["notice"], name="delivery_once_by_mail", condition=models.Q(channel="mail")
            ),
            models.UniqueConstraint(fields=["notice", "endpoint"], name="delivery_once_a_place"),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="delivery_to_be_made",
                condition=models.Q(state__in=["waiting", "claimed"]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} by {self.channel}: {self.state}"


class TextReport(models.Model):
    """Somebody says that a text of the site is wrong. Nothing tells who said it."""

    page = models.CharField(max_length=200)  # the path on which it was read
    language = models.CharField(max_length=8)
    text = models.CharField(max_length=500, blank=True)  # as it stands there
    better = models.CharField(max_length=500, blank=True)  # as it should read
    created_at = models.DateTimeField(default=timezone.now)
    settled = models.BooleanField(default=False)  # by an operator

    class Meta:
        ordering: ClassVar[list[str]] = ["settled", "-created_at"]

    def __str__(self) -> str:
        return f"{self.language} {self.page}: {self.text}"
