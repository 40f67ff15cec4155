// A key that is held down presses once: browsers press a button again for each
// repetition of the key, and the next button is often another move.

const typing = "input, textarea, select, [contenteditable]";

let swallowed = ""; // a key that is down and does nothing more

/** swallow has a click or a key do nothing, the key until it is let go: a button is pressed by what follows its
 * keydown. */
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
  if (!repeat) swallowed = ""; // the page has not seen it let go
  const types = Boolean(target.closest?.(typing));
  if (!repeat || !(key === "Enter" || (key === " " && !types))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
