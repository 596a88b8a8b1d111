"""What never enters a recording: addresses that are nobody's business, and what a person typed into a page.

The recorder's own script reads no field. These functions see to the rest: pages that are left out whole, and fields
whose content a page copied into its own HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from lxml import html

from browser_capture.private_places import is_private
from browser_capture.unsent import UnsentAddresses
from browser_capture.urls import is_web, origin, unwrap_redirect

NO_ADDRESS = "about:blank"
_USER = re.compile(r"^(https?://)[^/?#@]*@", re.IGNORECASE)
_COPY = re.compile("data-.*(value|text|content)", re.IGNORECASE)
"""Where a box repeats what its field holds, so that a style sheet makes it grow with the text."""
_TYPED_INPUTS = "not(@type) or not(contains('|button|submit|reset|image|checkbox|radio|', concat('|', @type, '|')))"


class Privacy:
    """Says which pages are recorded, by which address. `own_origins` are the annotation server's and the panel's."""

    def __init__(self, own_origins: Collection[str] = ()) -> None:
        self._own = frozenset(own_origins)
        self._written = set[str]()
        self._rewritten = set[str]()
        self.unsent = UnsentAddresses()

    def is_recorded(self, url: str) -> bool:
        """Tell whether what happens at this address may be recorded; a search engine's redirect counts as its target.

        >>> Privacy(["http://annotate.example"]).is_recorded("http://annotate.example/panel/1")
        False
        """
        return is_web(url) and not any(map(self._is_denied, {url, unwrap_redirect(url)}))

    def _is_denied(self, url: str) -> bool:
        return origin(url) in self._own or is_private(url)

    def note_written(self, url: str) -> None:
        """Note a document that is one field as a whole, such as the frame of an old editor: it is kept no more."""
        # A frame made by its page has no address of its own in a snapshot.
        self._written.add(NO_ADDRESS if url.startswith("about:") else url)

    def note_rewritten(self, url: str) -> None:
        """Note that a page changed what stands behind the `#` of its address."""
        if "#" in url:
            self._rewritten.add(url.partition("#")[0])

    def visit_address(self, url: str) -> str:
        """Return the address of a visit; what a page itself wrote while a person typed is taken away.

        >>> Privacy().visit_address("https://a.example/#part")
        'https://a.example/#part'
        """
        said = self.unsent.said(url)
        return without_place(said) if url.partition("#")[0] in self._rewritten else clean_address(said)

    def may_show(self, url: str) -> bool:
        """Tell whether a document or a frame of this address may stand in a snapshot.

        >>> Privacy().may_show("about:blank"), Privacy().may_show("https://accounts.google.com/gsi")
        (True, False)
        """
        return url not in self._written and (not is_web(url) or self.is_recorded(url))

    def url_or_none(self, url: str | None) -> str | None:
        """Return the address when it may be recorded, without what was typed and not sent; else None."""
        return self.unsent.said(url) if url is not None and self.is_recorded(url) else None


def clean_address(url: str) -> str:
    """Return an address without what is nobody's business: user name and password, and a fragment that holds values.

    Fragments that name a place in the page stay.

    >>> clean_address("https://ann:secret@a.example/x?y=1#access_token=1"), clean_address("https://a.example/#part")
    ('https://a.example/x?y=1', 'https://a.example/#part')
    """
    before, mark, fragment = url.partition("#")
    if "=" in fragment.partition(":~:text=")[0]:
        mark = fragment = ""
    return _USER.sub(r"\1", before) + mark + fragment


def without_place(url: str) -> str:
    """Return a clean address without its fragment, which a page may write while a person types. `#!` names a document.

    >>> without_place("https://a.example/#typed"), without_place("https://a.example/#!/document")
    ('https://a.example/', 'https://a.example/#!/document')
    """
    before, mark, fragment = clean_address(url).partition("#")
    return before + (mark + fragment if fragment.startswith("!") else "")


def clean_members(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of an event with clean addresses. Links keep their fragments: those stand in the page.

    >>> clean_members({"to_url": "https://a.example/#typed", "link_url": "https://a.example/#part", "n": 1})
    {'to_url': 'https://a.example/', 'link_url': 'https://a.example/#part', 'n': 1}
    """
    return {name: _clean_member(name, value) for name, value in data.items()}


def _clean_member(name: str, value: Any) -> Any:
    if name in _CLEANERS and isinstance(value, str):
        return _CLEANERS[name](value)
    if name in _LISTS and isinstance(value, (list, tuple)):
        return [clean_members(item) if isinstance(item, Mapping) else item for item in value]
    return value


def scrub_fields(tree: html.HtmlElement) -> bool:
    """Empty, in a parsed page, every field a person may have typed into. Returns whether anything was there.

    Some pages mirror what is typed into the `value` attribute, or let people write into the page itself.
    """
    typed = tree.xpath(f"//input[@value!='' and ({_TYPED_INPUTS})]")
    for field in typed:
        field.set("value", "")
    editable = "//*[@contenteditable and @contenteditable!='false'][node()]"
    styled = "//*[contains(@style, 'user-modify') and contains(@style, 'write')][node()]"
    filled = tree.xpath(f"//textarea[node()] | {editable} | {styled} | //*[@role='textbox'][node()]")
    filled += _hints(tree)
    for field in filled:
        del field[:]
        field.text = None
    boxes = tree.xpath("//*[textarea or input][@*]")
    copies = [(box, name) for box in boxes for name, value in box.items() if value and _COPY.match(name)]
    for box, name in copies:
        box.set(name, "")
    return bool(typed or filled or copies)


def _hints(tree: html.HtmlElement) -> list[html.HtmlElement]:
    """Return the lists a page holds out while somebody types: what was typed stands in them."""
    lists = tree.xpath("//*[@role='listbox'][node()]")
    owners = tree.xpath("//*[self::input or self::textarea or @role='combobox' or @role='searchbox']") if lists else []
    owned = {
        name for owner in owners for member in ("aria-controls", "aria-owns") for name in owner.get(member, "").split()
    }
    inside = "ancestor::form[.//input or .//textarea] or ancestor::*[@role='combobox' or @role='search']"
    return [found for found in lists if found.get("id") in owned or found.xpath(inside)]


_CLEANERS: Mapping[str, Callable[[str], str]] = {
    "url": without_place,
    "to_url": without_place,
    "first_url": without_place,
    "location": without_place,
    "typed_url": without_place,
    "link_url": clean_address,
    "link_target_url": clean_address,
}
"""Members of events that are addresses. Those of results stand in the page and are left as they are."""
_LISTS = frozenset({"chain"})
