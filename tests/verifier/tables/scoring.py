"""What each figure is, by example: a gold answer, the rows a reply gives, the figures of profile `strict`.

The tests run them and `docs/scoring.md` prints them. Figures left out are not of interest; the note is for users.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, AnswerType, Column, SortKey
from verifier.answers.csv_files import write_answer_csv

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricExample:
    """`header` is that of the reply where it differs from the columns; `text` replaces header and rows altogether."""

    name: str
    type: AnswerType
    columns: tuple[Column, ...] = ()
    keys: tuple[str, ...] = ()
    sort: tuple[SortKey, ...] | None = None
    gold: Rows
    reply: Rows
    header: Sequence[str] | None = None
    figures: Mapping[str, float]
    note: str

    @property
    def answer_format(self) -> AnswerFormat:
        """The answer format of the task."""
        columns = self.columns or (Column(name=DEFAULT_HEADERS[self.type]),)
        return AnswerFormat(type=self.type, columns=columns, keys=self.keys, sort=self.sort)

    @property
    def truth_file(self) -> str:
        """The text of the file that holds the gold answer."""
        return write_answer_csv(self.answer_format.header, self.gold, self.answer_format).decode()

    @property
    def block(self) -> str:
        """The lines of the reply's block."""
        header = self.answer_format.header if self.header is None else self.header
        return "\n".join("\t".join(row) for row in (header, *self.reply) if row)


_FILM = Column(name="Film")
_YEAR = Column(name="Year", type="integer")
_PRIZE = Column(name="Prize")
_MASS = Column(name="Mass", type="number", tolerance="0.5")
_FILMS = (("Alien", "1979"), ("Brazil", "1985"))


