"""Results behind links that only the engine can read come in; the addresses that the page itself still tells go out.

Since the summer of 2026 Google gives many browsers links such as `/goto?url=CAES...`. The real address is sometimes in
the data of the page's scripts, beside the sealed one; the address line of the result says on which host it must be.
A snapshot has no scripts: there a sealed link stays, and a click on it shows where it leads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from lxml import html

from browser_capture.urls import host, is_web, seal_of

_DATA = re.compile(r"\bm\s*=\s*(?=\{)")
_DEEPEST = 40
_MOST_ADDRESSES = 500


class _Told(NamedTuple):
    """What a part of the data tells: sealed links by their seal, and plain addresses."""

    seals: frozenset[str]
    addresses: tuple[str, ...]


def unsealed(tree: html.HtmlElement, cites: Mapping[str, str]) -> Mapping[str, str]:
    """Return the addresses that stand behind seals; `cites` gives the address line of each seal's result."""
    hosts = {seal: name for seal, cite in cites.items() if (name := _host_of(cite))}
    found: dict[str, str] = {}
    for data in _script_data(tree) if hosts else ():
        _read(data, hosts, found, 0)
    return {seal: address for seal, address in found.items() if address}


def _script_data(tree: html.HtmlElement) -> Iterator[Any]:
    for script in tree.iter("script"):
        text = script.text or ""
        for place in islice(_DATA.finditer(text), 5) if "url" in text else ():
            try:
                yield json.JSONDecoder().raw_decode(text, place.end())[0]
            except (ValueError, RecursionError):
                continue


def _read(data: Any, hosts: Mapping[str, str], found: dict[str, str], depth: int) -> _Told:
    """Match seals and addresses in the smallest part of the data that holds both; where two fit, neither is taken."""
    if isinstance(data, str):
        seal = seal_of(data if is_web(data) else f"https://www.google.com{data}") or (data if data in hosts else None)
        if seal is not None:
            return _Told(frozenset({seal}), ())
        return _Told(frozenset(), (data,) if is_web(data) else ())
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    told = [_read(part, hosts, found, depth + 1) for part in parts] if depth < _DEEPEST else []
    seals = frozenset[str]().union(*(part.seals for part in told))
    addresses = tuple(islice((address for part in told for address in part.addresses), _MOST_ADDRESSES))
    for seal in seals - found.keys():
        fitting = {address for address in addresses if host(address) == hosts.get(seal)}
        if fitting:
            found[seal] = fitting.pop() if len(fitting) == 1 else ""
    return _Told(seals, addresses)


def _host_of(cite: str) -> str:
    first = cite.split()[0] if cite.split() else ""
    return host(first) or (host(f"https://{first}") if "." in first else "")
