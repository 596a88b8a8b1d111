// Review by keyboard: walks the cells, brings each one's evidence, lights the pages that support it.
import { addLocalTimes } from "./times.js";

const table = document.getElementById("answer");
const evidence = document.getElementById("evidence");
const strip = document.getElementById("strip");
const cells = [...table.querySelectorAll(".cell")];
const DOUBTFUL = new Set(["conflict", "none", "consulted", "derived", "near"]);
let chosen = Math.max(0, cells.findIndex((cell) => cell.hasAttribute("aria-current")));
let asked = 0;

const pagesOf = (element) => element.dataset.pages.trim().split(/\s+/).filter(Boolean);

function light(cell) {
  const pages = new Set(pagesOf(cell));
  let first = null;
  for (const step of strip?.children ?? []) {
    const lit = pagesOf(step).some((page) => pages.has(page));
    step.classList.toggle("lit", lit);
    if (lit) first ??= step;
  }
  first?.parentElement.scrollTo({ left: first.offsetLeft - 80, behavior: "instant" });
}

// Only the box itself scrolls: the answer beside it must not jump away.
function centreMarks() {
  for (const text of evidence.querySelectorAll(".page-text")) {
    const mark = text.querySelector("mark");
    if (mark) text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 3;
  }
}

async function choose(index, focus = true) {
  if (index < 0 || index >= cells.length) return;
  cells[chosen]?.removeAttribute("aria-current");
  chosen = index;
  const cell = cells[index];
  cell.setAttribute("aria-current", "true");
  if (focus) cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: "nearest" });
  light(cell);
  history.replaceState(null, "", cell.href.replace(/#.*/, ""));
  const turn = ++asked;
  const query = new URLSearchParams({ row: cell.dataset.row, column: cell.dataset.column });
  const answer = await fetch(`${table.dataset.evidence}?${query}`, { headers: { "X-Fragment": "1" } }).catch(() => null);
  if (turn !== asked) return;
  if (!answer?.ok) {
    location.assign(cell.href);
    return;
  }
  evidence.innerHTML = await answer.text();
  addLocalTimes(evidence);
  centreMarks();
}

function nextDoubt() {
  const order = [...cells.keys()].map((step) => (chosen + 1 + step) % cells.length);
  const found = order.find((index) => DOUBTFUL.has(cells[index].dataset.state));
  if (found !== undefined) choose(found);
}

const click = (id) => document.getElementById(id)?.click();
const KEYS = {
  j: () => choose(chosen + 1),
  k: () => choose(chosen - 1),
  n: nextDoubt,
  e: () => evidence.focus(),
  a: () => click("approve"),
  r: () => {
    const comment = document.getElementById("comment");
    const reasons = document.querySelector("#decision input[name=reasons]:checked");
    if (comment && (!comment.value.trim() || !reasons)) comment.focus();
    else click("return");
  },
  "?": () => document.getElementById("keys").toggleAttribute("open"),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, input:not([type=checkbox]), select, [contenteditable]");
  if (event.key === "Escape" && typing) {
    event.target.blur();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const reason = document.querySelector(`#decision [data-key="${CSS.escape(event.key)}"]`);
  const act = KEYS[event.key] ?? (reason && (() => reason.click()));
  if (!act) return;
  event.preventDefault();
  act();
});

table.addEventListener("click", (event) => {
  const cell = event.target.closest(".cell");
  if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(cells.indexOf(cell));
});
table.addEventListener("mouseover", (event) => {
  const cell = event.target.closest(".cell");
  if (cell) light(cell);
});

// Pointing at a page of the path shows which cells it supports.
function dim(step) {
  const pages = new Set(step ? pagesOf(step) : []);
  for (const cell of cells) cell.classList.toggle("dim", pages.size > 0 && !pagesOf(cell).some((page) => pages.has(page)));
}
strip?.addEventListener("mouseover", (event) => dim(event.target.closest(".step")));
strip?.addEventListener("mouseleave", () => dim(null));

centreMarks();
if (cells[chosen]) light(cells[chosen]);
