"""What an element of a Google page is, by its id, its role, its data attributes and its name.

The obfuscated class names are left alone: none of them lived through three years.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lxml import html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.outline import CONTROL, HEADING, TITLE, Grammar, Sign, first_words

LEVELS = (("rso", "more"), ("search",), ("main",))
"""Where results stand: the first of these that holds any, with the ones before it. `more` grows under the page."""
RESULT_REGIONS = frozenset(region for level in LEVELS for region in level)
HEADED_REGIONS = frozenset({"rso", "more", "search", "main", "botstuff"})

_REGIONS = frozenset(
    {"rso", "search", "main", "botstuff", "taw", "tvcap", "topstuff", "oFNiHe", "appbar", "top_nav", "hdtb"}
)
_HEADING_TAGS = frozenset({"h1", "h2"})
_CONTROL_TAGS = frozenset({"button", "summary"})
_REFUSED = re.compile(r"can.t generate an ai overview|ai overview is not available", re.IGNORECASE)
OVERVIEW_WORDS = frozenset(
    {
        "ai overview", "ai-generated overview", "übersicht mit ki", "aperçu ia", "ai による概要", "resumen de ia",
        "resumen creado con ia", "visión general creada por ia", "visão geral criada por ia", "resumo de ia",
        "ai-overzicht", "przegląd od ai", "обзор от ии", "огляд від ші", "ai 개요", "ai 概览", "ai 概覽",
        "yapay zeka ile genel bakış", "ai-översikt", "ai-oversigt", "ai-oversikt", "přehled od ai", "ringkasan ai",
        "نظرة عامة من الذكاء الاصطناعي", "סקירה מבוססת ai",
    }
)  # fmt: skip


def google_grammar(*, titles_by_role: bool = False) -> Grammar:
    """Return how Google writes its pages; mobile and news pages have titles by their role instead of `h3`."""

    def sign(node: html.HtmlElement) -> Sign | None:
        tag = node.tag
        names = node.keys()
        found = _BLOCK_TAGS.get(tag) or (_block(node, names) if names else None)
        if found is not None:
            return found
        is_role_heading = "role" in names and node.get("role") == "heading"
        if is_role_heading if titles_by_role else tag == "h3":
            return TITLE
        if is_role_heading or tag in _HEADING_TAGS:
            return _heading(node)
        # This help page is linked from every overview, in any language.
        if tag == "a" and "p=ai_overviews" in (node.get("href") or ""):
            return _OVERVIEW
        return CONTROL if _is_control(node, names) else None

    return Grammar(sign, _region)


def is_answer(box: html.HtmlElement) -> bool:
    """Tell whether the box of a result is a featured snippet: its text is marked as an answer from the web."""
    return any((part.get("data-attrid") or "").startswith("wa:/") for part in box.iter("*"))


def _region(name: str) -> str:
    return name if name in _REGIONS else "more" if name.startswith("arc-srp") else ""


def _block(node: html.HtmlElement, names: Sequence[str]) -> Sign | None:
    if "id" in names:
        name = node.get("id") or ""
        found = _BLOCK_IDS.get(name)
        if found is not None:
            return found
        if name.startswith("kp-wp-tab-cont"):
            return _PANEL
    if "data-initq" in names:
        return _QUESTIONS
    if "data-text-ad" in names:
        return _AD
    return _QUESTION if _is_question(node, names) else None


def _heading(node: html.HtmlElement) -> Sign | None:
    if first_words(node).lower() in OVERVIEW_WORDS:
        return _OVERVIEW
    return HEADING if node.tag in {"h2", "h3"} or node.get("aria-level") == "2" else None


def _is_question(node: html.HtmlElement, names: Sequence[str]) -> bool:
    # The one class name that has a meaning.
    return "class" in names and "related-question-pair" in (node.get("class") or "")


def _is_control(node: html.HtmlElement, names: Sequence[str]) -> bool:
    is_button = node.tag in _CONTROL_TAGS or "aria-expanded" in names or node.get("role") == "button"
    return is_button and first_words(node) != ""


def _has_overview(box: html.HtmlElement) -> int:
    text = visible_text(box)
    return int(bool(text) and not (len(text) < 300 and _REFUSED.search(text)))


def _has_text(box: html.HtmlElement) -> int:
    return int(bool(visible_text(box)))


def _count_ads(region: html.HtmlElement) -> int:
    marked = sum(1 for node in region.iter("*") if node.get("data-text-ad") is not None)
    return marked or sum(1 for _ in region.iter("h3"))


def _count_questions(box: html.HtmlElement) -> int:
    asked = box.get("data-initq")
    questions = (node for node in box.iter("*") if node is not box and node.get("data-q") not in (None, asked))
    return sum(1 for _ in questions) or sum(1 for node in box.iter("*") if _is_question(node, node.keys()))


_OVERVIEW = Sign("ai_overview", is_around=True, counted=_has_overview)
_PANEL = Sign("knowledge_panel", is_closed=False)
_QUESTION = Sign("people_also_ask")
_QUESTIONS = Sign("people_also_ask", counted=_count_questions)
_AD = Sign("ads")
_ADS = Sign("ads", counted=_count_ads)
# The cards of a carousel are no results of their own; the heading above them says what they are.
_CAROUSEL = Sign("carousel", counted=lambda _: 0)
_BLOCK_TAGS: Mapping[str, Sign] = {
    "block-component": Sign("featured_snippet"),
    "g-scrolling-carousel": _CAROUSEL,
    "g-inner-card": _CAROUSEL,
    "product-viewer-group": _CAROUSEL,
}
_BLOCK_IDS: Mapping[str, Sign] = {
    "tads": _ADS,
    "tadsb": _ADS,
    "bottomads": _ADS,
    "rhs": Sign("right_panel", counted=_has_text),
    "eKIzJc": Sign("ai_overview", counted=_has_overview),
}
