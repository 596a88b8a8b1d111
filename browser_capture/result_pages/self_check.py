"""Tells an honest empty result page from one the parser no longer understands, and both from a wall before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.parsed import ShownResult, Status, Wall
from browser_capture.result_pages.untitled import site_of
from browser_capture.urls import is_web

_GOOGLE = re.compile(r"(?:[a-z]+\.)*google(?:\.[a-z]{2,3}){1,2}")
_NO_RESULTS = re.compile(
    r"did not match any (?:documents|images|news|videos)|no results found for|keine mit (?:deiner|ihrer) suchanfrage|"
    r"keine ergebnisse für|aucun document ne correspond|ne correspond à aucun document|no obtuvo ningún resultado|"
    r"no se han encontrado resultados|no se encontraron resultados|non ha prodotto risultati|"
    r"não encontrou nenhum documento|não encontrou documentos|heeft geen overeenkomstige documenten|"
    r"nie została odnaleziona|ничего не найдено|нічого не знайдено|не знайдено жодного документа|"
    r"一致する(?:情報|ウェブページ)は見つかりません|找不到|검색결과가 없습니다|hiçbir arama sonucu|"
    r"matchade inte n[åa]g|ikke overens med nogen dokumenter|samsvarte ikke med noen|ei vastannut yhtään|"
    r"neodpovídá žádný dokument|"
    r"nu s-a potrivit cu niciun document|κανένα έγγραφο|أي(?:ة)? مستندات|לא התאים(?:ה)? ל|tidak cocok dengan dokumen|"
    r"không khớp với bất kỳ|ไม่ตรงกับเอกสาร|किसी भी दस्तावेज़",
    re.IGNORECASE,
)
_CAPTCHA = (
    "//form[@id='captcha-form' or contains(@action, '/sorry/')] | //div[@id='recaptcha']"
    " | //title[starts-with(normalize-space(.), 'http') and contains(., '/search?')]"
    " | //*[contains(concat(' ', @class, ' '), ' g-recaptcha ')] | //iframe[contains(@src, '/recaptcha/')]"
)
_CONSENT = "//form[contains(@action, 'consent.google.') or (contains(@action, '/save') and .//input[@name='continue'])]"
_ASKS_FOR_SCRIPT = "//*[contains(@content,'/enablejs') or contains(@href,'/enablejs')]"
_REGION = "//*[@id='rso' or @id='search' or @id='topstuff' or @id='main']"
"""Where it is there, the page answers: with nothing perhaps, below a consent dialog, and with a hint for others."""
_LONGEST_NOTICE = 1500
_WHERE_NOTICES_STAND = 20_000
_MOST_LINKS = 3000
_A_THIRD = 3
_ROOTS = ("rso", "search", "main")
_CARDS = frozenset({"g-scrolling-carousel", "g-inner-card", "block-component"})
_CARD_ROLES = frozenset({"list", "listitem"})


class Finding(NamedTuple):
    """What a page turned out to be and to hold."""

    status: Status
    results: tuple[ShownResult, ...] = ()
    blocks: Mapping[str, int] = MappingProxyType({})
    wall: Wall | None = None


def interstitial_kind(url: str, tree: html.HtmlElement | None) -> Wall | None:
    """Tell which wall of the search engine stands at this address or in this page, None for none."""
    if is_web(url):
        parts = urlsplit(url)
        name = (parts.hostname or "").lower()
        if _GOOGLE.fullmatch(name) and parts.path.startswith("/sorry/"):
            return "captcha"
        if name.startswith("consent.google."):
            return "consent"
    if tree is None:
        return None
    if tree.xpath(_CAPTCHA):
        return "captcha"
    if tree.xpath(_REGION):
        return None
    if tree.xpath(_CONSENT):
        return "consent"
    return "script" if tree.xpath(_ASKS_FOR_SCRIPT) else None


def page_status(
    ids: Mapping[str, html.HtmlElement], results: Sequence[ShownResult], query: str, untitled: int = 0
) -> Status:
    """Judge a page that is no interstitial by its elements with an id, its results and the untitled ones beside them.

    Suspect are three or more results without a single snippet, since the anchors of the snippets have moved; a third as
    many sites without a title as results; more links with an address line but no title than there are results; and no
    result where nothing says so.
    """
    if results:
        bare = len(results) > 2 and not any(result.snippet for result in results)
        moved = untitled > 1 and _A_THIRD * untitled >= len(results)
        return "suspect" if bare or moved or _untitled_links(ids.get("rso")) > len(results) else "ok"
    return "empty" if _says_nothing_found(ids, query) else "suspect"


def _untitled_links(root: html.HtmlElement | None) -> int:
    cites = () if root is None else islice(root.iter("cite"), _MOST_LINKS)
    paths = (tuple(islice(cite.iterancestors(), 30)) for cite in cites)
    links = {next((step for step in path if step.tag == "a"), None) for path in paths if not _is_card(path)} - {None}
    return sum(1 for link in links if link is not None and next(link.iter("h3"), None) is None)


def _is_card(path: Iterable[html.HtmlElement]) -> bool:
    return any(step.tag in _CARDS or step.get("role") in _CARD_ROLES for step in path)


def _says_nothing_found(ids: Mapping[str, html.HtmlElement], query: str) -> bool:
    roots = [ids[name] for name in _ROOTS if name in ids]
    root = roots[0] if roots else None
    # What stands in `main` beside the region of results may be advertisements.
    held = [found for found in roots if found is root or found is not ids.get("main")]
    if any(site_of(link) for found in held for link in islice(found.iter("a"), _MOST_LINKS)):
        return False
    stats = re.search(r"\d[\d.,]*", _text_of(ids.get("result-stats")))
    if _text_of(ids.get("topstuff")) or (stats is not None and stats[0] == "0"):
        return True
    text = "" if root is None else visible_text(root)
    return bool(_NO_RESULTS.search(text[:_WHERE_NOTICES_STAND])) or (
        len(text) < _LONGEST_NOTICE and _echoes(root, query)
    )


def _echoes(root: html.HtmlElement | None, query: str) -> bool:
    """Tell whether an element says the query and nothing else, as a notice does in any language."""
    parts = () if root is None or not query else islice(root.iter("em", "span", "b", "strong"), _MOST_LINKS)
    return any(len(part) == 0 and " ".join((part.text or "").split()) == query for part in parts)


def _text_of(element: html.HtmlElement | None) -> str:
    return "" if element is None else visible_text(element)
