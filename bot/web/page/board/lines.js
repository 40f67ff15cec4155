// The lines of a message: texts to copy, paragraphs, and tables in place of some lines.

import { make, put } from "../js/dom.js";
import { dress } from "../js/icons.js";
import { createTable, drawTable } from "./table.js";

const makers = { exact: createExact, line: () => make("p"), table: createTable };

/** drawLines draws the lines of a message in node. Lines that are also in a table are not drawn. headline is the
 * element that names a table without a caption. */
export function drawLines(node, message, headline) {
  const parts = partsOf(message);
  node.hidden = parts.length === 0;
  const kinds = parts.map(({ kind }) => kind).join(" ");
  if (node.dataset.kinds !== kinds) {
    node.dataset.kinds = kinds;
    node.replaceChildren(...parts.map(({ kind }) => makers[kind]()));
  }
  parts.forEach(({ kind, what }, i) => {
    const part = node.children[i];
    if (kind === "exact") drawExact(part, what);
    else if (kind === "table") drawTable(part, what, headline);
    else dress(part, what);
  });
}

/** partsOf returns the parts of a message's lines in their order, each {kind, what}. */
function partsOf({ exact = [], lines = [], grids = [] }) {
  const parts = exact.map((what) => ({ kind: "exact", what }));
  const paragraphs = (from, to) => parts.push(...lines.slice(from, to).map((what) => ({ kind: "line", what })));
  let at = 0;
  for (const what of grids) {
    paragraphs(at, what.from);
    parts.push({ kind: "table", what });
    at = what.to;
  }
  paragraphs(at);
  return parts;
}

function createExact() {
  const p = make("p");
  const code = make("code");
  code.dir = "auto";
  p.append(make("span"), code, make("span"));
  return p;
}

function drawExact(p, exact) {
  [exact.before, exact.text, exact.after].forEach((text, i) => put(p.children[i], text));
}
