"""Children that never outlive their supervisor, and waiting that a signal can interrupt.

Every child asks the kernel for a signal at the death of its parent (``PR_SET_PDEATHSIG``), so that
even ``kill -9`` of the supervisor leaves nothing running. Linux has this; elsewhere only an orderly
end stops the children.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

PR_SET_PDEATHSIG = 1
STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class LocalError(Exception):
    """Something a person can mend; the message says what, in one or two lines."""


class Stopped(Exception):
    """SIGINT, SIGTERM or SIGHUP arrived.

    ``by_terminal`` tells a Ctrl-C, which the terminal has sent to the whole foreground group, from
    a signal that was meant for this process alone.
    """

    def __init__(self, number: int, by_terminal: bool) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number
        self.by_terminal = by_terminal


class Account(NamedTuple):
    """An account of /etc/passwd that children run under."""

    name: str
    uid: int
    gid: int


def hold_signals() -> None:
    """From here on the stop signals are seen by :func:`pause` alone, never in mid-step."""
    waiting = {*STOP_SIGNALS, signal.SIGCHLD}
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # nohup
        waiting.discard(signal.SIGHUP)
    signal.pthread_sigmask(signal.SIG_BLOCK, waiting)


def pause(seconds: float) -> None:
    """Wait, at most so long, for a child to end. Raises :class:`Stopped`."""
    info = signal.sigtimedwait({*STOP_SIGNALS, signal.SIGCHLD}, seconds)
    if info is not None and info.si_signo != signal.SIGCHLD:
        raise Stopped(info.si_signo, by_terminal=info.si_code > 0)


def pause_for(seconds: float) -> None:
    """Wait so long, whatever children do. Raises :class:`Stopped`."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        pause(left)


def spawn(
    command: Sequence[str | Path],
    *,
    at_parents_death: int = signal.SIGKILL,
    account: Account | None = None,
    env: Mapping[str, str] | None = None,
    own_session: bool = True,
    log: Path | None = None,
    feed: bytes | None = None,
    pass_fds: Iterable[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a child that gets ``at_parents_death`` when this process ends in whatever way.

    ``own_session`` keeps a Ctrl-C away from it. ``log`` takes its output, ``feed`` is its input.
    """
    output: IO[bytes] | None = log.open("ab") if log else None
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE if feed is not None else (subprocess.DEVNULL if log else None),
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            cwd="/" if account else None,
            env=dict(env) if env is not None else None,
            start_new_session=own_session,
            pass_fds=tuple(pass_fds),
            preexec_fn=_before_exec(at_parents_death),  # noqa: PLW1509 - no threads here
            **as_account(account),
        )
    finally:
        if output:
            output.close()
    if feed is not None and process.stdin:
        with process.stdin:
            process.stdin.write(feed)
    return process


def as_account(account: Account | None) -> dict[str, Any]:
    """The arguments by which subprocess changes to the account."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def _before_exec(death_signal: int) -> Callable[[], None]:
    parent = os.getpid()
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

    def prepare() -> None:
        # Runs after the change of account, which would clear the setting.
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, death_signal)
            if os.getppid() != parent:  # it died between fork and prctl
                os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, set())

    return prepare


def stop(process: subprocess.Popen[bytes], number: int = signal.SIGTERM, patience: float = 10):
    """End a child: ask with a signal, and after ``patience`` seconds kill its whole session."""
    if process.poll() is not None:
        return
    process.send_signal(number)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Ask ``ready`` until it says yes. False if the process ended or the time ran out."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            return False
        if ready():
            return True
        pause(0.02)
    return False


def run_to_end(command: Sequence[str | Path], env: Mapping[str, str]) -> int:
    """Run a step of the preparation; its exit code. A signal ends it and raises Stopped."""
    process = spawn(command, env=env)
    try:
        while process.poll() is None:
            pause(0.5)
    finally:
        stop(process)
    return process.returncode
