// The answer: a grid or a text, saved as it is typed, linted as it stands, handed in once. Joins the parts that do it.
import { showBothSides } from "./both_sides.js";
import { describe, tally } from "./cell_words.js";
import { Draft } from "./draft.js";
import { Grid } from "./grid.js";
import { ask, Lint, showFindings } from "./lint.js";
import { linkTo, Passages } from "./passages.js";
import { paste } from "./pasting.js";
import { canTell, notice, tell } from "./recorder.js";
import { pasteOf, Sheet, withLink, withoutLinks } from "./sheet.js";

const RECORDER_MS = 1500; // so long the recorder may take to say what it kept
const byId = (id) => document.getElementById(id);

export class AnswerForm {
  constructor(panel, form) {
    this.panel = panel;
    this.form = form;
    this.known = JSON.parse(byId("known").textContent);
    this.box = byId("answer_csv");
    this.isTable = this.known.type === "table";
    this.sheet = new Sheet(this.known.header, this.known.type === "item" ? 1 : Infinity);
    this.sheet.begin(this.known.rows ?? [], this.known.origins);
    this.passages = new Passages();
    this.waiting = null; // the mark that was asked for and has not come yet
    this.counting = 0;
    this.order = null;
    this.saidFaults = [];
    this.isSure = false;
    this.lintedText = null;
    this.isAsked = 0;
    this.isSent = false;
    this.isRestored = false;
    this.pasteSaid = null; // what a paste left out, until the person goes to another cell
    this.mode = this.known.rows === null ? "text" : "grid";
    this.grid = new Grid(byId("grid"), this.sheet, {
      onPaste: (place, data, field) => {
        this.pasteSaid = paste(this.sheet, this.passages, place, data, field);
        this.describe();
      },
      onActive: () => {
        this.pasteSaid = null;
        this.describe();
      },
      onLeave: () => byId("keys").querySelector("summary").focus(),
    });
    this.draft = new Draft(
      this.panel, () => this.read(), (mine, theirs) => this.choose(mine, theirs, "Another window saved this answer"));
    this.lint = new Lint(this.panel, (found, text) => this.linted(found, text));
    this.sheet.onChange = () => this.changed();
    this.listen();
    this.show();
    this.draw();
    this.lint.later(() => this.lintBody());
    const left = this.draft.left();
    // What the recorder kept is as new, or newer: the shell's box writes only there.
    if (left) setTimeout(() => this.restore(left), canTell() ? RECORDER_MS : 0);
  }

