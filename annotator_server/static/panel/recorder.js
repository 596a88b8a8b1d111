// The panel's talk with the recorder: a binding one way, a page event back.
const BINDING = "__trailbench_panel";
const byId = (id) => document.getElementById(id);

const WORDS = {
  idle: "Ready",
  recording: "Recording",
  paused: "Paused",
  stopped: "Uploading",
  uploaded: "Complete",
};

const COUNTED = [
  ["query", "query", "queries"],
  ["visit", "page", "pages"],
  ["click", "click", "clicks"],
  ["copy", "copy", "copies"],
  ["evidence", "mark", "marks"],
];

export const canTell = () => typeof window[BINDING] === "function";

export function tell(message) {
  if (!canTell()) return false;
  window[BINDING](JSON.stringify(message));
  return true;
}

function enable(id, on) {
  const button = byId(id);
  if (button) button.disabled = !on;
}

function since(start) {
  const seconds = Math.max(0, Math.floor((Date.now() - new Date(start).getTime()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function notice(text, kind = "bad") {
  const item = document.createElement("div");
  item.className = `notice ${kind}`;
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

// What was recorded, in plain words, once it is over.
function summary(counts) {
  const said = COUNTED.filter(([type]) => counts?.[type]).map(
    ([type, one, many]) => `${counts[type]} ${counts[type] === 1 ? one : many}`);
  return said.length ? `Recorded: ${said.join(", ")}. ` : "";
}

export class Recorder {
  constructor(panel, onState) {
    this.panel = panel;
    this.onState = onState;
    this.detail = null;
    this.heardAt = 0;
    window.addEventListener("trailbench:state", (event) => this.show(event.detail));
    byId("start")?.addEventListener("click", () => tell({ do: "start" }));
    byId("pause")?.addEventListener("click", () => tell({ do: this.detail?.state === "paused" ? "resume" : "pause" }));
    byId("stop")?.addEventListener("click", () => tell({ do: "stop" }));
    byId("forget")?.addEventListener("click", () => {
      const sure = "Forget the last 10 minutes? What was not uploaded yet is deleted for good; this cannot be undone.";
      if (confirm(sure)) tell({ do: "forget", minutes: 10 });
    });
    byId("widen")?.addEventListener("click", () => tell({ do: "widen", width: innerWidth < 700 ? 900 : 380 }));
    window.addEventListener("resize", () => this.offerWidth());
    setInterval(() => this.mindSilence(), 2000);
  }

  greet() {
    this.allowSubmit();
    tell({ do: "hello" });
    // The recorder may attach its binding a moment after the page is there.
    setTimeout(() => { if (this.detail === null) tell({ do: "hello" }); }, 1000);
  }

  get isRecording() {
    return this.detail?.state === "recording";
  }

  show(detail) {
    this.detail = detail;
    this.heardAt = Date.now();
    const state = detail.state;
    const running = state === "recording" || state === "paused";
    byId("dot").className = `dot ${state}`;
    byId("state").textContent = running && detail.started_at ? `${WORDS[state]} ${since(detail.started_at)}` : WORDS[state] ?? state;
    const progress = detail.events ? `${detail.events} events, uploaded to event ${detail.uploaded_seq ?? 0} of ${detail.events}` : "";
    byId("progress").textContent = (running || state === "idle" ? "" : summary(detail.counts)) + progress;
    byId("warnings").replaceChildren(...[detail.problem, ...(detail.warnings ?? [])].filter(Boolean).map((text) => notice(text)));
    enable("start", state === "idle");
    if (byId("start")) byId("start").hidden = state !== "idle"; // the narrow window needs the room
    enable("pause", running);
    enable("stop", running);
    enable("mark", state === "recording");
    enable("forget", running);
    if (byId("pause")) byId("pause").textContent = state === "paused" ? "Resume" : "Pause";
    if (detail.last?.length) byId("last-events").replaceChildren(...detail.last.slice(-8).reverse().map(eventLine));
    this.offerWidth();
    this.allowSubmit();
    this.onState(detail);
  }

  offerWidth() {
    const button = byId("widen");
    if (!button) return;
    button.hidden = this.detail === null || !canTell();
    button.querySelector("span").textContent = innerWidth < 700 ? "Widen" : "Narrow";
  }

  // Submit needs the whole recording at the server; it says so itself when asked too early.
  allowSubmit() {
    const submit = byId("submit");
    if (!submit) return;
    const here = this.detail !== null && this.detail.state !== "idle";
    const ready = here ? this.detail.state === "uploaded" : this.panel.dataset.complete === "yes";
    submit.disabled = !ready;
    byId("submit-hint").textContent = ready
      ? "The recording is complete. Submit hands the answer in."
      : "Submit works once the recording is stopped and uploaded.";
  }

  mindSilence() {
    if (this.isRecording && Date.now() - this.heardAt > 5000) {
      const said = "The recorder has been silent for a while. Look at the window you started it from.";
      byId("warnings").replaceChildren(notice(said));
    }
  }
}
