// Draws the sheet as a table of fields and turns keys and pastes into its changes. What a cell came from shows as a mark.
import { standing, typedCell } from "./sheet.js";

export const MARKS = {
  page: { icon: "page", word: "from page", said: "Pasted from a recorded page" },
  marked: { icon: "quote", word: "marked", said: "Marked on a recorded page" },
  edited: { icon: "alert", word: "edited", said: "Edited after it was pasted" },
  outside: { icon: "clip", word: "pasted", said: "Pasted, not from a recorded page" },
  forgotten: { icon: "alert", word: "forgotten", said: "Pasted from a page that was forgotten: no evidence is left" },
  file: { icon: "pencil", word: "from a file", said: "From a file, without evidence" },
  typed: { icon: "pencil", word: "typed", said: "Typed, without evidence" },
};

export function icon(name) {
  const found = document.querySelector(`#icons [data-icon="${name}"] svg`);
  return found ? found.cloneNode(true) : document.createElement("i");
}

export class Grid {
  constructor(table, sheet, { onPaste, onActive, onLeave }) {
    this.table = table;
    this.sheet = sheet;
    this.onPaste = onPaste;
    this.onActive = onActive;
    this.onLeave = onLeave;
    this.active = { row: 0, column: 0 };
    this.faults = new Map();
    this.drawn = [];
    this.head();
    // Columns of equal width, which no text makes jump; many of them scroll inside their box.
    table.style.minWidth = `${sheet.header.length * 5.5 + 2.25}rem`;
    table.classList.toggle("few", sheet.header.length <= 4);
    this.body = table.createTBody();
    table.addEventListener("input", (event) => this.typed(event.target));
    table.addEventListener("focusin", (event) => this.entered(event.target));
    table.addEventListener("keydown", (event) => this.pressed(event));
    table.addEventListener("paste", (event) => this.pasted(event));
  }

  head() {
    const row = this.table.createTHead().insertRow();
    const corner = document.createElement("th");
    corner.className = "num";
    corner.innerHTML = '<span class="visually-hidden">Row</span>';
    row.append(corner, ...this.sheet.header.map((name) => {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = cell.title = name;
      return cell;
    }));
  }

  // Draw what is new since the last time. `faults` are the lint's findings by place, `row` or `row:column`.
  draw() {
    const rows = this.sheet.rows;
    while (this.body.rows.length > rows.length) {
      this.body.deleteRow(-1);
      this.drawn.pop();
    }
    rows.forEach((cells, at) => {
      const line = this.body.rows[at] ?? this.newRow(at);
      cells.forEach((cell, column) => {
        const fault = this.faults.get(`${at}:${column}`) ?? null;
        const before = this.drawn[at][column];
        if (before?.cell !== cell || before.fault !== fault) this.drawCell(line.cells[column + 1], cell, fault, before);
        this.drawn[at][column] = { cell, fault };
      });
      line.cells[0].classList.toggle("faulty", this.faults.has(`${at}`));
      line.cells[0].title = this.faults.get(`${at}`)?.message ?? "";
    });
  }

  newRow(at) {
    const row = this.body.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.className = "num";
    head.textContent = `${at + 1}`;
    row.append(head);
    this.sheet.header.forEach((name) => {
      const field = document.createElement("textarea");
      field.rows = 1;
      field.spellcheck = false;
      field.autocomplete = "off";
      field.setAttribute("aria-label", `${name}, row ${at + 1}`);
      row.insertCell().append(field);
    });
    this.drawn[at] = [];
    return row;
  }

  drawCell(place, cell, fault, before) {
    const field = place.firstElementChild;
    if (field.value !== cell.value) field.value = cell.value;
    if (fault) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    const kind = standing(cell);
    if (before && standing(before.cell) === kind) return;
    place.dataset.from = kind;
    place.querySelector(".from")?.remove();
    if (!(kind in MARKS)) return;
    const mark = document.createElement("span");
    mark.className = "from";
    mark.title = MARKS[kind].said;
    const word = document.createElement("span");
    word.textContent = MARKS[kind].word;
    mark.append(icon(MARKS[kind].icon), word);
    place.append(mark);
  }

  placeOf(field) {
    const cell = field.closest("td");
    return cell ? { row: cell.parentElement.sectionRowIndex, column: cell.cellIndex - 1 } : null;
  }

  field(row, column) {
    return this.body.rows[row]?.cells[column + 1]?.firstElementChild ?? null;
  }

  // Go to a cell and choose all it holds, so that typing or Delete replaces it.
  go(row, column) {
    const field = this.field(row, column);
    if (!field) return;
    field.focus();
    field.select();
    field.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  entered(field) {
    const place = this.placeOf(field);
    if (!place) return;
    if (place.row !== this.active.row || place.column !== this.active.column) this.sheet.pause();
    this.active = place;
    field.setAttribute("aria-describedby", "cell-said");
    this.onActive();
  }

  typed(field) {
    const { row, column } = this.placeOf(field);
    this.sheet.set(row, column, typedCell(this.sheet.rows[row][column], field.value), `${row}:${column}`);
  }

  pasted(event) {
    const place = this.placeOf(event.target);
    if (!place || !event.clipboardData) return;
    event.preventDefault();
    this.onPaste(place, event.clipboardData, event.target);
  }

  pressed(event) {
    const place = this.placeOf(event.target);
    if (!place || event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    if (command && !event.altKey && /^[zy]$/i.test(event.key)) {
      event.preventDefault();
      const isRedo = event.key.toLowerCase() === "y" || event.shiftKey;
      this.again(isRedo ? this.sheet.redo() : this.sheet.undo());
    } else if (!command && !event.altKey) {
      const goal = this.goal(event, place);
      if (!goal) return;
      event.preventDefault();
      this.go(goal.row, goal.column);
    }
  }

  // After undo the field shows what the sheet says; the caret stays in the cell.
  again(isChanged) {
    if (isChanged) this.go(Math.min(this.active.row, this.sheet.rows.length - 1), this.active.column);
  }

  goal({ key, shiftKey, target }, { row, column }) {
    const [start, end, length] = [target.selectionStart, target.selectionEnd, target.value.length];
    const isWhole = start === 0 && end === length;
    const isLow = target.clientHeight < 2 * parseFloat(getComputedStyle(target).lineHeight);
    const moves = {
      Enter: () => ({ row: row + (shiftKey ? -1 : 1), column }),
      Escape: () => { this.onLeave(); return null; },
      ArrowUp: () => (isWhole || isLow || end === 0) && { row: row - 1, column },
      ArrowDown: () => (isWhole || isLow || start === length) && { row: row + 1, column },
      ArrowLeft: () => (isWhole || end === 0) && { row, column: column - 1 },
      ArrowRight: () => (isWhole || start === length) && { row, column: column + 1 },
    };
    if (!(key in moves) || (shiftKey && key !== "Enter")) return null;
    const goal = moves[key]();
    if (key === "Enter" && goal && !this.field(goal.row, column)) return { row, column };
    return goal && this.field(goal.row, goal.column) ? goal : null;
  }
}
