// The celebration at the end of a game: winners get a wreath, and confetti falls for a second unless less motion is
// wanted.

import { calm, make, svg } from "../js/dom.js";

const lasts = 1000; // milliseconds
const pieces = 40;
const colours = 6; // the styles c0 to c5 of confetti
const laurel = [["path", { d: "M50 88C20 84 10 56 18 22M50 88c30-4 40-32 32-66M17 34c-8 2-12 10-10 18 8 0 12-8 10-18zM20 52" +
  "c-8 2-12 12-8 18 8-2 12-10 8-18zM30 68c-8 4-8 12-4 18 8-2 8-12 4-18zM83 34c8 2 12 10 10 18-8 0-12-8-10-18zM80 52" +
  "c8 2 12 12 8 18-8-2-12-10-8-18zM70 68c8 4 8 12 4 18-8-2-8-12-4-18z", fill: "none", stroke: "currentColor",
"stroke-width": 6, "stroke-linejoin": "round", "stroke-linecap": "round" }]];

const won = ({ people = [] }) => people.some(({ state }) => state === "won");

/** cheer celebrates the winners of a message on its board. It is a no-op if there are none. */
export function cheer(node, message) {
  if (!won(message)) return;
  const head = node.querySelector(".head");
  const wreath = svg("0 0 100 100", laurel);
  wreath.classList.add("laurel");
  head.querySelector(".laurel")?.remove();
  head.prepend(wreath);
  node.classList.add("crowned");
  if (calm() || document.hidden) return;
  const paper = make("div", "paper-rain");
  paper.ariaHidden = "true";
  paper.append(...Array.from({ length: pieces }, (_, i) => piece(i)));
  node.append(paper);
  setTimeout(() => paper.remove(), lasts + 100);
}

function piece(i) {
  const node = make("i", `c${i % colours}`);
  node.style.setProperty("--x", `${Math.random() * 100}%`);
  node.style.setProperty("--drift", `${Math.random() * 8 - 4}rem`);
  node.style.setProperty("--turn", `${Math.random() * 900 - 450}deg`);
  node.style.setProperty("--late", `${Math.random() * .25}s`);
  return node;
}
