"""Nobody passes without a line in the policy table: who is asking is found, and the route's action looked up, first."""

from __future__ import annotations

from typing import cast

from flask import Flask, current_app, g, redirect, request, session, url_for
from flask_login import LoginManager, current_user, login_user, logout_user
from werkzeug.wrappers import Response

from annotator_server.config import Settings
from annotator_server.errors import BadInput, NotAllowed, UnknownToken
from annotator_server.models.accounts import WebSession
from annotator_server.policy import OPEN, PANEL_ROUTES, ROUTES, SIGNED_IN, Actor, role_allows
from annotator_server.workflow import pairing, signing_in


class SignedIn:
    """A signed-in person as flask-login wants it: its id is the session's secret, not the person's number."""

    is_authenticated = is_active = True
    is_anonymous = False

    def __init__(self, secret: str, row: WebSession) -> None:
        self.secret = secret
        self.row = row
        self.actor = signing_in.actor_of_session(row)

    def get_id(self) -> str:
        """Return what the cookie keeps."""
        return self.secret


def init_guard(app: Flask) -> None:
    """Install the sign-in and the guard before every request."""
    manager = LoginManager(app)
    manager.session_protection = None  # a session is a row of ours; addresses change on trains
    manager.user_loader(_load)
    app.before_request(_refuse_unstorable_text)
    app.before_request(_admit)


def actor() -> Actor:
    """Return who is asking; only for routes that the guard has let through with a role."""
    return cast(Actor, g.actor)


def settings() -> Settings:
    """Return the present app's settings."""
    return cast(Settings, current_app.extensions["trailbench_settings"])


def start_session(secret: str) -> None:
    """Sign the browser in. Everything the cookie held before is dropped, its form tokens too."""
    row = signing_in.session_of(secret)
    assert row is not None  # noqa: S101 - it was made a moment ago
    session.clear()
    session.permanent = True
    login_user(SignedIn(secret, row))


def leave_session() -> None:
    """Sign the browser out, here and in the database."""
    signing_in.end_session(current_user.secret)
    logout_user()
    session.clear()


def _load(secret: str) -> SignedIn | None:
    row = signing_in.session_of(secret)
    return SignedIn(secret, row) if row else None


def _admit() -> Response | None:
    if request.endpoint is None:
        return None  # no such address; Flask answers
    needed = ROUTES.get(request.endpoint)
    if needed == OPEN:
        return None
    if request.blueprint is not None and request.blueprint.startswith("api_"):
        g.actor = _bearer()
    elif not current_user.is_authenticated:
        return redirect(url_for("accounts.sign_in", next=request.full_path if request.method == "GET" else None))
    elif needed == SIGNED_IN:
        return None
    else:
        g.actor = current_user.actor
    if g.actor is None or needed is None or not role_allows(g.actor.roles, needed):
        raise NotAllowed("Your role in this project does not include this page.")
    if g.actor.panel_task is not None and request.endpoint not in PANEL_ROUTES:
        raise NotAllowed("This window is signed in for its panel only. Open this page in your usual browser.")
    return None


def _bearer() -> Actor:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    found = pairing.actor_of_token(token.strip()) if kind.lower() == "bearer" else None
    if found is None:
        raise UnknownToken(
            "this needs a valid token; pair this machine again with: trailbench capture login SERVER --code CODE"
        )
    return found


def _refuse_unstorable_text() -> None:
    # PostgreSQL refuses NUL, and no database can hold half a surrogate: say so before anything is written.
    fields = [*request.args.items(multi=True)]
    if request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data"):
        fields += request.form.items(multi=True)
    for name, value in fields:
        if "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
            raise BadInput(f"the field {name[:40]!r} holds a character that is no text; remove it and send it again")
