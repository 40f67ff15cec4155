// Drawings of the page's own controls, the discs of people, and the die.

import { make, svg } from "./dom.js";

const drawings = {
  invite: "M14 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM2.500 20c.6-4 3.500-6 7.500-6s6.900 2 7.500 6M19 5v6M16 8h6",
  help: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM9.500 9.500a2.600 2.600 0 1 1 3.800 2.300c-.9.5-1.300 1-1.300 2M12 17v.1",
  menu: "M4 7h16M4 12h16M4 17h16",
  players: "M7.500 3.500h9a4 4 0 0 1 4 4v9a4 4 0 0 1-4 4h-9a4 4 0 0 1-4-4v-9a4 4 0 0 1 4-4zM8.500 8.500v.1M15.500 8.500v.1M12 12v.1" +
    "M8.500 15.500v.1M15.500 15.500v.1",
  log: "M4 5h16v11H9l-5 4zM8 9h8M8 12.500h5",
  leaderboard: "M5 20v-7h4v7M10 20V6h4v14M15 20v-10h4v10",
  more: "M5 12v.1M12 12v.1M19 12v.1",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  send: "m4 12 16-8-6 16-3-6z",
  smile: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM8 14.500c2 3 6 3 8 0M9 9.500v.1M15 9.500v.1",
  lock: "M7 11h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2zM8 11V8a4 4 0 0 1 8 0v3",
  back: "m14 6-6 6 6 6",
  plus: "M12 5v14M5 12h14",
  first: "M6 6v12M18 6l-8 6 8 6z",
  prev: "m15 6-7 6 7 6z",
  next: "m9 6 7 6-7 6z",
  last: "M18 6v12M6 6l8 6-8 6z",
};
const robot = [["rect", { x: 4, y: 8, width: 16, height: 11, rx: 3 }], ["path", { d: "M12 4v4M9 13v.1M15 13v.1" }]];

/** icon returns the drawing of a control. */
export function icon(name) {
  const drawing = svg("0 0 24 24", [["path", { d: drawings[name] }]]);
  drawing.classList.add("icon");
  return drawing;
}

/** crown returns the mark of the host; label is its name for screen readers. */
export function crown(label) {
  const drawing = svg("0 0 24 24", [["path", { d: "M3 18h18M4 15 3 6l5 4 4-6 4 6 5-4-1 9z", fill: "none",
    stroke: "currentColor", "stroke-width": 2, "stroke-linejoin": "round", "stroke-linecap": "round" }]]);
  drawing.classList.add("crown");
  drawing.removeAttribute("aria-hidden");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", label);
  return drawing;
}

/** createFace returns an empty disc for a person. */
export function createFace() {
  const disc = make("span", "face");
  disc.ariaHidden = "true";
  return disc;
}

/** drawFace draws a person on a disc: the colour of the seat, if there is one, and the initial or, for a computer
 * player, a drawing. */
export function drawFace(disc, { seat, name, house }) {
  if (seat === undefined) delete disc.dataset.seat;
  else disc.dataset.seat = seat % 10;
  const shows = house ? "" : initial(name);
  if (disc.said === shows) return;
  disc.said = shows;
  disc.replaceChildren(house ? drawRobot() : shows);
}

/** initial returns the first letter of a name. */
const initial = (name) => (Array.from(name.trim())[0] ?? "?").toUpperCase();

function drawRobot() {
  const drawing = svg("0 0 24 24", robot);
  drawing.classList.add("icon");
  return drawing;
}
