// Calls: notices that somebody of this browser is to move. They stand below
// the bar, and in the title of the page for whoever looks elsewhere.

import { calm, make } from "./dom.js";
import { say } from "./words.js";

const place = document.getElementById("calls");
const title = document.title;
const up = new Map();

/** showCalls shows exactly these; show(board) brings a board into sight, off
 * is told of a press that wants no more of them. */
export function showCalls(calls = [], show, off) {
  for (const [ref, node] of up) {
    if (calls.some((call) => call.ref === ref)) continue;
    node.remove();
    up.delete(ref);
  }
  for (const call of calls) {
    if (up.has(call.ref)) continue;
    const node = notice(call, show, off);
    up.set(call.ref, node);
    place.append(node);
  }
  document.title = calls.length ? `● ${say("called")} · ${title}` : title;
}

function notice(call, show, off) {
  const node = make("div", "call");
  const there = make("button", "primary small", say("to-board"));
  there.type = "button";
  there.addEventListener("click", () => show(call.board));
  const never = make("button", "plain small", call.off.label);
  never.type = "button";
  never.addEventListener("click", () => off(call, never));
  node.append(make("span", "words", call.text), there, never);
  return node;
}

/** comeInto brings a node into the middle of the page. */
export function comeInto(node) {
  node?.scrollIntoView({ block: "center", behavior: calm() ? "instant" : "smooth" });
}
