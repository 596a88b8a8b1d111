"""The box of one result comes in; a copy of it goes out that holds what may be its snippet, and its link.

A snippet stands behind the link and before any other title. Badges of a kind of file and durations are none, nor is
the line that names words which the page lacks: it strikes them out, or links to a search that insists on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import NamedTuple

from lxml import etree, html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.google_blocks import leads_to_search

_BADGES = frozenset(
    {"pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "rtf", "txt", "csv", "xml", "ps", "epub",
     "kml", "kmz", "swf", "dwf"}
)  # fmt: skip
_PARTED_BY = " ·|-–—\u200e"
_DURATION = re.compile(r"\d{1,3}(?::\d\d){1,2}")
_EMPHASIS = frozenset({"em", "b", "strong", "i", "mark"})
_STRUCK_OUT = frozenset({"s", "del", "strike"})
_ENDS = ".!?…。"
_LABEL_ENDS = (":", "：", "|")
_LONGEST_NOTE = 300
_MOST_PIECES = 100
_MOST_SIGNS = 20


class SnippetBox(NamedTuple):
    """A copy of a box, and its link in it."""

    box: html.HtmlElement
    link: html.HtmlElement


def snippet_box(box: html.HtmlElement, link: html.HtmlElement) -> SnippetBox:
    """Return a copy of a result's box without what stands before its link, and without what is no snippet after it."""
    place = next(place for place, node in enumerate(box.iter()) if node is link)
    copy = deepcopy(box)
    copy.tail = None
    own = next(islice(copy.iter(), place, None))
    _drop_before(own)
    title = next(_other_titles(copy, own), None)
    if title is not None:
        _drop_from(title)
    for badge in [node for node in copy.iter() if _is_badge(node)]:
        badge.tail = (badge.tail or "").lstrip(_PARTED_BY)
        badge.drop_tree()
    _drop_notes(copy, own)
    return SnippetBox(copy, own)


def _drop_before(link: html.HtmlElement) -> None:
    for step in (link, *link.iterancestors()):
        parent = step.getparent()
        if parent is not None:
            parent.text = None
            for other in list(step.itersiblings(preceding=True)):
                parent.remove(other)


def _drop_from(node: html.HtmlElement) -> None:
    for step in (node, *node.iterancestors()):
        parent = step.getparent()
        if parent is not None:
            step.tail = None
            for other in list(step.itersiblings()):
                parent.remove(other)
    node.drop_tree()


def _other_titles(box: html.HtmlElement, link: html.HtmlElement) -> Iterator[html.HtmlElement]:
    by_role = next(link.iter("h3"), None) is None
    own = {*link.iter(), *link.iterancestors()}
    for node in box.iter():
        is_title = node.get("role") == "heading" if by_role else node.tag == "h3"
        if is_title and node not in own and (_is_in_link(node) or next(node.iter("a"), None) is not None):
            yield node


def _is_in_link(node: html.HtmlElement) -> bool:
    return next(node.iterancestors("a"), None) is not None


def _is_badge(node: html.HtmlElement) -> bool:
    words = (node.text or "").strip(" []()·")
    is_kind = words == words.upper() and words.lower() in _BADGES
    if len(node) or node.tag in _EMPHASIS or not (is_kind or _DURATION.fullmatch(words)):
        return False
    before = node.getprevious()
    beside = (before.tail if before is not None else _text_of(node.getparent())) or ""
    after = (node.tail or "").strip()
    return not any(map(str.isalnum, beside)) and (after[:1] in _PARTED_BY or not any(map(str.isalnum, after)))


def _text_of(node: html.HtmlElement | None) -> str:
    return "" if node is None else node.text or ""


def _drop_notes(box: html.HtmlElement, link: html.HtmlElement) -> None:
    around = {link, *link.iterancestors()}
    signs = (node for node in box.iter() if (_is_struck_out(node) or _insists(node)) and not _is_within(node, link))
    for sign in list(islice(signs, _MOST_SIGNS)):
        if not _is_within(sign, box):
            continue
        note = sign
        for step in sign.iterancestors():
            if step in around or not _is_only_labels(step):
                break
            note = step
        if note is not sign:
            note.drop_tree()
        elif _is_struck_out(sign):
            _drop_label(sign)


def _is_within(node: html.HtmlElement, other: html.HtmlElement) -> bool:
    return node is other or other in node.iterancestors()


def _is_struck_out(node: html.HtmlElement) -> bool:
    return node.tag in _STRUCK_OUT or "line-through" in (node.get("style") or "")


def _insists(node: html.HtmlElement) -> bool:
    return node.tag == "a" and leads_to_search(node.get("href") or "")


def _is_only_labels(node: html.HtmlElement) -> bool:
    """Tell whether an element is one line that says `Missing:` and the like, beside the words themselves."""
    if sum(map(len, islice(node.itertext(), _MOST_PIECES))) > _LONGEST_NOTE or "\n" in visible_text(node):
        return False
    said = " ".join("".join(_said_beside_words(node)).split()).strip(" |·,\u200e\u200f")
    return not said or (said.endswith(_LABEL_ENDS) and not set(_ENDS) & set(said))


def _said_beside_words(node: html.HtmlElement) -> Iterator[str]:
    walk = etree.iterwalk(node, events=("start", "end"))
    for event, part in walk:
        if event == "end":
            yield (part.tail or "") if part is not node else ""
        elif _is_struck_out(part) or _insists(part):
            walk.skip_subtree()
        else:
            yield part.text or ""


def _drop_label(sign: html.HtmlElement) -> None:
    """Drop a note that stands in the same element as the snippet: from its label to the last word it names."""
    parent, before = sign.getparent(), sign.getprevious()
    text = (_text_of(parent) if before is None else before.tail) or ""
    if parent is None or not text.rstrip().endswith(_LABEL_ENDS):
        return
    kept = text[: max(text.rfind(end) for end in _ENDS) + 1]
    for node in [sign, *sign.itersiblings()]:
        if not _is_struck_out(node) and not _insists(node):
            break
        parent.remove(node)
    if before is None:
        parent.text = kept
    else:
        before.tail = kept
