"""A query and its hits come in; a start page or a result page goes out, built the way Google builds one.

The structure is what a reader of result pages relies on (`#search > #rso`, a box with `a[href] > h3` and a snippet in
`[data-sncf]`, ads in `#tads`, related questions apart, further pages in `#botstuff`); markup and style are our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from exports.demo.search_engine import Document, Hit, SearchEngine, words

PAGE_LENGTH = 10
_QUESTION = re.compile(r"^(?:[\d.]+ )?([A-ZÄÖÜ][^?]{8,90}\?)¶?$")

_STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:0;color:#1f2328}
header{display:flex;gap:1.5rem;align-items:center;padding:1rem 2rem;border-bottom:1px solid #d8dee4}
header b{font-size:1.3rem}main{max-width:44rem;padding:1rem 2rem}
form{display:flex;gap:.5rem}input{font:inherit;width:26rem;max-width:70vw;padding:.45rem .9rem;border:1px solid #afb8c1;
border-radius:1.4rem}button{font:inherit;padding:.45rem 1rem}
.start{display:grid;place-items:center;gap:1.5rem;min-height:70vh}.start b{font-size:2.6rem}
a{text-decoration:none}a:hover h3,a:focus h3{text-decoration:underline}
h3{margin:.1rem 0;font-size:1.15rem;font-weight:500}.box,.ad{margin:0 0 1.5rem}cite{font-style:normal;color:#4d5a64}
.questions{border:1px solid #d8dee4;border-radius:.6rem;padding:.5rem 1rem;margin:0 0 1.5rem}
.related-question-pair{padding:.4rem 0}.small{color:#4d5a64;font-size:.85rem}"""


class Advertisement(NamedTuple):
    """A paid link, shown above the results of queries that hold one of its words."""

    words: frozenset[str]
    title: str
    url: str
    text: str


def start_page() -> str:
    """Return the search site's first page: a box and a button."""
    return _document("Search", f'<div class="start"><b>Search</b>{_form("")}{_NOTE}</div>')


def result_page(engine: SearchEngine, query: str, start: int, advertisements: Sequence[Advertisement] = ()) -> str:
    """Return the result page of a query from result `start` on."""
    hits, total = engine.search(query, start, PAGE_LENGTH)
    shown = _advertisements(query, advertisements) + _results(query, hits) + _further(query, start, total)
    body = f"<header><b>Search</b>{_form(query)}</header><main>{shown}{_NOTE}</main>"
    return _document(f"{query} - Search", body)


_NOTE = '<p class="small">The search site of the trailbench demo. It knows the demo\'s pages and nothing else.</p>'


def _document(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body>{body}</body></html>\n"
    )


def _form(query: str) -> str:
    return (
        '<form action="/search" method="get" role="search">'
        f'<input name="q" value="{escape(query)}" aria-label="Search" autocomplete="off" autofocus>'
        "<button>Search</button></form>"
    )


def _advertisements(query: str, advertisements: Iterable[Advertisement]) -> str:
    asked = set(words(query))
    boxes = [
        f'<div class="ad"><span class="small">Sponsored</span>{_link(advert.url, advert.title)}'
        f"<div>{escape(advert.text)}</div></div>"
        for advert in advertisements
        if asked & advert.words
    ]
    return f'<div id="tads" aria-label="Ads">{"".join(boxes)}</div>' if boxes else ""


def _results(query: str, hits: Sequence[Hit]) -> str:
    if not hits:
        found = f"<p>Your search - <em>{escape(query)}</em> - did not match any documents.</p>"
        return f'<div id="search"><div id="topstuff">{found}<p>Try other or fewer words.</p></div></div>'
    boxes = [_box(hit) for hit in hits]
    # Related questions stand between the results, where readers of result pages are apt to take them for results.
    boxes.insert(1, _related_questions(query, [hit.document for hit in hits]))
    return f'<div id="search"><div id="rso">{"".join(boxes)}</div></div>'


def _box(hit: Hit) -> str:
    link = _link(hit.document.url, hit.document.title)
    return f'<div class="box"><div>{link}</div><div data-sncf="1">{escape(hit.snippet)}</div></div>'


def _link(url: str, title: str) -> str:
    parts = urlsplit(url)
    place = " › ".join([parts.hostname or "", *(piece for piece in parts.path.split("/") if piece)])
    return f'<a href="{escape(url)}"><h3>{escape(title)}</h3><cite>{escape(place)}</cite></a>'


def _related_questions(query: str, documents: Iterable[Document]) -> str:
    pairs = [
        f'<div class="related-question-pair" data-q="{escape(question)}"><div>{escape(question)}</div>'
        f"<div hidden>{_link(document.url, document.title)}</div></div>"
        for question, document in related_questions(query, documents)
    ]
    return f'<div class="questions"><b>People also ask</b>{"".join(pairs)}</div>' if pairs else ""


def related_questions(query: str, documents: Iterable[Document], limit: int = 3) -> list[tuple[str, Document]]:
    """Return headings of the documents that ask something and share a word with the query, each once."""
    asked = set(words(query))
    found: dict[str, Document] = {}
    for document in documents:
        for line in document.text.splitlines():
            question = _QUESTION.match(line)
            if question and asked.intersection(words(question[1])):
                found.setdefault(question[1], document)
    return list(found.items())[:limit]


def _further(query: str, start: int, total: int) -> str:
    links = []
    if start > 0:
        links.append(_page_link(query, max(start - PAGE_LENGTH, 0), "pnprev", "Previous"))
    if start + PAGE_LENGTH < total:
        links.append(_page_link(query, start + PAGE_LENGTH, "pnnext", "Next"))
    return f'<div id="botstuff">{" ".join(links)}</div>'


def _page_link(query: str, start: int, name: str, text: str) -> str:
    address = "/search?" + urlencode({"q": query, "start": start})
    return f'<a id="{name}" href="{escape(address)}">{text}</a>'