METRIC_EXAMPLES: tuple[MetricExample, ...] = (
    MetricExample(
        name="item_right",
        type="item",
        gold=[["1,000"]],
        reply=[["1000"]],
        figures={"item_em": 1, "global_em": 1},
        note="The value is right in another spelling.",
    ),
    MetricExample(
        name="item_two_values",
        type="item",
        gold=[["Paris"]],
        reply=[["Paris"], ["Lyon"]],
        figures={"item_em": 0, "global_em": 0},
        note="An item is exactly one value: a second guess makes it wrong, whichever comes first.",
    ),
    MetricExample(
        name="item_same_value_twice",
        type="item",
        gold=[["Paris"]],
        reply=[["Paris"], ["paris"]],
        figures={"item_em": 0, "global_em": 0},
        note="The same value twice is two values.",
    ),
    MetricExample(
        name="item_cells_are_not_joined",
        type="item",
        gold=[["12"]],
        header=["A", "B"],
        reply=[["1", "2"]],
        figures={"item_em": 0, "global_em": 0},
        note="Cells side by side are never joined to one value.",
    ),
    MetricExample(
        name="item_with_a_cell_beside",
        type="item",
        gold=[["12"]],
        header=(),
        reply=[["12", "13"]],
        figures={"item_em": 0, "global_em": 0},
        note="Where no header says which cell is the answer, a second cell is a second guess.",
    ),
    MetricExample(
        name="item_within_tolerance",
        type="item",
        columns=(_MASS,),
        gold=[["10"]],
        reply=[["10.5"]],
        figures={"item_em": 1, "global_em": 1},
        note="Where the question states a tolerance (here 0.5), a number as far off as that is right.",
    ),
    MetricExample(
        name="item_no_value",
        type="item",
        gold=[["-"]],
        reply=[["N/A"]],
        figures={"item_em": 1, "global_em": 1},
        note="A gold answer may be that there is no value.",
    ),
    MetricExample(
        name="set_any_order",
        type="set",
        gold=[["Bern"], ["Rome"]],
        reply=[["ROME"], ["bern"]],
        figures={"set_precision": 1, "set_recall": 1, "set_f1": 1, "global_em": 1},
        note="The order of a set is nothing.",
    ),
    MetricExample(
        name="set_repeats",
        type="set",
        gold=[["Bern"], ["Rome"]],
        reply=[["Bern"], ["Rome"], ["rome"]],
        figures={"set_precision": 1, "set_recall": 1, "set_f1": 1, "global_em": 1},
        note="An element that is repeated counts once, on either side.",
    ),
    MetricExample(
        name="set_part",
        type="set",
        gold=[["Bern"], ["Rome"], ["Oslo"]],
        reply=[["Bern"], ["Rome"], ["Lima"], ["Cairo"]],
        figures={"set_precision": 0.5, "set_recall": 2 / 3, "set_f1": 4 / 7, "global_em": 0},
        note="Precision is the right share of what was given, recall the share of the gold answer that was given, "
        "F1 their harmonic mean: twice the right ones over the sum of both sizes.",
    ),
    MetricExample(
        name="set_blank",
        type="set",
        gold=[["Bern"], ["Rome"]],
        reply=[["Bern"], ["Rome"], ["N/A"]],
        figures={"set_precision": 2 / 3, "set_recall": 1, "set_f1": 0.8, "global_em": 0},
        note="A blank element is an element: who writes one claims that it belongs to the set.",
    ),
    MetricExample(
        name="set_tolerance",
        type="set",
        columns=(_MASS,),
        gold=[["10"], ["11"]],
        reply=[["10.4"], ["10.6"]],
        figures={"set_precision": 1, "set_recall": 1, "set_f1": 1, "global_em": 1},
        note="With a tolerance elements are paired one to one, as many as can be, in whatever order they stand.",
    ),
    MetricExample(
        name="set_tolerance_one_to_one",
        type="set",
        columns=(_MASS,),
        gold=[["10"]],
        reply=[["10.1"], ["10.2"]],
        figures={"set_precision": 0.5, "set_recall": 1, "set_f1": 2 / 3, "global_em": 0},
        note="One gold element makes one element right: two different numbers near it are one too many.",
    ),
    MetricExample(
        name="list_order",
        type="list",
        gold=[["A"], ["B"], ["C"]],
        reply=[["C"], ["A"], ["B"]],
        figures={"list_content_f1": 1, "list_order_score": 2 / 3, "list_lcs_score": 2 / 3, "global_em": 0},
        note="The order score is 2M/T: M elements stand in the longest common run and, left and right of it, in the "
        "next ones (here A, B); T is the sum of both lengths.",
    ),
    MetricExample(
        name="list_greedy_order",
        type="list",
        gold=[[sign] for sign in "abcxdyefz"],
        reply=[[sign] for sign in "xyzabcdef"],
        figures={"list_content_f1": 1, "list_order_score": 2 / 3, "list_lcs_score": 2 / 3, "global_em": 0},
        note="The longest run comes first (a, b, c), then what is left beside it (d; then e, f).",
    ),
    MetricExample(
        name="list_lcs_is_never_lower",
        type="list",
        gold=[[sign] for sign in "pqrsABC"],
        reply=[[sign] for sign in "ABCpxqxrxs"],
        figures={"list_content_f1": 14 / 17, "list_order_score": 6 / 17, "list_lcs_score": 8 / 17, "global_em": 0},
        note="The second order figure is 2L/T with L the longest common subsequence (here p, q, r, s). It is never "
        "lower than the order score, which takes the longest run (A, B, C) first, whatever that costs.",
    ),
    MetricExample(
        name="list_repeats",
        type="list",
        gold=[["A"], ["B"]],
        reply=[["A"], ["A"], ["B"]],
        figures={
            "list_content_precision": 2 / 3,
            "list_content_recall": 1,
            "list_content_f1": 0.8,
            "list_order_score": 0.8,
            "global_em": 0,
        },
        note="In a list an element counts as often as it stands there.",
    ),
    MetricExample(
        name="list_tolerance",
        type="list",
        columns=(_MASS,),
        gold=[["10"], ["10.4"]],
        reply=[["10.3"], ["10.1"]],
        figures={"list_content_f1": 1, "list_order_score": 1, "list_lcs_score": 1, "global_em": 1},
        note="With a tolerance each number is held against the one at its own place first.",
    ),
    MetricExample(
        name="table_right",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        reply=[["alien", "1979"], ["Brazil", "1,985"]],
        figures={"table_row_f1": 1, "table_item_f1": 1, "table_item_f1_aligned": 1, "global_em": 1},
        note="Every cell is right, each row is right, the header and the order are right.",
    ),
    MetricExample(
        name="table_one_wrong_cell",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        reply=[["Alien", "1978"], ["Brazil", "1985"]],
        figures={"table_row_f1": 0.5, "table_item_f1": 0.75, "table_item_f1_aligned": 0.75, "global_em": 0},
        note="One wrong cell costs its row, and one cell of four.",
    ),
    MetricExample(
        name="table_cells_in_the_wrong_rows",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        reply=[["Alien", "1985"], ["Brazil", "1979"]],
        figures={"table_row_f1": 0, "table_item_f1": 1, "table_item_f1_aligned": 0.5, "global_em": 0},
        note="The bag figure asks only whether a value stands anywhere in its column; the aligned figure asks for its "
        "row, which the key columns name. Quote the aligned one.",
    ),
    MetricExample(
        name="table_columns_permuted",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        header=["Year", "Film"],
        reply=[["1979", "Alien"], ["1985", "Brazil"]],
        figures={"table_row_f1": 1, "table_item_f1": 1, "table_item_f1_aligned": 1, "global_em": 1},
        note="Columns are found by their header, wherever they stand.",
    ),
    MetricExample(
        name="table_wrong_header",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        header=["Film", "Released"],
        reply=_FILMS,
        figures={"table_row_f1": 0, "table_item_f1": 0.5, "table_item_f1_aligned": 0.5, "global_em": 0},
        note="Under a header nobody asked for stand cells nobody asked for.",
    ),
    MetricExample(
        name="table_no_header",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        header=(),
        reply=_FILMS,
        figures={"table_row_f1": 1, "table_item_f1": 1, "table_item_f1_aligned": 1, "global_em": 0},
        note="Without a header the cells count in the order of the columns, but the answer is not exact.",
    ),
    MetricExample(
        name="table_missing_column",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        header=["Film"],
        reply=[["Alien"], ["Brazil"]],
        figures={
            "table_row_f1": 0,
            "table_item_precision": 1,
            "table_item_recall": 0.5,
            "table_item_f1_aligned": 2 / 3,
            "global_em": 0,
        },
        note="A row is right when all its gold columns are: without one of them none is.",
    ),
    MetricExample(
        name="table_extra_column",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        header=["Film", "Year", "Note"],
        reply=[["Alien", "1979", "x"], ["Brazil", "1985", "y"]],
        figures={
            "table_row_f1": 1,
            "table_item_precision": 2 / 3,
            "table_item_recall": 1,
            "table_item_f1": 0.8,
            "table_item_f1_aligned": 0.8,
            "global_em": 0,
        },
        note="A column nobody asked for leaves the rows right; its cells are given in vain, and the header is wrong.",
    ),
    MetricExample(
        name="table_long_row",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        reply=[["Alien", "1979", "circa"], ["Brazil", "1985"]],
        figures={"table_row_f1": 0.5, "table_item_f1": 8 / 9, "table_item_f1_aligned": 8 / 9, "global_em": 0},
        note="A cell beyond the header makes its row wrong, and that row only.",
    ),
    MetricExample(
        name="table_repeated_row",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        reply=[["Alien", "1979"], ["Alien", "1979"], ["Brazil", "1985"]],
        figures={"table_row_precision": 2 / 3, "table_row_recall": 1, "table_row_f1": 0.8, "global_em": 0},
        note="A gold row makes one row right, however often it is repeated.",
    ),
    MetricExample(
        name="table_gold_order",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        reply=_FILMS[::-1],
        figures={"table_row_f1": 1, "table_item_f1_aligned": 1, "global_em": 0},
        note="Where the task states no sort keys the rows must stand as in the gold answer.",
    ),
    MetricExample(
        name="table_any_order",
        type="table",
        columns=(_FILM, _YEAR),
        sort=(),
        gold=_FILMS,
        reply=_FILMS[::-1],
        figures={"table_row_f1": 1, "table_item_f1_aligned": 1, "global_em": 1},
        note="Where the task says that the order is free it is.",
    ),
    MetricExample(
        name="table_sort_ties",
        type="table",
        columns=(_FILM, _YEAR),
        sort=(SortKey(column="Year", collation="number"),),
        gold=[["Alien", "1979"], ["Manhattan", "1979"], ["Brazil", "1985"]],
        reply=[["Manhattan", "1979"], ["Alien", "1979"], ["Brazil", "1985"]],
        figures={"table_row_f1": 1, "global_em": 1},
        note="Rows that tie on the stated sort keys may stand in either order.",
    ),
    MetricExample(
        name="table_sort_wrong",
        type="table",
        columns=(_FILM, _YEAR),
        sort=(SortKey(column="Year", collation="number"),),
        gold=_FILMS,
        reply=_FILMS[::-1],
        figures={"table_row_f1": 1, "global_em": 0},
        note="Out of the stated order the answer is not exact.",
    ),
    MetricExample(
        name="table_collation",
        type="table",
        columns=(Column(name="City"), Column(name="Land")),
        sort=(SortKey(column="City"),),
        gold=[["Evian", "FR"], ["Zagreb", "HR"], ["Évry", "FR"]],
        reply=[["Evian", "FR"], ["Évry", "FR"], ["Zagreb", "HR"]],
        figures={"table_row_f1": 1, "global_em": 1},
        note="An accented letter may stand beside its plain form or after z, whichever the gold answer does; so may "
        "punctuation count or not, and blanks stand first or last.",
    ),
    MetricExample(
        name="table_gold_is_not_sorted_as_stated",
        type="table",
        columns=(_FILM, _YEAR),
        sort=(SortKey(column="Year", collation="number"),),
        gold=_FILMS[::-1],
        reply=_FILMS,
        figures={"table_row_f1": 1, "global_em": 0},
        note="A gold answer that does not follow its stated keys shows that the order is another: its own counts.",
    ),
    MetricExample(
        name="table_repeated_keys",
        type="table",
        columns=(_FILM, _PRIZE, _YEAR),
        sort=(),
        gold=[["Alien", "Oscar", "1980"], ["Alien", "Hugo", "1980"], ["Alien", "Saturn", "1980"]],
        reply=[["Alien", "Saturn", "1980"], ["Alien", "Oscar", "1981"], ["Alien", "Hugo", "1980"]],
        figures={"table_row_f1": 2 / 3, "table_item_f1_aligned": 8 / 9, "global_em": 0},
        note="Rows with the same key are paired so that most cells are right.",
    ),
    MetricExample(
        name="table_two_keys",
        type="table",
        columns=(_FILM, _PRIZE, _YEAR),
        keys=("Film", "Prize"),
        sort=(),
        gold=[["Alien", "Oscar", "1980"], ["Brazil", "Hugo", "1986"]],
        reply=[["Alien", "Hugo", "1980"], ["Brazil", "Hugo", "1986"]],
        figures={"table_item_f1": 5 / 6, "table_item_f1_aligned": 0.5, "global_em": 0},
        note="All key columns must agree for two rows to be paired; cells of an unpaired row are all wrong.",
    ),
    MetricExample(
        name="table_key_column_missing",
        type="table",
        columns=(_FILM, _YEAR),
        gold=_FILMS,
        header=["Year"],
        reply=[["1979"], ["1985"]],
        figures={"table_row_f1": 0, "table_item_f1": 2 / 3, "table_item_f1_aligned": 0, "global_em": 0},
        note="Without its key columns an answer does not say which row is meant: no cell is aligned.",
    ),
    MetricExample(
        name="table_blank_keys",
        type="table",
        columns=(_FILM, _YEAR),
        gold=[["Alien", "1979"], ["-", "1985"]],
        reply=[["Alien", "1979"], ["", "1985"]],
        figures={"table_row_f1": 1, "table_item_f1_aligned": 1, "global_em": 1},
        note="A blank key is a key like any other.",
    ),
    MetricExample(
        name="table_tolerance",
        type="table",
        columns=(Column(name="Moon"), _MASS),
        sort=(),
        gold=[["A", "10"], ["B", "10.4"]],
        reply=[["B", "10.1"], ["A", "10.3"]],
        figures={"table_row_f1": 1, "table_item_f1": 1, "table_item_f1_aligned": 1, "global_em": 1},
        note="A number within the tolerance of its own row's is right, in every figure.",
    ),
    MetricExample(
        name="table_tolerance_at_its_place",
        type="table",
        columns=(_PRIZE, _MASS),
        gold=[["A", "10"], ["A", "10.4"]],
        reply=[["A", "10.3"], ["A", "10.1"]],
        figures={"table_row_f1": 1, "table_item_f1_aligned": 1, "global_em": 1},
        note="Where the order counts, a row that is near the gold row at its place is that row.",
    ),
    MetricExample(
        name="table_tolerance_is_the_rows_own",
        type="table",
        columns=(Column(name="Moon"), _MASS),
        sort=(),
        gold=[["A", "10"], ["B", "20"]],
        reply=[["A", "20.2"], ["B", "10.2"]],
        figures={"table_row_f1": 0, "table_item_f1": 1, "table_item_f1_aligned": 0.5, "global_em": 0},
        note="Near another row's number is near nothing, except in the bag figure.",
    ),
)
