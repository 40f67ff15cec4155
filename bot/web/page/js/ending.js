// The button that shares the result of a finished game, if the browser can pass texts to other programs.

import { make } from "./dom.js";
import { say } from "./words.js";

/** createEnding creates the row for the button, still empty. message() returns the message of the board. */
export function createEnding(message) {
  const node = make("div", "row ending");
  node.hidden = true;
  const share = make("button", "plain", "");
  share.type = "button";
  share.addEventListener("click", (event) => {
    event.stopPropagation();
    navigator.share({ text: textOf(message()) }).catch(() => {}); // rejected if the person cancels
  });
  return { node, share };
}

/** drawEnding shows the row on the board of a game that has a result, but not in notes about it. Elsewhere it removes
 * the button, so that it cannot have the focus. */
export function drawEnding({ node, share }, message) {
  node.hidden = !message.record || !message.table || !navigator.share;
  if (node.hidden) {
    share.remove();
    return;
  }
  share.textContent = say("share-result", {}, message.lang);
  if (!node.firstChild) node.append(share);
}

/** textOf returns a result as text: the headline, and the result of each person. */
function textOf({ head, people = [] }) {
  return [head, ...people.map(({ name, text }) => text ? `${name}: ${text}` : name)].join("\n");
}
