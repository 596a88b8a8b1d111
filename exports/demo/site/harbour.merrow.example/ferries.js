// Fills the timetable after the page has loaded, as many real pages do.
const body = document.querySelector("#ferries tbody");
const state = document.querySelector("#state");
fillTable();

async function fillTable() {
  const reply = await fetch("/ferries.json");
  for (const call of await reply.json()) {
    const row = body.insertRow();
    for (const text of [call.island, call.days, call.first]) row.insertCell().textContent = text;
  }
  state.textContent = "Plan of this season. No other island is called at.";
}
