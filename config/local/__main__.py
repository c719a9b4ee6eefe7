"""The command line: ``python -m config.local run`` and ``... with [--passing] -- COMMAND``."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

from config.local.processes import LocalError, Stopped, hold_signals, pause, spawn, stop
from config.local.session import Busy, local_secret, running_servers, servers
from config.local.site import serve


def main() -> int:
    """Do what the arguments say; the exit code."""
    arguments = _parser().parse_args()
    hold_signals()
    try:
        return int(arguments.do(arguments) or 0)
    except LocalError as complaint:
        print(complaint, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m config.local", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    run = verbs.add_parser("run", help="serve the site")
    run.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
    run.add_argument("--port", type=int, default=os.environ.get("PORT", "8000"))
    run.set_defaults(do=_run)
    beside = verbs.add_parser("with", help="run a command beside the servers")
    beside.add_argument(
        "--passing", action="store_true", help="fresh servers that leave nothing behind"
    )
    beside.add_argument("command", nargs="+", metavar="COMMAND")
    beside.set_defaults(do=_with)
    return parser


def _run(arguments: argparse.Namespace) -> None:
    try:
        serve(arguments.host, arguments.port)
    except Stopped:
        print("\nStopped. The data stays.")


def _with(arguments: argparse.Namespace) -> int:
    try:
        with servers(passing=arguments.passing) as (urls, _):
            return _beside(arguments.command, urls)
    except Busy:
        return _beside(arguments.command, running_servers())
    except Stopped as order:  # before the command was started
        return 128 + order.number


def _beside(command: list[str], urls: dict[str, str]) -> int:
    """Run the command with the addresses in its environment; its exit code as a shell gives it.

    ``python`` in it is this Python.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    key = {} if "SECRET_KEY" in os.environ else {"SECRET_KEY": local_secret()}
    # In this session, so that a terminal's keys reach it as if it had been called directly.
    process = spawn(
        command,
        env={"DEBUG": "1", **os.environ, **key, **urls, "PATH": path},
        at_parents_death=signal.SIGTERM,
        own_session=False,
    )
    while process.poll() is None:
        try:
            pause(1.0)
        except Stopped as order:
            if not order.by_terminal:
                _pass_on(process, order.number)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def _pass_on(process: subprocess.Popen[bytes], number: int) -> None:
    stop(process, number, patience=30)


if __name__ == "__main__":
    sys.exit(main())
