"""What a headed box of a Google page is about: a heading and a box come in, a block's name goes out.

The words of headings are known in some languages; else it shows in where the links of the box lead; what shows in
neither is counted as `other`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from urllib.parse import SplitResult, parse_qs, urlsplit

from lxml import html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.recognise import tab_in

_TAB_BLOCKS = {
    "news": "top_stories", "videos": "videos", "short_videos": "videos", "images": "images", "forums": "discussions",
    "places": "local", "shopping": "shopping",
}  # fmt: skip
_WORDS: Mapping[str, str] = {
    "people_also_ask": "people also ask|ähnliche fragen|weitere fragen|nutzer fragen auch|autres questions.*|"
    "más preguntas.*|otras preguntas.*|la gente también pregunta|le persone hanno chiesto anche|altre domande|"
    "as pessoas também perguntam|mensen vragen ook|andere vragen|podobne pytania|похожие вопросы|"
    "люди также спрашивают|他の人はこちらも質問|関連する質問|(?:其他)?用户还问了.*|其他人也問了.*|관련 질문",
    "related_searches": "related searches|people also search for|searches related to.*|ähnliche suchanfragen|"
    "wird auch oft gesucht|andere suchten auch nach|recherches associées|autres recherches|búsquedas relacionadas|"
    "otras personas también buscan|ricerche correlate|altre persone hanno cercato|pesquisas relacionadas|"
    "as pessoas também pesquisam|gerelateerde zoekopdrachten|mensen zoeken ook naar|podobne wyszukiwania|"
    "похожие запросы|люди также ищут|関連性の高い検索|関連キーワード|他の人はこちらも検索|相关搜索|相關搜尋|"
    "用户还搜索了.*|其他人也搜尋了.*|관련 검색어",
    "top_stories": "top stories|schlagzeilen|à la une|noticias destacadas|notizie principali|principais notícias|"
    "belangrijkste nieuws|najważniejsze artykuły|главные новости|トップニュース|焦点新闻|焦點新聞|주요 뉴스",
    "videos": "videos?|short videos|kurzvideos|vidéos|vídeos|video.s|filmy|видео|動画|ショート動画|视频|影片|동영상",
    "images": "images(?: for.*)?|bilder(?: zu.*)?|imágenes|immagini|imagens|afbeeldingen|obrazy|картинки|画像|图片|"
    "圖片|이미지",
    "discussions": "discussions and forums|what people are saying|perspectives|diskussionen und foren|"
    "discussions et forums|discusiones y foros|discussioni e forum|discussões e fóruns|discussies en forums",
    "local": "places|businesses|orte|unternehmen|lieux|sitios|luoghi|locais|plaatsen|места|場所|地点|地點|장소",
    "shopping": "shopping|popular products|beliebte produkte|produits populaires|productos populares",
    "ads": "sponsored(?: results?)?|ads?|anzeigen?|gesponsert(?:e ergebnisse)?|annonces?|sponsorisée?s?|"
    "résultats sponsorisés|anuncios?|patrocinad[oa]s?|resultados patrocinados|annunci|annuncio|sponsorizzat[aio]|"
    "risultati sponsorizzati|anúncios?|advertenties?|gesponsord(?:e resultaten)?|reklam[aiy]?|sponsorowane|реклама|"
    "スポンサー(?:の検索結果)?|広告|赞助(?:商搜索结果|内容)?|广告|廣告|贊助(?:商搜尋結果)?|광고|스폰서",
    "featured_snippet": "featured snippet from the web|hervorgehobenes snippet aus dem web|extrait optimisé sur le web|"
    "fragmento destacado de la web|snippet in primo piano dal web|trecho em destaque da web|"
    "uitgelicht fragment van internet|ウェブからの強調スニペット",
}
_BLOCKS = re.compile("|".join(f"(?P<{name}>(?:{words})\\W*)" for name, words in _WORDS.items()), re.IGNORECASE)
COUNTED_BY_CARD = frozenset({"ads", "people_also_ask", "featured_snippet"})
"""What such a heading announces has signs of its own, or is counted by its titles."""
_MOST_LINKS = 200
_MOST_PINGS = 5
_AD_PATHS = frozenset({"/aclk", "/pagead/aclk"})
_AD_ATTRIBUTES = ("data-pcu", "data-rw")
_NOTICES = ("taw", "oFNiHe", "topstuff", "fprs")
_COOKIES = "policies.google.com/technologies/cookies"


def block_named(words: str) -> str | None:
    """Return the block that these words head, in any language that is known; None for other words.

    >>> block_named("Schlagzeilen"), block_named("Opening hours")
    ('top_stories', None)
    """
    found = _BLOCKS.fullmatch(words)
    return None if found is None else found.lastgroup


def leads_to_search(href: str) -> bool:
    """Tell whether a link asks the engine for something else, such as more news."""
    return (
        "/search" in href
        and "q" in _search_values(href)
        and _split(href).netloc.removeprefix("www.").partition(".")[0] in {"", "google"}
    )


def is_advertisement(link: html.HtmlElement) -> bool:
    """Tell whether a click on a link counts as one on an advertisement, wherever the link itself leads."""
    counted_by = [link.get("href") or "", *(link.get("ping") or "").split()[:_MOST_PINGS]]
    return any(link.get(name) for name in _AD_ATTRIBUTES) or any(map(leads_to_advertiser, counted_by))


def leads_to_advertiser(href: str) -> bool:
    """Tell whether an address counts a click on an advertisement.

    >>> leads_to_advertiser("/aclk?sa=l"), leads_to_advertiser("https://example.org/aclk")
    (True, False)
    """
    parts = _split(href)
    name = parts.netloc.removeprefix("www.")
    return parts.path in _AD_PATHS and (name == "" or name.startswith("google"))


def headed_block(heading: str, box: html.HtmlElement) -> Iterator[str]:
    """Yield what a headed box is; nothing without a link in it, or for what is counted by its cards."""
    links = islice(box.iter("a"), _MOST_LINKS)
    hrefs = [href for link in links if (href := link.get("href")) and "#" not in (href[0], href[-1])]
    name = block_named(heading)
    if not hrefs or name in COUNTED_BY_CARD:
        return
    tabs = Counter(name for href in hrefs for name in _tab_block(href))
    if name is not None:
        yield name
    elif any(_split(href).path == "/imgres" for href in hrefs) and any(_split(href).path == "/url" for href in hrefs):
        yield "knowledge_panel"
    elif tabs:
        yield tabs.most_common(1)[0][0]
    else:
        yield "related_searches" if all(map(_search_values, hrefs)) else "other"


def linked_block(link: html.HtmlElement) -> Iterator[str]:
    """Yield the block whose heading is a link that is no result: to more of its kind, or an advertisement's."""
    yield from ["ads"] if is_advertisement(link) else _tab_block(link.get("href") or "")


