"""API: what time the server has and which version it is, so that a recorder can say how far its own are from them."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from annotator_server.clock import utc_now
from browser_capture.version import VERSION

blueprint = Blueprint("api_time", __name__, url_prefix="/api/v1/time")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Return the present moment in milliseconds since the epoch, and the version that speaks."""
    return {"now_ms": round(utc_now().timestamp() * 1000, 3), "version": VERSION}
