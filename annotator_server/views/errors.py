"""Errors become an answer a person or a program understands: a page with one sentence, or JSON under /api/."""

from __future__ import annotations

import logging

from flask import Flask, jsonify, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from annotator_server.errors import Busy, RequestError
from browser_capture.errors import TrailbenchError

logger = logging.getLogger(__name__)

_SENTENCES = {
    400: "The server could not read this request.",
    403: "You may not see this.",
    404: "There is no such page.",
    405: "This address does not do that.",
    413: "This is more than the server takes at once.",
    429: "Too many attempts. Wait a while and try again.",
    500: "Something broke on our side. What was saved before is kept; please try again.",
}


def init_errors(app: Flask) -> None:
    """Install the handlers. The narrowest fits."""
    app.register_error_handler(RequestError, _request_error)
    app.register_error_handler(Busy, _busy)
    app.register_error_handler(TrailbenchError, _other_error)
    app.register_error_handler(CSRFError, _stale_form)
    app.register_error_handler(HTTPException, _http_error)


def answer(status: int, code: str, message: str, **more: object) -> Response:
    """Build the answer for an error: JSON for programs, a page for people."""
    if request.path.startswith("/api/") or request.is_json or request.headers.get("X-Fragment"):
        response = jsonify({"error": {"code": code, "message": message}, **more})
        response.status_code = status
        return response
    return Response(render_template("error.html", status=status, message=message), status, mimetype="text/html")


def _request_error(error: RequestError) -> Response:
    more = {"fields": fields} if (fields := getattr(error, "fields", None)) else {}
    return answer(error.status, error.code, str(error), **more)


def _busy(error: Busy) -> Response:
    response = answer(Busy.status, Busy.code, str(error))
    response.headers["Retry-After"] = "2"
    return response


def _other_error(error: TrailbenchError) -> Response:
    logger.warning("%s %s: %s", request.method, request.path, error)
    return answer(422 if error.exit_code == 2 else 503, type(error).__name__, str(error))


def _stale_form(error: CSRFError) -> Response:
    return answer(
        400,
        "stale_form",
        "This form was opened before you signed in, and nothing was saved. Go back, copy what you typed, "
        "reload the page and send it again.",
    )


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return Response(status=status, headers=list(error.get_headers()))
    return answer(status, "http_error", _SENTENCES.get(status, error.description or error.name))
