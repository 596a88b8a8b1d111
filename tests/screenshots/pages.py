"""The table of pages: where each one is, who looks at it, with how many rows, in how wide a window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from annotator_server.clock import iso, utc_now
from browser_capture.start_sites import START_SITES
from tests.screenshots.homes import ANA, MANY, NOOR, ONE, OTTO, RITA

AMOUNTS = (0, 1, 1000)
THEMES = ("light", "dark")
WIDTHS = (1280, 390)
PANEL_WIDTHS = (380, 900)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page to take pictures of. `{words}` in its path stand for the places of a home."""

    name: str
    path: str
    person: str = ""
    project: str = MANY
    amounts: tuple[int, ...] = AMOUNTS
    widths: tuple[int, ...] = WIDTHS
    press: str = ""
    """The button that is pressed before the picture is taken."""
    heard: Mapping[str, Any] = field(default_factory=dict)
    """What the recorder tells the panel."""
    cell: str = ""
    """The cell of the panel's grid that one is in."""


RECORDING: Mapping[str, Any] = {
    "session": "s-1",
    "task": "t",
    "state": "recording",
    "started_at": iso(utc_now() - timedelta(minutes=12, seconds=34)),
    "events": 214,
    "uploaded_seq": 190,
    "queue": 24,
    "uploading": True,
    "problem": None,
    "warnings": ["The page https://docs.example.org/modules/superseded/index.html could not be kept whole"],
    "last": [
        {"type": "query", "text": "superseded modules python 3.13", "at": "2026-09-21T14:13:20Z"},
        {
            "type": "visit",
            "text": "Superseded modules: what to use instead, version by version",
            "at": "2026-09-21T14:14:02Z",
        },
        {"type": "click", "text": "https://docs.example.org/" + "modules/" * 12, "at": "2026-09-21T14:14:31Z"},
    ],
}

SEVERAL: Mapping[str, Any] = {
    **RECORDING,
    "state": "uploaded",
    "uploaded_seq": 214,
    "warnings": [],
    "counts": {"query": 3, "visit": 14, "click": 11, "copy": 9, "evidence": 1},
}

LOOKING: Mapping[str, Any] = {
    "topic": "Science",
    "sites": {topic: list(sites) for topic, sites in START_SITES.items()},
    "page": None,
    "words": "",
    "kept": [],
    "count": 0,
    "waits": 0,
    "refusal": None,
    "problem": None,
}
JOTTING: Mapping[str, Any] = {
    **LOOKING,
    "page": {
        "url": "https://docs.example.org/modules/superseded/index.html",
        "title": "Superseded modules: what to use instead, version by version",
        "quote": "Of the forty-one lights that were lit on the northern coast before 1850, nine still burn. " * 5,
        "at": "2026-09-21T14:13:20Z",
    },
    "words": "Which lights were lit before 1850 and still burn?",
    "kept": [{"question": "Which of these modules were superseded twice?", "title": "Superseded modules"}],
    "count": 1,
}
JOTS_KEPT: Mapping[str, Any] = {
    **LOOKING,
    "kept": [
        {"question": "Who built the ferry piers of the islands, and when was each one rebuilt? " * 3, "title": "Piers"},
        {"question": "", "title": "Superseded modules: what to use instead, version by version"},
    ]
    * 6,
    "count": 12,
    "waits": 12,
    "refusal": "This page is not kept: it is private, or no page of the web.",
    "problem": "cannot reach http://annotate.example.org: connection refused",
}

