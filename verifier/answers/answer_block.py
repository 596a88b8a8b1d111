"""Which lines of a reply are the answer, and which are prose beside it. One rule:

The answer is a block of lines that belong together by what parts their cells (tabs, pipes, semicolons, commas), in one
column by the bullets or numbers before them. Lines before and after that share nothing with it are prose and left out.
A line inside the block that has another shape costs itself only; so does one directly below it, unless it is a
sentence. What stands below an empty line under the block and shares nothing with it is no part of it.

In one column without bullets nothing but a header, an introduction (it ends in a colon) and remarks below an empty line
can be told from an element, so everything else stays: dropping an element is as wrong as keeping a sentence.

A header that comes again below prose begins another table. It corrects the one before where both have a row of one
key; else they are parts of one answer.
"""

from __future__ import annotations

import re

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat
from verifier.answers.headers import header_key, heads_a_column, shown_key
from verifier.answers.numbering import line_marks
from verifier.answers.separators import (
    PIPES,
    Separator,
    best_separator,
    is_grid,
    is_piped_header,
    joined_quotes,
    split_rows,
    without_piped_rulers,
)
from verifier.answers.written_cells import MAX_ROWS, Lines, Literal, solid_lines

_HEADER_LINES = 200
"""Lines among which the header is looked for."""
_REMARK = re.compile(
    r"\W*(?:(?:notes?|sources?|explanation|reasoning)\b[^:]{0,40}:|based on|(?:i )?hope (?:this|that|it|you)\b"
    r"|let me know (?:if|when|whether|should)\b)",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"\W*(?:done|that'?s (?:all|it)|total\W+\d[\d,.]*)\W*|\s*[-*_=]{3,}\s*", re.IGNORECASE)
"""What only below an empty line is known to close an answer."""
_FAREWELL = re.compile(r"\W*(?:(?:i )?hope (?:this|that|it) helps|let me know if)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:\S+\s+){3,}\S*[.:!?][\s*_\"')\]]*")
_HEADING = re.compile(r"\s*(?:#{1,6} .*|\*\*[^*]+\*\*:?\s*|__[^_]+__:?\s*)")
_HEADING_MARK = re.compile(r"\s*#{1,6} +(?=\S)")
_LABEL = re.compile(r"[\s*_#]*(?:the )?(?P<label>[^:：*_]{1,60}?)[\s*_]*[:：][\s*_]*(?=\S)", re.IGNORECASE)
_LABELS = frozenset({"value", "answer", "finalanswer", "correctanswer"})


def answer_rows(text: str, asked: AnswerFormat, fenced: bool, faults: list[str]) -> list[list[str]]:
    """Return the rows of the answer in a text; what is left out, and what parts the cells, is named in `faults`.

    >>> from verifier.answers.columns import Column
    >>> two = AnswerFormat(type="table", columns=(Column(name="A"), Column(name="B")))
    >>> answer_rows("Here you are:\\n|A|B|\\n|-|-|\\n|1|2|\\n\\nDone!", two, False, faults := []), faults
    ([['A', 'B'], ['1', '2']], ['separator', 'prose'])
    """
    lines = solid_lines(text)
    if len(lines.texts) > MAX_ROWS:
        faults.append("oversized")
        lines = Lines(lines.texts[:MAX_ROWS], lines.gaps)
    separator = best_separator(lines.texts, asked)
    if separator is PIPES and any(map(is_grid, lines.texts)):
        lines = _without_grid(lines)
    if separator.fault:
        faults.append(separator.fault)
    block = _Block(lines, split_rows(lines.texts, separator, faults), separator, asked)
    if block.is_parted():
        return block.parted_rows(faults)
    return block.single_rows(fenced, faults)


def _without_grid(lines: Lines) -> Lines:
    kept = [place for place, line in enumerate(lines.texts) if not is_grid(line)]
    gaps = frozenset(new for new, place in enumerate(kept) if place in lines.gaps)
    return Lines([lines.texts[place] for place in kept], gaps)


