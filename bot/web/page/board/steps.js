// Steps: the moves that led to the present board, shown one after the other. A page shows the steps that it has not
// shown yet, then the board with its buttons.

import { focusNext } from "./actions.js";
import { calm } from "../js/dom.js";
import { swallow } from "../js/held.js";

const each = 800; // milliseconds for each step
const longest = 10000; // milliseconds for all steps of one board together

const turns = new Map(); // by table: the last turn that this page has shown
const running = new Set(); // functions that end the steps of boards that show some now
let late = false; // events of the stream may have been missed

/** missed must be called when the connection breaks: of the moves meanwhile, only those of the last turn are shown. */
export function missed() {
  late = true;
}

/** caughtUp must be called when the newest boards are shown. */
export function caughtUp() {
  late = false;
}

/** hurry ends all steps now, and cancels the event by which a person has asked for that. */
function hurry(event) {
  if (!running.size) return;
  swallow(event);
  event.stopImmediatePropagation();
  running.forEach((finish) => finish());
}

addEventListener("keydown", (event) => {
  const silent = ["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"].includes(event.key);
  if (!silent && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, textarea, select")) hurry(event);
}, true);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) running.forEach((finish) => finish());
});

/** stepping returns a board that shows steps before each new message. A press on the board, or a key, ends the steps at
 * once. drawn(before, message) is called for each message, after its steps; before is the one shown last, undefined at
 * first. */
export function stepping(board, drawn = () => {}) {
  const { node } = board;
  let before; // the message shown last
  let end; // the message to show after the steps, as {message, who, told}
  let queue = [];
  let timer;
  let held = false; // a button had the focus before the steps
  let own = {}; // {turn, said}: the visitor's last roll, if it was put into words instead of shown

  const show = ({ message: now, who, told }) => {
    const was = before;
    const message = withOwn(now, own);
    if (message.table) turns.set(message.table, Math.max(message.turn, turns.get(message.table) ?? 0));
    before = message;
    board.update(message, who);
    told?.();
    drawn(was, message);
  };

  const finish = () => {
    clearTimeout(timer);
    queue = [];
    running.delete(finish);
    node.classList.remove("stepping");
    const last = end;
    end = undefined;
    show(last);
    if (held && !document.activeElement?.closest("button")) {
      focusNext(board.actions);
    }
  };

  const next = () => {
    const step = queue.shift();
    if (!step) return finish();
    turns.set(end.message.table, step.turn);
    const unheard = queue.length === 0 && tells(end.message, step); // the final board says the same
    board.update({ ...asStep(before, step, end.message), unheard }, { ...end.who, mover: undefined, actor: "" });
    timer = setTimeout(next, Math.min(each, longest / (queue.length + 1)));
    return undefined;
  };

  const update = (message, who, told) => {
    const more = end && message.turn > end.message.turn;
    const steps = unseenSteps(message, who, late || more);
    if (end && !more && message.turn === end.message.turn) {
      end = { message, who, told: told ?? end.told };
      return;
    }
    if (!before || steps.length === 0 || calm() || document.hidden) {
      if (steps.length) own = { turn: message.turn, said: ownLast(steps, who) };
      end = { message, who, told };
      finish();
      return;
    }
    own = {};
    clearTimeout(timer);
    if (!end) held = Boolean(node.querySelector(".act")?.contains(document.activeElement));
    end = { message, who, told };
    queue = steps;
    running.add(finish);
    node.classList.add("stepping");
    next();
  };

  node.addEventListener("click", (event) => {
    if (end) hurry(event);
  }, true);
  return { ...board, update };
}

/** unseenSteps returns the steps of a message that this page has not shown: of the visitor's own only the last one, and
 * not a last one that the message itself shows. If only their own steps precede the visitor's turn, it returns none.
 * last: only those of the last turn. */
export function unseenSteps(message, who, last = false) {
  const shown = turns.get(message.table) ?? message.turn;
  let steps = (message.steps ?? []).filter((step) => step.turn > shown);
  if (last) steps = steps.slice(steps.findLastIndex((step, i) => i > 0 && step.seat !== steps[i - 1].seat));
  const mine = (step) => who.mine[step.seat] !== undefined;
  const theirs = steps.findIndex((step) => !mine(step));
  if (theirs < 0 && who.mover !== undefined) return [];
  steps = steps.slice(Math.max((theirs < 0 ? steps.length : theirs) - 1, 0));
  if (steps.length && box(steps.at(-1)) === box(message)) steps.pop();
  return steps;
}

/** ownLast returns the sentence about the first of some steps if it is the visitor's own, else "". */
function ownLast([first], who) {
  return who.mine[first.seat] === undefined ? "" : first.said;
}

/** withOwn returns message with the sentence said first, if it is from the message's turn and not in the message. */
function withOwn(message, { turn, said }) {
  if (!said || turn !== message.turn || tells(message, { said })) return message;
  return { ...message, told: [said, ...message.told ?? []] };
}

/** tells reports whether a message contains all sentences of a step. */
function tells({ head, told = [] }, { said }) {
  const sentences = said.split(/[.!?](?: |$)/).filter(Boolean);
  return sentences.every((sentence) => [head, ...told].some((line) => line.includes(sentence)));
}

/** box returns a text that differs for different boxes: it has the open tiles and the dice. */
function box({ tiles = [], dice = [] }) {
  const lie = dice.length ? dice : tiles.find((row) => row.dice?.length)?.dice ?? [];
  return JSON.stringify([tiles.map((row) => (row.tiles ?? []).map((tile) => tile.open)), lie.map((die) => die.face)]);
}

/** asStep returns a message that shows a step: the board before the move, changed by it, without buttons. */
function asStep(stood, step, message) {
  const before = seated(stood, message);
  return {
    ...before,
    lang: message.lang,
    head: step.said,
    told: [],
    lines: [], // they are about another roll
    grids: [],
    tiles: step.tiles,
    dice: step.dice,
    accent: step.seat,
    people: before.people?.map((person) => ({ ...person, state: stateIn(person, step.seat) })),
    deadline: undefined,
    pick: undefined,
    guide: "",
    buttons: [],
  };
}

/** seated returns the board before with the seats of people, whose order may be known only since the game began. */
function seated(before, { people = [] }) {
  const seats = (all = []) => all.map(({ seat, name }) => `${seat} ${name}`).join("\n");
  if (seats(before.people) === seats(people)) return before;
  return { ...before, people: people.map((person) => ({ ...person, text: "", state: "" })) };
}

/** stateIn returns the state of a person in a step in which the seat moves has the turn. */
function stateIn({ seat, state }, moves) {
  if (seat === moves) return "to-move";
  return state === "to-move" ? "waiting" : state;
}
