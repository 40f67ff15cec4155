// A toast: one sentence for this person, removed after a while or by a press. Presses go through it to the elements
// below. It is above the buttons at the bottom, and never covers the headline.

import { make } from "../js/dom.js";
import { announce } from "../js/live.js";
import { say } from "../js/words.js";

const place = document.getElementById("toasts");

/** toast shows a sentence in place of the last one. A refusal is also marked by a sign, and stays longer. */
export function toast(text, refused = false) {
  if (!text) return;
  const node = make("div", refused ? "toast refused" : "toast");
  const close = make("button", "plain small", "✕");
  close.ariaLabel = say("close");
  const mark = make("span", "mark", refused ? "!" : "✓");
  mark.ariaHidden = "true";
  node.append(mark, make("span", "words", text), close);
  place.replaceChildren(node);
  announce(text);
  const timer = setTimeout(() => node.remove(), (refused ? 6000 : 3000) + 60 * text.length);
  close.addEventListener("click", () => node.remove());
  node.addEventListener("focusin", () => clearTimeout(timer));
}

/** clearToast removes the toast about an earlier action. */
export function clearToast() {
  place.replaceChildren();
}
