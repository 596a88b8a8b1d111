"""The results of a page come in; how many sites stand among them like results, but with no title, goes out.

Where an engine moves its titles, a parser finds the few that stayed behind and must not call them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from urllib.parse import urljoin

from lxml import html

from browser_capture.page_text import is_hidden
from browser_capture.result_pages.outline import HEADING, Mark, first_words
from browser_capture.urls import host, seal_of, unwrap_redirect

_MOST_LINKS = 200
_MOST_ELEMENTS = 500
_GOOGLE_NAMES = frozenset({"google", "googleusercontent", "gstatic"})


def untitled_sites(
    results: Sequence[Mark], boxes: Mapping[html.HtmlElement, html.HtmlElement], marks: Sequence[Mark]
) -> int:
    """Count the elements beside results in which nothing was recognised and that begin with a link to one other site.

    A title that stands above its link is a heading of no block, and counts as unrecognised.
    """
    known = {step for mark in marks if not _is_loose_title(mark) for step in mark.path}
    shown = {site_of(mark.path[-1]) for mark in results}
    around: dict[html.HtmlElement, None] = {}
    for mark in results:
        # The box of a single result reaches as far as its region does: it may hold all the others.
        end = len(mark.path) - 1 if len(results) == 1 else mark.path.index(boxes[mark.path[-1]])
        around.update(dict.fromkeys(mark.path[max(0, mark.floor - 1) : end]))
    beside = (child for step in around for child in step if child not in known and not is_hidden(child))
    return sum(1 for child in islice(beside, _MOST_ELEMENTS) if _only_site(child) not in {"", *shown})


def site_of(link: html.HtmlElement) -> str:
    """Return the host that a link leads to, or its seal; empty when it stays with the engine."""
    try:
        target = unwrap_redirect(urljoin("https://www.google.com/", (link.get("href") or "").strip()))
    except ValueError:
        return ""
    name = host(target)
    return seal_of(target) or ("" if _GOOGLE_NAMES & set(name.split(".")) else name)


def _is_loose_title(mark: Mark) -> bool:
    return mark.sign is HEADING and mark.path[-1].tag == "h3" and mark.path[-1].get("role") is None


def _only_site(box: html.HtmlElement) -> str:
    """Return the only site that the links of a box lead to, if its text begins with one, or with a title and one.

    Empty for a box of pictures, and for what begins with words of its own.
    """
    all_links = list(islice(box.iter("a"), _MOST_LINKS))
    links = [(link, site) for link in all_links if (site := site_of(link))]
    words = next((words for link, _ in links if (words := first_words(link))), "")
    loose = next((first_words(title) for title in box.iter("h3")), "")
    text = first_words(box)
    begins = text.startswith(words) or text.removeprefix(loose).lstrip().startswith(words)
    if not words or not begins or any("/imgres" in (link.get("href") or "") for link in all_links):
        return ""
    # Each sealed link has its own seal, also where two lead to one page: a seal has no dot.
    hosts = {site if "." in site else "" for _, site in links}
    return links[0][1] if len(hosts) == 1 else ""
