// Three steps of how to play, on the felt of a table whose game has not begun.

import { createMini } from "./die.js";
import { lobby } from "./state.js";
import { fit, make, put } from "../js/dom.js";
import { say } from "../js/words.js";

/** createHowTo creates the empty list of steps. */
export function createHowTo() {
  const node = make("ol", "howto");
  node.hidden = true;
  return { node };
}

/** drawHowTo draws the steps of the game of a message, or hides them once the game has begun. */
export function drawHowTo({ node }, message) {
  const steps = message.howto ?? [];
  node.hidden = !lobby(message) || steps.length === 0;
  if (node.hidden) return node.replaceChildren();
  node.ariaLabel = say("how-to-play", {}, message.lang);
  fit(node, steps.length, (i) => {
    const step = make("li");
    step.append(picture(i, Boolean(message.tiles?.length)), make("span"));
    return step;
  }).forEach((step, i) => put(step.lastChild, steps[i]));
  return undefined;
}

/** picture draws step i: dice, tiles or, in a game without them, dice that are kept, and coins. */
function picture(i, tiles) {
  const shown = make("span", "pic");
  shown.ariaHidden = "true";
  const faces = [tiles ? [6, 2] : [6, 2, 5], tiles ? [] : [5, 5, 5]][i] ?? [];
  shown.append(...faces.map((face) => createMini({ face, sides: 6 })));
  if (i === 1 && tiles) shown.append(...["", "2", "3", ""].map((number) => make("span", number ? "t" : "t flat", number)));
  if (i === 2) shown.append(...Array.from({ length: 3 }, () => make("span", "coin")));
  return shown;
}
