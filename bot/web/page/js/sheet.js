// The score sheet: rows, a column or several for each seat, sums below a line, and entries in handwriting.

import { drawCell } from "./cells.js";
import { fit, make, put } from "./dom.js";
import { say } from "./words.js";

/** createSheet creates an empty sheet. */
export function createSheet() {
  const node = make("div", "pad");
  node.tabIndex = 0; // keys scroll a sheet wider than its board
  node.setAttribute("role", "group");
  const table = make("table");
  const names = make("tr");
  const signs = make("tr", "signs");
  const head = make("thead");
  head.append(names, signs);
  const body = make("tbody");
  table.append(head, body);
  const star = make("p", "star");
  node.append(table, star);
  return { node, names, signs, body, star, cells: new WeakMap() };
}

/** drawSheet draws a message's sheet on pad, or hides pad if there is none. The meaning of the star is below the sheet,
 * unless the message's lines contain it. */
export function drawSheet(pad, { sheet, lang, lines = [] }, choice) {
  pad.node.hidden = !sheet;
  if (!sheet) return;
  pad.node.setAttribute("aria-label", say("sheet", {}, lang));
  const columns = sheet.columns ?? [];
  pad.star.hidden = !sheet.star || lines.includes(sheet.star);
  put(pad.star, sheet.star ?? "");
  drawNames(pad.names, seatsOf(columns));
  drawSigns(pad.signs, columns);
  pad.node.classList.toggle("columned", !pad.signs.hidden);
  fit(pad.body, sheet.rows.length, () => make("tr")).forEach((line, i) => drawRow(line, sheet.rows[i], lang, pad.cells, choice));
}

/** seatsOf returns the seats of columns, each with the number of its columns (wide). */
function seatsOf(columns) {
  const seats = [];
  for (const { seat, name } of columns) {
    if (seats.at(-1)?.seat === seat) seats.at(-1).wide += 1;
    else seats.push({ seat, name, wide: 1 });
  }
  return seats;
}

function drawNames(line, seats) {
  fit(line, seats.length + 1, (i) => make(i === 0 ? "td" : "th")).forEach((cell, i) => {
    if (i === 0) return;
    const { seat, name, wide } = seats[i - 1];
    cell.scope = wide > 1 ? "colgroup" : "col";
    cell.colSpan = wide;
    cell.dir = "auto";
    cell.dataset.seat = seat % 10;
    put(cell, name);
  });
}

/** drawSigns draws the signs of columns if seats have several. Screen readers read the columns' names instead. */
function drawSigns(line, columns) {
  line.hidden = !columns.some(({ sign }) => sign);
  fit(line, columns.length + 1, (i) => make(i === 0 ? "td" : "th")).forEach((cell, i) => {
    if (i === 0) return;
    const { seat, sign = "", column = "" } = columns[i - 1];
    cell.scope = "col";
    cell.dataset.seat = seat % 10;
    cell.ariaLabel = column;
    cell.title = column;
    put(cell, sign);
  });
}

/** drawRow draws a row. In cells it stores the cell of each button. */
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
