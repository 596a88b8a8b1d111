"""The path to a title comes in; what stands before it, in each element around it, goes out, from the inside out.

No result begins with words: such words head a block of cards, or are a text whose sources the titles are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree, html

from browser_capture.page_text import is_hidden, visible_text
from browser_capture.result_pages.google_blocks import block_named, leads_to_search
from browser_capture.result_pages.google_signs import OVERVIEW_WORDS
from browser_capture.result_pages.outline import Path, first_words

_LONGEST_NAME = 80
_MOST_BESIDE_A_NAME = 60
"""A heading may have a button or a hint beside it; more letters are a thing of their own."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})


class Preface(NamedTuple):
    """What stands before a title in the element so deep in its path, as far as its name, if it has one."""

    depth: int
    letters: int
    """Without those of links, and of the name."""
    name: str | None = None
    """The block that it names."""
    heading: html.HtmlElement | None = None
    is_alone: bool = False
    """Nothing but the name stands there."""


def prefaces_of(path: Path, floor: int) -> Iterator[Preface]:
    """Yield what stands before the end of a path, in elements no less deep than `floor`."""
    letters = links = 0
    for depth in range(len(path) - 2, floor - 1, -1):
        for part in _before(path, depth):
            name, heading = _name_in(part)
            letters += _letters_beside_links(part) - len("" if heading is None else first_words(heading))
            links += _things_beside(part, heading)
            if name is not None:
                yield Preface(depth, letters, name, heading, not links and letters <= _MOST_BESIDE_A_NAME)
        words = _loose_words(path, depth)
        name = _name_of(words)
        letters += 0 if name is not None else len(words)
        yield Preface(depth, letters, name, None, not links and letters <= _MOST_BESIDE_A_NAME)


def _before(path: Path, depth: int) -> Iterator[html.HtmlElement]:
    """Yield what stands in an element of a path before the path goes on, the nearest first."""
    for part in path[depth + 1].itersiblings(preceding=True):
        if not is_hidden(part):
            yield part


def _loose_words(path: Path, depth: int) -> str:
    """Return the text before a path goes on that stands in no element of its own."""
    tails = (part.tail for part in path[depth + 1].itersiblings(preceding=True))
    return " ".join(" ".join(filter(None, (path[depth].text, *tails))).split())


def _name_in(part: html.HtmlElement) -> tuple[str | None, html.HtmlElement | None]:
    """Return the block that an element of this part names, and the element: a heading, or words that stand alone."""
    walk = etree.iterwalk(part, events=("start",))
    for _, node in walk:
        if is_hidden(node):
            walk.skip_subtree()
            continue
        is_link = node.tag == "a"
        if is_link:
            walk.skip_subtree()
        if is_link and not leads_to_search(node.get("href") or ""):
            continue
        is_whole = is_link or node.tag in _HEADINGS or node.get("role") == "heading"
        words = first_words(node) if is_whole else (node.text or "").strip() if len(node) == 0 else ""
        name = _name_of(words)
        if name is not None:
            return name, node
    return None, None


def _name_of(words: str) -> str | None:
    if not 0 < len(words) <= _LONGEST_NAME:
        return None
    return "ai_overview" if words.lower() in OVERVIEW_WORDS else block_named(words)


def _things_beside(part: html.HtmlElement, heading: html.HtmlElement | None) -> int:
    """Count the links to other pages and the pictures that stand beside a heading."""
    own = set() if heading is None else set(heading.iter())
    things = (thing for thing in part.iter("a", "img") if thing not in own)
    return sum(1 for thing in things if thing.tag == "img" or not _stays(thing.get("href") or "#"))


def _stays(href: str) -> bool:
    return href.startswith("#") or leads_to_search(href)


def _letters_beside_links(part: html.HtmlElement) -> int:
    return len(visible_text(part)) - sum(len(visible_text(link)) for link in part.iter("a") if link is not part)
