// The panel's two conversations: with the recorder (a binding one way, an event back), and with the server (drafts).
const panel = document.getElementById("panel");
const byId = (id) => document.getElementById(id);
const form = byId("answer-form");
const box = byId("answer_csv");
const token = document.querySelector("input[name=csrf_token]")?.value;
const BINDING = "__trailbench_panel";

// ---- Recorder ----------------------------------------------------------------------------------
const WORDS = {
  idle: "Ready",
  recording: "Recording",
  paused: "Paused",
  stopped: "Uploading",
  uploaded: "Complete",
};
let recorder = null;
let heardAt = 0;

function tell(message) {
  if (typeof window[BINDING] === "function") window[BINDING](JSON.stringify(message));
}

function enable(id, on) {
  const button = byId(id);
  if (button) button.disabled = !on;
}

function since(start) {
  const seconds = Math.max(0, Math.floor((Date.now() - new Date(start).getTime()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function line(text) {
  const item = document.createElement("div");
  item.className = "notice bad";
  item.textContent = text;
  return item;
}

function eventLine(event) {
  const item = document.createElement("li");
  const time = document.createElement("time");
  const text = document.createElement("span");
  const moment = new Date(event.at);
  if (!Number.isNaN(moment.getTime())) {
    time.dateTime = moment.toISOString();
    time.textContent = moment.toLocaleTimeString();
  }
  text.textContent = event.text || event.type;
  text.title = text.textContent;
  item.append(time, text);
  return item;
}

function show(detail) {
  recorder = detail;
  heardAt = Date.now();
  const state = detail.state;
  const running = state === "recording" || state === "paused";
  byId("dot").className = `dot ${state}`;
  byId("state").textContent = running && detail.started_at ? `${WORDS[state]} ${since(detail.started_at)}` : WORDS[state] ?? state;
  byId("progress").textContent = detail.events
    ? `${detail.events} events, uploaded to event ${detail.uploaded_seq ?? 0} of ${detail.events}` : "";
  byId("warnings").replaceChildren(...[detail.problem, ...(detail.warnings ?? [])].filter(Boolean).map(line));
  enable("start", state === "idle");
  if (byId("start")) byId("start").hidden = state !== "idle"; // the narrow window needs the room
  enable("pause", running);
  enable("stop", running);
  enable("mark", state === "recording");
  enable("forget", running);
  if (byId("pause")) byId("pause").textContent = state === "paused" ? "Resume" : "Pause";
  if (detail.last?.length) byId("last-events").replaceChildren(...detail.last.slice(-8).reverse().map(eventLine));
  allowSubmit();
}

// Submit needs the whole recording at the server; it says so itself when asked too early.
function allowSubmit() {
  const submit = byId("submit");
  if (!submit) return;
  const here = recorder !== null && recorder.state !== "idle";
  const ready = here ? recorder.state === "uploaded" : panel.dataset.complete === "yes";
  submit.disabled = !ready;
  byId("submit-hint").textContent = ready
    ? "The recording is complete. Submit hands the answer in."
    : "Submit works once the recording is stopped and uploaded.";
}

window.addEventListener("trailbench:state", (event) => show(event.detail));
byId("start")?.addEventListener("click", () => tell({ do: "start" }));
byId("pause")?.addEventListener("click", () => tell({ do: recorder?.state === "paused" ? "resume" : "pause" }));
byId("stop")?.addEventListener("click", () => tell({ do: "stop" }));
byId("mark")?.addEventListener("click", () => tell({ do: "mark" }));
byId("forget")?.addEventListener("click", () => {
  if (confirm("Forget the last 10 minutes? What was not uploaded yet is deleted for good; this cannot be undone.")) {
    tell({ do: "forget", minutes: 10 });
  }
});
setInterval(() => {
  if (recorder?.state === "recording" && Date.now() - heardAt > 5000) {
    byId("warnings").replaceChildren(line("The recorder has been silent for a while. Look at the window you started it from."));
  }
}, 2000);

// ---- Draft -------------------------------------------------------------------------------------
const mark = byId("save-mark");
let savedText = box?.value ?? "";
let savedMark = mark?.textContent ?? "";
let saving = false;
let timer = 0;
let retry = 0;

function say(text, loud = false) {
  mark.textContent = text;
  mark.classList.toggle("loud", loud);
}

const keepKey = `trailbench-draft-${panel.dataset.task}`;
function keepHere(text) {
  try {
    if (text === null) localStorage.removeItem(keepKey);
    else localStorage.setItem(keepKey, text);
    return true;
  } catch {
    return false; // storage may be full or forbidden; the mark then promises less
  }
}

async function save() {
  if (!box || saving) return;
  if (box.value === savedText) {
    say(savedMark);
    return;
  }
  saving = true;
  const text = box.value;
  say("Saving …");
  let answer = null;
  try {
    answer = await fetch(panel.dataset.draft, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token, "X-Fragment": "1" },
      body: JSON.stringify({ body: text, base_seq: Number(byId("base_seq").value) }),
      keepalive: text.length < 60000,
    });
  } catch {
    answer = null;
  }
  saving = false;
  clearTimeout(retry);
  if (answer?.ok && !answer.redirected) {
    const kept = await answer.json();
    byId("base_seq").value = kept.seq;
    savedText = text;
    keepHere(null);
    savedMark = `Saved ${kept.saved_at.slice(11, 19)} UTC, version ${kept.seq}`;
    say(savedMark);
    if (box.value !== savedText) later();
    return;
  }
  const kept = keepHere(text) ? "kept on this machine" : "do not close this window";
  if (answer?.status === 409) say(`Not saved: another window saved this answer. Copy your text, then reload (${kept})`, true);
  else if (answer && !answer.redirected && answer.status < 500) say(`Not saved: ${(await answer.json()).error.message}`, true);
  else {
    say(answer?.redirected ? `Not saved: you are signed out, ${kept}` : `Not saved: server away, ${kept}`, true);
    retry = setTimeout(save, 5000);
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(save, 1000);
}

let previewTimer = 0;
let previewTurn = 0;
async function preview() {
  const turn = ++previewTurn;
  const answer = await fetch(panel.dataset.preview, {
    method: "POST",
    body: new FormData(form),
    headers: { "X-Fragment": "1" },
  }).catch(() => null);
  if (answer?.ok && !answer.redirected && turn === previewTurn) byId("answer-preview").innerHTML = await answer.text();
}

if (box) {
  const left = (() => { try { return localStorage.getItem(keepKey); } catch { return null; } })();
  if (left !== null && left !== box.value) {
    say("This machine kept text the server does not have; it is shown here and not saved yet", true);
    box.value = left;
    later();
  }
  box.addEventListener("input", () => {
    say("Not saved yet");
    later();
    clearTimeout(previewTimer);
    previewTimer = setTimeout(preview, 500);
  });
  byId("answer_file").addEventListener("change", preview);
  window.addEventListener("pagehide", save);
  form.addEventListener("submit", () => { clearTimeout(timer); savedText = box.value; });
}

allowSubmit();
tell({ do: "hello" });
// The recorder may attach its binding a moment after the page is there.
setTimeout(() => { if (recorder === null) tell({ do: "hello" }); }, 1000);