  listen() {
    byId("undo").addEventListener("click", () => this.grid.again(this.sheet.undo()));
    byId("add-row")?.addEventListener("click", () => this.rowChange(() => this.sheet.addRow(this.grid.active.row), 1));
    byId("delete-row")?.addEventListener("click", () => this.rowChange(() => this.sheet.deleteRow(this.grid.active.row), 0));
    byId("sort")?.addEventListener("click", () => this.sort());
    byId("as-text").addEventListener("click", () => this.turn("text"));
    byId("as-grid").addEventListener("click", () => this.turnToGrid());
    byId("mark").addEventListener("click", () => this.mark());
    byId("unlink").addEventListener("click", () => {
      const { row, column } = this.grid.active;
      this.sheet.set(row, column, withoutLinks(this.sheet.rows[row][column]));
    });
    this.box.addEventListener("input", () => this.changed());
    byId("answer_file").addEventListener("change", (event) => this.takeFile(event.target));
    this.form.addEventListener("submit", (event) => this.send(event));
    byId("sure-yes").addEventListener("click", () => this.handInAllTheSame());
    byId("sure-no").addEventListener("click", () => this.backToAnswer());
    byId("sure").addEventListener("keydown", (event) => { if (event.key === "Escape") this.backToAnswer(); });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "?" || /^(input|textarea|select)$/i.test(event.target.tagName)) return;
      byId("keys").open = !byId("keys").open;
    });
  }

  // What is saved and handed in.
  read() {
    return { body: this.mode === "grid" ? this.sheet.csv(this.isTable) : this.box.value, origins: this.sheet.origins() };
  }

  changed() {
    this.askNoMore();
    this.draw();
    this.draft.later();
    this.lint.later(() => this.lintBody());
  }

  draw() {
    this.grid.draw();
    byId("undo").disabled = this.sheet.past.length === 0;
    this.describe();
    clearTimeout(this.counting); // of thousands of cells, not with each stroke
    this.counting = setTimeout(() => {
      byId("tally").textContent = tally(this.sheet);
      byId("grid-help").hidden = this.sheet.rows.some((cells) => cells.some((cell) => cell.links.length)); // done once, known
    }, 100);
  }

  describe() {
    const { row, column } = this.grid.active;
    const cell = this.sheet.rows[row]?.[column];
    if (!cell) return;
    byId("cell-note").hidden = false;
    const fault = this.grid.faults.get(`${row}:${column}`) ?? this.grid.faults.get(`${row}`);
    const isTold = [...byId("lint").children].some((line) => fault && line.dataset.says === fault.message);
    const said = describe(this.sheet.header[column], row, cell, fault?.message, isTold);
    byId("cell-said").replaceChildren(...(this.pasteSaid ? [`${this.pasteSaid} `] : []), ...said);
    byId("unlink").hidden = cell.links.length === 0;
  }

  // ---- Grid and text ----
  show() {
    byId("grid-part").hidden = this.mode !== "grid";
    byId("text-part").hidden = this.mode === "grid";
    byId("as-grid").hidden = this.mode === "grid";
    byId("save").hidden = true; // it saves by itself
    byId("answer-preview").hidden = this.mode === "grid";
  }

  turn(mode) {
    if (mode === "text" && this.mode === "grid") this.box.value = this.sheet.csv(this.isTable);
    this.mode = mode;
    this.show();
    this.draw();
    if (mode === "text") this.box.focus();
    else this.grid.go(Math.min(this.grid.active.row, this.sheet.rows.length - 1), this.grid.active.column);
  }

  async turnToGrid() {
    const found = await ask(this.panel, { answer_csv: this.box.value });
    if (found === null) {
      byId("answer-preview").replaceChildren(notice("The server reads the text, and it does not answer just now."));
    } else if (found.refusals.length && this.box.value.trim()) {
      byId("answer-preview").replaceChildren(notice(found.refusals.join(" ")));
    } else {
      this.sheet.replaceAll(this.sheet.joined(found.rows, "typed"));
      this.turn("grid");
    }
  }

  async takeFile(field) {
    if (!field.files.length) return;
    const found = await ask(this.panel, { answer_file: field.files[0] });
    field.value = "";
    if (found && !found.refusals.length) {
      this.sheet.replaceAll(this.sheet.joined(found.rows, "file"));
      this.turn("grid");
    } else {
      showFindings(found, "", () => {});
    }
  }

  rowChange(change, down) {
    const { row, column } = this.grid.active;
    change();
    this.grid.go(Math.min(row + down, this.sheet.rows.length - 1), column);
  }

  // ---- Pasting and marking ----
  mark() {
    const { row, column } = this.grid.active;
    this.waiting = { ref: Math.random().toString(36).slice(2), row, column, cell: this.sheet.rows[row][column] };
    tell({ do: "mark", ref: this.waiting.ref });
  }

  // What the recorder says may hold copies, marks, what was forgotten, and a draft kept while the server was away.
  heard(detail) {
    if (detail.passages && this.passages.hear(detail.session, detail.passages) && Date.now() - this.isAsked > 2000) {
      this.isAsked = Date.now();
      tell({ do: "hello" });
    }
    const links = this.passages.late();
    const isForgotten = (link) => link.session === detail.session
      && (detail.passages?.forgotten ?? []).some(([first, last]) => link.seq >= first && link.seq <= last);
    this.sheet.amend((cell) => {
      const late = links.get(cell.paste);
      if (late && pasteOf(cell)?.seq !== late.seq) {
        return Object.freeze({ ...cell, how: "", links: [...cell.links.filter((link) => link.how !== "paste"), late] });
      }
      if (!cell.links.some(isForgotten)) return cell;
      const how = cell.value.trim() ? "forgotten" : "";
      return Object.freeze({ ...cell, how, links: cell.links.filter((link) => !isForgotten(link)) });
    });
    const marked = this.waiting && this.passages.marked(this.waiting.ref);
    if (marked) this.attach(marked);
    if (detail.draft) this.restore({ body: detail.draft.text, origins: detail.draft.origins ?? [], base: detail.draft.base });
  }

  // How many cells would have no evidence left if the last minutes were forgotten; what was sent stays.
  toLose(detail, minutes) {
    const since = Date.now() - minutes * 60_000;
    const goes = (link) => link.session === detail.session && link.seq > detail.uploaded_seq && Date.parse(link.at) >= since;
    const cells = this.sheet.rows.flat().filter((cell) => cell.links.length);
    return cells.filter((cell) => cell.links.every(goes)).length;
  }

  // The cell may have moved since the mark was asked for.
  attach(marked) {
    const { row, column, cell } = this.waiting;
    this.waiting = null;
    const at = this.sheet.rows.findIndex((cells) => cells[column] === cell && cell.value);
    const place = at >= 0 ? at : Math.min(row, this.sheet.rows.length - 1);
    this.sheet.set(place, column, withLink(this.sheet.rows[place][column], linkTo(marked, "mark", marked.text)));
  }

  // ---- Lint ----
  lintBody() {
    this.lintRows = this.sheet.filled().map(({ at }) => at);
    return this.read().body;
  }

  linted(found, text) {
    const rows = this.mode === "grid" ? this.lintRows : [];
    const shift = found ? Math.max(0, rows.length - found.rows.length) : 0;
    this.grid.faults.clear();
    for (const one of found?.findings ?? []) {
      const at = one.row === null ? undefined : rows[one.row + shift];
      if (at === undefined || one.severity === "info") continue;
      const column = this.sheet.header.indexOf(one.column);
      const key = column < 0 ? `${at}` : `${at}:${column}`;
      if (!this.grid.faults.has(key)) this.grid.faults.set(key, one);
    }
    this.order = found?.order ?? null;
    this.lintedText = text;
    this.saidFaults = faultsOf(found);
    if (byId("sort")) byId("sort").disabled = this.order === null;
    showFindings(found, text, (row, column) => this.grid.go(rows[row + shift], Math.max(0, this.sheet.header.indexOf(column))));
    this.grid.draw();
    this.describe();
  }

  sort() {
    if (this.order && this.lintedText === this.read().body) this.sheet.reorder(this.order);
  }

  // ---- Draft ----
  async adopt({ body, origins }) {
    const found = body.trim() ? await ask(this.panel, { answer_csv: body }) : { rows: [], refusals: [] };
    if (found && !found.refusals.length) {
      this.mode = "grid";
      this.sheet.replaceAll(this.sheet.cellsOf(found.rows, origins));
    } else {
      this.mode = "text";
      this.box.value = body;
    }
    this.show();
    this.draw();
  }

  // Text this machine kept while the server was away: taken once, and by itself only where nothing is in its way.
  async restore(left) {
    if (this.isRestored) return;
    this.isRestored = true;
    const now = this.read();
    if (left.body.trim() === now.body.trim()) {
      this.draft.keepHere(null);
      return;
    }
    const isUntouched = JSON.stringify(now) === this.draft.saved;
    const theirs = { ...now, seq: this.draft.base, saved_at: new Date().toISOString() };
    await this.adopt(left);
    this.draft.say("This machine kept text the server does not have; it is shown here and not saved yet", true);
    if (isUntouched && (left.base === this.draft.base || !now.body.trim())) this.draft.later();
    else this.choose(this.read(), theirs, "This machine kept an answer, and here stands another one");
  }

  async choose(mine, theirs, why) {
    this.draft.isStale = true;
    const chosen = await showBothSides(this.panel, why, mine, theirs);
    this.draft.settle(theirs);
    if (chosen === "theirs") await this.adopt(theirs);
    this.draft.save();
  }

  // ---- Handing in ----
  send(event) {
    if (this.isSent || (event.submitter?.id === "submit" && this.asks())) {
      event.preventDefault();
      return;
    }
    const { body, origins } = this.read();
    this.isSent = true;
    this.askNoMore();
    this.box.value = body;
    byId("origins").value = JSON.stringify(origins);
    this.draft.keepHere({ body, origins }); // until the server has answered
    this.draft.rest();
  }

  // Whether a question stands before handing in: what the lint said of this very text, once.
  asks() {
    if (this.isSure || !this.saidFaults.length || this.lintedText !== this.read().body) return false;
    byId("sure-words").textContent = `${faultWords(this.saidFaults)} Hand it in all the same?`;
    byId("sure").hidden = false;
    byId("sure-no").focus();
    byId("sure").scrollIntoView({ block: "nearest" });
    return true;
  }

  askNoMore() {
    byId("sure").hidden = true;
  }

  handInAllTheSame() {
    this.isSure = true;
    this.form.requestSubmit(byId("submit"));
    this.isSure = false;
  }

  backToAnswer() {
    this.askNoMore();
    byId("submit").focus();
  }
}

const SAID = 4;

function faultsOf(found) {
  const told = (found?.findings ?? []).filter((one) => one.severity !== "info").map((one) => one.message);
  return [...(found?.refusals ?? []), ...new Set(told), ...Array(found?.more ?? 0).fill("")];
}

function faultWords(faults) {
  const said = faults.filter(Boolean).slice(0, SAID).map((one) => `${one.slice(0, 1).toUpperCase()}${one.slice(1).replace(/[.]$/, "")}.`);
  const more = faults.length - said.length;
  return [...said, ...(more ? [`And ${more} more.`] : [])].join(" ");
}
