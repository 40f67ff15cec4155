// The frame of an answer or a page in the panel: its title, Close, and the content below.

import { make } from "../js/dom.js";
import { say } from "../js/words.js";

/** createNote creates a frame. title is its heading, an element, label its name for screen readers, and close() is
 * called by its button and by Escape. */
export function createNote(title, label, close) {
  const frame = make("section", "note");
  frame.tabIndex = -1;
  frame.ariaLabel = label;
  const bar = make("div", "note-bar");
  const button = make("button", "plain small", `✕ ${say("close")}`);
  button.addEventListener("click", close);
  frame.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // else Escape clears the choice on the board
    close();
  });
  bar.append(title, button);
  frame.append(bar);
  return frame;
}
