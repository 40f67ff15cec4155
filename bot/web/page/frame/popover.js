// Small panels below the button that opens them. The browser closes them by Escape or a press elsewhere.

const gap = 6;

/** placed positions a panel below its button whenever the panel opens. */
export function placed(panel, button) {
  panel.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") below(panel, button);
  });
}

/** below positions a panel below a button, inside the window. */
function below(panel, button) {
  const { left, right, bottom } = button.getBoundingClientRect();
  const atEnd = left + right > innerWidth;
  panel.style.top = `${Math.max(gap, bottom + gap)}px`;
  panel.style.left = atEnd ? "auto" : `${Math.max(gap, left)}px`;
  panel.style.right = atEnd ? `${Math.max(gap, document.documentElement.clientWidth - right)}px` : "auto";
}

/** openBelow opens a panel below a button. */
export function openBelow(panel, button) {
  below(panel, button);
  panel.showPopover();
}
