// Sentences about cells: what one came from, and how many came from where.
import { MARKS } from "./grid.js";
import { standing } from "./sheet.js";

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

export function tally(sheet) {
  const rows = sheet.filled();
  const kinds = rows.flatMap(({ cells }) => cells.map(standing)).filter((kind) => kind !== "blank");
  if (!kinds.length) return "";
  const of = (...wanted) => kinds.filter((kind) => wanted.includes(kind)).length;
  const others = [[of("typed"), "typed"], [of("edited"), "edited"], [of("outside"), "pasted from elsewhere"], [of("file"), "from a file"]];
  return [
    sheet.most === 1 ? "" : count(rows.length, "row", "rows"),
    `${of("page", "marked")} of ${count(kinds.length, "cell", "cells")} from pages`,
    ...others.filter(([n]) => n).map(([n, word]) => `${n} ${word}`),
  ].filter(Boolean).join(" · ");
}

// What is known of a cell, as nodes: its place, what it came from, what the scorer objects to.
export function describe(column, row, cell, fault) {
  const strong = document.createElement("strong");
  strong.textContent = `${column}, row ${row + 1}`;
  const kind = standing(cell);
  const nodes = [strong, ` · ${MARKS[kind]?.said ?? "Blank"}`];
  for (const link of cell.links) nodes.push(line(link));
  if (fault) {
    const said = document.createElement("div");
    said.className = "fault";
    said.textContent = `${fault.slice(0, 1).toUpperCase()}${fault.slice(1)}`;
    nodes.push(said);
  }
  return nodes;
}

function line(link) {
  const said = document.createElement("div");
  said.className = "soft cut";
  const time = link.at ? `${new Date(link.at).toLocaleTimeString()} ` : "";
  said.textContent = `${time}${place(link.url)} “${link.text.slice(0, 120)}”`;
  said.title = `${link.url}\n“${link.text}”`;
  return said;
}

function place(url) {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname === "/" ? "" : pathname}`;
  } catch {
    return url ?? "";
  }
}
