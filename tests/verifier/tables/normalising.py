"""Which cells are the same, which are not, and which are nearly so: the rules by example.

The tests run them and `docs/scoring.md` prints them; the note is for users.
"""

from __future__ import annotations

from typing import NamedTuple

from verifier.answers.columns import Column


class Pair(NamedTuple):
    """Two cells of a column, and why they are equal or not."""

    column: Column
    one: str
    other: str
    note: str


class NearPair(NamedTuple):
    """Two unequal cells of a column, and why they are near."""

    column: Column
    one: str
    other: str
    reason: str
    note: str


ANY = Column(name="Value")
TEXT = Column(name="Value", type="text")
NUMBER = Column(name="Value", type="number")
INTEGER = Column(name="Value", type="integer")
LENGTH = Column(name="Length", type="number", unit="km")
AREA = Column(name="Area", type="number", unit="km²")
MASS = Column(name="Mass", type="number", tolerance="0.25")
SHARE = Column(name="Share", type="percent")
SHARE_IN_PERCENT = Column(name="Share (%)", type="percent")
ANY_IN_PERCENT = Column(name="Share (%)")
DAY = Column(name="Day", type="date", date_format="MM-DD-YYYY")
ISO_DAY = Column(name="Day", type="date", date_format="YYYY-MM-DD")
LONG_DAY = Column(name="Day", type="date", date_format="Month D, YYYY")
SHORT_DAY = Column(name="Day", type="date", date_format="DD-Mon-YY")
OF_DAY = Column(name="Day", type="date", date_format="D of Month YYYY")
TIGHT_DAY = Column(name="Day", type="date", date_format="YYYYMMDD")
CJK_DAY = Column(name="Day", type="date", date_format="YYYY年M月D日")
YEAR = Column(name="Year", type="date", date_format="YYYY")
YES_NO = Column(name="Law", type="boolean")
ADDRESS = Column(name="Site", type="url")
END = Column(name="End", type="date", date_format="YYYY", null_marker="present")
COUNTRY = Column(name="Country", aliases=(("Netherlands", "Holland", "NL"), ("Czechia", "Czech Republic")))

