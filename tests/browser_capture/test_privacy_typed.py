"""What is typed and not submitted is in no file of the recorder and in nothing it sends, whatever it was typed into."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard
from playwright.async_api import Frame

from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import WEB, Person, files_below, paired_home, person_at
from tests.fakes import LocalSite

PAGE = """<!doctype html><title>Fields</title><p id=plain>Plain text that may be kept.</p>
<a href="#part" id=part>part</a>
<form id=form><input id=text><input type=search id=search role=combobox aria-controls=hints autocomplete=off>
<ul id=hints role=listbox></ul><input type=password id=password><input type=password id=shown>
<input id=mirrored><input id=filled><input id=filled_attribute><input type=email id=email><input type=hidden id=hidden>
<textarea id=area></textarea><textarea id=mirrored_area></textarea></form>
<div id=edit contenteditable></div><div id=plaintext contenteditable=plaintext-only></div>
<div id=role role=textbox contenteditable tabindex=0></div>
<div id=combo role=combobox aria-haspopup=listbox><input id=custom><div role=listbox id=options></div></div>
<input id=fragment><input id=hash>
<input id=draft><input id=path><form><input id=late></form>
<div id=grows data-replicated-value=""><textarea id=grown></textarea></div>
<div id=styled style="-webkit-user-modify: read-write; min-height: 20px"></div>
<div id=open></div><div id=closed></div><div id=open_edit></div><div id=closed_edit></div>
<iframe id=rich srcdoc="<body contenteditable></body>"></iframe>
<iframe id=design srcdoc="<p>Type here</p>"></iframe>
<iframe id=inner src="/inner"></iframe>
<script>
const get = id => document.getElementById(id);
const shadow = (id, mode, html) => {
  const root = get(id).attachShadow({ mode });
  root.innerHTML = html;
  window[id + "_root"] = root;
};
shadow("open", "open", "<input class=in>"); shadow("closed", "closed", "<input class=in>");
shadow("open_edit", "open", "<div contenteditable class=in></div>");
shadow("closed_edit", "closed", "<div contenteditable class=in></div>");
get("search").oninput = () => { get("hints").innerHTML = "<li role=option>" + get("search").value + " meaning</li>"; };
get("custom").oninput = () => { get("options").innerHTML = "<div role=option>" + get("custom").value + "</div>"; };
get("mirrored").oninput = () => get("mirrored").setAttribute("value", get("mirrored").value);
get("mirrored_area").oninput = () => { get("mirrored_area").textContent = get("mirrored_area").value; };
get("shown").onfocus = () => { get("shown").type = "text"; };
get("fragment").oninput = () => history.replaceState(null, "", "#" + get("fragment").value);
get("draft").oninput = () => history.replaceState(null, "", "?a=1&draft=" + get("draft").value);
get("path").oninput = () => history.pushState(null, "", "/draft/" + get("path").value);
let timer;
// Half a second after the last key, when the person writes elsewhere already.
get("late").oninput = () => {
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", "/fields?late=" + get("late").value), 500);
};
get("grown").oninput = () => { get("grows").dataset.replicatedValue = get("grown").value; };
get("hash").oninput = () => { location.hash = get("hash").value; };
</script>"""
INNER = "<title>Inner</title><input id=inner_text><div id=inner_edit contenteditable></div>"

LIGHT = (
    "text", "search", "password", "shown", "mirrored", "email", "area", "mirrored_area", "edit", "plaintext", "role",
    "custom", "fragment", "hash", "draft", "path", "late", "grown", "styled",
)  # fmt: skip
SHADOW = ("open", "closed", "open_edit", "closed_edit")
FRAMES = {"rich": "body", "design": "body", "inner_text": "#inner_text", "inner_edit": "#inner_edit"}
BY_SCRIPT = ("filled", "filled_attribute", "hidden")


def secret(kind: str) -> str:
    """What is typed into a kind of field."""
    return f"zq7{kind.replace('_', '')}"


class Found(NamedTuple):
    """All bytes of the recorder: on the disk while it recorded, and what arrived at the server."""

    here: bytes
    there: bytes


async def type_everywhere(person: Person) -> None:
    page = person.main
    await page.goto("http://a.example/fields")
    for kind in LIGHT:
        await page.click(f"#{kind}")
        await _write(person, kind, page.main_frame, f"get('{kind}')")
    for kind in SHADOW:
        field = f"{kind}_root.querySelector('.in')"
        await page.evaluate(f"{field}.focus()")
        await _write(person, kind, page.main_frame, field)
    frames = {"rich": 1, "design": 2, "inner_text": 3, "inner_edit": 3}
    await page.evaluate("get('design').contentDocument.designMode = 'on'")
    for kind, selector in FRAMES.items():
        frame = page.frames[frames[kind]]
        await frame.click(selector)
        await _write(person, kind, frame, f"document.querySelector('{selector}')")
    await page.evaluate(
        """secrets => { get("filled").value = secrets[0]; get("filled_attribute").setAttribute("value", secrets[1]);
        get("hidden").setAttribute("value", secrets[2]); }""",
        [secret(kind) for kind in BY_SCRIPT],
    )
    await page.click("#plain")
    await page.evaluate("getSelection().selectAllChildren(document.body)")
    await page.keyboard.press("Control+c")
    await person.dwell()
    # A change of the page's own, for which it is kept once more with all that stands in it now.
    await page.evaluate("document.body.append('The last words of the page.')")
    await page.click("#part")
    await person.dwell()


async def _write(person: Person, kind: str, frame: Frame, field: str) -> None:
    await person.main.keyboard.type(secret(kind))
    assert secret(kind) in await frame.evaluate(f"(field => field.value ?? field.textContent)({field})"), kind
    await person.main.keyboard.press("Control+a")
    await person.main.keyboard.press("Control+c")
    await person.panel.evaluate("say('mark')")


def unpacked(paths: Iterator[Path]) -> bytes:
    """The bytes of files, and of what is packed in them."""
    found = b""
    for path in paths:
        data = path.read_bytes()
        found += str(path).encode() + data
        if data.startswith(zstandard.MAGIC_NUMBER.to_bytes(4, "little")):
            found += zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """Let somebody type into every kind of field while recording, with the recorder as talkative as it can be."""
    web = {**WEB, ("a.example", "/fields"): PAGE, ("a.example", "/inner"): INNER}
    home_folder = tmp_path_factory.mktemp("typed") / "home"
    with LocalSite(web) as site, CaptureServer() as server:
        yield asyncio.run(_typed(site, server, paired_home(home_folder, server)))


async def _typed(site: LocalSite, server: CaptureServer, home: Path) -> Found:
    async with person_at(site, home, words=("-v", "start", "t1")) as person:
        await person.press("start", until="recording")
        await type_everywhere(person)
        here = unpacked(files_below(home))
        await person.press("stop", until="uploaded")
        await person.quit()
    here += unpacked(files_below(home))
    recorded = next(iter(server.recordings.values()))
    there = b"".join([*server.blobs.values(), *(line.encode() for line in recorded.lines.values())])
    assert not (home / "profile").exists()
    return Found(here, there)


@pytest.mark.browser
@pytest.mark.parametrize("kind", [*LIGHT, *SHADOW, *FRAMES, *BY_SCRIPT])
def test_what_is_typed_is_nowhere(found: Found, kind: str) -> None:
    said = secret(kind).encode()
    assert (said in found.here.lower(), said in found.there.lower()) == (False, False)


@pytest.mark.browser
def test_what_the_page_says_itself_is_kept(found: Found) -> None:
    for text in (b"Plain text that may be kept.", b"The last words of the page."):
        assert text in found.here
        assert text in found.there
