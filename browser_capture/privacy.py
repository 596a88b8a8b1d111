"""What never enters a recording: addresses that are nobody's business, and what a person typed into a page.

The recorder's own script reads no field. These functions see to the rest: pages that are left out whole, and fields
whose content a page copied into its own HTML.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from lxml import html

from browser_capture.urls import host, is_web, origin

_DENIED_HOSTS = re.compile(
    r"localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1|.*\.local"
    r"|(?:mail|accounts|myaccount|passwords|contacts|calendar|keep|chat)\.google\.com"
    r"|outlook\.(?:live|office|office365)\.com|(?:login|account)\.(?:live|microsoftonline|microsoft)\.com"
    r"|(?:mail|login)\.yahoo\.com|(?:.*\.)?(?:proton\.me|protonmail\.com|icloud\.com|web\.whatsapp\.com|paypal\.com)"
    r"|(?:ebanking|e-banking|netbanking|banking|webmail)\..+|.+\.bank"
)
_USER = re.compile(r"^(https?://)[^/?#@]*@", re.IGNORECASE)
_TYPED_INPUTS = "not(@type) or not(contains('|button|submit|reset|image|checkbox|radio|', concat('|', @type, '|')))"


class Privacy:
    """Says which pages are recorded. `own_origins` are the annotation server's and the panel's."""

    def __init__(self, own_origins: Collection[str] = ()) -> None:
        self._own = frozenset(own_origins)

    def is_recorded(self, url: str) -> bool:
        """Tell whether what happens at this address may be recorded.

        >>> Privacy(["http://annotate.example"]).is_recorded("http://annotate.example/panel/1")
        False
        """
        return is_web(url) and origin(url) not in self._own and _DENIED_HOSTS.fullmatch(host(url)) is None

    def url_or_none(self, url: str | None) -> str | None:
        """Return the address when it may be recorded, else None."""
        return url if url is not None and self.is_recorded(url) else None


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


def scrub_fields(tree: html.HtmlElement) -> bool:
    """Empty, in a parsed page, every field a person may have typed into. Returns whether anything was there.

    Some pages mirror what is typed into the `value` attribute, or let people write into the page itself.
    """
    typed = tree.xpath(f"//input[@value!='' and ({_TYPED_INPUTS})]")
    for field in typed:
        field.set("value", "")
    filled = tree.xpath("//textarea[node()] | //*[@contenteditable and @contenteditable!='false'][node()]")
    for field in filled:
        del field[:]
        field.text = None
    return bool(typed or filled)
