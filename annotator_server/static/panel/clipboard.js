// What is on the clipboard comes in as a block of texts: from a spreadsheet, a table of a page, lines, or one value. Its
// first row may be said to be a header.

const clean = (text) => text.replace(/\u00a0/g, " ").replace(/[ \t\r\n]+/g, " ").trim();

export function readBlock(plain, html) {
  const table = html ? readTable(html) : null;
  const rows = table?.rows ?? readTabs(plain);
  const block = rows.filter((row, at) => row.some(Boolean) || (at > 0 && at < rows.length - 1));
  return { block, isHeaded: table !== null && table.isHeaded && block[0] === rows[0] };
}

// A table, where the clipboard holds one and nothing beside it. Merged cells are blank but for their first.
export function readTable(html) {
  const page = new DOMParser().parseFromString(plainTags(html), "text/html");
  const table = page.querySelector("table");
  if (!table) return null;
  for (const other of page.querySelectorAll("style, script, template, title")) other.remove();
  const beside = page.body.cloneNode(true);
  beside.querySelectorAll("table").forEach((one) => one.remove());
  if (clean(beside.textContent) || page.querySelectorAll("table").length > 1) return null;
  const grid = [];
  [...table.rows].forEach((row, at) => {
    grid[at] ??= [];
    let place = 0;
    for (const cell of row.cells) {
      while (grid[at][place] !== undefined) place += 1;
      for (let down = 0; down < Math.min(cell.rowSpan || 1, 1000); down += 1) {
        if (at + down >= table.rows.length) break;
        grid[at + down] ??= [];
        for (let across = 0; across < Math.min(cell.colSpan || 1, 100); across += 1) {
          grid[at + down][place + across] = down || across ? "" : clean(cell.textContent);
        }
      }
    }
  });
  const isHead = (row) => row.cells.length > 0 && [...row.cells].every((cell) => cell.tagName === "TH");
  const isHeaded = table.rows.length > 1 && isHead(table.rows[0]) && ![...table.rows].every(isHead);
  return { rows: grid.map((row) => Array.from(row, (text) => text ?? "")), isHeaded };
}

// Without styles: this page's policy refuses them even in a document that is never shown.
function plainTags(html) {
  return html.replace(/<!--[^]*?-->|<style[^]*?<\/style>/gi, "")
    .replace(/<[^>]*>/g, (tag) => tag.replace(/\sstyle\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, ""));
}

// Lines of cells parted by tabs. A cell in quotes may hold tabs, line ends and doubled quotes, as spreadsheets write it.
export function readTabs(plain) {
  const text = plain.replace(/\r\n?/g, "\n").replace(/^\n+|\n+$/g, "");
  const rows = [[]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*)/y;
  for (let at = 0; at <= text.length;) {
    cell.lastIndex = at;
    const [, inQuotes, bareText] = cell.exec(text);
    rows.at(-1).push(inQuotes === undefined ? clean(bareText) : inQuotes.replaceAll('""', '"').trim());
    at = cell.lastIndex;
    if (text[at] === "\n") rows.push([]);
    at += 1;
  }
  return rows;
}

// Without its header row, which is returned as `left`, without columns nobody asks for, whose names are `dropped`, and with its columns in the order asked for where it names them all.
export function fitColumns(block, header, isHeaded) {
  const name = (text) => text.trim().toLowerCase();
  const places = header.map((column) => block[0].findIndex((text) => name(text) === name(column)));
  if (block.length < 2 || places.includes(-1) || (header.length === 1 && block[0].length > 1)) {
    return isHeaded && block.length > 1 ? { block: block.slice(1), named: false, left: block[0] } : { block, named: false };
  }
  const dropped = block[0].filter((text, place) => !places.includes(place)).map((text) => text || "without a name");
  return { block: block.slice(1).map((row) => places.map((place) => row[place] ?? "")), named: true, dropped };
}
