"""Where a person looks around before any task, by topic: questions come up while reading. A project may name its own.

The built-in list is short on purpose: pages of many links, open to everybody, that change by the day or lead far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from browser_capture.urls import is_web

StartSites = Mapping[str, Sequence[str]]
MOST_TOPICS, MOST_SITES = 40, 20

START_SITES: StartSites = {
    "News": ("https://en.wikipedia.org/wiki/Portal:Current_events", "https://www.bbc.com/news"),
    "Science": ("https://en.wikipedia.org/wiki/Portal:Science", "https://www.nature.com/news"),
    "Technology": ("https://en.wikipedia.org/wiki/Portal:Technology", "https://news.ycombinator.com/"),
    "History": ("https://en.wikipedia.org/wiki/Portal:History", "https://www.britannica.com/on-this-day"),
    "Arts": ("https://en.wikipedia.org/wiki/Portal:The_arts", "https://www.metmuseum.org/art/collection"),
    "Places": ("https://en.wikipedia.org/wiki/Portal:Geography", "https://whc.unesco.org/en/list/"),
}


def read_start_sites(data: Any) -> StartSites:
    """Read topics with their addresses; what is none is dropped, and so is a topic without any.

    >>> read_start_sites({"News": ["https://a.example/", "javascript:alert(1)"], "Empty": []})
    {'News': ('https://a.example/',)}
    """
    if not isinstance(data, Mapping):
        return {}
    found = {
        " ".join(str(topic).split())[:80]: tuple(
            site[:2000] for site in sites if isinstance(site, str) and is_web(site)
        )[:MOST_SITES]
        for topic, sites in data.items()
        if isinstance(sites, (list, tuple))
    }
    return {topic: sites for topic, sites in list(found.items())[:MOST_TOPICS] if topic and sites}
