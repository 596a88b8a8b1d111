// Keeps what is typed: at the server as it is typed, on this machine while the server is away. Its mark promises no more
// than is true. When another window saved meanwhile, both sides are shown and the person chooses.
import { clock, tell } from "./recorder.js";

const byId = (id) => document.getElementById(id);
const PAUSE = 1000;
const RETRY = 5000;

const savedWords = (moment, seq) => `Saved ${clock(moment)}, version ${seq}`;

export class Draft {
  // `read` returns { body, origins } as they are now; `onStale` gets what the server holds instead.
  constructor(panel, read, onStale) {
    this.panel = panel;
    this.read = read;
    this.onStale = onStale;
    this.mark = byId("save-mark");
    this.token = document.querySelector("input[name=csrf_token]")?.value;
    this.saved = JSON.stringify(read());
    const savedAt = this.mark.querySelector("time");
    if (savedAt) this.say(savedWords(savedAt.dateTime, this.base));
    this.savedMark = this.mark.textContent;
    this.isSaving = false;
    this.isStale = false;
    this.isKept = true; // what an earlier window left is not known here
    this.timers = { save: 0, retry: 0 };
    this.key = `trailbench-draft-${panel.dataset.task}`;
    window.addEventListener("pagehide", () => this.save());
  }

  get base() {
    return Number(byId("base_seq").value);
  }

  set base(seq) {
    byId("base_seq").value = seq;
  }

  say(text, loud = false) {
    this.mark.textContent = text;
    this.mark.classList.toggle("loud", loud);
  }

  // What this machine kept because the server was away, or null.
  left() {
    try {
      const left = JSON.parse(localStorage.getItem(this.key));
      return typeof left?.body === "string" ? left : null;
    } catch {
      return null;
    }
  }

  keepHere(draft) {
    if (draft === null && !this.isKept) return true;
    this.isKept = draft !== null;
    tell(draft === null ? { do: "draft", text: "", saved: true } : { do: "draft", text: draft.body, origins: draft.origins, base: this.base });
    try {
      if (draft === null) localStorage.removeItem(this.key);
      else localStorage.setItem(this.key, JSON.stringify({ ...draft, base: this.base }));
      return true;
    } catch {
      return false; // storage may be full or forbidden; the mark then promises less
    }
  }

  later() {
    if (!this.isStale) this.say("Not saved yet");
    clearTimeout(this.timers.save);
    this.timers.save = setTimeout(() => this.save(), PAUSE);
  }

  // Nothing more is saved: the form is on its way with all of it.
  rest() {
    clearTimeout(this.timers.save);
    this.saved = JSON.stringify(this.read());
  }

  async save() {
    if (this.isSaving || this.isStale) return;
    const draft = this.read();
    const text = JSON.stringify(draft);
    if (text === this.saved) {
      this.say(this.savedMark);
      return;
    }
    this.isSaving = true;
    this.say("Saving …");
    const answer = await this.send(draft);
    this.isSaving = false;
    clearTimeout(this.timers.retry);
    if (answer?.ok && !answer.redirected) this.done(await answer.json(), text);
    else await this.failed(answer, draft);
  }

  async send(draft) {
    const body = JSON.stringify({ ...draft, base_seq: this.base });
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.token, "X-Fragment": "1" };
    try {
      return await fetch(this.panel.dataset.draft, { method: "POST", headers, body, keepalive: body.length < 60000 });
    } catch {
      return null;
    }
  }

  done(kept, text) {
    this.base = kept.seq;
    this.saved = text;
    this.keepHere(null);
    this.savedMark = savedWords(kept.saved_at, kept.seq);
    this.say(this.savedMark);
    if (JSON.stringify(this.read()) !== text) this.later();
  }

  async failed(answer, draft) {
    const kept = this.keepHere(draft) ? "kept on this machine" : "do not close this window";
    const said = answer && !answer.redirected && answer.status < 500 ? await answer.json().catch(() => null) : null;
    if (answer?.status === 409 && said?.theirs) {
      this.isStale = true;
      this.say(`Not saved: another window saved this answer, ${kept}`, true);
      this.onStale(draft, said.theirs);
    } else if (said?.error) {
      this.say(`Not saved: ${said.error.message}`, true);
    } else {
      this.say(answer?.redirected ? `Not saved: you are signed out, ${kept}` : `Not saved: server away, ${kept}`, true);
      this.timers.retry = setTimeout(() => this.save(), RETRY);
    }
  }

  // The person has chosen: go on upon what the server holds.
  settle(theirs) {
    this.isStale = false;
    this.base = theirs.seq;
    this.saved = JSON.stringify({ body: theirs.body, origins: theirs.origins });
    this.savedMark = savedWords(theirs.saved_at, theirs.seq);
    this.later();
  }
}
