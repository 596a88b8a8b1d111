"""The passage a person has selected on a page, with the text beside it by which its place is known among equal ones."""

from __future__ import annotations

from collections.abc import Mapping

from browser_capture.sources.wire import WireTab

_SELECTION = """() => {
  const chosen = getSelection();
  const quote = String(chosen || "").trim();
  if (!quote || !chosen.rangeCount) return null;
  const range = chosen.getRangeAt(0);
  const around = (node, from, to) => (node && node.nodeType === 3 ? node.data.slice(Math.max(0, from), to) : "");
  return {
    quote: quote.slice(0, 2000),
    prefix: around(range.startContainer, range.startOffset - 80, range.startOffset),
    suffix: around(range.endContainer, range.endOffset, range.endOffset + 80),
  };
}"""


async def selected_passage(tab: WireTab) -> Mapping[str, str] | None:
    """Return quote, prefix and suffix of what is selected in a tab's page, None for nothing. Raises WireError."""
    found = await tab.evaluate(_SELECTION)
    if not isinstance(found, dict) or not found.get("quote"):
        return None
    return {name: str(found.get(name) or "") for name in ("quote", "prefix", "suffix")}
