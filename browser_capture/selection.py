"""The passage a person has selected on a page, with the text beside it by which its place is known among equal ones."""

from __future__ import annotations

from collections.abc import Mapping

from browser_capture.sources.wire import WireTab

IS_WRITTEN = """(range => {
  let field = document.activeElement, sees = false;
  const below = host => host && host.shadowRoot && host.shadowRoot.activeElement;
  for (; below(field); sees = true) field = below(field);
  if (document.designMode === "on" || (field && (/^(input|textarea|select)$/.test(field.localName)
    || field.isContentEditable || field.matches("[role=textbox], [role=searchbox], [role=combobox]")))) return true;
  // A selection in a shadow tree shows as an empty range; in a closed one nobody sees whether it is of a field.
  const isHidden = range.collapsed && field && field !== document.body;
  if (isHidden && !(sees && !field.localName.includes("-"))) return true;
  // A selection over the whole page holds what a person wrote into it, too.
  const places = document.querySelectorAll(
    "[contenteditable]:not([contenteditable=false]), [role=textbox], [style*=user-modify]");
  return [...places].some(place => range.intersectsNode(place));
})"""
"""A function of a range: does the selection hold what a person wrote into the page? That is nobody's to read."""

SELECTION = f"""() => {{
  const chosen = getSelection();
  const quote = String(chosen || "").trim();
  if (!quote || !chosen.rangeCount) return null;
  const range = chosen.getRangeAt(0);
  if ({IS_WRITTEN}(range)) return null;
  const around = (node, from, to) => (node && node.nodeType === 3 ? node.data.slice(Math.max(0, from), to) : "");
  return {{
    quote: quote.slice(0, 2000),
    prefix: around(range.startContainer, range.startOffset - 80, range.startOffset),
    suffix: around(range.endContainer, range.endOffset, range.endOffset + 80),
  }};
}}"""
"""Returns the selected passage of a page, nothing of what a person wrote."""


async def selected_passage(tab: WireTab) -> Mapping[str, str] | None:
    """Return quote, prefix and suffix of what is selected in a tab's page, None for nothing. Raises WireError."""
    found = await tab.evaluate(SELECTION)
    if not isinstance(found, dict) or not found.get("quote"):
        return None
    return {name: str(found.get(name) or "") for name in ("quote", "prefix", "suffix")}
