"""Why the published evaluator and profile `strict` differ, by the id of the case in `tests/cases/answer_scoring.jsonl`.

`docs/scoring.md` prints the cases with these sentences; they say what the published evaluator does there.
"""

from __future__ import annotations

from collections.abc import Mapping

WHY: Mapping[str, str] = {
    "A01": "Every cell that can be a number is one, so codes lose their leading zeros.",
    "A02": "The same in a column of codes; there is no way to declare it text.",
    "A08": "Nan, null, none and NA mean no value everywhere, also where they are a town or a code.",
    "A09": "The country code NA is a blank, and equals any other blank.",
    "A11": "Zeros at the end of decimals go, also from a version that is declared text.",
    "A12": "All commas are removed, a decimal comma too.",
    "A13": "So a pair of figures becomes one number.",
    "A14": "Dots group no thousands.",
    "A15": "Of the currency signs only the dollar is removed.",
    "A17": "Nor does it know the dollar with its country.",
    "A18": "A percent sign always divides by 100, also under a header that says percent.",
    "A19": "Bold marks are removed too late: the number is never read.",
    "A21": "The minus sign of typesetters is a letter to it.",
    "A22": "Numbers are rounded to six decimals.",
    "A23": "The full-width percent sign is a letter to it.",
    "A24": "Narrow spaces group no thousands.",
    "B01": "Accents stored as two signs differ from those stored as one.",
    "B03": "A dash is no hyphen.",
    "B04": "Only the plain space is removed.",
    "B06": "Signs that nobody sees count.",
    "C01": "A tab at the end of one row costs the whole table.",
    "C02": "Tabs at the end of all rows move all columns by one.",
    "C03": "A cell too many in one row costs all rows.",
    "C04": "A quote that is never closed swallows the rest.",
    "C06": "Quotes that belong to a name are removed from the reply alone.",
    "C08": "Of two blocks the text between them is read along.",
    "C10": "A label other than `tsv` becomes the header, and the header an element.",
    "C12": "A block that is not closed is not seen as one.",
    "C13": "Without a block the tags are read along.",
    "C14": "The first line is always the header, so nothing is left.",
    "C15": "The first line is always the header, so an element is lost.",
    "C16": "A column of row numbers is compared too; F1 reads the last column, exact match the first.",
    "C17": "F1 reads the last column, here the notes.",
    "C18": "Exact match compares the number of columns too.",
    "C19": "Cells side by side are joined to one value.",
    "C21": "Where all rows have a cell too many, the first column is dropped.",
    "C23": "A reply that is the path of this question's right answer is opened and compared with itself.",
    "C25": "The first block counts, whatever language it is in.",
    "C26": "Numbers before the values count.",
    "D02": "Exact match does not look at the header.",
    "D03": "Columns are compared by position.",
    "D04": "A row is right when the columns that were given are.",
    "D05": "A row that is repeated costs nothing.",
    "D08": "Rows that tie on the sort key must stand as in the right answer.",
    "D09": "A hyphen is a value like any other.",
    "D10": "Two headers that differ in a space alone are mixed up.",
    "D12": "A no-break space in a header makes it another one.",
    "D13": "From 200 elements on, those that stand there often do not count for the order.",
    "E01": "A file that is not UTF-8 is read as GBK, whatever encoding it has.",
    "E04": "A comma that is not quoted parts an item in two.",
    "E05": "Commas at the end of the rows of the right answer move its columns by one.",
}
"""One sentence a case whose figures differ."""