SAME: tuple[Pair, ...] = (
    Pair(ANY, "New York", "  new  york ", "Case and spaces do not count."),
    Pair(ANY, "New York", "new\u00a0york", "Nor do the no-break spaces of web pages."),
    Pair(ANY, "May 5, 2024", "May 5,2024", "Nor a space behind a comma."),
    Pair(ANY, "Beyoncé", "Beyonce\u0301", "A letter with its accent is one sign, however it is stored."),
    Pair(ANY, "ABC", "ＡＢＣ", "Full-width letters are letters."),
    Pair(ANY, "Office", "Oﬀice", "Ligatures are their letters."),
    Pair(ANY, "Straße", "STRASSE", "Case folding knows the sharp s."),
    Pair(ANY, "Tokyo", "Tok\u200byo", "Zero-width signs are invisible to a reader."),
    Pair(ANY, "1914-1918", "1914–1918", "Every dash is a hyphen."),
    Pair(ANY, "King’s Day", "King's Day", "Curly quotes are straight ones."),
    Pair(ANY, "Hawaiʻi", "Hawai'i", "So are the letters that look like one."),
    Pair(ANY, "Heroes", '"Heroes"', "Quotes around the whole cell are decoration."),
    Pair(ANY, '"Weird Al" Yankovic', "“Weird Al” Yankovic", "Quotes inside stay, in one form."),
    Pair(ANY, "AT&T", "AT&amp;T", "HTML entities are read, twice escaped ones too."),
    Pair(ANY, "Paris France", "Paris<br>France", "A line break of HTML is a space."),
    Pair(ANY, "1234", "**1,234**", "Paired bold marks are decoration, before a number is read."),
    Pair(ANY, "Moby Dick", "_Moby Dick_", "So are paired underscores, single or double."),
    Pair(ANY, "print()", "`print()`", "Code marks too."),
    Pair(ANY, "Paris", "[Paris](https://paris.example/)", "A link is its text."),
    Pair(ANY, "A*", r"A\*", "A backslash before a mark of markdown is no sign of its own."),
    Pair(ANY, "10²", "10^2", "A raised figure behind a figure is a power."),
    Pair(ANY, "1,234 km²", "1234 km2", "Behind a letter it is a plain figure."),
    Pair(ANY, "½", "1/2", "Fractions are their figures."),
    Pair(ANY, "1,000", "1000", "Commas that group thousands are removed."),
    Pair(ANY, "12,34,567", "1234567", "Indian grouping too."),
    Pair(ANY, "1234567", "1.234.567", "Dots group where there are two or more."),
    Pair(ANY, "1234567", "1\u202f234\u202f567", "Narrow and plain spaces group."),
    Pair(ANY, "1234567", "1'234'567", "So does the Swiss apostrophe."),
    Pair(ANY, "1000", "1.000,00 €", "Dots and a comma together leave no doubt."),
    Pair(ANY, "1,234 km", "1234 km", "Grouping goes before a unit as well."),
    Pair(ANY, "1234567 km", "1.234.567 km", "In any of its forms."),
    Pair(ANY, "about 1,234 men", "about 1234 men", "Commas inside a text too, where they group."),
    Pair(ANY, "1000", "€1,000", "A currency sign is removed; which one it was does not count."),
    Pair(ANY, "$1500", "US$1,500", "With the country before it."),
    Pair(ANY, "1500", "1500 USD", "Or as a code."),
    Pair(ANY, "₹12,34,567", "Rs. 12,34,567", "Or as a word everybody writes."),
    Pair(ANY, "5.50", "5,50 €", "Beside a currency or percent sign a comma is a decimal comma."),
    Pair(ANY, "-5", "−5", "The minus sign is a hyphen."),
    Pair(ANY, "-5", "-$5", "The sign may stand before the currency."),
    Pair(ANY, "5", "+5", "A plus says nothing."),
    Pair(ANY, "0", "-0", "Zero has no sign."),
    Pair(ANY, "0.5", ".5", "The zero before the point may be missing."),
    Pair(ANY, "0.5", "50%", "A percent sign divides by 100."),
    Pair(ANY, "12%", "12％", "The full-width one too."),
    Pair(ANY, "12%", "12 percent", "And the word."),
    Pair(ANY, "3.10", "3.1", "Zeros at the end of decimals do not count; declare versions as text."),
    Pair(ANY_IN_PERCENT, "12.5", "12.5%", "The header says percent already."),
    Pair(ANY, "-", "N/A", "A hyphen and N/A mean no value."),
    Pair(ANY, "", "—", "So do a blank and any dash."),
    Pair(ANY, "", "n / a", "Spaces do not count here either."),
    Pair(COUNTRY, "Netherlands", "HOLLAND", "An accepted spelling counts as the value, in any case."),
    Pair(TEXT, "İzmir–Köln", "i̇zmir-köln", "Text is folded as above; figures in it are not read."),
    Pair(TEXT, "1,2", "1, 2", "Spaces do not count, except between two figures."),
    Pair(NUMBER, "3.14", "3,14", "A number column reads a decimal comma."),
    Pair(NUMBER, "0.123", "0,123", "Grouping never begins with a zero."),
    Pair(NUMBER, "7", "007", "A number column drops leading zeros."),
    Pair(NUMBER, "1234 miles", "1,234 miles", "A cell that misses its type is compared as text without grouping."),
    Pair(INTEGER, "1996", "1996.0", "Decimals that are zero do not count."),
    Pair(INTEGER, "none", "", "Null words mean no value where no text may stand."),
    Pair(LENGTH, "12", "12 km", "The declared unit may stand beside the number."),
    Pair(AREA, "357,022 km²", "357022 km2", "In the spellings of a raised figure."),
    Pair(MASS, "10", "10.2", "A declared tolerance is exact: 10.25 is in, 10.26 is not."),
    Pair(SHARE, "12.5%", "0.125", "A percent column without (%) in its header holds parts of one."),
    Pair(SHARE_IN_PERCENT, "12.5", "12.5 %", "One with (%) holds percents."),
    Pair(DAY, "01-05-2024", "1/5/2024", "Zero padding and separators do not count."),
    Pair(DAY, "01-05-2024", "01.05.2024", "Any of - / . , and space separates."),
    Pair(LONG_DAY, "June 17, 1996", "june 17 1996", "Month names in any case."),
    Pair(SHORT_DAY, "27-Apr-96", "27 APR 96", "Abbreviations are the first three letters."),
    Pair(OF_DAY, "5 of May 1996", "05 May 1996", "The form's own words separate; the usual signs do too."),
    Pair(TIGHT_DAY, "19960617", "1996-06-17", "A form without separators accepts them."),
    Pair(CJK_DAY, "1996年6月7日", "1996-06-07", "Signs behind the parts may be missing."),
    Pair(END, "present", "", "The column's own word for no value."),
    Pair(YES_NO, "Yes", "true", "One meaning, several words."),
    Pair(YES_NO, "No", "✗", "Ticks and crosses too."),
    Pair(ADDRESS, "https://www.a.example/x/", "http://A.example/x", "Scheme, www., case of the host, last slash."),
    Pair(ADDRESS, "a.example/Köln", "https://a.example/K%C3%B6ln", "Escaped letters are letters."),
    Pair(ADDRESS, "a.example/?x=1&y=2", "<a.example/?x=1&amp;y=2>", "Escaped signs of HTML and angle brackets go."),
    Pair(ADDRESS, "a.example/x", "[site](https://a.example/x)", "A link is its address."),
)

