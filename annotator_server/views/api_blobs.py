"""API: pages, texts and images of recordings, each under the hash of its bytes."""

from __future__ import annotations

import re

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from annotator_server.config import page_store
from annotator_server.errors import BadInput, NotFound
from annotator_server.views.guard import settings
from browser_capture.json_records import sha256

blueprint = Blueprint("api_blobs", __name__, url_prefix="/api/v1/blobs")

LARGEST_BLOB = 64_000_000


@blueprint.route("/<sha>", methods=["HEAD"])
def look(sha: str) -> ResponseReturnValue:
    """Tell whether a blob is there, so that it need not be sent."""
    if not page_store(settings().home).has(_checked(sha)):
        raise NotFound(f"there is no blob {sha}")
    return "", 200


@blueprint.put("/<sha>")
def put(sha: str) -> ResponseReturnValue:
    """Keep the bytes of a blob; other bytes than its name says are refused."""
    store = page_store(settings().home)
    request.max_content_length = LARGEST_BLOB
    data = request.get_data()
    if sha256(data) != _checked(sha):
        raise BadInput(f"the {len(data)} bytes sent have another SHA-256 than {sha}")
    is_new = not store.has(sha)
    store.put(data)
    return {"sha": sha}, 201 if is_new else 200


def _checked(sha: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", sha):
        raise BadInput("a blob is named by its SHA-256, 64 hexadecimal digits in lower case")
    return sha
