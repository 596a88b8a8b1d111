// Sentences about cells: what one came from, and how many came from where.
import { MARKS } from "./grid.js";
import { clock } from "./recorder.js";
import { standing } from "./sheet.js";

const LONGEST_PLACE = 48; // the passage after it must find room

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

export function tally(sheet) {
  const rows = sheet.filled();
  const cells = rows.flatMap((row) => row.cells);
  const kinds = cells.filter((cell) => cell.value.trim()).map(standing);
  if (!kinds.length) return "";
  const marked = cells.filter((cell) => !cell.value.trim() && cell.links.length).length;
  const of = (...wanted) => kinds.filter((kind) => wanted.includes(kind)).length;
  const others = [
    [of("typed"), "typed"],
    [of("edited"), "edited"],
    [of("outside"), "pasted from elsewhere"],
    [of("forgotten"), "from forgotten pages"],
    [of("file"), "from a file"],
  ];
  return [
    sheet.most === 1 ? "" : count(rows.length, "row", "rows"),
    `${of("page", "marked")} of ${count(kinds.length, "cell", "cells")} from pages`,
    ...others.filter(([n]) => n).map(([n, word]) => `${n} ${word}`),
    marked ? `${count(marked, "blank cell", "blank cells")} marked` : "",
  ].filter(Boolean).join(" · ");
}

// What is known of a cell, as nodes: its place, what it came from, what the scorer objects to. A fault the lint's lines
// say already is only for those who hear the page.
export function describe(column, row, cell, fault, isTold = false) {
  const strong = document.createElement("strong");
  strong.textContent = `${column}, row ${row + 1}`;
  const kind = standing(cell);
  const nodes = [strong, ` · ${MARKS[kind]?.said ?? "Blank"}`];
  for (const link of cell.links) nodes.push(line(link));
  if (fault) {
    const said = document.createElement("div");
    said.className = isTold ? "fault visually-hidden" : "fault";
    said.textContent = `${fault.slice(0, 1).toUpperCase()}${fault.slice(1)}`;
    nodes.push(said);
  }
  return nodes;
}

function line(link) {
  const said = document.createElement("div");
  said.className = "soft clamp";
  const time = link.at ? `${clock(link.at)} ` : "";
  said.textContent = `${time}${place(link.url)} “${link.text.slice(0, 120)}”`;
  said.title = `${link.url}\n“${link.text}”`;
  return said;
}

function place(url) {
  try {
    const { host, pathname } = new URL(url);
    const full = `${host}${pathname === "/" ? "" : pathname}`;
    return full.length > LONGEST_PLACE ? `${full.slice(0, LONGEST_PLACE - 1)}…` : full;
  } catch {
    return url ?? "";
  }
}
