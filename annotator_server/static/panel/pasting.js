// A paste into the grid: one value at the caret, or a block of cells from its place on.
import { fitColumns, readBlock } from "./clipboard.js";
import { pasteOf } from "./sheet.js";

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

// Returns the sentence about what was left out or replaced, or null.
export function paste(sheet, passages, { row, column }, data, field) {
  const plain = data.getData("text/plain");
  const read = readBlock(plain, data.getData("text/html"));
  let block = read.block;
  if (!block.length) return null;
  if (sheet.most === 1) block = [[block.flat().filter(Boolean).join(" ")]];
  if (block.length === 1 && block[0].length === 1) {
    return pasteOne(sheet, row, column, passages.cells(plain, block)[0][0], field) ? `Pasted. ${replacedWords(1)}` : null;
  }
  const fitted = fitColumns(block, sheet.header, read.isHeaded);
  const left = sheet.put(row, fitted.named ? 0 : column, passages.cells(plain, fitted.block));
  const names = left.columns && fitted.left ? fitted.left.slice(-left.columns) : fitted.dropped ?? [];
  const noRoom = [
    left.columns && !names.length && count(left.columns, "column", "columns"),
    left.rows && count(left.rows, "row", "rows"),
  ].filter(Boolean).join(" and ");
  const said = [
    fitted.left && `The header row (${fitted.left.join(", ")}) was left out.`,
    names.length && `${names.length === 1 ? "Column" : "Columns"} ${names.join(", ")} ${names.length === 1 ? "was" : "were"} left out.`,
    noRoom && `${noRoom} found no room here; Undo takes it back.`,
    left.replaced && replacedWords(left.replaced),
  ].filter(Boolean);
  return said.length ? `Pasted. ${said.join(" ")}` : null;
}

const replacedWords = (cells) =>
  `${count(cells, "cell had evidence, which was", "cells had evidence, which was")} replaced; Undo brings it back.`;

// Returns whether evidence the cell had is gone by it.
function pasteOne(sheet, row, column, pasted, field) {
  const before = sheet.rows[row][column];
  const [start, end] = [field.selectionStart, field.selectionEnd];
  const value = field.value.slice(0, start) + pasted.value + field.value.slice(end);
  const marks = before.links.filter((link) => link.how === "mark");
  // Into the middle of a text: the link is kept, and shows as edited unless the whole is what was copied.
  const how = value.trim() === pasted.value || pasteOf(pasted) ? pasted.how : "typed";
  sheet.set(row, column, Object.freeze({ ...pasted, value, how, links: [...marks, ...pasted.links] }));
  field.setSelectionRange(start + pasted.value.length, start + pasted.value.length);
  return pasteOf(before) !== undefined;
}
