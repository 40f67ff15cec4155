// Replays of finished games: the page presses the button for the next move until a person presses another one.

import { calm, make, put } from "./dom.js";
import { whatOf } from "./bar.js";
import { say } from "./words.js";

const each = 800; // milliseconds for each move

/** begins reports whether a press requests a game from its first move. */
export function begins(press) {
  return /^\/history \d+ first$/.test(whatOf(press));
}

/** replay plays the game whose first move a note shows. If less motion is wanted, it waits for a press on Play. */
export function replay({ frame }) {
  const toggle = frame.querySelector(".replays") ?? control(frame);
  toggle.plays(!calm());
}

/** control creates the button that plays and pauses, and returns it. */
function control(frame) {
  const toggle = make("button", "plain small replays");
  toggle.type = "button";
  let timer;
  let pressed; // the last press; at the end of the game the same comes again
  const shows = () => put(toggle, say(timer ? "replay-pause" : "replay-play"));
  const next = () => frame.querySelector(".buttons .primary");

  const step = () => {
    const button = next();
    if (document.hidden || frame.isConnected && frame.querySelector(".busy")) return undefined; // the answer may take longer
    if (!frame.isConnected || !button || whatOf(button.dataset.press) === pressed) return toggle.plays(false);
    pressed = whatOf(button.dataset.press);
    button.click();
    return undefined;
  };
  toggle.plays = (on) => {
    clearInterval(timer);
    timer = on ? setInterval(step, each) : undefined;
    pressed = undefined;
    frame.classList.toggle("playing", on);
    shows();
  };
  toggle.addEventListener("click", () => toggle.plays(!timer));
  frame.addEventListener("click", (event) => {
    if (event.isTrusted && event.target.closest(".board button")) toggle.plays(false);
  }, true);
  frame.querySelector(".note-bar").lastElementChild.before(toggle);
  return toggle;
}
