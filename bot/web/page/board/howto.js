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
    step.append(picture(i), make("span"));
    return step;
  }).forEach((step, i) => put(step.lastChild, steps[i]));
  return undefined;
}

/** picture draws step i: dice, tiles, coins. */
function picture(i) {
  const shown = make("span", "pic");
  shown.ariaHidden = "true";
  if (i === 0) shown.append(...[6, 2].map((face) => createMini({ face, sides: 6 })));
  else if (i === 1) shown.append(...["", "2", "3", ""].map((number) => make("span", number ? "t" : "t flat", number)));
  else shown.append(...Array.from({ length: 3 }, () => make("span", "coin")));
  return shown;
}
