// The stage of a room in which no game was opened yet.

import { sample } from "../board/box.js";
import { make } from "../js/dom.js";
import { say } from "../js/words.js";

/** samplePicture returns the picture of a box. */
export function samplePicture() {
  const box = sample({
    lang: document.documentElement.lang,
    tiles: [{ tiles: Array.from({ length: 9 }, (_, i) => ({ number: i + 1, open: ![2, 6].includes(i) })) }],
    dice: [{ face: 6, sides: 6 }, { face: 4, sides: 6 }],
  });
  box.ariaHidden = "true";
  return box;
}

/** createWelcome creates the picture of a box and the button that opens the gallery. It returns a function that puts
 * them on the stage (yes) or takes them from it. */
export function createWelcome(choose) {
  const node = make("section", "welcome");
  node.id = "welcome";
  const first = make("button", "primary", say("new-game"));
  first.addEventListener("click", choose);
  node.append(make("h2", "", say("welcome")), samplePicture(), first);
  return (yes) => (yes ? document.getElementById("tables").before(node) : node.remove());
}
