"""The bytes of a PDF come in; its text goes out, page by page, as far as it can be read in the time allowed."""

from __future__ import annotations

import io
import logging
import time
from typing import NamedTuple

SECONDS = 20

log = logging.getLogger(__name__)


class PdfText(NamedTuple):
    """The text of a PDF; `is_whole` is false where pages could not be read or time ran out."""

    title: str
    text: str
    is_whole: bool


def read_pdf(data: bytes, *, seconds: float = SECONDS) -> PdfText:
    """Read a PDF. A broken or locked one gives what could be read, perhaps nothing; it raises nothing."""
    # Imported here: it takes most of a second, and the server's every command would pay for it.
    import pypdf
    from pypdf.errors import PyPdfError

    deadline = time.monotonic() + seconds
    pages: list[str] = []
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        title = str((reader.metadata.title if reader.metadata else None) or "")
        for page in reader.pages:
            if time.monotonic() > deadline:
                return PdfText(title, "\n".join(pages), False)
            pages.append(page.extract_text())
    # pypdf reads damaged files with plain Python errors as well as its own.
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        log.info("a PDF could be read only in part: %s", error)
        return PdfText("", "\n".join(pages), False)
    return PdfText(title, "\n".join(pages), True)
