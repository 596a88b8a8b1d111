"""Places a search may not lead to: chat assistants and the AI modes of search engines. The one list of them.

A place is written as `host`, `host/path` or `host/path?name=value`. A host covers the hosts below it, a path what lies
below it, a query every address that has these values among others. `google.*` covers a name in every country.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import parse_qs, parse_qsl, urlsplit

from browser_capture.urls import host, is_web

DEFAULT = "default"
"""Stands in a project's list for all of `BANNED_PLACES`."""

BANNED_PLACES = (
    "chatgpt.com", "chat.openai.com", "claude.ai", "gemini.google.com", "bard.google.com", "aistudio.google.com",
    "notebooklm.google.com", "copilot.microsoft.com", "m365.cloud.microsoft", "perplexity.ai", "grok.com",
    "x.com/i/grok", "meta.ai", "chat.deepseek.com", "chat.mistral.ai", "chat.qwen.ai", "kimi.com", "kimi.ai",
    "doubao.com", "yuanbao.tencent.com", "tongyi.aliyun.com", "tongyi.com", "yiyan.baidu.com", "chat.baidu.com",
    "chatglm.cn", "chat.z.ai", "you.com", "poe.com", "phind.com", "pi.ai", "character.ai", "duck.ai", "lumo.proton.me",
    "huggingface.co/chat", "genspark.ai", "manus.im", "felo.ai", "andisearch.com", "komo.ai", "iask.ai",
    "consensus.app", "elicit.com", "alice.yandex.ru", "giga.chat", "kagi.com/assistant",
    "google.*/search?udm=50", "google.*/ai", "bing.com/chat", "bing.com/copilotsearch", "duckduckgo.com?ia=chat",
    "search.brave.com/ask", "search.brave.com/chat", "ecosia.org/ai-search", "ya.ru/ai", "m.baidu.com/ai",
)  # fmt: skip

_EVERY_COUNTRY = r"(?:\.[a-z]{2,3}){1,2}"
_PLACE = re.compile(r"[a-z0-9-]+(?:\.(?:[a-z0-9-]+|\*))+(?:[/?]\S*)?")


def is_place(text: str) -> bool:
    """Tell whether a text names a place as such a list does.

    >>> is_place("kagi.com/assistant"), is_place("https://kagi.com")
    (True, False)
    """
    return _PLACE.fullmatch(text) is not None


def whole_list(places: Iterable[str]) -> tuple[str, ...]:
    """Return a project's list with `default` spelled out, each place once.

    >>> whole_list(["rival.example"])
    ('rival.example',)
    """
    spelled = (name for place in places for name in (BANNED_PLACES if place == DEFAULT else (place,)))
    return tuple(dict.fromkeys(spelled))


def banned_place(url: str, places: Sequence[str]) -> str | None:
    """Return the first place of a list that an address lies in, None when it lies in none.

    >>> banned_place("https://www.google.de/search?q=a&udm=50", BANNED_PLACES)
    'google.*/search?udm=50'
    >>> banned_place("https://openai.com/blog", BANNED_PLACES)
    """
    if not is_web(url):
        return None
    name, parts = host(url), urlsplit(url)
    values = parse_qs(parts.query)
    for place in places:
        hosts, path, wanted = _read(place)
        below = parts.path == path or parts.path.startswith(f"{path.rstrip('/')}/")
        if hosts.fullmatch(name) and below and all(value in values.get(key, ()) for key, value in wanted):
            return place
    return None


@lru_cache(maxsize=512)
def _read(place: str) -> tuple[re.Pattern[str], str, Sequence[tuple[str, str]]]:
    where, _, query = place.lower().partition("?")
    name, slash, path = where.partition("/")
    any_country = name.endswith(".*")
    pattern = re.escape(name.removesuffix(".*")) + (_EVERY_COUNTRY if any_country else "")
    return re.compile(rf"(?:[^.]+\.)*{pattern}"), slash + path, parse_qsl(query)
