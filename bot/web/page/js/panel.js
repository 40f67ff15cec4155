// Small panels that open below the button that they belong to, and close by Escape or by a press
// elsewhere: the browser does both.

const gap = 6;

/** placed puts a panel below its button whenever it opens. */
export function placed(panel, button) {
  panel.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") below(panel, button);
  });
}

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
