// The score sheet: rows, a column or several for each seat, sums below a line, and entries in handwriting. On a phone
// it shows one seat, in two halves beside each other if the seat has one column.

import { drawCell } from "./cells.js";
import { byPlace } from "./state.js";
import { fit, make, narrow, put, unseen } from "../js/dom.js";
import { say } from "../js/words.js";

/** createSheet creates an empty sheet. */
export function createSheet() {
  const node = make("div", "pad");
  node.tabIndex = 0; // keys scroll a sheet wider than its board
  node.setAttribute("role", "group");
  const tabs = make("div", "seats-of");
  tabs.setAttribute("role", "group");
  const halves = make("div", "halves");
  const star = make("p", "star");
  node.append(tabs, halves, star);
  return { node, tabs, halves, star, cells: new WeakMap(), seat: undefined, shown: [] };
}

export { drawRace } from "./race.js";

/** drawSheet draws a message's sheet on pad, or hides pad if there is none. The meaning of the star is below the sheet,
 * unless the message's lines contain it. mine are the visitor's seats. */
export function drawSheet(pad, message, choice, mine = {}) {
  const { sheet, lang, lines = [] } = message;
  pad.node.hidden = !sheet;
  if (!sheet) return;
  pad.node.setAttribute("aria-label", say("sheet", {}, lang));
  pad.star.hidden = !sheet.star || lines.includes(sheet.star);
  put(pad.star, sheet.star ?? "");
  const shown = columnsShown(pad, message, mine);
  pad.shown = shown;
  const wide = sheet.columns.some(({ sign }) => sign);
  pad.node.classList.toggle("columned", wide);
  pad.node.classList.toggle("crowded", shown.length > 4);
  pad.node.classList.toggle("tall", sheet.rows.length > 20);
  const seats = seatsOf(sheet.columns);
  const tabbed = Boolean(choice) && wide && seats.length > 1 && !narrow.matches;
  drawTabs(pad.tabs, tabbed ? seats : [], sheet.columns[shown[0]].seat, lang);
  const parts = narrow.matches && shown.length === 1 && sheet.rows.length > 9 ? inHalves(sheet.rows) : [sheet.rows];
  pad.halves.classList.toggle("two", parts.length > 1);
  fit(pad.halves, parts.length, createTable).forEach((table, i) => {
    const [head, body] = table.children;
    head.hidden = parts.length > 1;
    drawNames(head.firstChild, seatsOf(shown.map((at) => sheet.columns[at])), lang);
    head.firstChild.hidden = tabbed;
    drawSigns(head.lastChild, shown.map((at) => sheet.columns[at]));
    fit(body, parts[i].length, () => make("tr"))
      .forEach((line, n) => drawRow(line, parts[i][n], shown, lang, pad.cells, choice));
  });
}

/** inHalves returns rows as two lists of about the same length. */
function inHalves(rows) {
  const half = Math.ceil(rows.length / 2);
  return [rows.slice(0, half), rows.slice(half)];
}

/** columnsShown returns the indices of the columns to show: all or, on a phone and if seats have several columns, those
 * of one seat: the chosen one, else the visitor's, else the mover's, else the winner's. */
function columnsShown(pad, message, mine) {
  const { sheet: { columns }, people = [] } = message;
  const all = columns.map((_, i) => i);
  if (!narrow.matches && !columns.some(({ sign }) => sign)) return all;
  const moves = people.find(({ state }) => state === "to-move")?.seat;
  const has = (seat) => columns.some((column) => column.seat === seat);
  const own = mine[moves] !== undefined ? moves : columns.find(({ seat }) => mine[seat] !== undefined)?.seat;
  const seat = [pad.seat, own, moves, byPlace(message)[0]?.seat, columns[0]?.seat]
    .find((one) => one !== undefined && has(one));
  return all.filter((i) => columns[i].seat === seat);
}

function createTable() {
  const table = make("table");
  const head = make("thead");
  head.append(make("tr"), make("tr", "parts"));
  table.append(head, make("tbody"));
  return table;
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

function drawNames(line, seats, lang) {
  fit(line, seats.length + 1, () => make("th")).forEach((cell, i) => {
    if (i === 0) {
      if (!cell.firstChild) cell.append(unseen(say("row", {}, lang)));
      return;
    }
    const { seat, name, wide } = seats[i - 1];
    cell.scope = wide > 1 ? "colgroup" : "col";
    cell.colSpan = wide;
    cell.dir = "auto";
    cell.dataset.seat = seat % 10;
    put(cell, name);
  });
}

/** drawTabs draws a button for each seat, which shows its sheet in place of the shown seat's. */
function drawTabs(tabs, seats, shown, lang) {
  tabs.hidden = seats.length === 0;
  tabs.ariaLabel = say("seats", {}, lang);
  fit(tabs, seats.length, () => make("button")).forEach((button, i) => {
    const { seat, name } = seats[i];
    Object.assign(button.dataset, { at: seat, seat: seat % 10 });
    button.ariaPressed = String(seat === shown);
    button.dir = "auto";
    put(button, name);
  });
}

/** drawSigns draws the names of columns if seats have several. */
function drawSigns(line, columns) {
  line.hidden = !columns.some(({ sign }) => sign);
  fit(line, columns.length + 1, (i) => make(i === 0 ? "td" : "th")).forEach((cell, i) => {
    if (i === 0) return;
    const { seat, sign = "", column = "" } = columns[i - 1];
    cell.scope = "col";
    cell.dataset.seat = seat % 10;
    cell.title = column;
    put(cell, column || sign);
  });
}

/** drawRow draws a row, with the columns in shown. In cells it stores the cell of each button. */
function drawRow(line, row, shown, lang, cells, choice) {
  line.classList.toggle("sum", Boolean(row.sum));
  const whole = row.sum && shown.length > 1 && shown.slice(1).every((at) => row.cells[at].mark === "blank");
  fit(line, whole ? 2 : shown.length + 1, (i) => make(i === 0 ? "th" : "td")).forEach((node, i) => {
    if (i === 0) {
      node.scope = "row";
      put(node, row.label);
      return;
    }
    node.colSpan = whole ? shown.length : 1;
    const cell = row.cells[shown[i - 1]];
    const button = drawCell(node, cell, lang, Boolean(cell.press) && choice?.cell === cell.press);
    if (button) cells.set(button, cell);
  });
}
