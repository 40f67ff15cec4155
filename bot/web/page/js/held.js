// A key that is held down presses once: browsers press a button again for each
// repetition of the key, and the next button is often another move.

const typing = "input, textarea, select, [contenteditable]";

let swallowed = ""; // the key that is down, and ignored until it is released

/** swallow cancels a click, or a key until it is released: browsers press a button only at the keypress or keyup after
 * a keydown. */
export function swallow(event) {
  event.preventDefault();
  swallowed = event.key;
}

addEventListener("keypress", (event) => {
  if (event.key === swallowed) event.preventDefault();
}, true);
addEventListener("keyup", (event) => {
  if (event.key !== swallowed) return;
  event.preventDefault();
  swallowed = "";
}, true);

addEventListener("keydown", (event) => {
  const { key, repeat, target } = event;
  if (!repeat) swallowed = ""; // the page has missed the release of the key
  const types = Boolean(target.closest?.(typing));
  if (!repeat || !(key === "Enter" || (key === " " && !types))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
