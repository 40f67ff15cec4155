// A toast: one sentence for this person, gone after a while or at a press.

import { make } from "./dom.js";
import { say } from "./words.js";

const place = document.getElementById("toasts");

/** toast shows a sentence; a refusal is marked by more than its colour. */
export function toast(text, refused = false) {
  if (!text) return;
  while (place.children.length > 2) place.firstElementChild.remove();
  const node = make("div", refused ? "toast refused" : "toast");
  const close = make("button", "plain small", "✕");
  close.type = "button";
  close.ariaLabel = say("close");
  const mark = make("span", "mark", refused ? "!" : "✓");
  mark.ariaHidden = "true";
  node.append(mark, make("span", "words", text), close);
  place.append(node);
  let timer;
  const wait = () => { timer = setTimeout(() => node.remove(), 5000 + 60 * text.length); };
  const stay = () => clearTimeout(timer);
  close.addEventListener("click", () => node.remove());
  node.addEventListener("mouseenter", stay);
  node.addEventListener("mouseleave", wait);
  node.addEventListener("focusin", stay);
  node.addEventListener("focusout", wait);
  wait();
}
