"""Documents as the network gives them: answers to the requests of a tab's main frame, and the bytes of a PDF."""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import Mapping

from browser_capture.errors import WireError
from browser_capture.snapshots import PART_LIMIT
from browser_capture.sources.wire import Answer, WireTab

PDF = "application/pdf"
PDF_SIGN = b"%PDF"
_SIGN_WITHIN = 1024
"""A reader takes a file for a PDF when its sign stands in so many bytes (ISO 32000-1, implementation note 13)."""
_LOAD_SECONDS = 60.0
_CHUNK = 1_000_000
# As the page itself asked: with its cookies, and from the browser's cache where that may answer.
_AS_THE_PAGE = {"disableCache": False, "includeCredentials": True}

log = logging.getLogger(__name__)


def answer_from(tab: str, url: str, status: int, headers: Mapping[str, str], chain: str) -> Answer:
    """Read an answer from its headers, whose names are in lower case.

    >>> answer_from("t1", "http://a.example/", 200, {"content-type": "text/HTML; charset=utf-8"}, "c1").mime
    'text/html'
    """
    length = headers.get("content-length", "")
    mime = headers.get("content-type", "").partition(";")[0].strip().lower()
    known_length = int(length) if length.isdecimal() else None
    return Answer(tab, url, status, mime, known_length, headers.get("location"), chain)


async def read_pdf_bytes(tab: WireTab, url: str) -> bytes:
    """Return the bytes of the PDF that stands in a tab, whose page is only its viewer.

    The browser takes them from its cache or, where nothing may be cached, asks the server once more. Raises WireError
    when they cannot be had, are more than `PART_LIMIT`, or are no PDF: some addresses answer only once.
    """
    asked = {"frameId": tab.target, "url": url.partition("#")[0], "options": _AS_THE_PAGE}
    found = (await tab.cdp.send("Network.loadNetworkResource", asked, seconds=_LOAD_SECONDS)).get("resource", {})
    if not found.get("success") or not found.get("stream"):
        said = found.get("netErrorName") or f"status {found.get('httpStatusCode')}"
        raise WireError(f"the PDF could not be had a second time: {said}")
    data = await _read(tab, str(found["stream"]))
    if PDF_SIGN not in data[:_SIGN_WITHIN]:
        raise WireError("the address gave something else than its PDF the second time")
    return data


async def _read(tab: WireTab, stream: str) -> bytes:
    data = bytearray()
    try:
        while True:
            part = await tab.cdp.send("IO.read", {"handle": stream, "size": _CHUNK}, seconds=20)
            text = str(part.get("data", ""))
            data += base64.b64decode(text, validate=True) if part.get("base64Encoded") else text.encode()
            if len(data) > PART_LIMIT:
                raise WireError(f"the PDF has more than {PART_LIMIT / 1e6:.0f} MB")
            if part.get("eof"):
                return bytes(data)
    except binascii.Error as error:
        raise WireError(f"the browser gave a PDF that cannot be read: {error}") from error
    finally:
        try:
            await tab.cdp.send("IO.close", {"handle": stream})
        except WireError as error:
            log.debug("closing a stream: %s", error)
