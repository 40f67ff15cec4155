// Calls: notices that it is the turn of a person at this browser, and notices to all about offered seats. They are
// above the players.

import { make } from "../js/dom.js";
import { say } from "../js/words.js";

const place = document.getElementById("calls");
const up = new Map();

/** showCalls shows calls and no others. show(board) puts a table on the stage, and press(what, node) presses a button.
 * */
export function showCalls(calls = [], show, press) {
  const wanted = new Map(calls.map((call) => [JSON.stringify(call), call]));
  for (const [key, node] of up) {
    if (wanted.has(key)) continue;
    node.remove();
    up.delete(key);
  }
  for (const [key, call] of wanted) {
    if (up.has(key)) continue;
    const node = notice(call, show, press);
    up.set(key, node);
    place.append(node);
  }
}

/** toMove reports whether a notice says that it is a person's turn. */
export const toMove = (call) => Boolean(call.off);

function notice(call, show, press) {
  const node = make("div", "call");
  node.append(make("span", "words", call.text));
  const add = (style, label, click) => {
    const button = make("button", `${style} small`, label);
    button.addEventListener("click", () => click(button));
    node.append(button);
  };
  if (toMove(call)) {
    add("secondary", say("to-board"), () => show(call.board));
    add("plain", call.off.label, (button) => press({ press: call.off.press, on: "", as: call.as }, button));
  }
  for (const { label, press: pressed, as } of call.offers ?? []) {
    add("plain", label, (button) => press({ press: pressed, on: call.board, as }, button));
  }
  return node;
}
