"""Where the browser's window and the panel's stand: the room of a screen comes in, two places go out. Pure."""

from __future__ import annotations

from typing import NamedTuple

PANEL_WIDTH = 380
MAIN_WIDTH, HEIGHT = 1280, 900
LEAST_MAIN = 640
"""Narrower than this the browser's window stays as it is, and the panel lies over its right edge."""


class Place(NamedTuple):
    """A place on the screen, in pixels."""

    left: int
    top: int
    width: int
    height: int


def side_by_side(screen: Place, panel_width: int = PANEL_WIDTH) -> tuple[Place | None, Place]:
    """Return the places of the browser's window and of the panel, all on the screen; None for a window to leave alone.

    `screen` is the part of it that takes windows; a browser may allow no window as narrow as the panel should be.

    >>> side_by_side(Place(0, 25, 1500, 875), 500)
    (Place(left=0, top=25, width=1000, height=875), Place(left=1000, top=25, width=500, height=875))
    """
    height = min(HEIGHT, screen.height)
    main_width = min(MAIN_WIDTH, screen.width - panel_width)
    left = screen.left + max(0, main_width)
    panel = Place(left, screen.top, min(panel_width, screen.width), height)
    if main_width < LEAST_MAIN:
        return None, panel
    return Place(screen.left, screen.top, main_width, height), panel