DIFFERENT: tuple[Pair, ...] = (
    Pair(ANY, "007", "7", "Leading zeros may be a code."),
    Pair(ANY, "9007199254740993", "9007199254740992", "Numbers are exact, never floating point."),
    Pair(ANY, "1234567890123456789", "1234567890123456788", "Long ids too."),
    Pair(ANY, "0.0000001", "0.0000004", "Nothing is rounded."),
    Pair(ANY, "1E5", "100000", "Exponents are no numbers: 1E5 may be a code."),
    Pair(ANY, "12_34", "1234", "Underscores group nothing."),
    Pair(ANY, "Infinity", "inf", "Words are words."),
    Pair(ANY, "Nan", "null", "Nan is a town."),
    Pair(ANY, "NA", "N/A", "NA is a code."),
    Pair(ANY, "None", "", "None is a word, unless it is the column's null marker."),
    Pair(ANY, "null", "-", "So is null."),
    Pair(ANY, "314", "3,14", "A comma that groups no thousands is no grouping."),
    Pair(ANY, "3.14", "3,14", "Nor a decimal comma, where no type says so: it may part two figures."),
    Pair(ANY, "123", "0,123", "Grouping never begins with a zero."),
    Pair(ANY, "1,2", "12", "A pair of figures is not their joining."),
    Pair(ANY, "1 2", "12", "Nor is a pair with a space."),
    Pair(ANY, "1, 234", "1,234", "Nor one whose second part has three figures."),
    Pair(ANY, "1.234", "1234", "One group behind a dot is decimals."),
    Pair(ANY, "12.5", "12.5%", "Without (%) in the header a percent sign counts."),
    Pair(ANY, "(5)", "-5", "Parentheses are no minus sign."),
    Pair(ANY, "1st", "1", "An ordinal is no number."),
    Pair(ANY, "II", "2", "Nor is a Roman one."),
    Pair(ANY, "1.5 million", "1500000", "Nor words of magnitude."),
    Pair(ANY, "1234 km", "1234", "A unit nobody declared counts."),
    Pair(ANY, "3-2", "3:2", "Scores are text."),
    Pair(ANY, "1914-1918", "1914", "A range is not its beginning."),
    Pair(ANY, "10²", "102", "A power is not its figures."),
    Pair(ANY, "1½", "11/2", "Nor is a mixed number."),
    Pair(ANY, "A*", "A", "A single asterisk is a sign of its own."),
    Pair(ANY, "user_name", "username", "So is an underscore inside a word."),
    Pair(ANY, "C++", "C", "So are plus signs,"),
    Pair(ANY, "C#", "C", "and hashes."),
    Pair(ANY, "Zürich", "Zurich", "Diacritics count; they are near misses."),
    Pair(ANY, "2024-01-05", "January 5, 2024", "Another form of a date is another text."),
    Pair(ANY, "2024-01-05", "2024-1-5", "Without a declared form, padding counts."),
    Pair(ANY, "COP 26", "26", "Only unmistakable currency codes are removed."),
    Pair(ANY, "RS 5", "5", "A car is no amount of rupees."),
    Pair(COUNTRY, "Netherlands", "Dutch", "Only the spellings that are listed."),
    Pair(TEXT, "3.10", "3.1", "Text is not read as a number: versions,"),
    Pair(TEXT, "1,000", "1000", "grouping,"),
    Pair(TEXT, "$5", "5", "currency,"),
    Pair(TEXT, "50%", "0.5", "percent,"),
    Pair(TEXT, "01040", "1040", "leading zeros."),
    Pair(NUMBER, "1E5", "100000", "A number column reads no exponents either."),
    Pair(NUMBER, "1.234", "1234", "And one group behind a dot is decimals there too."),
    Pair(NUMBER, "1,2 or 3", "12 or 3", "Nor does it guess in texts."),
    Pair(MASS, "10", "10.26", "Beyond the tolerance."),
    Pair(SHARE, "12", "12%", "A share of 12 is not 12 percent; write (%) into the header for that."),
    Pair(SHARE_IN_PERCENT, "0.125", "12.5%", "Under (%) the figure is the percent."),
    Pair(DAY, "01-05-2024", "2024-01-05", "Parts in another order are another form."),
    Pair(DAY, "01-05-2024", "05-01-2024", "Day and month do not change places."),
    Pair(DAY, "02-30-2024", "2/30/2024 ", "No day of the calendar is no date: compared as text."),
    Pair(ISO_DAY, "1996-06-17", "1996", "A year is not its day."),
    Pair(LONG_DAY, "June 17, 1996", "17 June 1996", "Another order, another form."),
    Pair(LONG_DAY, "June 17, 1996", "Jun 17, 1996", "An abbreviation is another form of the name."),
    Pair(SHORT_DAY, "27-Apr-96", "27-Apr-1996", "Two figures of a year are not four."),
    Pair(YEAR, "1996", "'96", "Nor the other way round."),
    Pair(YES_NO, "Yes", "No", "Of course."),
    Pair(YES_NO, "Yes", "1", "Figures are no words for yes and no."),
    Pair(ADDRESS, "https://a.example/X", "https://a.example/x", "The case of a path counts."),
    Pair(ADDRESS, "https://a.example/?a=1", "https://a.example/", "So does the query."),
)

