"""A parsed Google page comes in; the links that lead to its results go out, in order, and what stands beside them.

A title in a link is a result unless it belongs to a block, such as a headed group of cards, or to the result above it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import html

from browser_capture.result_pages import google_signs as signs
from browser_capture.result_pages.accordions import answers_of_accordions
from browser_capture.result_pages.card_looks import Looks
from browser_capture.result_pages.cards import cards_of_blocks
from browser_capture.result_pages.google_blocks import is_advertisement, leads_to_advertiser
from browser_capture.result_pages.outline import CONTROL, TITLE, Mark, boxes, read_outline
from browser_capture.result_pages.sitelinks import sitelinks
from browser_capture.result_pages.snippets import shown_line, snippet_in_link, snippet_of
from browser_capture.urls import host, is_web, seal_of, unwrap_redirect

_SEARCH_HOST = re.compile(r"(?:www\.)?google(?:\.[a-z]{2,3}){1,2}")
_OWN_PATHS = frozenset({"/search", "/preferences", "/imgres", "/url", "/goto"})
_COPIES = frozenset({"webcache.googleusercontent.com"})

Boxes = Mapping[html.HtmlElement, html.HtmlElement]


class Link(NamedTuple):
    """A title in a link, and where it leads."""

    mark: Mark
    target: str


class LinkedPage(NamedTuple):
    """The links that lead to results, in order, some perhaps to the same one.

    `marks` are all that stands on the page but `parts`: titles of answers, of cards and of a result's further pages,
    and headings of such blocks, which `blocks` counts.
    """

    marks: Sequence[Mark]
    parts: Sequence[Mark]
    ids: Mapping[str, html.HtmlElement]
    links: Sequence[Link]
    blocks: Mapping[str, int]


def find_links(tree: html.HtmlElement, url: str) -> LinkedPage:
    """Return the links to results of a page that was shown at `url`, with titles by role where no other are."""
    base = _join(url, next((found.get("href") for found in tree.iter("base") if found.get("href")), ""))
    page = _linked(tree, base, titles_by_role=False)
    if page.links:
        return page
    by_role = _linked(tree, base, titles_by_role=True)
    return by_role if by_role.links else page


def own_boxes(marks: Sequence[Mark]) -> Boxes:
    """Return for each marked element the box in which it stands alone."""
    return {mark.path[-1]: box for mark, box in zip(marks, boxes(marks), strict=True)}


def snippets_of(mark: Mark, *tried: Boxes) -> Iterator[str]:
    """Yield what the boxes of a title say beside its link; a title by its role has its snippet in the link at last."""
    link, title = mark.path[-1], mark.title
    yield from (snippet_of(box, link) for box in dict.fromkeys(boxes_of[link] for boxes_of in tried))
    if title is not None and title.tag != "h3":
        yield snippet_in_link(link, title)


def _linked(tree: html.HtmlElement, base: str, *, titles_by_role: bool) -> LinkedPage:
    marks, ids = read_outline(tree, signs.google_grammar(titles_by_role=titles_by_role))
    targets = {mark.path[-1]: target for mark in marks if mark.sign is TITLE and (target := _target(mark, base))}
    answers = answers_of_accordions(marks)
    others = _without(marks, answers.parts)
    below = sitelinks((mark, targets[mark.path[-1]]) for mark in others if mark.path[-1] in targets)
    others = _without(others, below)
    found = own_boxes(others)
    titles = {
        mark.path[-1]: mark for mark in others if mark.path[-1] in targets and mark.region in signs.RESULT_REGIONS
    }
    looks = Looks(titles, lambda mark: max(snippets_of(mark, found), key=len), found)
    cards = cards_of_blocks(others, looks)
    kept = _without(others, cards.parts)
    parts = [mark for mark in marks if mark.path[-1] in answers.parts | below | cards.parts]
    return LinkedPage(kept, parts, ids, _in_region(kept, targets), Counter(answers.blocks) + Counter(cards.blocks))


def _without(marks: Sequence[Mark], parts: frozenset[html.HtmlElement]) -> Sequence[Mark]:
    return [mark for mark in marks if mark.path[-1] not in parts and mark.sign is not CONTROL]


def _in_region(marks: Sequence[Mark], targets: Mapping[html.HtmlElement, str]) -> Sequence[Link]:
    links = [Link(mark, targets[mark.path[-1]]) for mark in marks if mark.sign is TITLE and mark.path[-1] in targets]
    regions: tuple[str, ...] = ()
    for level in signs.LEVELS:
        regions += level
        inside = [link for link in links if link.mark.region in regions]
        if inside:
            return inside
    return []


def _target(mark: Mark, base: str) -> str | None:
    """Return where a result leads; None for a link that is no result."""
    target = unwrap_redirect(_join(base, mark.path[-1].get("href").strip()))
    is_ad = is_advertisement(mark.path[-1]) or leads_to_advertiser(target)
    if not is_web(target) or host(target) in _COPIES or is_ad:
        return None
    # Other pages of the engine's owner are results like any other: blog.google, www.google.com/maps.
    is_own = host(target) == host(base) or _SEARCH_HOST.fullmatch(host(target)) is not None
    if is_own and urlsplit(target).path in _OWN_PATHS and seal_of(target) is None:
        return None
    if mark.title is None or not shown_line(mark.title):
        return None
    page, has_directive, _ = target.partition(":~:")
    return page.removesuffix("#") if has_directive and "#" in page else target


def _join(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return ""
