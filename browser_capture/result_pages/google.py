"""The HTML of a Google result page comes in; its ranked results and a count of everything else goes out.

A result is a link around an `h3` in the region of results (`rso`, else `search`, else `main`, and what "more results"
adds below), outside of every block. Its box is the outermost element that holds no second one. The demo's search site
speaks the same structure.

A featured snippet is a block: it shows a page in place of a rank. A translated result keeps the address its link has,
and so does one behind a link that only Google can read, unless the page tells more; those are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import html

from browser_capture.result_pages import google_blocks as named
from browser_capture.result_pages import google_signs as signs
from browser_capture.result_pages.outline import HEADING, TITLE, Mark, Outline, boxes, first_words, read_outline
from browser_capture.result_pages.parsed import ParsedResultPage, ShownResult
from browser_capture.result_pages.recognise import SearchAddress, tab_of
from browser_capture.result_pages.sealed_links import unsealed
from browser_capture.result_pages.self_check import Finding, interstitial_kind, page_status
from browser_capture.result_pages.shown_locale import shown_locale
from browser_capture.result_pages.snippets import cite_of, shown_line, snippet_in_link, snippet_of
from browser_capture.urls import host, is_web, seal_of, unwrap_redirect

PARSER_VERSION = "google/2"

_SEARCH_HOST = re.compile(r"(?:www\.)?google(?:\.[a-z]{2,3}){1,2}")
_OWN_PATHS = frozenset({"/search", "/preferences", "/imgres", "/url", "/goto"})
_AD_PATHS = frozenset({"/aclk", "/pagead/aclk"})
_COPIES = frozenset({"webcache.googleusercontent.com"})
_KINDS = {"news": "news", "videos": "video", "books": "book", "forums": "forum"}
_UNRANKED_TABS = frozenset({"images", "shopping", "places", "short_videos", "ai_mode"})
_AT_MOST_ONE = frozenset({"ai_overview", "knowledge_panel", "right_panel"})

_Boxes = Mapping[html.HtmlElement, html.HtmlElement]


class _Link(NamedTuple):
    mark: Mark
    target: str


class _Page(NamedTuple):
    """What stands on a page, and the links that lead to results, in order; some may lead to the same one."""

    outline: Outline
    links: Sequence[_Link]


def read_google(tree: html.HtmlElement | None, url: str, address: SearchAddress) -> ParsedResultPage:
    """Read a result page that was parsed from what the browser showed at `url`."""
    finding = Finding("suspect") if tree is None else _read(tree, url, address)
    return ParsedResultPage(
        engine=address.engine,
        query=address.query,
        start=address.start,
        parser_version=PARSER_VERSION,
        status=finding.status,
        wall=finding.wall,
        results=finding.results,
        blocks=finding.blocks,
        shown={} if tree is None else shown_locale(tree),
    )


def _read(tree: html.HtmlElement, url: str, address: SearchAddress) -> Finding:
    page = _page(tree, url)
    tab = tab_of(url)
    marks = page.outline.marks
    own_boxes = _own_boxes(marks)
    wide_boxes = _own_boxes([mark for mark in marks if mark.sign is not HEADING])
    ranked: dict[str, _Link] = {}
    featured = 0
    for link in page.links:
        if signs.is_answer(wide_boxes[link.mark.path[-1]]):
            featured += 1
        else:
            ranked.setdefault(link.target, link)
    results = tuple(
        _result(link, rank, address.start, _KINDS.get(tab or "", "organic"), (own_boxes, wide_boxes))
        for rank, link in enumerate(ranked.values(), 1)
    )
    results = _unsealed(tree, results)
    blocks = _blocks(tree, page, own_boxes)
    blocks["featured_snippet"] += featured
    blocks["sealed_links"] += sum(1 for result in results if seal_of(result.url))
    wall = None if results else interstitial_kind(url, tree)
    if wall is None and not results and tab in _UNRANKED_TABS:
        blocks[tab or ""] += 1
        return Finding("ok", results, _counted(blocks))
    status = "interstitial" if wall else page_status(page.outline.ids, results, address.query)
    return Finding(status, results, _counted(blocks), wall)


def _unsealed(tree: html.HtmlElement, results: tuple[ShownResult, ...]) -> tuple[ShownResult, ...]:
    seals = {seal: result.cite for result in results if (seal := seal_of(result.url)) is not None}
    told = unsealed(tree, seals)
    return tuple(replace(result, url=told.get(seal_of(result.url) or "", result.url)) for result in results)


def _counted(blocks: Counter[str]) -> Mapping[str, int]:
    return {name: 1 if name in _AT_MOST_ONE else count for name, count in sorted(blocks.items()) if count}


def _page(tree: html.HtmlElement, url: str) -> _Page:
    base = _join(url, next((found.get("href") for found in tree.iter("base") if found.get("href")), ""))
    outline = read_outline(tree, signs.google_grammar())
    links = _result_links(outline.marks, base)
    if links:
        return _Page(outline, links)
    by_role = read_outline(tree, signs.google_grammar(titles_by_role=True))
    links = _result_links(by_role.marks, base)
    return _Page(by_role if links else outline, links)


def _result_links(marks: Sequence[Mark], base: str) -> Sequence[_Link]:
    titles = [mark for mark in marks if mark.sign is TITLE]
    regions: tuple[str, ...] = ()
    for level in signs.LEVELS:
        regions += level
        inside = (mark for mark in titles if mark.region in regions)
        links = [_Link(mark, target) for mark in inside if (target := _target(mark, base)) is not None]
        if links:
            return links
    return []


def _target(mark: Mark, base: str) -> str | None:
    """Return where a result leads; None for a link that is no result."""
    target = unwrap_redirect(_join(base, mark.path[-1].get("href").strip()))
    if not is_web(target) or host(target) in _COPIES or _is_ad(target):
        return None
    # Other pages of the engine's owner are results like any other: blog.google, www.google.com/maps.
    is_own = host(target) == host(base) or _SEARCH_HOST.fullmatch(host(target)) is not None
    if is_own and urlsplit(target).path in _OWN_PATHS and seal_of(target) is None:
        return None
    if mark.title is None or not shown_line(mark.title):
        return None
    page, has_directive, _ = target.partition(":~:")
    return page.removesuffix("#") if has_directive and "#" in page else target


def _is_ad(target: str) -> bool:
    parts = urlsplit(target)
    return parts.path in _AD_PATHS and host(target).removeprefix("www.").startswith("google")


def _join(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return ""


def _own_boxes(marks: Sequence[Mark]) -> _Boxes:
    return {mark.path[-1]: box for mark, box in zip(marks, boxes(marks), strict=True)}


def _result(link: _Link, rank: int, start: int, kind: str, tried: tuple[_Boxes, ...]) -> ShownResult:
    node, title = link.mark.path[-1], link.mark.title
    assert title is not None  # noqa: S101 - a link is a result by its title
    snippets = (snippet_of(own[node], node) for own in tried)
    return ShownResult(
        rank=rank,
        abs_rank=start + rank,
        title=shown_line(title),
        url=link.target,
        snippet=next(filter(None, snippets), "") or ("" if title.tag == "h3" else snippet_in_link(node, title)),
        kind=kind,
        cite=cite_of(tried[0][node], node, title),
    )


def _blocks(tree: html.HtmlElement, page: _Page, own_boxes: _Boxes) -> Counter[str]:
    marks, ids = page.outline
    blocks = Counter(named.blocks_beside(ids, tree))
    results = {link.mark.path[-1] for link in page.links}
    for mark in marks:
        node = mark.path[-1]
        if mark.sign is TITLE:
            blocks.update(named.linked_block(node) if node not in results else ())
        elif mark.sign is HEADING:
            is_headed = mark.region in signs.HEADED_REGIONS
            blocks.update(named.headed_block(first_words(node), own_boxes[node]) if is_headed else ())
        else:
            blocks[mark.sign.name] += mark.amount
    if "main" in ids and "search" not in ids:
        marked = {step for mark in marks for step in mark.path}
        blocks.update(name for card in ids["main"] if card not in marked for name in named.plain_block(card))
    return blocks