NEAR: tuple[NearPair, ...] = (
    NearPair(ANY, "None", "", "null_word", "A word for no value where a blank was right."),
    NearPair(ANY, "007", "7", "leading_zero", "Leading zeros only."),
    NearPair(ANY, "3.14", "3,14", "decimal_comma", "A decimal comma without a declared type."),
    NearPair(ANY, "2024-01-05", "January 5, 2024", "date_form", "The same day in another form."),
    NearPair(DAY, "01-05-2024", "2024-01-05", "date_form", "Also against the declared form."),
    NearPair(ISO_DAY, "1996-06-17", "17th June 1996", "date_form", "Ordinals and names."),
    NearPair(ANY, "1E5", "100000", "number_form", "An exponent."),
    NearPair(ANY, "1.234", "1234", "number_form", "A dot that may group."),
    NearPair(ANY, "(5)", "-5", "number_form", "Parentheses for a minus."),
    NearPair(ANY, "1st", "1", "number_form", "An ordinal."),
    NearPair(SHARE, "12", "12%", "percent", "A share, once as a percent."),
    NearPair(ANY, "1234 km", "1234", "unit", "A unit nobody declared."),
    NearPair(ANY, "3.14", "3.14159", "rounding", "One is the other, rounded."),
    NearPair(ANY, "Zürich", "Zurich", "accents", "Accents only."),
    NearPair(ANY, "Saint-Étienne", "Saint Etienne", "punctuation", "Accents and punctuation."),
    NearPair(ANY, "Jean-Luc", "Jean Luc", "punctuation", "Punctuation only."),
    NearPair(ANY, "A*", "A", "punctuation", "A grade and its star."),
    NearPair(ANY, "Rowling, J. K.", "J. K. Rowling", "name_order", "The family name first."),
    NearPair(ANY, "Paris", "Paris, France", "part", "One says more."),
    NearPair(ANY, "Dostoevsky", "Dostoyevsky", "typo", "A letter or two."),
    NearPair(ANY, "Boeing 747", "Boing 747", "typo", "The figures must be the same."),
)

FAR: tuple[Pair, ...] = (
    Pair(ANY, "1996", "1997", "Two numbers are never a slip of the pen."),
    Pair(ANY, "Boeing 747", "Boeing 757", "Nor are the figures in a name."),
    Pair(ANY, "Paris", "Lyon", "Two names."),
    Pair(ANY, "", "Paris", "A blank is near to nothing but the words for no value."),
    Pair(ANY, "0.5", "50", "A hundredth is near only where the column holds shares."),
    Pair(ANY, "12", "12%", "So a sign too many is a number a hundred times off, where nothing says percent."),
    Pair(ANY, "3-2", "32", "Signs between figures count."),
    Pair(ISO_DAY, "1996-06-17", "17 July 1996", "Another day."),
    Pair(DAY, "01-05-2024", "05-01-2024", "Both have the declared form: they are two days."),
)
"""Unequal cells that are not near."""
