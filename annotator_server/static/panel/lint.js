// Asks the server what the scorer will say of the draft, and shows it: at the cells, and as sentences that lead to them.
import { icon } from "./grid.js";

const byId = (id) => document.getElementById(id);
const PAUSE = 500;
const RETRY = 2000; // until a server that was away is asked again
const SHOWN = 6;

// Have a text, or a chosen file, read by the server's own parser. Null when the server does not answer.
export async function ask(panel, fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const token = document.querySelector("input[name=csrf_token]")?.value;
  const headers = { "X-Fragment": "1", "X-CSRFToken": token };
  const answer = await fetch(panel.dataset.lint, { method: "POST", body: form, headers }).catch(() => null);
  return answer?.ok && !answer.redirected ? answer.json().catch(() => null) : null;
}

export class Lint {
  constructor(panel, onLinted) {
    this.panel = panel;
    this.onLinted = onLinted;
    this.timer = 0;
    this.turn = 0;
  }

  later(body, pause = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(body), pause);
  }

  async run(body) {
    const turn = ++this.turn;
    const text = body();
    this.timer = 0;
    const found = await ask(this.panel, { answer_csv: text });
    if (turn !== this.turn) return;
    this.onLinted(found, text);
    if (found === null && !this.timer) this.later(body, RETRY);
  }
}

const GRAVE = { fail: 0, warn: 1, info: 2 };

// Show the findings, null where the server did not answer; `go(row, column)` leads to a cell.
export function showFindings(found, text, go) {
  const box = byId("lint");
  if (found === null) {
    box.replaceChildren(sentence("info", "Not checked just now: the server does not answer."));
    return;
  }
  // What is only said (a cell is blank, a list holds something twice) would drown what is to be mended.
  const told = found.findings.filter((one) => one.severity !== "info");
  told.sort((one, other) => GRAVE[one.severity] - GRAVE[other.severity]);
  const unsorted = found.order ? told.filter((one) => one.code === "sort_order") : [];
  if (unsorted.length > 1) {
    // One button mends them all.
    const sum = { ...unsorted[0], message: `${unsorted.length} rows are out of order; Sort puts them right` };
    told.splice(0, told.length, sum, ...told.filter((one) => one.code !== "sort_order"));
  }
  const lines = [
    ...found.refusals.map((one) => sentence("cross", one)),
    ...found.notices.map((one) => sentence("info", one)),
    ...told.slice(0, SHOWN).map((one) => finding(one, go)),
  ];
  const more = Math.max(0, told.length - SHOWN) + found.more;
  if (more > 0) lines.push(sentence("info", `and ${more} more`));
  if (!lines.length && text.trim()) lines.push(sentence("check", "The shape fits: header, types, order, duplicates."));
  box.replaceChildren(...lines);
}

function sentence(name, text) {
  const line = document.createElement("div");
  line.className = `lint-line lint-${name}`;
  const words = document.createElement("span");
  words.className = "wrap";
  words.textContent = text;
  line.append(icon(name), words);
  return line;
}

function finding(one, go) {
  const text = `${one.message.slice(0, 1).toUpperCase()}${one.message.slice(1)}`;
  const line = sentence(one.severity === "fail" ? "cross" : one.severity === "warn" ? "alert" : "info", text);
  line.dataset.says = one.message;
  if (one.row === null) return line;
  const button = document.createElement("button");
  button.type = "button";
  button.className = line.className;
  button.dataset.says = one.message;
  button.append(...line.childNodes);
  button.addEventListener("click", () => go(one.row, one.column));
  return button;
}
