// A cell of the score sheet: its text or, if the viewer can fill it now, a button that shows the possible text in
// pencil.

import { whatOf } from "./press.js";
import { make, unseen } from "../js/dom.js";
import { byHand } from "./hand.js";
import { say } from "../js/words.js";

/** drawCell draws a cell and returns its button, null if it has none. chosen says whether the cell is chosen. */
export function drawCell(node, cell, lang, chosen) {
  const now = JSON.stringify([cell, lang]);
  if (node.dataset.now !== now) {
    const held = node.contains(document.activeElement);
    Object.assign(node.dataset, { now, mark: cell.mark, text: cell.text });
    node.lang = lang;
    node.replaceChildren(...(cell.press ? [createTouch(cell)] : written(cell, lang)));
    if (held) node.querySelector("button")?.focus({ preventScroll: true });
  }
  const button = node.querySelector("button");
  if (button) button.ariaPressed = String(chosen);
  return button;
}

function written({ text, mark }, lang) {
  return mark === "blank" ? [] : [ink(text), unseen(sayCell(text, mark, lang))];
}

function ink(text) {
  const shown = make("span", "ink");
  shown.append(byHand(text) ?? text);
  shown.setAttribute("aria-hidden", "true");
  return shown;
}

/** createTouch creates the button of a cell. In pencil it shows the effect of a press: points, a line, or a call. */
function createTouch({ press, label }) {
  const strikes = whatOf(press).startsWith("strike");
  const calls = whatOf(press).startsWith("call");
  const button = make("button", strikes ? "pencil strikes" : "pencil");
  button.ariaLabel = label;
  button.append(ink(strikes ? "—" : calls ? "…" : label.match(/[+−]?[0-9]+[*]?$/)?.[0] ?? "·"));
  return button;
}

function sayCell(text, mark, lang) {
  if (mark === "written") return text;
  if (mark === "doubled") return say("cell-doubled", { points: text.replace("*", "") }, lang);
  return mark === "struck" ? say("cell-struck", {}, lang) : say("cell-open", {}, lang);
}
