"""`dormie-server`: reads what is asked for and opens the house, or says in a line why it cannot."""

import argparse
import asyncio
import errno
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

import structlog

from dormie_server import logs
from dormie_server.config import BadSetting, Settings, mistyped, read_settings
from dormie_server.one_line import OneLineParser, sorry
from dormie_server.store import StoreUnavailable

log = structlog.get_logger(__name__)

Run = Callable[[Settings], Coroutine[Any, Any, None]]

INTERRUPTED = 130
OFFICE = ("reports", "report", "erase")
"""What is asked of the file of a house, and opens none."""
ADMIN = "admin"
"""What is asked of a running server."""
CONFIG = "config"
"""Shows the settings in force and opens no house, either."""

EXAMPLES = """\
examples:
  dormie-server                         everybody on this network can join, on port 8421
  dormie-server --host 127.0.0.1        only this machine can
  dormie-server --port 0                any free port; the first line says which
  dormie-server --data :memory:         forget everything at the end
  dormie-server --store redis://localhost/0     one of several servers that share a Redis
  dormie-server --config dormie.toml    all the settings, also those without a flag
  dormie-server config                  every setting in force, and where it comes from
  dormie-server reports                 the reports that nobody has closed; report ID reads one
  dormie-server erase NAME              forget a player
  dormie-server admin list              ask a running server; admin --help says what else

A flag wins over DORMIE_PORT=8421 in the environment, that over the same line in .env, and that over
the TOML file (port = 8421).
"""

# flag, value, help; its setting has the same name
FLAGS: tuple[tuple[str, str, str], ...] = (
    ("--host", "ADDRESS", "where to listen (0.0.0.0: everywhere)"),
    ("--port", "NUMBER", "the port (8421); 0 is any that is free"),
    ("--public-url", "URL", "how the house is reached from outside, like https://golf.example"),
    (
        "--tls-certificate",
        "FILE",
        "a certificate in PEM, to be reached by https:// without a proxy",
    ),
    ("--tls-key", "FILE", "the key of the certificate"),
    ("--data", "FILE", "where tables are kept (dormie-data/dormie.db), or :memory:"),
    ("--synchronous", "FULL|NORMAL", "FULL outlives a power cut, NORMAL is faster (FULL)"),
    (
        "--store",
        "URL",
        "a Redis that several servers share, like redis://localhost/0, instead of a file",
    ),
    ("--store-password-file", "FILE", "the password of that Redis"),
    ("--admin-socket", "FILE", "where a running server takes commands: FILE, auto or off (auto)"),
    ("--allowed-origins", "URLS", "pages elsewhere that may connect, with commas"),
    ("--trusted-proxies", "NETWORKS", "proxies whose X-Forwarded-For is believed, with commas"),
    ("--turn-seconds", "SECONDS", "for a turn, where the host does not say (60)"),
    ("--bot-seconds", "SECONDS", "how long bots pretend to think (1)"),
    ("--log-level", "|".join(get_args(logs.Level)), "how much to write down (info)"),
    ("--log-format", "|".join(get_args(logs.Style)), "lines for people or for programs (auto)"),
)


def main(argv: Sequence[str] | None = None, run: Run | None = None) -> int:
    """Open the house and return when it is closed: 0, 2 if it could not be opened, 130 after Ctrl-C.

    Or do what the first word asks, and return what that does.
    """
    try:
        return _done(sys.argv[1:] if argv is None else argv, run)
    except KeyboardInterrupt:
        return INTERRUPTED


def _done(argv: Sequence[str], run: Run | None) -> int:
    if argv and argv[0] in OFFICE:
        from dormie_server import office  # noqa: PLC0415 - a server needs none of it

        return office.main(argv)
    if argv and argv[0] == ADMIN:
        from dormie_server import admin_client  # noqa: PLC0415 - likewise

        return admin_client.main(argv[1:])
    showing = bool(argv) and argv[0] == CONFIG
    asked = vars(_parser().parse_args(argv[1:] if showing else argv))
    config = asked.pop("config")
    flags = {name: value for name, value in asked.items() if value is not None}
    try:
        if showing:
            return _show(flags, config)
        settings = read_settings(flags, config)
    except BadSetting as bad:
        return sorry(str(bad))
    logs.set_up(settings.log_level, settings.log_format)
    for name in mistyped(os.environ):  # others may have a reason for theirs
        log.warning("no_such_setting", variable=name)
    try:
        _loop(run or _app(), settings)
    except (BadSetting, StoreUnavailable) as why:
        return sorry(str(why))
    except OSError as error:
        return sorry(_why_not(error, settings))
    return 0


def _show(flags: dict[str, object], config: Path | None) -> int:
    from dormie_server.settings_page import page  # noqa: PLC0415 - a server needs none of it

    sys.stdout.write(page(flags, config) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="dormie-server",
        description="Open a house for Golf, the card game: tables for friends, bots and strangers.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"dormie-server {version('dormie')}")
    parser.add_argument("--config", metavar="FILE", type=Path, help="a TOML file with settings")
    for flag, value, what in FLAGS:
        parser.add_argument(flag, metavar=value, help=what)
    return parser


def _app() -> Run:
    from dormie_server.app import run  # noqa: PLC0415 - --help and --version need none of it

    return run


def _loop(run: Run, settings: Settings) -> None:
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    if sys.platform != "win32":
        import uvloop  # noqa: PLC0415 - there is none on Windows

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(run(settings))


def _why_not(error: OSError, settings: Settings) -> str:
    """One sentence for a person who has never heard of errno."""
    place = f"{settings.host} port {settings.port}"
    sentences = {
        errno.EADDRINUSE: f"{place} is in use: choose another --port, or 0 for any.",
        errno.EACCES: f"{place} may not be used: choose a --port of 1024 or more.",
        errno.EADDRNOTAVAIL: f"{settings.host} is not an address of this machine.",
    }
    if error.errno in sentences and error.filename is None:
        return sentences[error.errno]
    return str(error)
