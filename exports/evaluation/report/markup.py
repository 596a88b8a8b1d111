"""HTML built from parts: text is escaped, markup is not, so that no page title or reply can break the report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

VOID = frozenset({"br", "line", "rect", "meta"})
"""Elements without contents, as far as the report needs them."""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


# What no HTML file may hold: control characters and halves of surrogate pairs. Replies and pages may bring them.
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff]")

Child = Html | str | None
"""None leaves nothing behind."""


def el(tag: str, *children: Child | Iterable[Child], **attributes: str | int | None) -> Html:
    """Return an element. `class_` and `aria_label` become `class` and `aria-label`; None leaves an attribute out.

    >>> el("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in VOID:
        return Html(f"<{tag}{written}>") if tag in ("br", "meta") else Html(f"<{tag}{written}/>")
    return Html(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: Child | Iterable[Child]) -> Html:
    """Return parts one after another."""
    return Html("".join(_text(child) for child in children))


def _text(child: Child | Iterable[Child]) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return str(child)
    if isinstance(child, str):
        return escape(_NOT_TEXT.sub("\ufffd", child))
    return "".join(_text(one) for one in child)
