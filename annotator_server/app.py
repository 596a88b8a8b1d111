"""The factory: a home folder in, a Flask app out. Nothing is opened or started before it is asked for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from flask import Flask
from flask_bootstrap import Bootstrap5
from flask_wtf import CSRFProtect

from annotator_server.config import Settings, load_settings
from annotator_server.database import init_database
from annotator_server.jobs import Jobs
from annotator_server.models import tables
from annotator_server.revisions import init_migrations
from annotator_server.views import errors, guard, headers, routes, template_words
from browser_capture.json_records import sha256


def create_app(home: Path, *, jobs_at_once: bool = False) -> Flask:
    """Build the app of a home folder. With `jobs_at_once`, verification runs inside the request (tests).

    Raises SetupError when the folder is not set up or its settings cannot be read.
    """
    settings = load_settings(home)
    app = Flask(__name__)
    app.config.from_mapping(_flask_settings(settings))
    app.extensions["trailbench_settings"] = settings
    assert tables.metadata.tables  # noqa: S101 - the import fills the metadata that the database works with
    init_database(app)
    init_migrations(app)
    Jobs(app, settings, at_once=jobs_at_once)
    Bootstrap5(app)
    csrf = CSRFProtect(app)
    guard.init_guard(app)
    headers.init_headers(app)
    errors.init_errors(app)
    template_words.init_words(app)
    routes.init_routes(app, csrf)
    return app


def _flask_settings(settings: Settings) -> dict[str, object]:
    return {
        "SECRET_KEY": settings.secret_key,
        "SQLALCHEMY_DATABASE_URI": settings.database_url,
        # Cookies ignore ports: two servers on one machine must not sign each other's people out.
        "SESSION_COOKIE_NAME": ("__Host-" if settings.secure_cookies else "")
        + f"trailbench-{sha256(settings.secret_key)[:8]}",
        "SESSION_COOKIE_SECURE": settings.secure_cookies,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "PERMANENT_SESSION_LIFETIME": timedelta(days=settings.session_days),
        "WTF_CSRF_TIME_LIMIT": None,  # a form lives as long as its session: lunch loses nothing
        "WTF_CSRF_SSL_STRICT": settings.secure_cookies,
        "MAX_CONTENT_LENGTH": 4_000_000,
        "MAX_FORM_MEMORY_SIZE": 4_000_000,
        "BOOTSTRAP_SERVE_LOCAL": True,
        "SEND_FILE_MAX_AGE_DEFAULT": 3600,
    }
