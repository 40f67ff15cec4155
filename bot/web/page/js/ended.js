// The end of a game that has just come: keys that were meant for the game, or that hurried its last steps, do not
// press what stands in their way by then.

import { swallow } from "./held.js";

const pause = 1500; // milliseconds

let board; // on which a game has ended
let since = -Infinity;

/** hasEnded tells that a game has ended on a board before the eyes of whoever sits there. */
export function hasEnded(node) {
  board = node;
  since = performance.now();
}

/** moved tells that somebody has chosen themselves what has the focus. */
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
