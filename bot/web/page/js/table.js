// Tables: what lines of an answer say, in rows and columns that can be compared.

import { dress } from "./icons.js";
import { fit, make } from "./dom.js";

/** isFigure reports whether a text is a number, or what stands for one. */
export function isFigure(text) {
  return /^[+\-−±<≥ ]*\d[\d.,  /]*(?: ?%)?$|^[·—–]$/.test(text);
}

/** createTable makes an empty table in a frame, by which a wide one is moved sideways. */
export function createTable() {
  const frame = make("div", "grid");
  frame.setAttribute("role", "group");
  const table = make("table");
  table.append(make("caption"), make("thead"), make("tbody"));
  frame.append(table);
  const observer = new ResizeObserver(() => {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0; // the keyboard moves it, too
    else frame.removeAttribute("tabindex");
  });
  observer.observe(frame);
  observer.observe(table);
  return frame;
}

/** drawTable fills a table: title names it for those who listen where it has no caption of its own. */
export function drawTable(frame, { caption = "", head = [], rows }, title) {
  const [name, top, body] = frame.firstElementChild.children;
  const wide = Math.max(head.length, ...rows.map((row) => row.length));
  const figures = Array.from({ length: wide }, (_, i) => onlyFigures(rows, i, wide));
  const names = figures.indexOf(false); // of the rows: the first column that is no number
  frame.setAttribute("aria-label", caption || title);
  dress(name, caption || title);
  name.className = caption ? "" : "unseen";
  fit(top, head.length ? 1 : 0, () => make("tr")).forEach((line) => {
    fit(line, head.length, () => make("th")).forEach((cell, i) => {
      cell.scope = "col";
      dress(cell, head[i]);
      cell.className = figures[i] ? "number" : "";
    });
  });
  body.replaceChildren(...rows.map((row) => drawRow(row, wide, figures, names)));
}

/** onlyFigures reports whether a column holds numbers alone, and any. */
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
