// Reactions: six signs that are shown for a moment at the seat of the person who gives one.

import { calm, make, svg } from "../js/dom.js";
import { say } from "../js/words.js";

const line = { fill: "none", stroke: "currentColor", "stroke-width": 8, "stroke-linejoin": "round",
  "stroke-linecap": "round" };
const face = ["circle", { cx: 50, cy: 50, r: 40, ...line }];
const eyes = [["circle", { cx: 36, cy: 40, r: 6, fill: "currentColor" }],
  ["circle", { cx: 64, cy: 40, r: 6, fill: "currentColor" }]];
const path = (d) => ["path", { d, ...line }];

const drawings = {
  clap: [path("M16 46h16v42H16zM32 48l18-36c9 0 12 7 10 15l-4 17h22c8 0 12 6 10 13l-8 25c-2 4-5 6-9 6H32")],
  laugh: [face, path("M30 42q6-10 12 0M58 42q6-10 12 0M28 56h44c-2 26-42 26-44 0z")],
  wow: [face, ...eyes, ["circle", { cx: 50, cy: 67, r: 9, ...line }]],
  cry: [face, ...eyes, path("M34 74q16-18 32 0M36 52v16")],
  fire: [path("M52 10c4 22-26 30-26 54 0 16 12 26 26 26s24-10 24-26c0-12-8-18-10-28-4 8-8 10-10 12 2-14 0-28-4-38z")],
  dice: [["rect", { x: 14, y: 14, width: 72, height: 72, rx: 16, ...line }],
    ...[[34, 34], [66, 34], [50, 50], [34, 66], [66, 66]].map(([cx, cy]) => ["circle",
      { cx, cy, r: 7, fill: "currentColor" }])],
};
const lasts = 4000;
const said = document.getElementById("said");

/** signButtons returns a button for each sign. give(sign) is called for the pressed one. */
export function signButtons(give) {
  return Object.keys(drawings).map((sign) => {
    const button = make("button", "chip");
    button.ariaLabel = button.title = say(`sign-${sign}`);
    button.append(svg("0 0 100 100", drawings[sign]));
    button.addEventListener("click", () => give(sign));
    return button;
  });
}

/** showSign shows a sign at places for a moment, and announces it once. name is its sender, undefined if unknown. */
export function showSign(sign, name, places) {
  if (!drawings[sign]) return;
  for (const place of places) {
    place.querySelector(":scope > .given")?.remove();
    const given = make("span", calm() ? "given" : "given rises");
    given.ariaHidden = "true";
    given.append(svg("0 0 100 100", drawings[sign]));
    place.append(given);
    setTimeout(() => given.remove(), lasts);
  }
  said.textContent = name ? say("sign-said", { name, sign: say(`sign-${sign}`) }) : say(`sign-${sign}`);
}
