// Tables: lines of an answer, in rows and columns.

import { dress } from "../js/icons.js";
import { fit, idOf, make } from "../js/dom.js";

/** isFigure reports whether a text is a number, or a dot or dash in place of one. */
function isFigure(text) {
  return /^[+\-−±<≥ ]*\d[\d.,  /]*(?: ?%)?$|^[·—–]$/.test(text);
}

/** createTable creates an empty table in a frame that scrolls sideways, and returns the frame. */
export function createTable() {
  const frame = make("div", "grid");
  const table = make("table");
  table.append(make("caption"), make("thead"), make("tbody"));
  frame.append(table);
  const observer = new ResizeObserver(() => fits(frame, table));
  observer.observe(frame);
  observer.observe(table);
  return frame;
}

/** fits makes a frame narrower than its table focusable, so that keys can scroll it. */
function fits(frame, table) {
  const wide = frame.scrollWidth > frame.clientWidth;
  const own = { tabindex: "0", role: "group", "aria-labelledby": table.getAttribute("aria-labelledby") };
  for (const [name, value] of Object.entries(own)) {
    if (wide) frame.setAttribute(name, value);
    else frame.removeAttribute(name);
  }
}

/** drawTable fills the table in frame. If it has no caption, the element headline names it. */
export function drawTable(frame, { caption = "", head = [], rows }, headline) {
  const table = frame.firstElementChild;
  const [name, top, body] = table.children;
  const wide = Math.max(head.length, ...rows.map((row) => row.length));
  const figures = Array.from({ length: wide }, (_, i) => onlyFigures(rows, i, wide));
  const names = figures.indexOf(false); // the column that names the rows: the first that is not all numbers
  dress(name, caption);
  name.hidden = !caption;
  table.setAttribute("aria-labelledby", idOf(caption ? name : headline));
  fits(frame, table);
  fit(top, head.length ? 1 : 0, () => make("tr")).forEach((line) => {
    fit(line, head.length, () => make("th")).forEach((cell, i) => {
      cell.scope = "col";
      dress(cell, head[i]);
      cell.className = figures[i] ? "number" : "";
    });
  });
  body.replaceChildren(...rows.map((row) => drawRow(row, wide, figures, names)));
}

/** onlyFigures reports whether a column has only numbers, at least one. Rows with fewer cells than wide are ignored. */
function onlyFigures(rows, column, wide) {
  const texts = rows.filter((row) => row.length === wide).map((row) => row[column]).filter((text) => text !== "");
  return texts.length > 0 && texts.every((text) => isFigure(text.replace(/\.$/, "")));
}

function drawRow(row, wide, figures, names) {
  const line = make("tr");
  line.append(...row.map((text, i) => {
    const whole = row.length === wide;
    const cell = make(whole && i === names ? "th" : "td", whole && figures[i] ? "number" : "");
    if (cell.tagName === "TH") cell.scope = "row";
    if (row.length === 1) cell.colSpan = wide;
    cell.dir = "auto";
    dress(cell, text);
    return cell;
  }));
  return line;
}
