"""How a new tab came about: what is known of it and what waited for it come in, one word goes out. Pure."""

from __future__ import annotations

from browser_capture.causes import TYPED, Act
from browser_capture.sources.tabs import Met

_EMPTY_TABS = ("chrome://new", "edge://new", "about:newtab")


def opened_how(met: Met, waits: Act | None) -> str:
    """Return the `how` of a `tab_open` event.

    existing (there before the recorder); restore (opened again by the browser); click_newtab (a click on a link, by
    whatever key or target); window_open (a script or a form); address_bar (by hand, empty or with an address);
    unknown.
    """
    if met.existed:
        return "existing"
    transition = met.first.transition if met.first is not None else None
    if waits is not None:
        return "click_newtab" if waits.kind == "click" or waits.reason == "anchorClick" else "window_open"
    if met.opener is not None:
        return "window_open"
    if transition == "reload":
        return "restore"
    by_hand = transition in TYPED or (met.first is not None and met.first.url.startswith(_EMPTY_TABS))
    return "address_bar" if by_hand else "unknown"
