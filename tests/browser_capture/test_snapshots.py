"""From an MHTML file to the page store, and from there back to something to look at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from browser_capture.errors import RecordError
from browser_capture.page_store import PageStore
from browser_capture.pdf_text import read_pdf
from browser_capture.privacy import Privacy
from browser_capture.replay import replay_html
from browser_capture.snapshots import keep_pdf, unpack_mhtml
from tests.browser_capture.small_pdf import a_pdf

AT = "2026-01-01T00:00:00.000Z"
MHTML = """From: <Saved by Blink>
Snapshot-Content-Location: http://a.example/page
Subject: =?utf-8?Q?Caf=C3=A9?=
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----x"


------x
Content-Type: text/html
Content-ID: <frame-{chance}@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: http://a.example/page

<!DOCTYPE html><html><head><meta http-equiv=3D"Content-Type" content=3D"text/html; charset=3Diso-8859-1">
<link rel=3D"stylesheet" href=3D"cid:css-{chance}@mhtml.blink"><title>Caf=E9</title><base href=3D"http://b.example/">
<script>evil()</script></head><body onload=3D"evil()"><p>D=E9j=E0 vu</p><img src=3D"http://a.example/i.png">
<img src=3D"http://elsewhere.example/t.gif"><a href=3D"javascript:evil()">x</a><form action=3D"/send"></form>
<input type=3D"text" value=3D"typed"><input type=3D"submit" value=3D"Send"><textarea>typed</textarea>
<div contenteditable=3D"true">typed</div>
<iframe src=3D"cid:frame-AB{chance}@mhtml.blink"></iframe>
<div><template shadowmode=3D"closed"><p>shadow</p></template></div></body></html>
------x
Content-Type: text/css
Content-Transfer-Encoding: quoted-printable
Content-Location: cid:css-{chance}@mhtml.blink

p {{ background: url("/i.png"); }} q {{ background: url(http://elsewhere.example/x) }}
------x
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: http://a.example/i.png

iVBORw0KGgo=
------x
Content-Type: text/html
Content-ID: <frame-AB{chance}@mhtml.blink>
Content-Transfer-Encoding: quoted-printable

<html><body><p>in the frame</p></body></html>
------x--
"""


def mhtml(chance: str = "0A-1") -> bytes:
    """Return the snapshot; `chance` stands for the names that Chromium draws anew each time."""
    return MHTML.format(chance=chance).replace("\n", "\r\n").encode()


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    """Return an empty page store."""
    return PageStore(tmp_path)


def test_a_page_has_its_address_title_text_and_parts(store: PageStore) -> None:
    page = unpack_mhtml(mhtml(), store, captured_at=AT).page
    assert (page.url, page.title, page.captured_at, page.partial) == ("http://a.example/page", "Café", AT, False)
    assert store.text(page).splitlines() == ["Déjà vu", "x", "in the frame", "shadow"]
    assert [part.mime for part in page.parts] == ["text/html", "text/css", "image/png", "text/html"]
    assert page.root == page.parts[0].sha


def test_the_same_page_gives_the_same_bytes_each_time(store: PageStore) -> None:
    first, second = (unpack_mhtml(mhtml(chance), store, captured_at=AT) for chance in ("0A-1", "9F-2"))
    assert first.page_id == second.page_id


def test_what_was_typed_is_not_kept(store: PageStore) -> None:
    page = unpack_mhtml(mhtml(), store, captured_at=AT).page
    root = store.get(page.root or "").decode()
    assert ("typed" in root, 'value="Send"' in root, "Déjà vu" in root) == (False, True, True)


def test_a_page_that_may_not_be_kept_leaves_nothing(store: PageStore) -> None:
    with pytest.raises(RecordError, match="not recorded"):
        unpack_mhtml(mhtml(), store, captured_at=AT, privacy=Privacy(["http://a.example"]))
    assert list(store.shas()) == []


@pytest.mark.parametrize("data", [b"", b"no mail at all", b"Snapshot-Content-Location: http://a.example/\r\n\r\n"])
def test_what_is_no_snapshot_is_refused(store: PageStore, data: bytes) -> None:
    with pytest.raises(RecordError, match="no document"):
        unpack_mhtml(data, store, captured_at=AT)


def test_replay_runs_nothing_and_fetches_nothing_from_the_web(store: PageStore) -> None:
    shown = replay_html(unpack_mhtml(mhtml(), store, captured_at=AT).page, store, lambda sha: f"/r/{sha[:8]}")
    for unwanted in ("evil", "elsewhere", "<base", "<script", "action=", "cid:"):
        assert unwanted not in shown


def test_replay_shows_images_styles_frames_and_shadow_trees(store: PageStore) -> None:
    page = unpack_mhtml(mhtml(), store, captured_at=AT).page
    image = next(part.sha for part in page.parts if part.mime == "image/png")
    shown = replay_html(page, store, lambda sha: f"/r/{sha}")
    assert shown.count(f"/r/{image}") == 2
    for wanted in ("shadowrootmode", "in the frame", 'sandbox=""', "Déjà vu"):
        assert wanted in shown


def test_a_result_page_is_read_with_its_snapshot(store: PageStore) -> None:
    text = mhtml().decode().replace("http://a.example/page", "https://www.google.com/search?q=3Dx".replace("=3D", "="))
    unpacked = unpack_mhtml(text.encode(), store, captured_at=AT)
    assert unpacked.results is not None
    assert unpacked.results.status == "suspect"


def test_a_pdf_keeps_its_bytes_and_text(store: PageStore) -> None:
    data = a_pdf("Deprecated in 3.11")
    page = keep_pdf(data, store, url="http://a.example/x.pdf", captured_at=AT).page
    assert (store.text(page), store.get(page.root or ""), page.source, page.partial) == (
        "Deprecated in 3.11",
        data,
        "pdf",
        False,
    )


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4 broken", a_pdf("x")[:200]])
def test_a_broken_pdf_says_so_and_raises_nothing(data: bytes) -> None:
    assert read_pdf(data).is_whole is False


def test_a_page_record_is_plain_json(store: PageStore) -> None:
    unpacked = unpack_mhtml(mhtml(), store, captured_at=AT, status=200)
    assert json.loads(store.get(unpacked.page_id))["status"] == 200
