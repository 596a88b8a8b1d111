// The answer as rows of cells, each with what is known of where it came from. Knows no page and no server.
// Cells are never changed, only replaced: a step of the history is a list of rows, and a drawn cell is known to be new.

import { samePlaces } from "./same_rows.js";

export const BLANK = Object.freeze({ value: "", how: "", links: Object.freeze([]) });
const LONGEST_HISTORY = 200;

// What a copied and a pasted text have in common: neither white space nor case, which a browser writes as it likes.
export function bare(text) {
  return text.normalize("NFKC").replace(/[\s\u00ad\u200b\u2060\ufeff]+/gu, "").toLowerCase();
}

// A link is { how: "paste" | "mark", session, seq, text, line, url, at }: an event of the recording.
export const pasteOf = (cell) => cell.links.find((link) => link.how === "paste");
export const isEdited = (cell) => {
  const paste = pasteOf(cell);
  return paste !== undefined && !bare(paste.text).includes(bare(cell.value));
};

const known = new WeakMap();

// The one word for where a cell came from: page, edited, marked, outside, forgotten, file, typed, or blank.
export function standing(cell) {
  if (!known.has(cell)) known.set(cell, judged(cell));
  return known.get(cell);
}

function judged(cell) {
  if (pasteOf(cell)) return isEdited(cell) ? "edited" : "page";
  if (cell.links.length) return "marked";
  if (!cell.value.trim()) return "blank";
  return cell.how || "typed";
}

export function typedCell(cell, value) {
  if (value === cell.value) return cell;
  // A cleared cell forgets what was pasted into it; a mark may well prove that there is nothing to say.
  const links = value.trim() ? cell.links : cell.links.filter((link) => link.how === "mark");
  return Object.freeze({ value, how: value.trim() ? "typed" : "", links });
}

const withValue = (cell, value) => (cell.value === value ? cell : Object.freeze({ ...cell, value }));

export function withLink(cell, link) {
  const others = cell.links.filter((one) => one.session !== link.session || one.seq !== link.seq);
  return Object.freeze({ ...cell, links: [...others, link] });
}

export const withoutLinks = (cell) => Object.freeze({ ...cell, links: [], how: cell.value.trim() ? "typed" : "" });

export class Sheet {
  // `most` is how many rows the answer may have: 1 for an item.
  constructor(header, most = Infinity) {
    this.header = header;
    this.most = most;
    this.rows = [this.blankRow()];
    this.onChange = () => {};
    this.past = [];
    this.future = [];
    this.lastKey = null;
  }

  blankRow() {
    return this.header.map(() => BLANK);
  }

  // Begin with rows of texts and what the server keeps of their cells.
  begin(rows, origins) {
    this.rows = this.cellsOf(rows, origins);
    this.past = [];
    this.future = [];
    this.settle();
  }

  // Rows of texts as cells, with what was said of the rows they were.
  cellsOf(rows, origins) {
    const said = [];
    for (const origin of origins) {
      if (origin.row >= rows.length + origins.length) continue; // no list of origins skips so many rows
      const cells = (said[origin.row] ??= this.header.map(() => []));
      cells[this.header.indexOf(origin.column)]?.push(origin);
    }
    const before = Array.from(said, (cells) => (cells ?? []).map((one) => knownCell(one[0]?.value ?? "", one)));
    return this.again(rows, before, "");
  }

  // Rows of texts as cells: a row that stood here before keeps what is known of its values.
  joined(rows, how) {
    return this.again(rows, this.filled().map(({ cells }) => cells), how);
  }

  again(rows, before, how) {
    const texts = rows.map((row) => this.header.map((_, column) => bare(row[column] ?? "")));
    const olds = before.map((cells) => this.header.map((_, column) => bare(cells[column]?.value ?? "")));
    const places = samePlaces(olds, texts);
    return rows.map((row, at) => this.header.map((_, column) => {
      const value = row[column] ?? "";
      const old = before[places[at]]?.[column];
      if (old && olds[places[at]][column] === texts[at][column]) return withValue(old, value);
      return Object.freeze({ value, how: value ? how : "", links: [] });
    }));
  }