class _Block:
    """The lines of a text, their cells, and what is asked of them."""

    def __init__(self, lines: Lines, rows: list[list[str]], separator: Separator, asked: AnswerFormat) -> None:
        self.lines = lines.texts
        self.gaps = lines.gaps
        self.rows = rows
        self.separator = separator
        self.asked = asked
        self.names = {header_key(name) for name in asked.header}
        self.is_table = len(asked.columns) > 1
        self.held = (
            list(map(separator.holds, self.lines, rows)) if separator is PIPES else [len(row) > 1 for row in rows]
        )

    def is_parted(self) -> bool:
        """Tell whether the answer is a block of parted lines; in one column most of them must be parted."""
        parted = sum(self.held)
        return parted > 0 and (self.is_table or self.separator is PIPES or parted * 2 >= len(self.rows))

    def parted_rows(self, faults: list[str]) -> list[list[str]]:
        """Return the rows of the table; of several tables the last, or all where they are parts of one."""
        start = self._first_parted()
        end = self._last_parted(start)
        may_be_several = self.separator.sign == "|" or not all(self.held[start:end])
        heads = [start, *filter(self._begins_another, range(start + 1, end if may_be_several else 0))]
        parts = []
        for begin, stop in zip(heads, [*heads[1:], end], strict=True):
            while len(heads) > 1 and stop < len(self.rows) and not self.held[stop - 1] and stop - 1 > begin:
                stop -= 1
            parts.append(self._rows(begin, stop))
        if len(parts) > 1:
            parts = self._that_count(parts, faults)
        rows = [row for part in parts for row in part]
        if start > 0 or end < len(self.rows) or len(heads) > 1:
            faults.append("prose")
        return rows

    def single_rows(self, fenced: bool, faults: list[str]) -> list[list[str]]:
        """Return the rows of an answer of one column, or of a table that nothing parts."""
        firsts = [row[0] if row else "" for row in self.rows]
        if self.is_table or not firsts:
            return self.rows
        start, end = self._single_span(firsts, fenced)
        if self.asked.type == "item" and not fenced and (labelled := self._labelled(start, end)):
            start, end, rows = labelled
            faults.append("separator")
        else:
            rows = self.rows[start:end] if fenced else [_without_heading_mark(row) for row in self.rows[start:end]]
        if (start, end) != (0, len(self.rows)):
            faults.append("prose")
        return rows

    def _rows(self, start: int, end: int) -> list[list[str]]:
        rows = self.rows[start:end]
        if self.separator.sign == "|":
            return without_piped_rulers(rows)
        if self.separator.quote_mark and self.is_table:
            return joined_quotes(self.lines[start:end], rows, self.separator.quote_mark)
        return rows

    def _is_named(self, place: int) -> bool:
        # Names of all columns, or of the only one.
        row = self.rows[place]
        if self.is_table:
            return len(row) >= len(self.names) and self.names <= set(map(shown_key, row))
        names = self.names | {header_key(DEFAULT_HEADERS.get(self.asked.type, ""))}
        return any(not isinstance(cell, Literal) and shown_key(cell) in names for cell in row)

    def _named_place(self) -> int | None:
        return next((place for place in range(min(len(self.rows), _HEADER_LINES)) if self._is_named(place)), None)

    def _first_parted(self) -> int:
        named = self._named_place()
        if named is not None and all(self.separator.in_sentences or not self.held[place] for place in range(named)):
            return named
        start = 0
        while start < len(self.rows) - 1 and (
            not self.held[start] or (self.separator.in_sentences and _introduces(self.lines[start]))
        ):
            start += 1
        return start

    def _last_parted(self, start: int) -> int:
        last = len(self.rows) - 1
        while last > start and not self.held[last]:
            last -= 1
        end = last + 1
        while end < len(self.rows) and end not in self.gaps and not _is_sentence(self.lines[end]):
            end += 1
        return self._above_remarks(start, end) if self.separator.in_sentences else end

    def _above_remarks(self, start: int, end: int) -> int:
        """Return where remarks below empty lines begin: paragraphs of sentences under lines that are none."""
        while gap := next((place for place in range(end - 1, start, -1) if place in self.gaps), None):
            if not all(_is_sentence(line) or _CLOSING.fullmatch(line) for line in self.lines[gap:end]):
                break
            end = gap
        return end

    def _begins_another(self, place: int) -> bool:
        if not self.held[place]:
            return False
        if not self.held[place - 1] and self._is_named(place):
            return True
        if self.separator.sign != "|" or place + 1 >= len(self.lines):
            return False
        apart = place in self.gaps or not self.held[place - 1]
        return apart and is_piped_header(self.lines[place], self.lines[place + 1])

    def _that_count(self, parts: list[list[list[str]]], faults: list[str]) -> list[list[list[str]]]:
        """Return the tables that are the answer: those with its header, and of one told twice the last."""
        named = [part for part in parts if self.names <= set(map(shown_key, part[0]))] or parts
        last, header = named[-1], list(map(shown_key, named[-1][0]))
        before = [part for part in named[:-1] if list(map(shown_key, part[0])) == header]
        keys = self._keys(last)
        if len(before) < len(named) - 1 or any(keys & self._keys(part) for part in before):
            faults.append("multiple_blocks")
            return [last]
        if before:
            faults.append("header_row")
        return [part[1:] if place else part for place, part in enumerate([*before, last])]

    def _keys(self, part: list[list[str]]) -> set[tuple[str, ...]]:
        header = list(map(shown_key, part[0]))
        wanted = [header_key(name) for name in self.asked.key_columns]
        places = [header.index(name) for name in wanted if name in header] or [0]
        return {tuple(header_key(row[place]) for place in places if place < len(row)) for row in part[1:]}

    def _single_span(self, firsts: list[str], fenced: bool) -> tuple[int, int]:
        named = self._named_place()
        if named is not None and fenced and not all(map(_introduces, self.lines[:named])):
            named = None
        base = 0 if named is None else named + 1
        marks = line_marks(firsts[base:])
        if marks:
            marked = [base + place for place, mark in enumerate(marks) if mark]
            start = self._above_marks(marked[0]) if named is None else named
            return start, self._below_marks(marked[-1] + 1)
        start = self._below_introduction() if named is None else named
        below = self._above_remarks(start, len(self.rows))
        if not fenced and below - start > 1 and _FAREWELL.match(self.lines[below - 1]):
            below -= 1
        # Where elements are sentences, no sentence can be told from an element.
        has_sentences = any(_SENTENCE.fullmatch(line.strip()) for line in self.lines[start:below])
        return start, len(self.rows) if has_sentences else below

    def _above_marks(self, first: int) -> int:
        leads = range(first)
        if first and heads_a_column(self.lines[first - 1]):
            return first - 1
        if first < 2 or all(_is_sentence(self.lines[place]) or place + 1 in self.gaps or _introduces(self.lines[place])
                            for place in leads):  # fmt: skip
            return first
        return self._below_introduction()

    def _below_marks(self, end: int) -> int:
        while end < len(self.rows) and end not in self.gaps and not _is_sentence(self.lines[end]):
            end += 1
        return end

    def _below_introduction(self) -> int:
        start, last = 0, self._last_plain()
        while start < len(self.rows) - 1 and (
            _introduces(self.lines[start])
            or (start < last and _HEADING.fullmatch(self.lines[start]) and start + 1 in self.gaps
                and not heads_a_column(self.lines[start]))
        ):  # fmt: skip
            start += 1
        return start

    def _last_plain(self) -> int:
        """Return the last line that a heading can head: no heading itself and, in an item, no sentence."""
        is_item = self.asked.type == "item"
        plain = (
            place
            for place in range(len(self.lines) - 1, -1, -1)
            if not _HEADING.fullmatch(self.lines[place]) and not (is_item and _is_sentence(self.lines[place]))
        )
        return next(plain, 0)

    def _labelled(self, start: int, end: int) -> tuple[int, int, list[list[str]]] | None:
        """Return the only line that names its value as the answer (`Answer: Paris`), as a header and a value."""
        found = []
        labels = _LABELS | self.names
        for place in range(start, end):
            match = _LABEL.match(self.lines[place]) if len(self.rows[place]) == 1 else None
            if match and header_key(match["label"]) in labels:
                found.append((place, match))
        if len(found) != 1:
            return None
        place, match = found[0]
        value = self.lines[place][match.end() :].strip()
        if match[0].count("**") % 2 and value.endswith("**"):
            value = value[:-2]
        return place, place + 1, [[match["label"].strip()], [value]]


def _without_heading_mark(row: list[str]) -> list[str]:
    # A value may be written as a heading: `# Paris`.
    mark = None if not row or isinstance(row[0], Literal) else _HEADING_MARK.match(row[0])
    return row if mark is None else [row[0][mark.end() :], *row[1:]]


def _introduces(line: str) -> bool:
    return line.rstrip(" *_").endswith((":", "：")) and len(line.split()) > 1


def _is_sentence(line: str) -> bool:
    return _REMARK.match(line) is not None or _SENTENCE.fullmatch(line.strip()) is not None
