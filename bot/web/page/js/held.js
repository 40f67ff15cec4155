// A key that is held down presses once: browsers press a button again for each
// repetition of the key, and the next button is often another move.

const typing = "input, textarea, select, [contenteditable]";

addEventListener("keydown", (event) => {
  const { key, repeat, target } = event;
  const types = Boolean(target.closest?.(typing));
  if (!repeat || !(key === "Enter" || (key === " " && !types))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