  // Change the rows by `change(rows)`. Changes that share a `key` one after the other are one step of the history.
  edit(change, key = null) {
    const before = this.rows;
    const after = change(before.map((row) => row.slice()));
    if (key === null || key !== this.lastKey || this.past.length === 0) {
      this.past = [...this.past, before].slice(-LONGEST_HISTORY);
    }
    this.lastKey = key;
    this.future = [];
    this.rows = after;
    this.settle();
  }

  // What comes next is a step of its own, though it happens in the same cell.
  pause() {
    this.lastKey = null;
  }

  // Say more about cells that stand, as if it had been known when they came: no step of the history.
  amend(change) {
    let isNew = false;
    const rows = this.rows.map((row) => row.map((cell) => {
      const changed = change(cell);
      isNew ||= changed !== cell;
      return changed;
    }));
    if (!isNew) return;
    this.rows = rows;
    this.onChange();
  }

  settle() {
    if (this.rows.length === 0) this.rows = [this.blankRow()];
    const last = this.rows.at(-1);
    if (last.some((cell) => cell.value) && this.rows.length < this.most) this.rows = [...this.rows, this.blankRow()];
    this.onChange();
  }

  set(row, column, cell, key = null) {
    if (this.rows[row][column] === cell) return;
    this.edit((rows) => {
      rows[row][column] = cell;
      return rows;
    }, key);
  }

  // Put a block of cells at a place. Returns how many of its rows and columns found no room, and how many cells that
  // had evidence it replaced.
  put(row, column, block) {
    const width = Math.max(...block.map((cells) => cells.length));
    const left = {
      rows: Math.max(0, row + block.length - this.most),
      columns: Math.max(0, column + width - this.header.length),
      replaced: block.flatMap((cells, down) => cells.filter((_, across) => this.rows[row + down]?.[column + across]?.links.length)).length,
    };
    this.edit((rows) => {
      block.slice(0, block.length - left.rows).forEach((cells, down) => {
        while (rows.length <= row + down) rows.push(this.blankRow());
        cells.slice(0, this.header.length - column).forEach((cell, across) => { rows[row + down][column + across] = cell; });
      });
      return rows;
    });
    return left;
  }

  addRow(below) {
    if (this.rows.length >= this.most) return;
    this.edit((rows) => [...rows.slice(0, below + 1), this.blankRow(), ...rows.slice(below + 1)]);
  }

  deleteRow(at) {
    this.edit((rows) => rows.filter((_, place) => place !== at));
  }

  // Put the rows that hold something into an order of their places among themselves; links move with their cells.
  reorder(places) {
    const filled = this.filled();
    if (places.length !== filled.length) return;
    this.edit(() => places.map((place) => filled[place].cells));
  }

  replaceAll(rows) {
    this.edit(() => rows);
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (from.length === 0) return false;
    to.push(this.rows);
    this.rows = from.pop();
    this.lastKey = null;
    this.settle();
    return true;
  }

  // The rows that hold something, each with its place in the grid: what is saved, linted and handed in.
  filled() {
    return this.rows.map((cells, at) => ({ at, cells })).filter(({ cells }) => cells.some((cell) => cell.value.trim()));
  }

  csv(withHeader) {
    const rows = this.filled().map(({ cells }) => cells.map((cell) => cell.value.trim()));
    if (rows.length === 0) return "";
    return [...(withHeader ? [this.header] : []), ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");
  }

  origins() {
    return this.filled().flatMap(({ cells }, row) => cells.flatMap((cell, place) => {
      const said = { row, column: this.header[place], value: cell.value.trim() };
      const links = cell.links.map((link) => ({ ...said, ...link }));
      return links.length || !said.value ? links : [{ ...said, how: cell.how || "typed", text: cell.text ?? "" }];
    }));
  }
}

function knownCell(value, said) {
  const isLink = (one) => one.how === "paste" || one.how === "mark";
  const links = said.filter(isLink).map(
    ({ how, session, seq, text, line, url, at }) => ({ how, session, seq, text: text ?? "", line: line ?? "", url, at }));
  return Object.freeze({ value, how: said.find((one) => !isLink(one))?.how ?? "", links });
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
