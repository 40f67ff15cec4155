// Steps: the moves that led to how a board stands, one after the other. A page
// shows those that it has not shown yet; then the board itself, with its buttons.

import { calm, moveFocus } from "./dom.js";
import { swallow } from "./held.js";

const each = 800; // milliseconds of a step
const longest = 10000; // of all steps of one board

const turns = new Map(); // by table: the last turn that this page has shown
const running = new Set(); // boards that show steps just now
let late = false; // news have been missed

/** missed tells that the connection broke: of what happened meanwhile only the
 * last turn is shown. */
export function missed() {
  late = true;
}

/** caughtUp tells that all news have been shown. */
export function caughtUp() {
  late = false;
}

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

/** stepping has a board show steps before it shows how all stands. Whoever
 * presses it meanwhile sees that at once. drawn(before, message) is told of
 * everything that is shown without further steps. */
export function stepping(board, drawn = () => {}) {
  const { node } = board;
  let before; // what was shown before the steps
  let end; // what is shown after them
  let queue = [];
  let timer;
  let held = false; // a button had the focus
  let own = {}; // {turn, said}: one's own last throw, where it is told and not shown

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
      moveFocus(node.querySelector(".buttons button"));
    }
  };

  const next = () => {
    const step = queue.shift();
    if (!step) return finish();
    turns.set(end.message.table, step.turn);
    const unheard = queue.length === 0 && tells(end.message, step); // the board comes next
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
    if (!end) held = Boolean(node.querySelector(".buttons")?.contains(document.activeElement));
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

/** unseenSteps are the steps of a message that this page has not shown: of one's
 * own the last, and none that the message itself shows. Where one plays on after
 * one's own throw, there are none. last: only those of the last turn. */
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

/** ownLast is what one's own last throw is told by, which comes before all that others did since. */
function ownLast([first], who) {
  return who.mine[first.seat] === undefined ? "" : first.said;
}

/** withOwn is a message that tells one's own last throw besides, as long as nothing has happened since. */
function withOwn(message, { turn, said }) {
  if (!said || turn !== message.turn || tells(message, { said })) return message;
  return { ...message, told: [said, ...message.told ?? []] };
}

/** tells reports whether a message says all that a step does. */
function tells({ head, told = [] }, { said }) {
  const sentences = said.split(/[.!?](?: |$)/).filter(Boolean);
  return sentences.every((sentence) => [head, ...told].some((line) => line.includes(sentence)));
}

/** box is what lies in a box: which tiles are open, and the dice. */
function box({ tiles = [], dice = [] }) {
  const lie = dice.length ? dice : tiles.find((row) => row.dice?.length)?.dice ?? [];
  return JSON.stringify([tiles.map((row) => (row.tiles ?? []).map((tile) => tile.open)), lie.map((die) => die.face)]);
}

/** asStep is a message that shows a step: the board as it was, with what this
 * move did. Nothing on it can be pressed. */
function asStep(stood, step, message) {
  const before = seated(stood, message);
  return {
    ...before,
    lang: message.lang,
    head: step.said,
    told: [],
    lines: [], // what they say is of another throw
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

/** seated is a board as it was, with the seats as they are: who sits first may be known since the game has begun alone. */
function seated(before, { people = [] }) {
  const seats = (all = []) => all.map(({ seat, name }) => `${seat} ${name}`).join("\n");
  if (seats(before.people) === seats(people)) return before;
  return { ...before, people: people.map((person) => ({ ...person, text: "", state: "" })) };
}

function stateIn({ seat, state }, moves) {
  if (seat === moves) return "to-move";
  return state === "to-move" ? "waiting" : state;
}
