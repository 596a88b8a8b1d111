"""Documents go in; ranked documents with a snippet come out. A plain, honest scorer: BM25 over title and text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

TITLE_WEIGHT = 4
"""How often a word of the title counts beside one of the text."""
K1, B = 1.2, 0.6
SNIPPET_LENGTH = 180

# Words that say nothing about a page; a query of these alone still searches for them.
_COMMON_WORDS = """
a an and are as at be by for from has in is it its of on or that the to was were what when where which who with
der die das und ist von zu auf im den ein eine
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_WORDS = re.compile(r"\w+")
_CJK = re.compile(r"[぀-ヿ㐀-鿿豈-﫿]+")


class Document(NamedTuple):
    """A page as the search site knows it."""

    url: str
    title: str
    text: str


class Hit(NamedTuple):
    """A document found, with the passage that fits the query best."""

    document: Document
    score: float
    snippet: str


class SearchEngine:
    """An index over documents, held in memory; about three seconds for 600 pages of documentation."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for number, document in enumerate(self.documents):
            counts = Counter(words(document.text))
            for word in words(document.title):
                counts[word] += TITLE_WEIGHT
            self._lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self._postings[word].append((number, count))
        self._mean_length = sum(self._lengths) / max(len(self._lengths), 1)

    def search(self, query: str, start: int = 0, limit: int = 10) -> tuple[tuple[Hit, ...], int]:
        """Return the hits `start` to `start + limit` and how many there are; equal scores stand by address."""
        terms = _query_terms(query)
        scores = self._scores(terms)
        ranked = sorted(scores, key=lambda number: (-scores[number], self.documents[number].url))
        hits = tuple(self._hit(number, scores[number], terms) for number in ranked[start : start + limit])
        return hits, len(ranked)

    def _scores(self, terms: tuple[str, ...]) -> dict[int, float]:
        scores: dict[int, float] = defaultdict(float)
        for term in terms:
            found = self._postings.get(term, [])
            rarity = math.log(1 + (len(self.documents) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                length = 1 - B + B * self._lengths[number] / self._mean_length
                scores[number] += rarity * count * (K1 + 1) / (count + K1 * length)
        return scores

    def _hit(self, number: int, score: float, terms: tuple[str, ...]) -> Hit:
        document = self.documents[number]
        return Hit(document, score, best_passage(document, terms))


def words(text: str) -> Iterator[str]:
    """Yield the words of a text, case folded; Chinese and Japanese runs as pairs of characters.

    >>> list(words("Old Sorrel 1936 灯塔集"))
    ['old', 'sorrel', '1936', '灯塔', '塔集']
    """
    for word in _WORDS.findall(unicodedata.normalize("NFKC", text).casefold()):
        if word.isascii():
            yield word
            continue
        position = 0
        for run in _CJK.finditer(word):
            if word[position : run.start()]:
                yield word[position : run.start()]
            characters = run.group()
            yield from (characters[i : i + 2] for i in range(max(len(characters) - 1, 1)))
            position = run.end()
        if word[position:]:
            yield word[position:]


def best_passage(document: Document, terms: Iterable[str]) -> str:
    """Return the line with most of the terms, the first of equals, cut to a snippet's length; the title is no news."""
    wanted = set(terms)
    best, most = "", -1
    for line in document.text.splitlines():
        is_news = len(line) > 20 and line.rstrip("¶") not in document.title
        found = len(wanted.intersection(words(line))) if is_news else 0
        if found > most:
            best, most = line.replace("\t", " "), found
    return best if len(best) <= SNIPPET_LENGTH else best[:SNIPPET_LENGTH].rsplit(" ", 1)[0] + " ..."


def _query_terms(query: str) -> tuple[str, ...]:
    every = tuple(dict.fromkeys(words(query)))
    telling = tuple(word for word in every if word not in _COMMON)
    return telling or every