def plain_block(card: html.HtmlElement) -> Iterator[str]:
    """Yield what a card of a page without script holds, each question once; its first line is its heading."""
    name = block_named(visible_text(card).partition("\n")[0])
    if name == "people_also_ask":
        yield from ("people_also_ask" for link in card.iter("a") if _split(link.get("href") or "").path == "/url")
    elif name is not None and name not in COUNTED_BY_CARD:
        yield name


def blocks_beside(ids: Mapping[str, html.HtmlElement], tree: html.HtmlElement) -> Iterator[str]:
    """Yield what stands beside all boxes: a corrected spelling, a consent dialog over the page."""
    notices = (link for name in _NOTICES if name in ids for link in ids[name].iter("a"))
    if any("spell=1" in (link.get("href") or "") or "nfpr=1" in (link.get("href") or "") for link in notices):
        yield "spelling"
    about_cookies = next((link for link in tree.iter("a") if _COOKIES in (link.get("href") or "")), None)
    if about_cookies is not None and any(step.get("role") == "dialog" for step in about_cookies.iterancestors()):
        yield "consent"


def _tab_block(href: str) -> Iterator[str]:
    found = _TAB_BLOCKS.get(tab_in(_search_values(href)) or "")
    if found is not None:
        yield found


def _search_values(href: str) -> Mapping[str, list[str]]:
    parts = _split(href)
    return parse_qs(parts.query) if parts.path == "/search" else {}


def _split(href: str) -> SplitResult:
    try:
        return urlsplit(href)
    except ValueError:
        return SplitResult("", "", "", "", "")
