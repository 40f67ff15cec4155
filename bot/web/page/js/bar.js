// The bar of a board: what whoever looks can press now. It stays in sight at the
// bottom of the window for as long as any of its board is.

import { fit, make, put } from "./dom.js";
import { dress } from "./icons.js";
import { spoken } from "./spoken.js";
import { say } from "./words.js";

const heights = new ResizeObserver(() => {
  const bars = document.querySelectorAll("#entries > .board[data-table] > .at-hand");
  const most = Math.max(0, ...Array.from(bars, (bar) => bar.offsetHeight));
  document.documentElement.style.setProperty("--at-hand", `${most}px`);
});

/** createBar makes an empty bar. */
export function createBar() {
  const node = make("div", "at-hand");
  node.setAttribute("role", "group");
  const told = make("p", "choice");
  const actor = make("p", "actor");
  const chosen = make("div", "row chosen");
  const buttons = make("div", "buttons");
  node.append(actor, told, chosen, buttons);
  heights.observe(node);
  return { node, actor, told, chosen, buttons };
}

/** whatOf is what a press asks for: "!undo", "shut 9+2". */
export function whatOf(press) {
  return (press ?? "").split(":").slice(3).join(":");
}

/** drawBar shows the buttons of a message, and above them what plays the choice
 * that is being made on the board itself. */
export function drawBar(bar, message, choice, actor) {
  const { lang } = message;
  const held = heldIn(bar);
  bar.node.setAttribute("aria-label", say("buttons-of", {}, lang));
  put(bar.actor, actor && message.buttons?.length ? say("act-for", { name: actor }, lang) : "");
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

/** heldIn is what the button of a bar asks for that has the focus. */
function heldIn({ buttons }) {
  return buttons.contains(document.activeElement) ? whatOf(document.activeElement.dataset.press) : "";
}

/** isMove reports whether a press plays something: whoever has played goes on with the next move, not with what stands
 * in the place of the button now. */
const isMove = (what) => Boolean(what) && !/^[!/]/.test(what);

/** plays reports whether a button plays something. */
export const plays = (button) => isMove(whatOf(button?.dataset.press));

/** mainOfChosen is the button that plays the choice that is made on the board itself, if there is one. */
function mainOfChosen({ chosen }) {
  return chosen.hidden ? undefined : chosen.querySelector("button:not(.clear)") ?? undefined;
}

/** rowsOf is a message's buttons without those that only say again what can be
 * pressed on the board. Of several ways to play a choice none looks better. */
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

/** starts tells, as a number, whether the game begins by a row: it is wanted first. */
const starts = (row) => Number(row.some(({ press }) => whatOf(press) === "!start"));

/** asOnSheet are buttons that fill cells in the order of the sheet, those that strike behind those that write. */
function asOnSheet(row, sheet) {
  const cells = (sheet?.rows ?? []).flatMap(({ cells: all }) => all.map(({ press }) => press));
  const strikes = ({ press }) => whatOf(press).startsWith("strike");
  if (!row.every(({ press }) => press && cells.includes(press))) return row;
  return [...row].sort((a, b) => strikes(a) - strikes(b) || cells.indexOf(a.press) - cells.indexOf(b.press));
}

/** flowing are rows of which those with moves alone are one, and those with one button each: chats hold a few buttons
 * beside each other, a page as many as there is room for. */
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

function drawButton(button, { label, press, style, name }, message) {
  dress(button, label);
  if (press) button.dataset.press = press;
  else delete button.dataset.press;
  button.className = style || "plain";
  button.ariaLabel = name && name !== label && name.includes(label) ? name : spoken(label, message);
}

function createButton() {
  const button = make("button");
  button.type = "button";
  return button;
}

/** mainOf is the button that a key presses which means "go on": what plays the
 * choice that was made, or the one that is marked, or the only one. */
export function mainOf(bar) {
  const of = (group, marks) => Array.from(group.querySelectorAll("button")).filter((button) => button.matches(marks));
  const chosen = mainOfChosen(bar);
  if (chosen) return chosen;
  const marked = of(bar.buttons, ".primary, .success");
  const all = of(bar.buttons, "*");
  return marked[0] ?? (all.length === 1 ? all[0] : undefined);
}

/** undoOf is the button that takes the last choice back, if there is one. */
export function undoOf(bar) {
  return Array.from(bar.buttons.querySelectorAll("button")).find(({ dataset }) => whatOf(dataset.press) === "!undo");
}
