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

const MINUTES = 10; // so much Forget takes back
const SILENCE_MS = 5000; // while something is recorded or sent, the recorder speaks each second
const WAY_ON = {
  recording: "trailbench capture resume",
  paused: "trailbench capture resume",
  stopped: "trailbench capture upload",
};

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

// The time of day here, as every mark of the panel shows it.
export function clock(moment) {
  return new Date(moment).toLocaleTimeString("en-GB");
}

// How long something was recorded: it stands still while paused. An older recorder tells only when it began.
function recorded({ started_at: start, recorded_ms: told }) {
  const seconds = Math.max(0, Math.floor((told ?? Date.now() - new Date(start).getTime()) / 1000));
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
    time.textContent = clock(moment);
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

// How much there is, and where it is.
function progress(detail, isComplete) {
  const { state, events, uploaded_seq: sent = 0, forget_minutes: minutes, inspect_first: isLookedAt } = detail;
  if (state === "uploaded") return `${summary(detail.counts)}All ${events} events are sent: the recording is complete.`;
  if (state === "idle") return isComplete ? "A complete recording is at the server. Start would make another one." : "";
  if (state === "stopped") return `${summary(detail.counts)}${sent} of ${events} events are sent.`;
  if (!events) return "";
  const minute = minutes === 1 ? "minute" : "minutes";
  const when = isLookedAt ? "sent once you have looked at them (trailbench capture inspect)"
    : minutes ? `sent after ${minutes} ${minute} or at Stop` : "sent at Stop at the latest";
  return sent ? `${sent} events sent, ${events - sent} kept here; ${when}` : `${events} events kept here; ${when}`;
}

// What is wrong, what to mind, and what was done: each a kind and a sentence.
function notices(detail) {
  const told = (detail.warnings ?? []).map((text) => [text.startsWith("Forgotten: ") ? "good" : "warn", text]);
  return detail.problem ? [["bad", detail.problem], ...told] : told;
}

function forgetWords(cells) {
  const lost = cells === 0 ? "" : ` ${cells} ${cells === 1 ? "cell loses its" : "cells lose their"} evidence with the pages.`;
  return `Forget the last ${MINUTES} minutes? What was not uploaded yet is deleted for good; this cannot be undone.${lost}`;
}

// When nothing was recorded, and why; a moment of another day says its day.
function gapWords({ start, end, why }) {
  const when = (moment) => {
    const date = new Date(moment);
    const day = date.toDateString() === new Date().toDateString() ? "" : `${date.toLocaleDateString("en-GB")} `;
    return `${day}${clock(date)}`;
  };
  return `${start ? `from ${when(start)} to ${when(end)}` : `until ${when(end)}`}${why ? `: ${why}` : ""}`;
}

// What the recording misses: a sentence a line; behind it the pages or times it speaks of.
function missingPart({ text: words, pages: addresses, gaps = [] }) {
  const text = gaps.length === 1 ? `Nothing was recorded ${gapWords(gaps[0])}` : words;
  const pages = gaps.length > 1 ? gaps.map(gapWords) : addresses;
  const part = document.createElement(pages.length ? "details" : "p");
  const said = pages.length ? part.appendChild(document.createElement("summary")) : part;
  said.textContent = text;
  if (pages.length) {
    part.appendChild(document.createElement("ul")).append(...pages.map((url) => {
      const line = document.createElement("li");
      line.textContent = url;
      return line;
    }));
  }
  return part;
}

export class Recorder {
  // `toLose(detail, minutes)` counts the cells that would lose their evidence by forgetting.
  constructor(panel, onState, toLose) {
    this.panel = panel;
    this.onState = onState;
    this.toLose = toLose;
    this.detail = null;
    this.heardAt = 0;
    this.isSilent = false;
    this.noticed = "[]";
    this.missed = "[]";
    this.nothingSeen = [...byId("last-events").children];
    window.addEventListener("trailbench:state", (event) => this.show(event.detail));
    byId("start")?.addEventListener("click", () => tell({ do: "start" }));
    byId("pause")?.addEventListener("click", () => tell({ do: this.detail?.state === "paused" ? "resume" : "pause" }));
    byId("stop")?.addEventListener("click", () => tell({ do: "stop" }));
    byId("forget")?.addEventListener("click", () => {
      if (confirm(forgetWords(this.toLose(this.detail, MINUTES)))) tell({ do: "forget", minutes: MINUTES });
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

  show(detail) {
    this.detail = detail;
    this.heardAt = Date.now();
    this.isSilent = false;
    const state = detail.state;
    const running = state === "recording" || state === "paused";
    byId("dot").className = `dot ${state}`;
    const word = state === "stopped" && detail.away ? "Kept here, the server is away" : WORDS[state] ?? state;
    byId("state").textContent = running && detail.started_at ? `${word} ${recorded(detail)}` : word;
    byId("progress").textContent = progress(detail, this.panel.dataset.complete === "yes");
    this.notify(notices(detail));
    this.showMissing(detail.missing ?? []);
    enable("start", state === "idle");
    if (byId("start")) byId("start").hidden = state !== "idle"; // the narrow window needs the room
    enable("pause", running);
    enable("stop", running);
    enable("mark", state === "recording");
    enable("forget", running);
    if (byId("pause")) {
      byId("pause").textContent = state === "paused" ? "Resume" : "Pause";
      byId("pause").title = byId("paused-note").textContent;
      byId("paused-note").hidden = state !== "paused";
    }
    const seen = (detail.last ?? []).slice(-8).reverse().map(eventLine);
    byId("last-events").replaceChildren(...(seen.length ? seen : this.nothingSeen));
    this.offerWidth();
    this.allowSubmit();
    this.onState(detail);
  }

  // Put there once: what was opened stays open.
  showMissing(parts) {
    const box = byId("missing");
    const said = JSON.stringify(parts);
    if (!box || said === this.missed) return;
    this.missed = said;
    const head = document.createElement("strong");
    head.textContent = "Missing from the recording";
    box.replaceChildren(...(parts.length ? [head, ...parts.map(missingPart)] : []));
    box.hidden = !parts.length;
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
    byId("no-search").hidden = !(here && ready && this.detail.counts && !this.detail.counts.query);
    byId("submit-hint").textContent = ready
      ? "The recording is complete. Submit hands the answer in."
      : "Submit works once the recording is stopped and uploaded.";
  }

  mindSilence() {
    const command = WAY_ON[this.detail?.state];
    if (!command || this.isSilent || Date.now() - this.heardAt <= SILENCE_MS) return;
    this.isSilent = true; // until it speaks again
    byId("dot").className = "dot";
    byId("state").textContent = "Recorder silent";
    for (const id of ["pause", "stop", "mark", "forget"]) enable(id, false);
    this.notify([["bad",
      "No word from the recorder: what you do now may not be recorded. What it had recorded is kept. If it has ended, "
      + `type in the window you started it from: ${command}`]]);
  }

  // Said once, not with each word of the recorder: a screen reader would read it out each second.
  notify(found) {
    const said = JSON.stringify(found);
    if (said === this.noticed) return;
    this.noticed = said;
    byId("warnings").replaceChildren(...found.map(([kind, text]) => notice(text, kind)));
  }
}
