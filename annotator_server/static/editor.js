// The editor's live side: what an agent will read and what lint says, a moment after typing stops.
const form = document.getElementById("editor");
const preview = document.getElementById("preview");
const mark = document.getElementById("saved-mark");
const columns = document.getElementById("columns");
let timer = 0;
let asked = 0;

async function refresh() {
  const turn = ++asked;
  const answer = await fetch(form.dataset.preview, {
    method: "POST",
    body: new FormData(form),
    headers: { "X-Fragment": "1" },
  }).catch(() => null);
  if (answer?.ok && turn === asked) preview.innerHTML = await answer.text();
}

function addColumn(event) {
  event.preventDefault();
  const lines = columns.querySelectorAll(".column-line");
  if (lines.length >= Number(columns.dataset.most)) return;
  const line = lines[lines.length - 1].cloneNode(true);
  for (const field of line.querySelectorAll("input, select")) {
    field.name = field.name.replace(/\d+/, String(lines.length));
    field.setAttribute("aria-label", field.getAttribute("aria-label").replace(/\d+/, String(lines.length + 1)));
    if (field.type === "checkbox") field.checked = false;
    else if (field.tagName === "SELECT") field.value = "text";
    else field.value = "";
  }
  columns.append(line);
  line.querySelector("input").focus();
}

// What rows can be sorted by are the columns as they are named now.
function nameColumns() {
  const names = [...columns.querySelectorAll("input[name$='-name']")].map((field) => field.value.trim()).filter(Boolean);
  document.getElementById("column-names").replaceChildren(...names.map((name) => new Option("", name)));
}

form.addEventListener("input", () => {
  nameColumns();
  mark.textContent = "Not saved yet";
  clearTimeout(timer);
  timer = setTimeout(refresh, 400);
});
document.getElementById("add-column").addEventListener("click", addColumn);
