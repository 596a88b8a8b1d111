// What was copied or marked on recorded pages, as the recorder tells it, and which of it a pasted text is.
import { bare, BLANK } from "./sheet.js";

const LONGEST_COPY = 2000; // the recorder keeps so many characters of a copy
const SOON = 10_000;

export class Passages {
  constructor() {
    this.session = null;
    this.known = new Map();
    this.pending = [];
  }

  // Take what the recorder says; tells whether anything is missing that it would have to say again.
  hear(session, told) {
    if (session !== this.session) {
      this.session = session;
      this.known.clear();
    }
    for (const one of told.last) this.known.set(one.seq, { ...one, session, bare: bare(one.text) });
    for (const [first, last] of told.forgotten) {
      for (const seq of this.known.keys()) if (seq >= first && seq <= last) this.known.delete(seq);
    }
    return this.known.size < told.count;
  }

  // The newest copy that reads as the pasted text does and was made before `until`, or null.
  match(text, until = Infinity) {
    const wanted = bare(text);
    if (!wanted) return null;
    const same = (one) => one.kind === "copy" && !(Date.parse(one.at) > until)
      && (one.bare === wanted || (one.text.length >= LONGEST_COPY && wanted.startsWith(one.bare)));
    return [...this.known.values()].filter(same).sort((one, other) => other.seq - one.seq)[0] ?? null;
  }

  marked(ref) {
    return [...this.known.values()].find((one) => one.ref === ref) ?? null;
  }

  // The cells of a pasted block, each with its link. Of a block that was copied whole each cell belongs to its row.
  cells(plain, block) {
    const whole = this.match(plain);
    const isOne = block.length === 1 && block[0].length === 1;
    const pasted = [];
    const cells = block.map((row) => row.map((value) => {
      const line = isOne ? "" : row.filter(Boolean).join("\t");
      const found = value ? whole ?? this.match(value) : null;
      if (!value) return BLANK;
      const links = found ? [linkTo(found, "paste", value, found === whole ? line : "")] : [];
      const cell = Object.freeze({ value, how: found ? "" : "outside", links, text: value, paste: Symbol("paste") });
      pasted.push({ paste: cell.paste, value, line });
      return cell;
    }));
    if (pasted.length) this.pending.push({ at: Date.now(), plain, pasted });
    return cells;
  }

  // A paste may be quicker than the recorder's word of its copy, and an older copy may read the same: what came a
  // moment ago is looked at again. Returns the links that were found by now, by the paste they belong to.
  late() {
    const links = new Map();
    this.pending = this.pending.filter((one) => Date.now() - one.at < SOON);
    for (const { at, plain, pasted } of this.pending) {
      const whole = this.match(plain, at);
      for (const { paste, value, line } of pasted) {
        const found = whole ?? this.match(value, at);
        if (found) links.set(paste, linkTo(found, "paste", value, found === whole ? line : ""));
      }
    }
    return links;
  }
}

export function linkTo(passage, how, text, line = "") {
  const { session, seq, url, at } = passage;
  return Object.freeze({ how, session, seq, text: text.slice(0, LONGEST_COPY), line: line.slice(0, LONGEST_COPY), url, at });
}
