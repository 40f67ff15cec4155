// The paper of a game that is written down: rows, a column for each seat, sums
// ruled off, what people have written as if by hand.

import { fit, make, put, unseen } from "./dom.js";
import { byHand } from "./hand.js";
import { say } from "./words.js";

/** createSheet makes an empty pad. */
export function createSheet() {
  const node = make("div", "pad");
  node.tabIndex = 0; // a pad wider than its board is moved by the keyboard
  node.setAttribute("role", "region");
  const table = make("table");
  const names = make("tr");
  const head = make("thead");
  head.append(names);
  const body = make("tbody");
  table.append(head, body);
  const star = make("p", "star");
  node.append(table, star);
  return { node, names, body, star };
}

/** drawSheet writes a sheet onto the pad, or puts the pad away. What its star means stands below, unless said. */
export function drawSheet(pad, sheet, lang, said = []) {
  pad.node.hidden = !sheet;
  if (!sheet) return;
  pad.node.setAttribute("aria-label", say("sheet", {}, lang));
  const columns = sheet.columns ?? [];
  pad.star.hidden = !sheet.star || said.includes(sheet.star);
  put(pad.star, sheet.star ?? "");
  fit(pad.names, columns.length + 1, (i) => make(i === 0 ? "td" : "th")).forEach((cell, i) => {
    if (i === 0) return;
    cell.scope = "col";
    cell.dir = "auto";
    cell.dataset.seat = columns[i - 1].seat % 10;
    put(cell, columns[i - 1].name);
  });
  fit(pad.body, sheet.rows.length, () => make("tr")).forEach((line, i) => drawRow(line, sheet.rows[i], lang));
}

function drawRow(line, row, lang) {
  line.classList.toggle("sum", Boolean(row.sum));
  fit(line, row.cells.length + 1, (i) => make(i === 0 ? "th" : "td")).forEach((cell, i) => {
    if (i === 0) {
      cell.scope = "row";
      put(cell, row.label);
    } else {
      drawCell(cell, row.cells[i - 1], lang);
    }
  });
}

function drawCell(cell, { text, mark }, lang) {
  if (cell.dataset.mark === mark && cell.dataset.text === text && cell.lang === lang) return;
  Object.assign(cell.dataset, { mark, text });
  cell.lang = lang;
  const shown = make("span", "ink");
  shown.append(byHand(text) ?? text);
  shown.setAttribute("aria-hidden", "true");
  cell.replaceChildren(shown, unseen(sayCell(text, mark, lang)));
}

function sayCell(text, mark, lang) {
  if (mark === "written") return text;
  if (mark === "doubled") return say("cell-doubled", { points: text.replace("*", "") }, lang);
  return mark === "struck" ? say("cell-struck", {}, lang) : say("cell-open", {}, lang);
}
