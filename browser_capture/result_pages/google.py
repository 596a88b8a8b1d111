"""The HTML of a Google result page comes in; its ranked results and a count of everything else goes out.

A result is a link around an `h3` in the region of results (`rso`, else `search`, else `main`, and what "more results"
adds below), outside of every block. Its box is the outermost element that holds no second one. The demo's search site
speaks the same structure.

A featured snippet is a block: it shows a page in place of a rank. A translated result keeps the address its link has,
and so does one behind a link that only Google can read, unless the page tells more; those are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from lxml import html

from browser_capture.result_pages import google_blocks as named
from browser_capture.result_pages import google_signs as signs
from browser_capture.result_pages.outline import HEADING, TITLE, first_words
from browser_capture.result_pages.parsed import ParsedResultPage, ShownResult
from browser_capture.result_pages.recognise import SearchAddress, tab_of
from browser_capture.result_pages.result_links import Boxes, Link, LinkedPage, find_links, own_boxes, snippets_of
from browser_capture.result_pages.sealed_links import unsealed
from browser_capture.result_pages.self_check import Finding, interstitial_kind, page_status
from browser_capture.result_pages.shown_locale import shown_locale
from browser_capture.result_pages.snippets import cite_of, shown_line
from browser_capture.result_pages.untitled import untitled_sites
from browser_capture.urls import seal_of

PARSER_VERSION = "google/3"

_KINDS = {"news": "news", "videos": "video", "books": "book", "forums": "forum"}
_UNRANKED_TABS = frozenset({"images", "shopping", "places", "short_videos", "ai_mode"})
_AT_MOST_ONE = frozenset({"ai_overview", "knowledge_panel", "right_panel"})


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
    page = find_links(tree, url)
    tab = tab_of(url)
    narrow_boxes = own_boxes(page.marks)
    wide_boxes = own_boxes([mark for mark in page.marks if mark.sign is not HEADING])
    ranked: dict[str, Link] = {}
    featured = 0
    for link in page.links:
        if signs.is_answer(wide_boxes[link.mark.path[-1]]):
            featured += 1
        else:
            ranked.setdefault(link.target, link)
    results = tuple(
        _result(link, rank, address.start, _KINDS.get(tab or "", "organic"), (narrow_boxes, wide_boxes))
        for rank, link in enumerate(ranked.values(), 1)
    )
    results = _unsealed(tree, results)
    blocks = _blocks(tree, page, narrow_boxes)
    blocks["featured_snippet"] += featured
    blocks["sealed_links"] += sum(1 for result in results if seal_of(result.url))
    wall = None if results else interstitial_kind(url, tree)
    if wall is None and not results and tab in _UNRANKED_TABS:
        blocks[tab or ""] += 1
        return Finding("ok", results, _counted(blocks))
    untitled = untitled_sites([link.mark for link in page.links], narrow_boxes, [*page.marks, *page.parts])
    status = "interstitial" if wall else page_status(page.ids, results, address.query, untitled)
    return Finding(status, results, _counted(blocks), wall)


def _unsealed(tree: html.HtmlElement, results: tuple[ShownResult, ...]) -> tuple[ShownResult, ...]:
    seals = {seal: result.cite for result in results if (seal := seal_of(result.url)) is not None}
    told = unsealed(tree, seals)
    return tuple(replace(result, url=told.get(seal_of(result.url) or "", result.url)) for result in results)


def _counted(blocks: Counter[str]) -> Mapping[str, int]:
    return {name: 1 if name in _AT_MOST_ONE else count for name, count in sorted(blocks.items()) if count}


def _result(link: Link, rank: int, start: int, kind: str, tried: tuple[Boxes, ...]) -> ShownResult:
    node, title = link.mark.path[-1], link.mark.title
    assert title is not None  # noqa: S101 - a link is a result by its title
    return ShownResult(
        rank=rank,
        abs_rank=start + rank,
        title=shown_line(title),
        url=link.target,
        snippet=next(filter(None, snippets_of(link.mark, *tried)), ""),
        kind=kind,
        cite=cite_of(tried[0][node], node, title),
    )


def _blocks(tree: html.HtmlElement, page: LinkedPage, found: Boxes) -> Counter[str]:
    marks, ids = page.marks, page.ids
    blocks = Counter(page.blocks) + Counter(named.blocks_beside(ids, tree))
    results = {link.mark.path[-1] for link in page.links}
    for mark in marks:
        node = mark.path[-1]
        if mark.sign is TITLE:
            blocks.update(named.linked_block(node) if node not in results else ())
        elif mark.sign is HEADING:
            is_headed = mark.region in signs.HEADED_REGIONS
            blocks.update(named.headed_block(first_words(node), found[node]) if is_headed else ())
        else:
            blocks[mark.sign.name] += mark.amount
    if "main" in ids and "search" not in ids:
        marked = {step for mark in (*marks, *page.parts) for step in mark.path}
        blocks.update(name for card in ids["main"] if card not in marked for name in named.plain_block(card))
    return blocks
