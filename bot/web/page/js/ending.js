// What a board offers once its game is over, beside what the server does: its
// result to pass on, where the browser hands texts to other programs.

import { make } from "./dom.js";
import { say } from "./words.js";

/** createEnding makes the empty row of it; message() is what the board shows. */
export function createEnding(message) {
  const node = make("div", "row ending");
  node.hidden = true;
  const share = make("button", "plain", "");
  share.type = "button";
  share.addEventListener("click", (event) => {
    event.stopPropagation();
    navigator.share({ text: textOf(message()) }).catch(() => {}); // who thought better of it has shared nothing
  });
  return { node, share };
}

/** drawEnding shows the row on the board of a game that has ended with a result, not on notes about such a game;
 * elsewhere there is no button that could have the focus. */
export function drawEnding({ node, share }, message) {
  node.hidden = !message.record || !message.table || !navigator.share;
  if (node.hidden) {
    share.remove();
    return;
  }
  share.textContent = say("share-result", {}, message.lang);
  if (!node.firstChild) node.append(share);
}

/** textOf is a result as a text: who has won, and what each has. */
function textOf({ head, people = [] }) {
  return [head, ...people.map(({ name, text }) => text ? `${name}: ${text}` : name)].join("\n");
}
