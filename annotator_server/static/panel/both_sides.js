// Two answers that were written upon the same one: both are shown where they differ, and the person chooses.
import { ask } from "./lint.js";
import { clock } from "./recorder.js";

const SHOWN = 20;

// Resolves to "mine" or "theirs".
export async function showBothSides(panel, why, mine, theirs) {
  const box = document.getElementById("stale");
  const [here, there] = await Promise.all([rowsOf(panel, mine.body), rowsOf(panel, theirs.body)]);
  const title = document.createElement("p");
  title.append(`${why} (${clock(theirs.saved_at)}). Nothing is lost: choose which one goes on. Undo brings the other back.`);
  const notice = document.createElement("div");
  notice.className = "notice warn both-sides";
  notice.setAttribute("role", "alert");
  const inside = document.createElement("div");
  const [keep, take] = ["Keep what is here", "Take the other"].map((words) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-quiet btn-sm";
    button.textContent = words;
    return button;
  });
  const buttons = document.createElement("div");
  buttons.className = "answer-buttons";
  buttons.append(keep, take);
  inside.append(title, comparison(here, there), buttons);
  notice.append(inside);
  box.replaceChildren(notice);
  box.hidden = false;
  return new Promise((resolve) => {
    const choose = (side) => () => {
      box.hidden = true;
      box.replaceChildren();
      resolve(side);
    };
    keep.addEventListener("click", choose("mine"));
    take.addEventListener("click", choose("theirs"));
  });
}

async function rowsOf(panel, body) {
  const found = body.trim() ? await ask(panel, { answer_csv: body }) : null;
  return found?.rows.length ? found.rows.map((row) => row.join(" | ")) : body.split("\n").filter(Boolean);
}

function comparison(here, there) {
  const table = document.createElement("table");
  table.className = "list preview";
  const head = table.createTHead().insertRow();
  for (const name of ["Row", `Here (${here.length})`, `The other (${there.length})`]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    head.append(cell);
  }
  const body = table.createTBody();
  const places = [...Array(Math.max(here.length, there.length)).keys()].filter((at) => here[at] !== there[at]);
  for (const at of places.slice(0, SHOWN)) {
    const row = body.insertRow();
    for (const text of [`${at + 1}`, here[at] ?? "–", there[at] ?? "–"]) {
      const cell = row.insertCell();
      cell.className = "wrap";
      cell.textContent = text;
    }
  }
  if (places.length > SHOWN) body.insertRow().insertCell().textContent = `and ${places.length - SHOWN} more`;
  const around = document.createElement("div");
  around.className = "preview-box";
  around.tabIndex = 0;
  around.setAttribute("aria-label", "Rows that differ");
  around.append(table);
  return around;
}
