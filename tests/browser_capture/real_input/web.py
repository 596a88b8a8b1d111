"""The small web a person walks through by mouse and keys: one page, or one trap, for each way of moving."""

from __future__ import annotations

from urllib.parse import parse_qs

from tests.browser_capture.small_pdf import a_pdf
from tests.fakes import Answer, Reply

HOME = "http://walk.example/"
HOST, OTHER = "walk.example", "other.example"


def a_page(title: str, *parts: str) -> str:
    """Write a page: its title, its parts one below the other."""
    rows = "".join(f"<p>{part}</p>" for part in parts)
    return f"<!doctype html><title>{title}</title><body><h1>{title}</h1><p>All about {title}.</p>{rows}"


def a_link(name: str, to: str, more: str = "") -> str:
    """Write a link that can be clicked by its id."""
    return f'<a id={name} href="{to}" {more}>to {name}</a>'


def a_redirect(to: str, status: int = 302) -> Reply:
    """Answer with a redirect."""
    return Reply(b"", status=status, headers={"Location": to})


_PUSHING = """<button id=push onclick="for (let n = 1; n <= 30; n++) history.pushState(null, '', '/app?step=' + n)">
    push</button>"""
_SHADOW = """<div id=host></div><script>
    const root = document.getElementById("host").attachShadow({mode: "open"});
    root.innerHTML = '<p><a id=inner href=/inner>inside</a></p>';
    const shut = document.createElement("div");
    document.getElementById("host").after(shut);
    shut.attachShadow({mode: "closed"}).innerHTML = '<a href=/shut style="font-size:40px">behind a shut door</a>';
    shut.id = "shut"; shut.style.display = "inline-block";</script>"""
_SILENCER = """<script>for (const kind of ["click", "auxclick", "mousedown", "mouseup", "pointerdown", "keydown"])
    for (const place of [window, document])
      place.addEventListener(kind, event => event.stopImmediatePropagation(), true);</script>"""
_STAYING = """<input id=note><script>
    addEventListener("beforeunload", event => { event.preventDefault(); event.returnValue = "stay"; });</script>"""
_TALL = "<div style='height:6000px'>a long way down</div>"

WEB: dict[tuple[str, str], Answer] = {
    (HOST, "/"): a_page("Home", a_link("link", "/links")),
    (HOST, "/links"): a_page(
        "Links",
        a_link("middle", "/middle"),
        a_link("ctrl", "/ctrl"),
        a_link("blank", f"http://{OTHER}/blank", "target=_blank"),
        "<button id=open onclick=\"window.open('/opened')\">open</button>",
        "<form action=/found><input name=q id=q size=40></form>",
    ),
    (HOST, "/middle"): a_page("Middle"),
    (HOST, "/ctrl"): a_page("Ctrl"),
    (OTHER, "/blank"): a_page("Blank"),
    (HOST, "/opened"): a_page("Opened"),
    (HOST, "/found"): lambda query: Reply(
        a_page(f"Found {parse_qs(query)['q'][0]}", a_link("next", "/uncached")).encode()
    ),
    (HOST, "/uncached"): a_page("Uncached", a_link("next", "/typed-from"), "<script>onunload = () => {}</script>"),
    (HOST, "/typed-from"): a_page("Before"),
    (HOST, "/typed"): a_page(
        "Typed",
        a_link("paper", "/paper.pdf"),
        a_link("file", "/data.bin"),
        a_link("hops", "/hop1"),
    ),
    (HOST, "/paper.pdf"): Reply(a_pdf("The seventh depth is 7 metres"), mime="application/pdf"),
    (HOST, "/data.bin"): Reply(
        b"\0" * 2_000, mime="application/octet-stream", headers={"Content-Disposition": "attachment; filename=data.bin"}
    ),
    (HOST, "/hop1"): a_redirect(f"http://{OTHER}/hop2"),
    (OTHER, "/hop2"): a_redirect(f"http://{HOST}/hop3", 301),
    (HOST, "/hop3"): a_redirect("/hop4", 307),
    (HOST, "/hop4"): a_redirect("/landed", 303),
    (HOST, "/landed"): a_page("Landed", a_link("js", "/js")),
    (HOST, "/js"): "<title>JS</title><script>location.replace('/after-js')</script>",
    (HOST, "/after-js"): a_page("After JS", a_link("meta", "/meta")),
    (HOST, "/meta"): "<title>Meta</title><meta http-equiv=refresh content='0; url=/after-meta'>",
    (HOST, "/after-meta"): a_page("After meta", a_link("app", "/app")),
    (HOST, "/app"): a_page(
        "App", _PUSHING, a_link("hash", "#part"), a_link("shadow", "/shadow"), "<a id=part>part</a>"
    ),
    (HOST, "/shadow"): a_page("Shadow", _SHADOW),
    (HOST, "/inner"): a_page("Inner", "<button id=back onclick='history.back()'>back</button>"),
    (HOST, "/shut"): a_page("Shut", a_link("frame", "/framed")),
    (HOST, "/framed"): a_page("Framed", f"<iframe src=http://{OTHER}/frame width=500 height=200></iframe>"),
    (OTHER, "/frame"): a_page(
        "Frame", a_link("inside", "/frame2"), a_link("out", f"http://{HOST}/tall", "target=_top")
    ),
    (OTHER, "/frame2"): a_page("Frame two", a_link("out", f"http://{HOST}/tall", "target=_top")),
    (HOST, "/tall"): a_page("Tall", a_link("csp", "/csp"), _TALL),
    (HOST, "/csp"): Reply(
        a_page("Strict", a_link("next", "/silent")).encode(),
        headers={"Content-Security-Policy": "default-src 'none'; script-src 'none'"},
    ),
    (HOST, "/silent"): a_page("Silent", _SILENCER, a_link("next", "/asks")),
    (HOST, "/asks"): a_page(
        "Asks", "<button id=ask onclick=\"if (confirm('Go on?')) location = '/stays'\">ask</button>"
    ),
    (HOST, "/stays"): a_page("Stays", _STAYING, a_link("next", "/end")),
    (HOST, "/end"): a_page("End"),
    ("", "/favicon.ico"): Reply(b"", status=204),
}
