"""All routes, in the order of their addresses. The API takes tokens only, so it needs no form protection."""

from __future__ import annotations

from flask import Flask
from flask_wtf import CSRFProtect

from annotator_server.views import (
    accounts,
    api_blobs,
    api_pairing,
    api_panels,
    api_recordings,
    api_seeds,
    api_tasks,
    api_time,
    pages,
    panel,
    questions,
    reviews,
    seeds,
    tasks,
    work,
)


def init_routes(app: Flask, csrf: CSRFProtect) -> None:
    """Register every blueprint. Each endpoint must stand in `policy.ROUTES`, or it is refused."""
    for area in (work, accounts, questions, seeds, tasks, panel, reviews, pages):
        app.register_blueprint(area.blueprint)
    for area in (api_pairing, api_tasks, api_seeds, api_recordings, api_blobs, api_panels, api_time):
        csrf.exempt(area.blueprint)
        app.register_blueprint(area.blueprint)
