// The paper of a game that is written down: rows, a column for each seat, sums
// ruled off, what people have written as if by hand.

import { drawCell } from "./cells.js";
import { fit, make, put } from "./dom.js";
import { say } from "./words.js";

/** createSheet makes an empty pad. */
export function createSheet() {
  const node = make("div", "pad");
  node.tabIndex = 0; // a pad wider than its board is moved by the keyboard
  node.setAttribute("role", "group");
  const table = make("table");
  const names = make("tr");
  const head = make("thead");
  head.append(names);
  const body = make("tbody");
  table.append(head, body);
  const star = make("p", "star");
  node.append(table, star);
  return { node, names, body, star, cells: new WeakMap() };
}

/** drawSheet writes a message's sheet onto the pad, or puts the pad away. What its star means stands below, unless
 * the message says it. */
export function drawSheet(pad, { sheet, lang, lines = [] }, choice) {
  pad.node.hidden = !sheet;
  if (!sheet) return;
  pad.node.setAttribute("aria-label", say("sheet", {}, lang));
  const columns = sheet.columns ?? [];
  pad.star.hidden = !sheet.star || lines.includes(sheet.star);
  put(pad.star, sheet.star ?? "");
  fit(pad.names, columns.length + 1, (i) => make(i === 0 ? "td" : "th")).forEach((cell, i) => {
    if (i === 0) return;
    cell.scope = "col";
    cell.dir = "auto";
    cell.dataset.seat = columns[i - 1].seat % 10;
    put(cell, columns[i - 1].name);
  });
  fit(pad.body, sheet.rows.length, () => make("tr")).forEach((line, i) => drawRow(line, sheet.rows[i], lang, pad.cells, choice));
}

function drawRow(line, row, lang, cells, choice) {
  line.classList.toggle("sum", Boolean(row.sum));
  fit(line, row.cells.length + 1, (i) => make(i === 0 ? "th" : "td")).forEach((node, i) => {
    if (i === 0) {
      node.scope = "row";
      put(node, row.label);
      return;
    }
    const cell = row.cells[i - 1];
    const button = drawCell(node, cell, lang, Boolean(cell.press) && choice.cell === cell.press);
    if (button) cells.set(button, cell);
  });
}
