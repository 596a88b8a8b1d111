"""A Google page comes in; what it says of language, place, safe search and the searcher's account goes out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from lxml import html

from browser_capture.page_text import visible_text

_SIGNED = {"/signoutoptions": "signed_in", "/logout?": "signed_in", "/servicelogin": "signed_out"}


def shown_locale(tree: html.HtmlElement) -> Mapping[str, str]:
    """Return what the page shows; what it does not say is left out.

    language (of the page itself); location and location_from (the place results are for, and how the engine knows it);
    country; safe (on, off); account (signed_in, signed_out): results for somebody who is signed in are personal.
    """
    place = _lines(tree, "swml")
    footer = _lines(tree, "fbar")
    found = {
        "language": tree.get("lang") or "",
        "location": place[0] if place else "",
        "location_from": place[1] if len(place) > 1 else "",
        "country": footer[0] if place and footer and footer[0] != place[0] else "",
        "safe": _safe(tree),
        "account": _account(tree),
    }
    return {name: said[:200] for name, said in found.items() if said}


def _lines(tree: html.HtmlElement, name: str) -> list[str]:
    box = next(iter(tree.xpath("//*[@id=$name]", name=name)), None)
    lines = visible_text(box).replace("\xa0", " ").split("\n") if box is not None else []
    return [line.strip(" -\t") for line in lines if line.strip(" -\t")]


def _safe(tree: html.HtmlElement) -> str:
    states = {str(value) for value in tree.xpath("//@data-safesearch-enabled")}
    return {"1": "on", "true": "on", "0": "off", "false": "off"}.get(states.pop(), "") if len(states) == 1 else ""


def _account(tree: html.HtmlElement) -> str:
    hrefs = (unquote(str(href)).lower() for href in tree.xpath("//a/@href[contains(., 'accounts.google.')]"))
    states = {state for href in hrefs for sign, state in _SIGNED.items() if sign in href}
    return "signed_in" if "signed_in" in states else "signed_out" if states else ""
