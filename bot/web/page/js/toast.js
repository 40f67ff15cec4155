// A toast: one sentence for this person, gone after a while or at a press. It
// lets presses through to what lies under it, and lies above what can be
// pressed, never on the headline.

import { make } from "./dom.js";
import { announce } from "./live.js";
import { say } from "./words.js";

const place = document.getElementById("toasts");

/** toast shows a sentence in the place of the one before; a refusal is marked
 * by more than its colour, and stays longer. */
export function toast(text, refused = false) {
  if (!text) return;
  const node = make("div", refused ? "toast refused" : "toast");
  const close = make("button", "plain small", "✕");
  close.type = "button";
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

/** clearToast takes away what was said of what came before. */
export function clearToast() {
  place.replaceChildren();
}