PAGES = (
    Shown(name="sign in", path="/sign-in", amounts=(0,)),
    Shown(name="my work of an annotator", path="/", person=ANA),
    Shown(name="my work of a reviewer", path="/", person=RITA),
    Shown(name="my work of a researcher", path="/", person=NOOR, amounts=(0,)),
    Shown(name="my work with a claim", path="/", person=ANA, project=ONE, amounts=(1,)),
    Shown(name="questions", path="/questions", person=ANA),
    Shown(name="questions not found", path="/questions?q=zebra", person=ANA, amounts=(1,)),
    Shown(name="new question", path="/questions/new", person=ANA, amounts=(0,)),
    Shown(name="new question refused", path="/questions/new", person=ANA, amounts=(0,), press="Mark ready"),
    Shown(name="seeds", path="/seeds", person=ANA),
    Shown(name="question from a seed", path="/questions/new?seed={seed}", person=ANA, project=ONE, amounts=(1, 1000)),
    Shown(name="question editor", path="/questions/{draft}/edit", person=ANA, project=ONE, amounts=(1, 1000)),
    Shown(name="question in draft", path="/questions/{draft}", person=ANA, project=ONE, amounts=(1, 1000)),
    Shown(name="question held", path="/questions/{held}", person=ANA, project=ONE, amounts=(0,)),
    Shown(name="question held by another", path="/questions/{held}", person=RITA, project=ONE, amounts=(0,)),
    Shown(name="question answered", path="/questions/{answered}", person=RITA, project=ONE, amounts=(1, 1000)),
    Shown(name="question returned", path="/questions/{returned}", person=ANA, project=ONE, amounts=(1,)),
    Shown(name="queue", path="/reviews", person=RITA),
    Shown(name="review", path="/reviews/{answered}", person=RITA, project=ONE, amounts=(1, 1000)),
    Shown(
        name="review of a pasted cell",
        path="/reviews/{answered}?order=answered&row=0&column=Since",
        person=RITA,
        project=ONE,
        amounts=(1,),
    ),
    Shown(
        name="review of a typed cell",
        path="/reviews/{answered}?order=answered&row=0&column=Removed",
        person=RITA,
        project=ONE,
        amounts=(1,),
    ),
    Shown(
        name="review as answered", path="/reviews/{answered}?order=answered", person=RITA, project=ONE, amounts=(1000,)
    ),
    Shown(name="review refused", path="/reviews/{answered}", person=RITA, project=ONE, amounts=(1,), press="Return"),
    Shown(name="review of a returned answer", path="/reviews/{returned}", person=RITA, project=ONE, amounts=(1,)),
    Shown(name="panel", path="/panel/{held}", person=ANA, project=ONE, widths=PANEL_WIDTHS),
    Shown(
        name="panel while recording",
        path="/panel/{held}",
        person=ANA,
        project=ONE,
        widths=PANEL_WIDTHS,
        heard=RECORDING,
    ),
    Shown(
        name="panel pasted and typed",
        path="/panel/{pasted}",
        person=ANA,
        project=ONE,
        amounts=(1, 1000),
        widths=PANEL_WIDTHS,
        heard=RECORDING,
        cell="Since, row 2",
    ),
    Shown(
        name="panel ready to submit",
        path="/panel/{pasted}",
        person=ANA,
        project=ONE,
        amounts=(1,),
        widths=PANEL_WIDTHS,
        heard=SEVERAL,
    ),
    Shown(
        name="panel as text",
        path="/panel/{pasted}",
        person=ANA,
        project=ONE,
        amounts=(1,),
        widths=PANEL_WIDTHS,
        press="Text",
    ),
    Shown(name="panel of one value", path="/panel/{item}", person=ANA, project=ONE, amounts=(0,), widths=PANEL_WIDTHS),
    Shown(name="jot panel", path="{jot}", amounts=(0,), widths=PANEL_WIDTHS, heard=LOOKING),
    Shown(name="jot panel with a page", path="{jot}", amounts=(0,), widths=PANEL_WIDTHS, heard=JOTTING),
    Shown(name="jot panel with the server away", path="{jot}", amounts=(0,), widths=PANEL_WIDTHS, heard=JOTS_KEPT),
    Shown(name="panel of the recorder", path="{shell}", amounts=(0,), widths=PANEL_WIDTHS, heard=RECORDING),
    Shown(
        name="panel of a returned question",
        path="/panel/{returned}",
        person=ANA,
        project=ONE,
        amounts=(1,),
        widths=PANEL_WIDTHS,
    ),
    Shown(name="panel handed in", path="/panel/{answered}", person=ANA, project=ONE, amounts=(1,), widths=PANEL_WIDTHS),
    Shown(name="recorded page", path="/pages/{page}?start=0&end=18", person=RITA, project=ONE, amounts=(1, 1000)),
    Shown(name="recorded page as seen", path="/pages/{page}?view=seen", person=RITA, project=ONE, amounts=(1,)),
    Shown(name="pair a machine", path="/account/pair", person=ANA, amounts=(0,)),
    Shown(name="pairing code", path="/account/pair", person=ANA, amounts=(0,), press="Show code"),
    Shown(name="people", path="/people", person=OTTO, amounts=(0,)),
    Shown(name="not found", path="/nowhere", person=ANA, amounts=(0,)),
    Shown(name="report", path="{report}"),
)
