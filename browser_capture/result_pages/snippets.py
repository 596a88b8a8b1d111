"""The box of one result comes in; the address line and the snippet it shows go out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from lxml import etree, html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.snippet_box import snippet_box

LONGEST = 2000
_MOST_PARTS = 50
_ENOUGH_LETTERS = 15
"""A part that says less beside its links is a row of ratings, pictures or links, if another part says more."""
_EDGES = " \t\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_LETTER = re.compile(r"\w")
_ADDRESS = re.compile(r"\w\.\w|›")


def shown_line(element: html.HtmlElement, without: html.HtmlElement | None = None) -> str:
    """Return an element's visible text on one line, without marks of direction at its ends."""
    return _one_line(visible_text(element, without).split("\n"))


def cite_of(box: html.HtmlElement, link: html.HtmlElement, title: html.HtmlElement) -> str:
    """Return the address line of a result as shown, such as `example.org › wiki`: a `cite`, or the end of its link."""
    for cite in box.iter("cite"):
        return shown_line(cite)
    return visible_text(link, title).rpartition("\n")[2].strip(_EDGES) if title.tag == "h3" else ""


def has_address_line(link: html.HtmlElement, title: html.HtmlElement) -> bool:
    """Tell whether a link says beside its title where it leads, as those of results do."""
    cite = next(link.iter("cite"), None)
    return _ADDRESS.search(shown_line(link, title) if cite is None else shown_line(cite)) is not None


def snippet_of(box: html.HtmlElement, link: html.HtmlElement) -> str:
    """Return the snippet of a result: its marked content, else clamped text, else what its box says beside the link."""
    if box is link:
        return ""
    short = ""
    for found in _tries(*snippet_box(box, link)):
        if _letters_beside(found, ()) >= _ENOUGH_LETTERS:
            return found[:LONGEST]
        short = short or found
    return short


def _tries(box: html.HtmlElement, link: html.HtmlElement) -> Iterator[str]:
    yield _most_telling(_outermost(box, _is_content, link))
    yield _most_telling(_outermost(box, _is_clamped, link))
    yield _rest(box, link)


def snippet_in_link(link: html.HtmlElement, title: html.HtmlElement) -> str:
    """Return the longest line of a link beside its title: in news all that is said stands in the link."""
    return max(visible_text(link, title).split("\n"), key=len).strip(_EDGES)[:LONGEST]


def _outermost(
    box: html.HtmlElement, is_wanted: Callable[[html.HtmlElement], bool], link: html.HtmlElement
) -> Iterator[html.HtmlElement]:
    walk = etree.iterwalk(box, events=("start",))
    for _, node in walk:
        if node is link:
            walk.skip_subtree()
        elif is_wanted(node):
            walk.skip_subtree()
            yield node


def _is_content(node: html.HtmlElement) -> bool:
    return node.get("data-sncf") is not None


def _is_clamped(node: html.HtmlElement) -> bool:
    return "-webkit-line-clamp" in (node.get("style") or "")


def _most_telling(parts: Iterable[html.HtmlElement]) -> str:
    """Return the text of the first part that says something of its own, else of the one that says most."""
    best, most = "", 0
    for part in islice(parts, _MOST_PARTS):
        text = shown_line(part)
        links = _texts(part.iter("a"))
        letters = _letters_beside(text, links)
        if letters >= _ENOUGH_LETTERS:
            # What stands last and is a link is no part of the snippet: "Read more".
            end = next((link for link in links if text.endswith(link)), "")
            return text.removesuffix(end).strip(_EDGES)
        if letters > most:
            best, most = text, letters
    return best


def _rest(box: html.HtmlElement, link: html.HtmlElement) -> str:
    """Return what a box says line by line, without what its link says too, and without lines of other links only."""
    said = set(visible_text(link).split("\n")) | set(_texts(box.iter("cite")))
    others = (node for node in box.iter("*") if _leads_elsewhere(node, link) or node.get("role") == "button")
    names = _texts(others)
    lines = (line for line in visible_text(box, link).split("\n") if line not in said)
    return _one_line(line for line in islice(lines, _MOST_PARTS) if _letters_beside(line, names))


def _leads_elsewhere(node: html.HtmlElement, link: html.HtmlElement) -> bool:
    return bool(node.tag == "a" and node is not link and node.get("href") != link.get("href"))


def _texts(nodes: Iterable[html.HtmlElement]) -> Sequence[str]:
    texts = {" ".join("".join(islice(node.itertext(), _MOST_PARTS)).split()) for node in islice(nodes, _MOST_PARTS)}
    return sorted(texts - {""}, key=len, reverse=True)


def _letters_beside(line: str, names: Sequence[str]) -> int:
    for name in names:
        line = line.replace(name, " ")
    return len(_LETTER.findall(line))


def _one_line(lines: Iterable[str]) -> str:
    return " ".join(lines).strip(_EDGES)
