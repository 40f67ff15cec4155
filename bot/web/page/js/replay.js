// A finished game again, move after move: the page presses what leads to the
// next one, for as long as nobody else presses anything.

import { calm, make, put } from "./dom.js";
import { whatOf } from "./bar.js";
import { say } from "./words.js";

const each = 800; // milliseconds of a move

/** begins says whether a press, on a board, asks for its game from the beginning. */
export function begins(press) {
  return /^\/history \d+ first$/.test(whatOf(press));
}

/** replay plays the game whose beginning a note shows. Where movement is not
 * wanted, it waits to be told. */
export function replay({ frame }) {
  const toggle = frame.querySelector(".replays") ?? control(frame);
  toggle.plays(!calm());
}

/** control makes the button that plays and pauses. */
function control(frame) {
  const toggle = make("button", "plain small replays");
  toggle.type = "button";
  let timer;
  let pressed; // what was pressed last: at the end it leads nowhere
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
