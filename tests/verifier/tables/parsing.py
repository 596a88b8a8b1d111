"""What is read from a reply or a file, and which faults are named: the rules of reading by example.

The tests run them and `docs/scoring.md` prints them; the note is for users.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, AnswerType, Column
from verifier.answers.written_cells import MAX_COLUMNS


class ReplyExample(NamedTuple):
    """A reply to a task of a format. `header` is what is read where it differs from the columns asked for."""

    asked: AnswerFormat
    reply: str
    rows: Sequence[Sequence[str]]
    faults: Sequence[str]
    note: str
    header: Sequence[str] | None = None


class FileExample(NamedTuple):
    """A file of a person or a gold answer. `encoding` is the one somebody named; `refusal` is why it is not read.

    `separator` is a tab for a `.tsv` file.
    """

    asked: AnswerFormat
    data: bytes
    rows: Sequence[Sequence[str]]
    faults: Sequence[str]
    note: str
    encoding: str | None = None
    refusal: str = ""
    separator: str = ","


def one_column(kind: AnswerType) -> AnswerFormat:
    """A format of one column under its usual header."""
    return AnswerFormat(type=kind, columns=(Column(name=DEFAULT_HEADERS[kind]),))


def table(*names: str) -> AnswerFormat:
    """A format of untyped columns."""
    return AnswerFormat(type="table", columns=tuple(Column(name=name) for name in names))


def block(text: str, label: str = "tsv") -> str:
    """A reply as it should be, around the lines of a block."""
    return f"<answer>\n```{label}\n{text}\n```\n</answer>"


ITEM, SET, LIST = one_column("item"), one_column("set"), one_column("list")
PEOPLE, RANKING, CAPITALS = table("Name", "Year"), table("Rank", "Name"), table("Country", "Capital")
WARS = table("War", "Years", "Winner")
MARKDOWN = "| Name | Year |\n|---|---|\n| A | 2000 |\n"
HTML = """<table><caption>Capitals</caption>
<tr><th>Country<th>Capital
<tr><td>Chad &amp; Co<td><b>N'Djamena</b>
</table>"""

REPLIES: tuple[ReplyExample, ...] = (
    # Thoughts.
    ReplyExample(ITEM, "<think>Is it Lyon?</think>\n\nParis", [["Paris"]],
                 ["reasoning", "no_answer_tag", "no_fence", "header_missing"], "Thoughts are no answer."),
    ReplyExample(SET, "<think>\n- Oslo\n<answer>\nLima\n</answer>\n</think>\n" + block("Item\nBern"), [["Bern"]],
                 ["reasoning"], "Nor is a draft in them."),
    ReplyExample(ITEM, "It may be Lyon.\n</think>\n" + block("Value\nParis"), [["Paris"]], ["reasoning"],
                 "Some begin before the reply."),
    ReplyExample(ITEM, "<think>It is Paris.</think>", [["<think>It is Paris.</think>"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "With nothing else, all counts."),
    # Tags.
    ReplyExample(SET, block("Item\nA1\nB1"), [["A1"], ["B1"]], [], "As asked."),
    ReplyExample(ITEM, "<Answer>\n```tsv\nValue\nParis\n```\n</ANSWER>", [["Paris"]], [], "Tags in any case."),
    ReplyExample(SET, "```tsv\nItem\nA1\n```", [["A1"]], ["no_answer_tag"], "Without tags all of it is searched."),
    ReplyExample(ITEM, "```tsv\nValue\nParis\n```\n</answer>", [["Paris"]], ["no_answer_tag"], "Never opened."),
    ReplyExample(ITEM, "<answer>\n```tsv\nValue\nParis\n```", [["Paris"]], ["truncated"], "Never closed."),
    ReplyExample(ITEM, "<answer>\n```tsv\nValue\nParis\n```\n<answer>", [["Paris"]], ["truncated"],
                 "Closed by an opening tag."),
    ReplyExample(ITEM, block("Value\nLyon") + block("Value\nParis"), [["Paris"]], ["multiple_answers"],
                 "The last complete answer counts."),
    ReplyExample(ITEM, block("Value\nParis") + "\n<answer>\n```tsv\nVal", [["Paris"]], [],
                 "A second one that was cut off does not."),
    ReplyExample(ITEM, "<answer>" + block("Value\nParis") + "</answer>", [["Paris"]], [], "Nested tags."),
    ReplyExample(ITEM, "I write between <answer> and </answer>.\n" + block("Value\nParis") + "\nSee <answer></answer>.",
                 [["Paris"]], [], "Talk about the tags is no answer."),
    ReplyExample(ITEM, "```xml\n<answer>\nValue\nParis\n</answer>\n```", [["Paris"]], ["no_fence"],
                 "Tags inside a fence are tags."),
    ReplyExample(ITEM, "", [], ["no_answer_tag", "no_fence", "no_answer"], "Nothing."),
    ReplyExample(ITEM, "No answer found", [], ["no_answer_tag", "no_fence", "no_answer"], "Said so."),
    ReplyExample(ITEM, "<answer>\n</answer>", [], ["no_fence", "no_answer"], "Empty tags."),
    # Fences.
    ReplyExample(ITEM, "```tsv\nValue\nLyon\n```\n" + block("Value\nParis"), [["Paris"]], [],
                 "A draft before the tag does not count."),
    ReplyExample(ITEM, block("Value\nLyon\n```\nCorrection:\n```tsv\nValue\nParis"), [["Paris"]], ["multiple_blocks"],
                 "Of several blocks the last."),
    ReplyExample(ITEM, '```python\nprint("x")\n```\n```tsv\nValue\nParis\n```', [["Paris"]],
                 ["no_answer_tag", "multiple_blocks"], "Other code is no answer."),
    ReplyExample(ITEM, block("Value\nParis").replace("</answer>", "```python\n1\n```\n</answer>"), [["Paris"]],
                 ["multiple_blocks"], "Not even the last block, beside one labelled tsv."),
    ReplyExample(ITEM, "<answer>\nIn a ```tsv block:\n```tsv\nValue\nParis\n```\n</answer>", [["Paris"]], [],
                 "A fence named in a sentence opens nothing."),
    ReplyExample(SET, block("Item\nA1", "TSV"), [["A1"]], [], "The label in any case."),
    ReplyExample(SET, block("Item\nA1", 'tsv title="x"'), [["A1"]], [], "With attributes."),
    ReplyExample(SET, block("Item\nA1", "csv"), [["A1"]], ["fence_label"], "Another label."),
    ReplyExample(SET, block("Item\nA1", ""), [["A1"]], ["fence_label"], "No label."),
    ReplyExample(SET, "<answer>\n~~~tsv\nItem\nA1\n~~~\n</answer>", [["A1"]], [], "A fence of tildes."),
    ReplyExample(SET, "<answer>\n````md\n```tsv\nItem\nA1\n```\n````\n</answer>", [["A1"]], [], "A block in a block."),
    ReplyExample(SET, "<answer>\n  ```tsv\n  Item\n  A1\n  ```\n</answer>", [["A1"]], [], "Indented."),
    ReplyExample(SET, "<answer>\n> ```tsv\n> Item\n> A1\n> ```\n</answer>", [["A1"]], [], "Quoted as in mails."),
    ReplyExample(SET, "<answer>\n```tsv\nItem\nA1```\n</answer>", [["A1"]], [], "Closed at the end of the last row."),
    ReplyExample(SET, "<answer>\n```tsv\nItem\nA1\nB1", [["A1"], ["B1"]], ["truncated"], "Cut off."),
    ReplyExample(ITEM, "<answer>\nValue\nParis\n</answer>", [["Paris"]], ["no_fence"], "No fence: the text is read."),
    ReplyExample(ITEM, "<answer>\nThe answer is:\nParis\n\nNote: since 987.\n</answer>", [["Paris"]],
                 ["no_fence", "prose", "header_missing"], "Sentences around it are left out."),
    ReplyExample(PEOPLE, "Here you are:\nName\tYear\nA\t2000\n\nLet me know if you need more.", [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "prose"], "Around a table too."),
    ReplyExample(ITEM, "some/folder/142.csv", [["some/folder/142.csv"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "A path is text; nothing is opened."),
    # Prose beside the answer.
    ReplyExample(PEOPLE, "Here you are:\n\n" + MARKDOWN, [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "prose"], "A line before a table of markdown,"),
    ReplyExample(PEOPLE, block("**People**\n" + MARKDOWN, "md"), [["A", "2000"]],
                 ["fence_label", "separator", "prose"], "a title in bold, in a fence too,"),
    ReplyExample(PEOPLE, "Let me see.\n\nName | Year\n--- | ---\nA | 2000\n\nHope that helps!", [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "prose"], "without pipes at the ends."),
    ReplyExample(PEOPLE, "# Answer\n| Who | When |\n|---|---|\n| A | 2000 |", [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "prose", "header_mismatch"],
                 "Under other names it is a table too.", ["Who", "When"]),
    ReplyExample(PEOPLE, MARKDOWN + "\nNote: years | approximate", [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "prose"], "A note with a pipe is no row."),
    ReplyExample(PEOPLE, MARKDOWN.replace("2000", "1999") + "\nOn reflection:\n\n" + MARKDOWN, [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "multiple_blocks", "prose"],
                 "A second table with a row of the same key corrects the first."),
    ReplyExample(PEOPLE, "**North**\n" + MARKDOWN.replace("A", "B") + "\n**South**\n" + MARKDOWN,
                 [["B", "2000"], ["A", "2000"]], ["no_answer_tag", "no_fence", "separator", "header_row", "prose"],
                 "Tables that have no key in common are parts of one answer."),
    ReplyExample(PEOPLE, MARKDOWN + "\nSources:\n\n| Site | Seen |\n|---|---|\n| a | b |", [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "prose"], "A table of something else is prose."),
    ReplyExample(PEOPLE, "Sure, here it is:\nName,Year\nA,2000\n\nI found one, as you see.", [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "separator", "prose"], "Sentences with commas, around commas."),
    ReplyExample(PEOPLE, block("Name\tYear\nA\t2000\n\nDone!"), [["A", "2000"]], ["prose"],
                 "A line of one cell below an empty line is no row."),
    ReplyExample(PEOPLE, block("Name\tYear\nA\t2000\nTotal: 1"), [["A", "2000"], ["Total: 1", ""]], ["ragged_row"],
                 "Directly below the rows it is one, and costs itself only."),
    ReplyExample(SET, "Cities:\n- Bern\n- Rome\nI hope this helps you.", [["Bern"], ["Rome"]],
                 ["no_answer_tag", "no_fence", "prose", "numbering", "header_mismatch"], "A sentence below bullets."),
    ReplyExample(SET, "These are cities\n1) Bern\n2) Rome\n\nDone!", [["Bern"], ["Rome"]],
                 ["no_answer_tag", "no_fence", "prose", "header_missing", "numbering"], "Lines around numbers."),
    ReplyExample(SET, "**Swiss cities**\n\nBern\nZug", [["Bern"], ["Zug"]],
                 ["no_answer_tag", "no_fence", "prose", "header_missing"], "A heading above an empty line."),
    ReplyExample(SET, "**Bern**\n\n**Zug**", [["**Bern**"], ["**Zug**"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "Lines in bold alone are elements."),
    ReplyExample(ITEM, "**Paris**\n\nIt is the capital of France.", [["**Paris**"]],
                 ["no_answer_tag", "no_fence", "prose", "header_missing"], "So is a value above remarks."),
    ReplyExample(ITEM, "# Paris\n\nSource: an atlas", [["Paris"]],
                 ["no_answer_tag", "no_fence", "prose", "header_missing"], "Or as a heading."),
    ReplyExample(SET, "Bern\nZug\n\nHope that helps", [["Bern"], ["Zug"]],
                 ["no_answer_tag", "no_fence", "prose", "header_missing"], "A farewell."),
    ReplyExample(SET, "Bern\nZug\nGeneva is perhaps one too.", [["Bern"], ["Zug"], ["Geneva is perhaps one too."]],
                 ["no_answer_tag", "no_fence", "header_missing"], "Without bullets a sentence may be an element,"),
    ReplyExample(SET, "I came, I saw, I conquered.\n\nThe die has been cast.",
                 [["I came, I saw, I conquered."], ["The die has been cast."]],
                 ["no_answer_tag", "no_fence", "header_missing"], "even below an empty line where all are sentences."),
    ReplyExample(SET, "Bern\n\nSource Code\n\nHope", [["Bern"], ["Source Code"], ["Hope"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "A name is no remark."),
    ReplyExample(SET, "The cities are Bern and Rome.", [["The cities are Bern and Rome."]],
                 ["no_answer_tag", "no_fence", "header_missing"], "Nothing is cut out of a sentence."),
    ReplyExample(ITEM, "The court moved in 987.\n\n**Answer: Paris**", [["Paris"]],
                 ["no_answer_tag", "no_fence", "separator", "prose", "header_mismatch"],
                 "The one value that is named as the answer."),
    ReplyExample(ITEM, "Answer: Lyon\nAnswer: Paris", [["Answer: Lyon"], ["Answer: Paris"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "Of two neither is."),
    ReplyExample(ITEM, "Paris\nLyon\nNice", [["Paris"], ["Lyon"], ["Nice"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "Guesses stay, all of them."),
    ReplyExample(ITEM, "The answer is Paris.", [["The answer is Paris."]],
                 ["no_answer_tag", "no_fence", "header_missing"], "A sentence is no value."),
    ReplyExample(PEOPLE, 'Here:\n[{"Name": "A", "Year": 2000}]\nThat is all.', [["A", "2000"]],
                 ["no_answer_tag", "no_fence", "json", "prose"], "Lines around JSON."),
    ReplyExample(PEOPLE, '{"Name": "A", "Year": 1}\n{"Name": "B", "Year": 2}', [["A", "1"], ["B", "2"]],
                 ["no_answer_tag", "no_fence", "json"], "An object a line."),
    ReplyExample(PEOPLE, 'Here:\n```json\n{"people": [{"Name": "A", "Year": 2000}]}\n```', [["A", "2000"]],
                 ["no_answer_tag", "fence_label", "json"], "A name around the list."),
    ReplyExample(SET, '{"capitals": ["Bern", "Rome"]}', [["Bern"], ["Rome"]],
                 ["no_answer_tag", "no_fence", "json", "header_mismatch"], "A name over values is a header."),
    ReplyExample(SET, "Bern\n[1]\nRome", [["Bern"], ["[1]"], ["Rome"]],
                 ["no_answer_tag", "no_fence", "header_missing"], "A mark of a source is no JSON."),
    # Lines and separators.
    ReplyExample(PEOPLE, "<answer>\r\n```tsv\r\nName\tYear\r\nA\t2000\r\n```\r\n</answer>", [["A", "2000"]], [],
                 "Any line ends."),
    ReplyExample(SET, block("Item\nA\u2028B\n\n  \nC"), [["A\u2028B"], ["C"]], [],
                 "Only they end a row; empty lines do not count."),
    ReplyExample(PEOPLE, block("Name\\tYear\nA\\t2000"), [["A", "2000"]], ["escaped_signs"], "Tabs as two signs."),
    ReplyExample(ITEM, "<answer>\\n```tsv\\nValue\\nParis\\n```\\n</answer>", [["Paris"]], ["escaped_signs"],
                 "The whole answer in one line."),
    ReplyExample(PEOPLE, "<answer>\n| Name | Year |\n|:---|---:|\n| A | 2000 |\n| B | |\n</answer>",
                 [["A", "2000"], ["B", ""]], ["no_fence", "separator"], "A table of markdown."),
    ReplyExample(SET, "<answer>\n| Item |\n|------|\n| A1 |\n</answer>", [["A1"]], ["no_fence", "separator"],
                 "Of one column too."),
    ReplyExample(PEOPLE, block('Name,Year\n"A, B",2000', "csv"), [["A, B", "2000"]], ["fence_label", "separator"],
                 "Commas, where they give the declared columns."),
    ReplyExample(PEOPLE, block("Name;Year\nA, B;2000"), [["A, B", "2000"]], ["separator"], "Semicolons."),
    ReplyExample(PEOPLE, block("Name     Year\nA B      2000"), [["A B", "2000"]], ["separator"], "Aligned by spaces."),
    ReplyExample(SET, block("Item\nLee, Ann; Jr.  Dr."), [["Lee, Ann; Jr.  Dr."]], [], "One column is never cut."),
    ReplyExample(PEOPLE, block("Name\tYear\n---\t---\nA\t2000"), [["A", "2000"]], ["ruler"], "A line of dashes."),
    ReplyExample(PEOPLE, '<answer>[{"Name": "A", "Year": 2000}]</answer>', [["A", "2000"]], ["no_fence", "json"],
                 "JSON of objects,"),
    ReplyExample(SET, block('["A1", "B1"]', "json"), [["A1"], ["B1"]], ["fence_label", "json", "header_missing"],
                 "or of values."),
    ReplyExample(ITEM, '<answer>{"Value": 3.10}</answer>', [["3.10"]], ["no_fence", "json"],
                 "Numbers keep their spelling."),
    ReplyExample(PEOPLE, "<answer><table><tr><th>Name</th><th>Year</th></tr>"
                 "<tr><td>A</td><td>2000</td></tr></table></answer>",
                 [["A", "2000"]], ["no_fence", "html_table"], "A table of HTML."),
    ReplyExample(CAPITALS, block(HTML, "html"), [["Chad & Co", "N'Djamena"]],
                 ["fence_label", "html_table"], "Entities and tags in its cells are read."),
    ReplyExample(CAPITALS, f"Here it is:\n{HTML}\nHope that helps!", [["Chad & Co", "N'Djamena"]],
                 ["no_answer_tag", "no_fence", "html_table", "prose"], "Sentences around it are left out."),
    ReplyExample(SET, "<answer><TABLE border=1>\n<TR><TD>Item\n<TR><TD>A1\n<TR><TD>B1\n</TABLE></answer>",
                 [["A1"], ["B1"]], ["no_fence", "html_table"], "Tags in capitals, ends left out."),
    ReplyExample(PEOPLE, "<answer><table><tr><td>Name<td>Year<tr><td>A<td rowspan=2>2000<tr><td>B</table></answer>",
                 [["A", "2000"], ["B", "2000"]], ["no_fence", "html_table"], "A cell over two rows stands in both."),
    ReplyExample(PEOPLE,
                 "<answer><table><tr><td colspan=2>People<tr><td>Name<td>Year<tr><td>A<td>2000</table></answer>",
                 [["A", "2000"]], ["no_fence", "html_table", "prose"], "A title across all columns is no row."),
    ReplyExample(PEOPLE, "<answer><table><tr><td>Name<td>Year<tr><td>A<td>2000<tr><td>B", [["A", "2000"], ["B", ""]],
                 ["truncated", "no_fence", "html_table", "ragged_row"], "Cut off."),
    ReplyExample(ITEM, block("the <table> tag"), [["the <table> tag"]], ["header_missing"], "A tag alone is text,"),
    ReplyExample(ITEM, block("Value\n<table><tr><td>1</table>"), [["<table><tr><td>1</table>"]], [],
                 "and so is a table in a block of tab-separated values."),
    # Quotes.
    ReplyExample(SET, block('Item\n"Low\nLodger'), [['"Low'], ["Lodger"]], [], "A quote that is never closed is text."),
    ReplyExample(SET, block('Item\n"A\nB\n"C'), [['"A'], ["B"], ['"C']], [], "It glues no rows."),
    ReplyExample(ITEM, block('Value\n"Weird Al" Yankovic'), [['"Weird Al" Yankovic']], [], "Quotes of a name."),
    ReplyExample(ITEM, block('Value\n"say ""hi"""'), [['say "hi"']], [], "Quotes around a whole cell are not."),
    ReplyExample(PEOPLE, block('Name\tYear\n"A\tB"\t2000'), [["A\tB", "2000"]], [], "A tab inside them is text."),
    ReplyExample(WARS, block('War\tYears\tWinner\nX\t"1914\n1918"\tA'), [["X", "1914\n1918", "A"]], [],
                 "A line end too, where the row gets its columns so."),
    # Headers.
    ReplyExample(ITEM, block("Paris"), [["Paris"]], ["header_missing"], "No header."),
    ReplyExample(SET, block("A1\nB1"), [["A1"], ["B1"]], ["header_missing"], "Its line is the first element."),
    ReplyExample(PEOPLE, block("A\t2000\nB\t2001"), [["A", "2000"], ["B", "2001"]], ["header_missing"],
                 "A table without one is read by position."),
    ReplyExample(PEOPLE, block("**Name**\t**Year**\nA\t2000"), [["A", "2000"]], [], "Bold marks do not count."),
    ReplyExample(table("First Name"), block("First\u00a0Name\nA"), [["A"]], [], "Nor do spaces and case."),
    ReplyExample(PEOPLE, block("Who\tWhen\nA\t2000"), [["A", "2000"]], ["header_mismatch"],
                 "Words above figures are a header; these are unknown columns.", ["Who", "When"]),
    ReplyExample(PEOPLE, block("Name\tBorn\nA\t2000"), [["A", "2000"]], ["header_mismatch"], "One is unknown.",
                 ["Name", "Born"]),
    ReplyExample(CAPITALS, block("Nation\tCity\nFrance\tParis"), [["France", "Paris"]], ["header_mismatch"],
                 "A word that heads columns tells a header too.", ["Nation", "City"]),
    ReplyExample(CAPITALS, block("France\tParis\nItaly\tRome"), [["France", "Paris"], ["Italy", "Rome"]],
                 ["header_missing"], "Without such a sign the line is data."),
    ReplyExample(SET, block("City\nParis"), [["Paris"]], ["header_mismatch"], "A usual header of another name."),
    ReplyExample(ITEM, block("Largest city\nParis"), [["Paris"]], ["header_mismatch"], "A phrase that heads one:"),
    ReplyExample(ITEM, block("Height (m)\n828 m"), [["828 m"]], ["header_mismatch"], "a quantity,"),
    ReplyExample(ITEM, block("Capital of France\nParis"), [["Paris"]], ["header_mismatch"], "a role,"),
    ReplyExample(SET, block("Isle of Man\nNew York City"), [["Isle of Man"], ["New York City"]], ["header_missing"],
                 "but no name that sounds like one."),
    ReplyExample(SET, block("Animal Farm\n1984"), [["Animal Farm"], ["1984"]], ["header_missing"],
                 "Words above one figure are an element,"),
    ReplyExample(SET, block("Wins\n1984\n1988"), [["1984"], ["1988"]], ["header_mismatch"], "above several a header."),
    ReplyExample(PEOPLE, block("Year\tName\n2000\tA"), [["A", "2000"]], ["column_order"],
                 "Columns are put in the order asked for."),
    ReplyExample(PEOPLE, block("Name\tYear\tName\nA\t2000\tB"), [["A", "2000", "B"]],
                 ["header_mismatch", "duplicate_header"], "The first of two.", ["Name", "Year", "Name (2)"]),
    ReplyExample(PEOPLE, block("Name\tYear\nA\t2000\nName\tYear\nB\t2001"), [["A", "2000"], ["B", "2001"]],
                 ["header_row"], "A header that is repeated."),
    # Rows.
    ReplyExample(PEOPLE, block("Name\tYear\nA\t2000\t\nB\t2001\t"), [["A", "2000"], ["B", "2001"]],
                 ["trailing_separator"], "Tabs at the end."),
    ReplyExample(PEOPLE, block("Name\tYear\nA\t2000\tx\nB\t2001"), [["A", "2000", "x"], ["B", "2001"]], ["ragged_row"],
                 "A long row costs itself only."),
    ReplyExample(PEOPLE, block("Name\tYear\nA"), [["A", ""]], ["ragged_row"], "A short one is filled with blanks."),
    ReplyExample(PEOPLE, block("Name\tYear\njunk\tA\t1\njunk\tB\t2"), [["junk", "A", "1"], ["junk", "B", "2"]],
                 ["ragged_row"], "Nothing moves to the left."),
    ReplyExample(SET, block("Item\tNote\nA1\tok\nB1\tfine"), [["A1"], ["B1"]], ["extra_column"],
                 "A column beside the elements is ignored."),
    ReplyExample(ITEM, block("Value\tNote\nParis\tok"), [["Paris", "ok"]], ["extra_column"],
                 "In an item it makes a second value."),
    ReplyExample(SET, block("No.\tItem\n1\tA1\n2\tB1"), [["A1"], ["B1"]], ["numbering"], "A column of row numbers."),
    ReplyExample(PEOPLE, block("1\tA\t2000\n2\tB\t2001"), [["A", "2000"], ["B", "2001"]],
                 ["header_missing", "numbering"], "Without a header too."),
    ReplyExample(RANKING, block("Rank\tName\n1\tA\n2\tB"), [["1", "A"], ["2", "B"]], [], "Unless it is asked for."),
    ReplyExample(SET, block("Item\n1. Ada\n2. Bob"), [["Ada"], ["Bob"]], ["numbering"], "Numbers in the cells."),
    ReplyExample(SET, block("Item\n1. FC Köln\n3. Liga"), [["1. FC Köln"], ["3. Liga"]], [],
                 "Unless they do not count up."),
    ReplyExample(SET, block("Item\n1. Bern\n2. Rome\nTotal: 2"), [["Bern"], ["Rome"], ["Total: 2"]], ["numbering"],
                 "A line without one stays as it is, and the others are read all the same."),
    ReplyExample(SET, block("Item\n(1) Bern\n(2) Rome"), [["Bern"], ["Rome"]], ["numbering"], "In brackets."),
    ReplyExample(SET, block("Item\n**1. Bern**\n**2. Rome**"), [["**Bern**"], ["**Rome**"]], ["numbering"], "In bold."),
    ReplyExample(LIST, block("Item\n11. Bern\n12. Rome\n13. Oslo"), [["Bern"], ["Rome"], ["Oslo"]], ["numbering"],
                 "A part of a longer list: three or more."),
    ReplyExample(SET, block("Item\n1. Liga\n2. Liga"), [["1. Liga"], ["2. Liga"]], [],
                 "Where only the number tells them apart it is theirs."),
    ReplyExample(SET, block("Item\n1. FC Köln\nBayern\n2. Liga"), [["1. FC Köln"], ["Bayern"], ["2. Liga"]], [],
                 "Nearly all must have one."),
    ReplyExample(SET, block("Item\n3 Doors Down\n2001: A Space Odyssey\n1984"),
                 [["3 Doors Down"], ["2001: A Space Odyssey"], ["1984"]], [], "Names begin with numbers too."),
    ReplyExample(SET, block("Item\n1. Bern\n   - a capital\n2. Rome\n   - another"),
                 [["Bern"], ["a capital"], ["Rome"], ["another"]], ["numbering"],
                 "Which lines are the elements cannot be told: all stay."),
    ReplyExample(PEOPLE, block("No.\tName\tYear\n1\tA\t2000\n2\tB\t2001\nTotal\t\t2"),
                 [["A", "2000"], ["B", "2001"], ["", "2"]], ["numbering"], "A column of numbers with a row of totals."),
    ReplyExample(SET, block("Item\n1\n2\n3"), [["1"], ["2"], ["3"]], [], "Numbers alone are values."),
    ReplyExample(SET, block("Item\n- Ada\n- Bob"), [["Ada"], ["Bob"]], ["numbering"], "Bullets."),
    ReplyExample(ITEM, block("Value\n-5"), [["-5"]], [], "A minus is none."),
    ReplyExample(SET, block("Item\nA&amp;B<br>**C**"), [["A&amp;B<br>**C**"]], [],
                 "What stands in a cell is left to normalising."),
    ReplyExample(PEOPLE, block("Name\tYear\nA\t2000" + "\tx" * MAX_COLUMNS),
                 [["A", "2000"] + ["x"] * (MAX_COLUMNS - 2)], ["oversized", "ragged_row"],
                 f"No more than {MAX_COLUMNS} cells of a row are read."),
)  # fmt: skip

