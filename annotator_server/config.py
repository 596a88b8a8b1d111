"""A home folder in, the server's settings out: where the database, the jobs, the pages and the secret key are.

HOME/trailbench.db   the database (SQLite), unless config.toml names a PostgreSQL
HOME/jobs.db         waiting jobs, in a file of their own so that they never lock the database
HOME/pages/          recorded pages, a `PageStore`
HOME/secret.key      signs cookies and forms; readable by its owner only
HOME/config.toml     settings; every one has a default
"""

from __future__ import annotations

import os
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator_server.errors import SetupError
from browser_capture.banned import BANNED_PLACES, DEFAULT, is_place, whole_list
from browser_capture.page_store import PageStore
from browser_capture.start_sites import START_SITES, StartSites, read_start_sites

DEFAULT_HOME = "trailbench-server"

STARTING_CONFIG = """\
# Settings of this annotation server. Every line may be left out; what stands here are the defaults.

[database]
# A PostgreSQL instead of the file trailbench.db (pip install 'trailbench[postgres]'):
# url = "postgresql+psycopg://user:password@host/name"

[server]
# Set this to true when people reach the server over https.
secure_cookies = false
# How long a sign-in lasts.
session_days = 7

[capture]
# The page a recording starts on, the search engines it allows, and how far back "forget" reaches.
start_url = "https://www.google.com/"
allowed_engines = ["google"]
forget_minutes = 10
# Set this to true when people are to look at each recording (trailbench capture inspect) before it is sent.
inspect_first = false
# Where no search may lead; "default" stands for the known chat assistants and AI modes. Reviewers see each visit.
banned_hosts = ["default"]
# Where people look around when they jot questions down, by topic; these stand in place of the built-in ones:
# [capture.start_sites]
# "Natural sciences" = ["https://en.wikipedia.org/wiki/Portal:Science"]

[tasks]
# How long a claimed task stays with a person who shows no sign of life.
lease_minutes = 120
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything the server needs to know before it starts."""

    home: Path
    database_url: str
    secret_key: str
    secure_cookies: bool = False
    session_days: int = 7
    lease_minutes: int = 120
    start_url: str = "https://www.google.com/"
    allowed_engines: tuple[str, ...] = ("google",)
    forget_minutes: int = 10
    inspect_first: bool = False
    banned_hosts: tuple[str, ...] = BANNED_PLACES
    start_sites: StartSites = field(default_factory=lambda: START_SITES)

    @property
    def jobs_file(self) -> Path:
        """Where waiting jobs are kept."""
        return self.home / "jobs.db"


def page_store(home: Path) -> PageStore:
    """Return the store of recorded pages of a home folder."""
    return PageStore(home / "pages")


def create_home(home: Path) -> None:
    """Make the home folder, its secret key and its settings file. What is already there is left as it is."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)  # accounts and recordings are nobody else's business
        (home / "pages").mkdir(exist_ok=True)
        _write_new(home / "config.toml", STARTING_CONFIG, 0o644)
        _write_new(home / "secret.key", secrets.token_hex(32) + "\n", 0o600)
    except OSError as error:
        raise SetupError(f"cannot write to the home folder {home}: {error.strerror or error}") from error


def load_settings(home: Path) -> Settings:
    """Read the settings of a home folder.

    Raises SetupError, with the command to type, when the folder was never set up, or names the faulty setting.
    """
    key_file = home / "secret.key"
    if not key_file.is_file():
        raise SetupError(f"{home} is not set up yet; type: trailbench server init --home {home}")
    secret = key_file.read_text(encoding="utf-8").strip()
    if len(secret) < 32:
        raise SetupError(f"{key_file} is too short for a secret key; delete it and run: trailbench server init")
    config = _read_config(home / "config.toml")
    server, capture, tasks = (_table(config, name) for name in ("server", "capture", "tasks"))
    return Settings(
        home=home,
        database_url=str(_table(config, "database").get("url") or f"sqlite:///{(home / 'trailbench.db').resolve()}"),
        secret_key=secret,
        secure_cookies=bool(server.get("secure_cookies", False)),
        session_days=_count(server, "session_days", 7),
        lease_minutes=_count(tasks, "lease_minutes", 120),
        start_url=str(capture.get("start_url", "https://www.google.com/")),
        allowed_engines=tuple(str(name) for name in capture.get("allowed_engines", ["google"])),
        forget_minutes=_count(capture, "forget_minutes", 10),
        inspect_first=_flag(capture, "inspect_first"),
        banned_hosts=_places(capture),
        start_sites=_start_sites(capture),
    )


def _read_config(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{path} cannot be read as TOML: {error}") from error


def _table(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = config.get(name, {})
    if not isinstance(table, dict):
        raise SetupError(f"config.toml: [{name}] must be a table, found {table!r}")
    return table


def _count(table: Mapping[str, Any], name: str, default: int) -> int:
    value = table.get(name, default)
    if type(value) is not int or value < 1:
        raise SetupError(f"config.toml: {name} must be a whole number above 0, found {value!r}")
    return value


def _flag(table: Mapping[str, Any], name: str) -> bool:
    value = table.get(name, False)
    if not isinstance(value, bool):
        raise SetupError(f"config.toml: {name} must be true or false, found {value!r}")
    return value


def _places(capture: Mapping[str, Any]) -> tuple[str, ...]:
    found = capture.get("banned_hosts", [DEFAULT])
    if not isinstance(found, list):
        raise SetupError(f"config.toml: banned_hosts must be a list of hosts, found {found!r}")
    wrong = [place for place in found if not (isinstance(place, str) and (place == DEFAULT or is_place(place)))]
    if wrong:
        raise SetupError(
            f"config.toml: banned_hosts holds {wrong[0]!r}; a place is written as example.com, example.com/path or "
            "example.com/path?name=value"
        )
    return whole_list(found)


def _start_sites(capture: Mapping[str, Any]) -> StartSites:
    named = capture.get("start_sites")
    if named is None:
        return START_SITES
    found = read_start_sites(named)
    if not found or {topic: list(sites) for topic, sites in found.items()} != {**named}:
        raise SetupError(
            "config.toml: [capture.start_sites] must name addresses for each topic, such as "
            '"Science" = ["https://en.wikipedia.org/wiki/Portal:Science"]'
        )
    return found


def _write_new(path: Path, text: str, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        return
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
