"""Every rule by which two cells may count as equal: its id, what it says, an example.

A score lists the ids of the rules a match needed; the sentences are for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from verifier.answers.columns import Column


class Rule(NamedTuple):
    """A rule of normalisation: `before` and `after` are equal in `column` by this rule alone."""

    id: str
    says: str
    before: str
    after: str
    column: Column = Column(name="Value")


_NUMBER = Column(name="Value", type="number")
_DAY = Column(name="Day", type="date", date_format="MM-DD-YYYY")
_SITE = Column(name="Site", type="url")

_RULES = (
    Rule("compatibility", "wide, ligature and other compatibility forms are their plain signs (NFKC)", "ＡＢＣ", "ABC"),
    Rule("spaces", "spaces of every kind do not count; one between two numbers does", "new \u00a0 york", "newyork"),
    Rule("case", "upper and lower case are the same", "Tokyo", "TOKYO"),
    Rule("invisible", "zero-width and control signs are removed", "Tok\u200byo", "Tokyo"),
    Rule("dashes", "dashes and the minus sign are one sign", "1914–1918", "1914-1918"),
    Rule("quotes", "curly and straight quotes are one sign", "King’s Day", "King's Day"),
    Rule("quoted", "quotes around the whole cell are removed", '"Heroes"', "Heroes"),
    Rule("entities", "HTML entities are read", "AT&amp;T", "AT&T"),
    Rule("line_break", "a <br> inside a cell is a space", "Paris<br>France", "Paris France"),
    Rule("markdown", "paired markdown, links and backslashes before marks are removed", "**Tokyo**", "Tokyo"),
    Rule("superscript", "a raised figure after a letter is plain, after a figure a power", "10²", "10^2"),
    Rule("null", "a blank, -, N/A and the column's null marker all mean no value", "N/A", "-"),
    Rule("grouping", "what groups thousands is removed", "1,000", "1000"),
    Rule("currency", "a currency sign or code beside a number is removed", "US$1500", "1500"),
    Rule("percent", "a percent sign divides by 100, unless the header or the unit says percent", "50%", "0.5"),
    Rule("sign", "a plus before a number, or a minus before zero, is removed", "+5", "5"),
    Rule("trailing_zeros", "zeros at the end of decimals do not count", "3.10", "3.1"),
    Rule("leading_zeros", "zeros before a number do not count, in number columns only", "007", "7", _NUMBER),
    Rule("decimal_comma", "a decimal comma is a point, in number columns and beside a currency or percent sign",
         "3,14", "3.14", _NUMBER),
    Rule("unit", "the column's unit beside a number is removed", "12 km", "12",
         Column(name="Length", type="number", unit="km")),
    Rule("date_separator", "the signs between the parts of a date do not count", "01/05/2024", "01-05-2024", _DAY),
    Rule("date_padding", "days and months may stand without their zero", "1-5-2024", "01-05-2024", _DAY),
    Rule("boolean_word", "the words for yes, and those for no, are the same", "true", "yes",
         Column(name="Law", type="boolean")),
    Rule("url_scheme", "http:// and https:// do not count", "http://a.example", "a.example", _SITE),
    Rule("url_host", "www. and the case of the host do not count", "www.A.example/x", "a.example/x", _SITE),
    Rule("url_slash", "a slash at the end of an address does not count", "a.example/x/", "a.example/x", _SITE),
    Rule("url_escape", "percent escapes of letters are read", "a.example/K%C3%B6ln", "a.example/Köln", _SITE),
    Rule("alias", "a spelling the question accepts is the value it stands for", "Holland", "Netherlands",
         Column(name="Country", aliases=(("Netherlands", "Holland"),))),
    Rule("tolerance", "a number may be off as far as the question says", "10.2", "10",
         Column(name="Mass", type="number", tolerance="0.25")),
)  # fmt: skip

RULES: Mapping[str, Rule] = {rule.id: rule for rule in _RULES}
"""Every rule by its id. Where two rules could explain a match, the later one is named."""
