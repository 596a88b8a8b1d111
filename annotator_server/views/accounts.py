"""Pages about who one is: sign in, sign out, choose a project, pair a machine."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from annotator_server.errors import RequestError
from annotator_server.views.guard import actor, leave_session, settings, start_session
from annotator_server.views.redirects import safe_target
from annotator_server.workflow import pairing, signing_in

blueprint = Blueprint("accounts", __name__)


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    """Show the form, or check what it holds and go where the person wanted to go."""
    wanted = request.values.get("next")
    if request.method == "GET":
        if current_user.is_authenticated:
            return redirect(safe_target(wanted))
        return render_template("sign_in.html", next=wanted or "", email="", problem=None)
    email = request.form.get("email", "")
    try:
        secret = signing_in.sign_in(
            email, request.form.get("password", ""), request.remote_addr or "", settings().session_days
        )
    except RequestError as error:
        page = render_template("sign_in.html", next=wanted or "", email=email[:254], problem=str(error))
        return page, error.status
    start_session(secret)
    return redirect(safe_target(wanted))


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End this browser's session."""
    leave_session()
    return redirect(url_for("accounts.sign_in"))


@blueprint.post("/project")
def choose_project() -> ResponseReturnValue:
    """Work in another project from now on."""
    signing_in.choose_project(current_user.secret, request.form.get("project", ""))
    return redirect(url_for("work.home"))


@blueprint.route("/account/pair", methods=["GET", "POST"])
def pair() -> ResponseReturnValue:
    """Explain pairing; on a click, show a code that works once."""
    code = pairing.show_code(actor()) if request.method == "POST" else None
    return render_template("pair.html", code=code, server=request.host_url.rstrip("/"))
