// The clock of a turn: the time that is left, which counts down by itself.

import { make, put, svg } from "../js/dom.js";

const around = { cx: 16, cy: 16, r: 13 };
const longest = new Map(); // by table and turn: the most seconds that were left, for the ring

/** drawClock shows the deadline of a message, or hides node if there is none. */
export function drawClock(node, { deadline, table, turn, lang }) {
  node.hidden = !deadline;
  if (!deadline) {
    delete node.dataset.at;
    return node.replaceChildren();
  }
  if (!node.firstChild) {
    const ring = svg("0 0 32 32", [["circle", { ...around, class: "rest" }],
      ["circle", { ...around, class: "left", pathLength: 100 }]]);
    const time = make("time");
    node.append(ring, time);
    node.setAttribute("role", "timer");
  }
  Object.assign(node.dataset, { at: deadline.at, of: `${table} ${turn}` });
  node.lang = lang;
  node.title = [deadline.before, deadline.clock, deadline.after].join("");
  node.lastChild.dateTime = new Date(deadline.at * 1000).toISOString();
  return count(node);
}

/** count draws the remaining time into a clock. */
function count(node) {
  const seconds = Math.max(Math.round(Number(node.dataset.at) - Date.now() / 1000), 0);
  const most = Math.max(longest.get(node.dataset.of) ?? 1, seconds);
  longest.set(node.dataset.of, most);
  node.querySelector(".left").setAttribute("stroke-dasharray", `${Math.round(100 * seconds / most)} 100`);
  put(node.lastChild, left(seconds, node.lang));
}

/** left returns the remaining seconds as text: "9:12", or hours or days. */
export function left(seconds, lang) {
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const unit = seconds < 2 * 86400 ? "hour" : "day";
  const many = Math.round(seconds / (unit === "hour" ? 3600 : 86400));
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "short" }).format(many);
}

setInterval(() => document.querySelectorAll(".clock[data-at]").forEach(count), 1000);
