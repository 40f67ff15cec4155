// The feed: the boards that everybody sees, and the notes that only this
// visitor sees.

import { createBoard, over } from "./board.js";
import { calm, make } from "./dom.js";
import { say } from "./words.js";

const maxNotes = 5;

/** Feed shows what comes from the stream. act(press, on, node) is called for a
 * pressed button, look(entry) tells who of this browser is on a board, and
 * onChange(messages) hears of every change. */
export class Feed {
  constructor({ act, look, onChange }) {
    this.act = act;
    this.look = look;
    this.onChange = onChange;
    this.list = document.getElementById("entries");
    this.notes = document.getElementById("notes");
    this.boards = new Map();
  }

  /** take shows the news: boards that went, came, changed. */
  take({ all, entries }) {
    const bottom = nearBottom();
    this.forget(all);
    const added = entries.filter((entry) => this.keep(entry)).map((entry) => entry.ref);
    all.forEach((ref, i) => {
      const { node } = this.boards.get(ref).board;
      if (this.list.children[i] !== node) this.list.insertBefore(node, this.list.children[i] ?? null);
    });
    entries.forEach((entry) => this.draw(this.boards.get(entry.ref)));
    this.onChange(Array.from(this.boards.values(), (shown) => shown.entry.message));
    const mine = entries.map((entry) => this.boards.get(entry.ref))
      .findLast(({ entry }) => this.look(entry).mover !== undefined);
    if (mine) revealButtons(mine.board.node);
    else if (added.length) reveal(this.boards.get(added.at(-1)).board.node);
    else if (bottom && fits(this.list.lastElementChild)) toBottom();
  }

  /** forget removes what stands in the feed no more. */
  forget(all) {
    for (const [ref, { board }] of this.boards) {
      if (all.includes(ref)) continue;
      board.node.remove();
      this.boards.delete(ref);
    }
  }

  /** keep notes an entry and says whether it is new. */
  keep(entry) {
    const shown = this.boards.get(entry.ref);
    if (shown) shown.entry = entry;
    else this.boards.set(entry.ref, { entry, board: createBoard((press, node) => this.act(press, entry.ref, node)) });
    return !shown;
  }

  draw({ board, entry }) {
    board.update(entry.message, this.look(entry));
  }

  redraw() {
    this.boards.forEach((shown) => this.draw(shown));
  }

  /** note shows a private message, over the note whose button asked for it. */
  note(message, again) {
    const open = again?.closest(".note")?.shown;
    const shown = open ?? createNote(this.act);
    shown.board.update(message, { mine: {}, mover: undefined, actor: "" });
    if (!open) {
      this.notes.append(shown.frame);
      while (this.notes.children.length > maxNotes) this.notes.firstElementChild.remove();
    }
    reveal(shown.frame);
    shown.frame.focus({ preventScroll: true });
  }
}

function createNote(act) {
  const frame = make("section", "note");
  frame.tabIndex = -1;
  const bar = make("div", "note-bar");
  const title = make("span", "", say("only-you"));
  const close = make("button", "plain small", `✕ ${say("close")}`);
  close.type = "button";
  close.addEventListener("click", () => {
    frame.remove();
    document.getElementById("text").focus({ preventScroll: true });
  });
  bar.append(title, close);
  const board = createBoard((press, node) => act(press, "", node));
  frame.append(bar, board.node);
  frame.setAttribute("aria-label", say("only-you"));
  frame.shown = { frame, board };
  return frame.shown;
}

function nearBottom() {
  return innerHeight + scrollY > document.documentElement.scrollHeight - 120;
}

function toBottom() {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}

/** room is the height between what stands fixed at the top and at the bottom. */
function room() {
  const bar = document.querySelector(".bar").offsetHeight + document.querySelector(".persons").offsetHeight;
  const composer = document.querySelector(".composer").offsetHeight;
  return { bar, composer, height: innerHeight - composer - bar };
}

/** fits says whether a node can be seen whole: of a larger one the beginning
 * matters, and the page stays where it is. */
function fits(node) {
  return !node || node.offsetHeight <= room().height;
}

/** reveal brings a node into sight, its beginning first. */
function reveal(node) {
  const { bar, composer, height: most } = room();
  const { top, bottom, height } = node.getBoundingClientRect();
  if (top >= bar && bottom <= innerHeight - composer) return;
  const up = height > most ? top - bar - 8 : bottom - innerHeight + composer + 12;
  scrollBy({ top: up, behavior: calm() ? "instant" : "smooth" });
}

/** revealButtons brings the first button of a board up into sight: whoever is to
 * move has to find it. */
function revealButtons(board) {
  const button = board.querySelector(".buttons button");
  if (!button) return;
  const hidden = button.getBoundingClientRect().bottom - innerHeight + room().composer;
  if (hidden > 0) scrollBy({ top: hidden + 12, behavior: calm() ? "instant" : "smooth" });
}

/** anyLive says whether a table is open: its board has buttons and no winner. */
export function anyLive(messages) {
  return messages.some((m) => m.table && m.buttons?.length && !over(m));
}
