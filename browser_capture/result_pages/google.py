"""The HTML of a Google result page comes in; its organic results and a count of everything else goes out.

It holds on to structure, since class names change every year: a result is a link around an `h3` inside the results'
root, and its box is the widest element around it that holds no second one. The demo web speaks the same structure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.recognise import SearchAddress
from browser_capture.result_pages.self_check import interstitial_kind, page_status
from browser_capture.trajectory import SearchResult
from browser_capture.urls import host, is_web, unwrap_redirect

PARSER_VERSION = "google/1"

_ROOTS = ("rso", "search", "main")
_BESIDE_IDS = frozenset({"tads", "tadsb", "bottomads", "rhs", "botstuff", "taw", "center_col_ads"})
_OVERVIEW_HEADINGS = frozenset(
    {"ai overview", "ai-generated overview", "übersicht mit ki", "aperçu ia", "ai による概要"}
)
_OWN_PATHS = frozenset({"/search", "/preferences", "/imgres", "/advanced_search", "/url", "/"})


class _Candidate(NamedTuple):
    link: html.HtmlElement
    heading: html.HtmlElement
    url: str


def read_google(tree: html.HtmlElement | None, url: str, address: SearchAddress) -> ParsedResultPage:
    """Read a result page that was parsed from what the browser showed at `url`."""
    if tree is None or interstitial_kind(url, tree) is not None:
        status = "suspect" if tree is None else "interstitial"
        return _parsed(address, status=status)
    overviews = _overviews(tree)
    root = next((found for name in _ROOTS if (found := _by_id(tree, name)) is not None), None)
    candidates = [] if root is None else _candidates(root, url, overviews)
    counts = Counter(ancestor for candidate in candidates for ancestor in candidate.link.iterancestors())
    results = tuple(
        SearchResult(
            rank=rank,
            abs_rank=address.start + rank,
            title=visible_text(candidate.heading).replace("\n", " "),
            url=candidate.url,
            snippet=_snippet(candidate, counts, root),
        )
        for rank, candidate in enumerate(candidates, 1)
    )
    notice = _by_id(tree, "topstuff")
    text = "" if results else visible_text(tree)
    status = page_status(results, "" if notice is None else visible_text(notice), text)
    return _parsed(address, status=status, results=results, blocks=_blocks(tree, overviews))


def _parsed(address: SearchAddress, **fields: object) -> ParsedResultPage:
    return ParsedResultPage(
        engine=address.engine,
        query=address.query,
        start=address.start,
        parser_version=PARSER_VERSION,
        **fields,  # type: ignore[arg-type]
    )


def _candidates(root: html.HtmlElement, url: str, overviews: Sequence[html.HtmlElement]) -> list[_Candidate]:
    found: dict[str, _Candidate] = {}
    for heading in root.iter("h3"):
        link = next(heading.iterancestors("a"), None)
        if link is None or link.get("href") is None or _stands_beside(link, overviews):
            continue
        target = unwrap_redirect(urljoin(url, link.get("href").strip()))
        if is_web(target) and not _is_own_page(target, url):
            found.setdefault(target, _Candidate(link, heading, target))
    return list(found.values())


def _stands_beside(link: html.HtmlElement, overviews: Sequence[html.HtmlElement]) -> bool:
    return any(
        element.get("id") in _BESIDE_IDS
        or element.get("data-text-ad") is not None
        or "related-question-pair" in (element.get("class") or "").split()
        or element in overviews
        for element in link.iterancestors()
    )


def _is_own_page(target: str, url: str) -> bool:
    # Other hosts and pages of the engine's owner are results like any other: blog.google, support.google.com.
    return host(target) == host(url) and urlsplit(target).path in _OWN_PATHS


def _snippet(candidate: _Candidate, counts: Mapping[html.HtmlElement, int], root: html.HtmlElement | None) -> str:
    box = candidate.link
    for ancestor in candidate.link.iterancestors():
        if ancestor is root or counts[ancestor] > 1:
            break
        box = ancestor
    if box is candidate.link:
        return ""
    for marked in box.iter("*"):
        if marked.get("data-sncf") is not None and (text := visible_text(marked)):
            return text.replace("\n", " ")
    return visible_text(box, without=candidate.link).replace("\n", " ")


def _blocks(tree: html.HtmlElement, overviews: Sequence[html.HtmlElement]) -> dict[str, int]:
    panel = _by_id(tree, "rhs")
    counts = {
        "ads": len(tree.xpath("//*[@data-text-ad]")),
        "ai_overview": len(overviews),
        "people_also_ask": len(_outermost_with_class(tree, "related-question-pair")),
        "right_panel": int(panel is not None and bool(visible_text(panel))),
    }
    return {name: count for name, count in counts.items() if count}


def _overviews(tree: html.HtmlElement) -> list[html.HtmlElement]:
    """Find the boxes of generated overviews: around the heading, up to the last element that holds no result root."""
    boxes: list[html.HtmlElement] = []
    for heading in tree.iter("h1", "h2", "strong", "div"):
        if len(heading) or (heading.text or "").strip().lower() not in _OVERVIEW_HEADINGS:
            continue
        box = heading
        for ancestor in heading.iterancestors():
            if ancestor.get("id") in _ROOTS or ancestor.tag == "body" or _holds_results(ancestor):
                break
            box = ancestor
        if not any(box is other or other in box.iterancestors() for other in boxes):
            boxes.append(box)
    return boxes


def _holds_results(element: html.HtmlElement) -> bool:
    return any(child.get("id") in _ROOTS for child in element.iter("div"))


def _outermost_with_class(tree: html.HtmlElement, name: str) -> list[html.HtmlElement]:
    marked = tree.xpath("//*[contains(concat(' ', normalize-space(@class), ' '), $name)]", name=f" {name} ")
    inside = set(marked)
    return [element for element in marked if not any(ancestor in inside for ancestor in element.iterancestors())]


def _by_id(tree: html.HtmlElement, name: str) -> html.HtmlElement | None:
    found = tree.xpath("//*[@id=$name]", name=name)
    return found[0] if found else None
