"""A recorded page: its text with the passage marked, or as it looked, inside a frame that can do nothing."""

from __future__ import annotations

import base64
import re

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from annotator_server.config import page_store
from annotator_server.errors import NotFound
from annotator_server.views.guard import actor, settings
from annotator_server.views.headers import REPLAY_POLICY
from annotator_server.views.passages import marked
from annotator_server.workflow.recorded_pages import refuse_foreign_page
from browser_capture.errors import IncompleteError
from browser_capture.page_store import Page, PageStore
from browser_capture.replay import replay_html

blueprint = Blueprint("pages", __name__, url_prefix="/pages")

MOST_INLINE = 30_000_000
"""Bytes of images and styles put into one replayed page; what is beyond stays blank."""


@blueprint.get("/<snapshot>")
def show(snapshot: str) -> ResponseReturnValue:
    """Show a page's text, scrolled to the passage between the code points `start` and `end`."""
    store, page = _page(snapshot)
    start, end = request.args.get("start", 0, type=int), request.args.get("end", 0, type=int)
    return render_template(
        "page.html", page=page, snapshot=snapshot, text=marked(store.text(page), start, end), start=start, end=end
    )


@blueprint.get("/<snapshot>/replay")
def replay(snapshot: str) -> ResponseReturnValue:
    """Return a page as it was seen, without script and without a way to reach anything."""
    store, page = _page(snapshot)
    response = Response(replay_html(page, store, _Inliner(store, page)), mimetype="text/html")
    response.headers["Content-Security-Policy"] = REPLAY_POLICY
    return response


class _Inliner:
    """Turns a part's hash into a data: address, so that the frame needs no request and no cookie."""

    def __init__(self, store: PageStore, page: Page) -> None:
        self._store = store
        self._mimes = {part.sha: part.mime for part in page.parts}
        self._left = MOST_INLINE

    def __call__(self, sha: str) -> str:
        mime = self._mimes.get(sha, "application/octet-stream").partition(";")[0].strip()
        if not re.fullmatch(r"(image|font|text/css|application/font)[\w./+-]*", mime):
            return ""
        try:
            data = self._store.get(sha)
        except IncompleteError:
            return ""
        if len(data) > self._left:
            return ""
        self._left -= len(data)
        return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _page(snapshot: str) -> tuple[PageStore, Page]:
    if not re.fullmatch("[0-9a-f]{64}", snapshot):
        raise NotFound("there is no such recorded page in this project")
    refuse_foreign_page(actor(), snapshot)
    store = page_store(settings().home)
    try:
        return store, store.page(snapshot)
    except IncompleteError as error:
        raise NotFound("this page was recorded, but its bytes have not arrived") from error
