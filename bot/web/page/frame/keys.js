// The keys of a board: digits choose tiles and dice, space or Enter plays, Z undoes, "/" types a command, "?" helps.

import { mainOf, undoOf } from "../board/actions.js";
import { toast } from "./toast.js";
import { swallow } from "../js/held.js";
import { load } from "../js/load.js";
import { say } from "../js/words.js";

const pause = 600; // milliseconds in which a second digit belongs to the first
const typing = "input, textarea, select, [contenteditable]";
const pressing = "button, a[href], summary";
const things = ".dice button, .tile button, .pad td button"; // the choices on a board

let clicked = false; // one of these elements got the focus by a click and still has it

document.addEventListener("click", ({ detail, isTrusted, target }) => {
  if (isTrusted) clicked = detail > 0 && Boolean(target.closest(things)); // a click by a key has the detail 0
}, true);
document.addEventListener("keydown", ({ key }) => {
  if (key === "Tab") clicked = false;
}, true);

/** listen makes the keys work. board() returns the board that they act on, undefined for none; line is the Line for
 * commands. */
export function listen(board, line) {
  const digits = new Digits();
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
    if (event.target.closest?.(`${typing}, dialog`)) return;
    if (does(event, board(), line, digits)) swallow(event);
  });
}

/** does carries out a key and reports whether the browser must ignore it. */
function does(event, board, line, digits) {
  const { key } = event;
  if (key === "/") return line.open();
  if (key === "?") return showKeys();
  if (!board) return false;
  if (/^[0-9]$/.test(key)) return digits.type(key, board.choice);
  if (key === "Escape") return board.choice.clear();
  if (key === "z" || key === "Z") return pressed(undoOf(board.actions));
  if (key !== " " && key !== "Enter") return false;
  if (clicked && board.node.contains(event.target) && event.target.matches(things)) {
    pressed(mainOf(board.actions));
    return true; // else the key would undo the choice made by the click
  }
  return !event.target.closest?.(pressing) && pressed(mainOf(board.actions));
}

function pressed(button) {
  button?.click();
  return Boolean(button);
}

/** Digits combines typed digits to numbers: if a 12 can be chosen, a 1 waits for a possible 2. */
class Digits {
  type(key, choice) {
    clearTimeout(this.timer);
    const number = Number((this.first ?? "") + key);
    const one = choice.itemsCalled(number).length > 0;
    const whole = one ? number : Number(key);
    if (this.first && !one) choice.call(Number(this.first)); // the first digit was meant alone
    this.first = undefined;
    const longer = choice.numbers().some((other) => other > 9 && String(other).startsWith(key) && other !== whole);
    if (longer && whole < 10) {
      this.first = key;
      this.timer = setTimeout(() => {
        this.first = undefined;
        choice.call(whole);
      }, pause);
      return true;
    }
    return choice.call(whole);
  }
}

/** showKeys opens a dialog that lists the keys, and returns true. */
export function showKeys() {
  load("frame/keylist").then(({ open }) => open()).catch(() => toast(say("unsent"), true));
  return true;
}
