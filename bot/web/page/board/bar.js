// The buttons of an answer.

import { fit, make } from "../js/dom.js";
import { dress } from "../js/icons.js";
import { isMove, whatOf } from "./press.js";
import { spoken } from "./spoken.js";
import { say } from "../js/words.js";

/** createBar makes an empty bar. */
export function createBar() {
  const node = make("div", "at-hand");
  node.setAttribute("role", "group");
  const told = make("p", "choice");
  const chosen = make("div", "row chosen");
  const buttons = make("div", "buttons");
  node.append(told, chosen, buttons);
  return { node, told, chosen, buttons };
}

/** drawBar draws the buttons of a message and, above them, the buttons that play choice, the current choice on the
 * board. */
export function drawBar(bar, message, choice) {
  const { lang } = message;
  const held = heldIn(bar);
  bar.node.setAttribute("aria-label", say("buttons-of", {}, lang));
  dress(bar.told, choice.told);
  bar.told.classList.toggle("wrong", choice.wrong);
  bar.chosen.hidden = choice.offers.length === 0;
  fit(bar.chosen, choice.offers.length, createButton)
    .forEach((button, i) => drawButton(button, choice.offers[i], message));
  const rows = rowsOf(message, choice.offers);
  bar.buttons.hidden = rows.length === 0;
  fit(bar.buttons, rows.length, () => make("div", "row")).forEach((row, i) => drawRow(row, rows[i], message));
  bar.node.hidden = bar.buttons.hidden && bar.chosen.hidden && !choice.told;
  if (isMove(held) && heldIn(bar) !== held) mainOfChosen(bar)?.focus({ preventScroll: true });
}

/** heldIn returns the action of the focused button in a bar, "" if none has the focus. */
function heldIn({ buttons }) {
  return buttons.contains(document.activeElement) ? whatOf(document.activeElement.dataset.press) : "";
}

/** plays reports whether a button plays a move. button may be undefined. */
export const plays = (button) => isMove(whatOf(button?.dataset.press));

/** mainOfChosen returns the button that plays the choice made on the board, undefined if there is none. */
function mainOfChosen({ chosen }) {
  return chosen.hidden ? undefined : chosen.querySelector("button:not(.clear)") ?? undefined;
}

/** rowsOf returns the rows of a message's buttons, without those that the board or offers show as well. If several
 * buttons play a choice, none of them is highlighted. */
function rowsOf(message, offers) {
  const onDice = new Set((message.dice ?? []).map((die) => die.press));
  const ways = new Map((message.pick?.choices ?? []).map((choice) => [choice.press, choice.label]));
  const tiles = message.pick?.kind === "tiles";
  const said = ({ press }) => onDice.has(press) || (message.pick && /^!(pick |play$|more$)/.test(whatOf(press)))
    || (!tiles && ways.has(press)) || (press && offers.some((offer) => offer.press === press));
  const alike = (message.buttons ?? []).flat().filter(({ press }) => ways.has(press)).length;
  return flowing((message.buttons ?? []).map((row) => row.filter((button) => !said(button)).map((button) => ({
    ...button,
    style: alike > 1 && ways.has(button.press) ? "plain" : button.style,
    name: ways.get(button.press),
  }))).filter((row) => row.length)).map((row) => asOnSheet(row, message.sheet)).sort((a, b) => starts(b) - starts(a));
}

/** starts returns 1 if a row has the button that starts the game, else 0. That row comes first. */
const starts = (row) => Number(row.some(({ press }) => whatOf(press) === "!start"));

/** asOnSheet returns a row of buttons, sorted as on the sheet if all fill cells: those that cross out come last. */
function asOnSheet(row, sheet) {
  const cells = (sheet?.rows ?? []).flatMap(({ cells: all }) => all.map(({ press }) => press));
  const strikes = ({ press }) => whatOf(press).startsWith("strike");
  if (!row.every(({ press }) => press && cells.includes(press))) return row;
  return [...row].sort((a, b) => strikes(a) - strikes(b) || cells.indexOf(a.press) - cells.indexOf(b.press));
}

/** flowing returns rows, with neighbours joined if both hold only moves or one button each: chats limit the buttons in
 * a row, a page does not. */
function flowing(rows) {
  const moves = (row) => row.every(({ press }) => isMove(whatOf(press)));
  const all = [];
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    if (before && (moves(row) && moves(before) || row.length + before.length === 2)) all.at(-1).push(...row);
    else all.push([...row]);
  });
  return all;
}

function drawRow(row, buttons, message) {
  row.classList.toggle("slim", buttons.every(({ label }) => label.length < 6) && buttons.length > 4);
  row.classList.toggle("ways", buttons.every(({ name }) => name));
  fit(row, buttons.length, createButton).forEach((button, i) => drawButton(button, buttons[i], message));
}

/** styles holds the ranks of buttons by the style in a message. None is the first: that is on the table. */
const styles = { "plain clear": "plain clear", danger: "secondary bad", primary: "secondary strong", success: "secondary strong" };

/** drawButton updates a button; name, if not undefined, is a longer label for screen readers. */
function drawButton(button, { label, press, style, name }, message) {
  dress(button, label);
  if (press) button.dataset.press = press;
  else delete button.dataset.press;
  button.className = styles[style] ?? "secondary";
  button.ariaLabel = name && name !== label && name.includes(label) ? name : spoken(label, message);
}

const createButton = () => make("button");

/** mainOf returns the button that Enter and space press: the one that plays the choice made on the board, else the
 * first highlighted one, else the only one; undefined if there is none. */
export function mainOf(bar) {
  const of = (group, marks) => Array.from(group.querySelectorAll("button")).filter((button) => button.matches(marks));
  const chosen = mainOfChosen(bar);
  if (chosen) return chosen;
  const marked = of(bar.buttons, ".strong");
  const all = of(bar.buttons, "*");
  return marked[0] ?? (all.length === 1 ? all[0] : undefined);
}