FILES: tuple[FileExample, ...] = (
    FileExample(SET, b"Smith\nJones\n", [["Smith"], ["Jones"]], [], "One value a line."),
    FileExample(SET, b"Item\nSmith\n", [["Smith"]], ["header_row"], "A header where none belongs."),
    FileExample(ITEM, b"Value\n", [["Value"]], [], "A single line is the value."),
    FileExample(SET, b"Smith\nLee, Ann\n", [["Smith"], ["Lee, Ann"]], ["unquoted_comma"],
                "Nothing cuts the values of one column,"),
    FileExample(SET, b"A;B\tC\n", [["A;B\tC"]], [], "no other sign either."),
    FileExample(ITEM, b'"1994,5"\n', [["1994,5"]], [], "Quotes around a value are not part of it."),
    FileExample(ITEM, b'"""Weird Al"" Yankovic"\n', [['"Weird Al" Yankovic']], [], "Doubled inside they are."),
    FileExample(SET, b'"Two\nlines"\nB\n', [["Two\nlines"], ["B"]], [], "A value in quotes may span lines."),
    FileExample(SET, b'"Low\nLodger\n"Lee, Ann"\n', [['"Low'], ["Lodger"], ["Lee, Ann"]], ["unbalanced_quote"],
                "A quote that is never closed costs its line only."),
    FileExample(SET, b"A,,\nB,,\n", [["A"], ["B"]], ["trailing_separator"], "Empty columns of a spreadsheet."),
    FileExample(SET, b"A\r\nB\rC\n", [["A"], ["B"], ["C"]], [], "Any line ends."),
    FileExample(PEOPLE, b"Name,Year\nA,2000\n", [["A", "2000"]], [], "A table has a header."),
    FileExample(PEOPLE, b"A,2000\nB,2001\n", [["A", "2000"], ["B", "2001"]], ["header_missing"],
                "Without one it is read by position."),
    FileExample(PEOPLE, b"Name,Year,\nA,2000,\n", [["A", "2000"]], ["trailing_separator"], "Trailing commas."),
    FileExample(PEOPLE, b"Name;Year\nLee, Ann;2000\n", [["Lee, Ann", "2000"]], ["separator"],
                "The separator that gives the declared columns."),
    FileExample(PEOPLE, b"sep=;\nName;Year\nA;2000\n", [["A", "2000"]], ["separator"], "As spreadsheets announce it."),
    FileExample(PEOPLE, b"Name\tYear\nA\t2000\n", [["A", "2000"]], ["separator"], "Tabs."),
    FileExample(PEOPLE, b"Name\tYear\nA\t2000\n", [["A", "2000"]], [],
                "In a .tsv file as they should be.", separator="\t"),
    FileExample(LIST, b"Rank\tItem\n1\tA\n2\tB\n", [["A"], ["B"]], ["numbering"],
                "In a .tsv file a single value may have a column beside it.", separator="\t"),
    FileExample(LIST, b"1. A\n2. B\n", [["A"], ["B"]], ["numbering"], "Numbers before the values,"),
    FileExample(SET, b'"1. FC"\n2. Liga\n', [["1. FC"], ["2. Liga"]], [], "but in quotes they are a part of them."),
    FileExample(PEOPLE, b"Name,Year\nLee, Ann,2000\nB,2001\n", [["Lee", "Ann", "2000"], ["B", "2001"]], ["ragged_row"],
                "A comma too many costs that row only."),
    FileExample(PEOPLE, b"Name,Year\nA,2000\n,\n\n", [["A", "2000"]], [], "Empty rows do not count."),
    FileExample(PEOPLE, b"Year,Name\n2000,A\n", [["A", "2000"]], ["column_order"], "Columns in another order."),
    FileExample(SET, b"\xef\xbb\xbfA\nB\n", [["A"], ["B"]], [], "A byte order mark is no sign."),
    FileExample(SET, "A\nB\n".encode("utf-16"), [["A"], ["B"]], ["wrong_encoding"], "UTF-16 is recognised."),
    FileExample(SET, "A\nB\n".encode("utf-16-le"), [["A"], ["B"]], ["wrong_encoding"], "Without its mark too."),
    FileExample(ITEM, "King’s Day\n".encode("cp1252"), [["King’s Day"]], ["wrong_encoding"],
                "Another encoding is read when it is named,", "cp1252"),
    FileExample(ITEM, "King’s Day\n".encode("cp1252"), [], [], "and refused when it is not.",
                refusal="byte 0x92 in line 1"),
    FileExample(ITEM, b"Paris\n", [], [], "An encoding nobody knows.", "klingon", "no encoding is called 'klingon'"),
    FileExample(SET, b"\n \n", [], [], "A file without a value.", refusal="the answer file is empty"),
    FileExample(ITEM, b"\0\0\n", [], [], "One of zero bytes.", refusal="the answer file is empty"),
    FileExample(SET, b",,\n", [], [], "One of separators only.", refusal="separators but no value"),
)  # fmt: skip
