// A pause after the end of a game: keys that were meant for the game, or for its last steps, do not press the buttons
// that have taken their place.

import { swallow } from "../js/held.js";

const pause = 1500; // milliseconds

let board; // of the game that ended last
let since = -Infinity;

/** hasEnded starts the pause: the game on a board has just ended. */
export function hasEnded(node) {
  board = node;
  since = performance.now();
}

/** moved ends the pause: a person has moved the focus. */
function moved() {
  since = -Infinity;
}

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Tab") moved();
  if (key !== "Enter" && key !== " " || performance.now() - since > pause) return;
  if (target !== document.body && !board.contains(target)) return;
  swallow(event);
  event.stopImmediatePropagation();
}, true);
addEventListener("pointerdown", ({ target }) => {
  if (target.closest("button")) moved();
}, true);
