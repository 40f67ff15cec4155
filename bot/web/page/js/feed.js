// The feed: the boards that everybody sees, and the notes that only this
// visitor sees.

import { createBoard, over } from "./board.js";
import { calm, make } from "./dom.js";
import { say } from "./words.js";

/** createFeed shows what comes from the stream; act(press, on, node, note) is
 * called for a pressed button, look(entry) tells who of this browser is on it. */
export function createFeed({ act, look, onChange }) {
  const list = document.getElementById("entries");
  const notes = document.getElementById("notes");
  const boards = new Map();

  function draw(shown) {
    shown.board.update(shown.entry.message, look(shown.entry));
  }

  function take({ all, entries }) {
    const bottom = nearBottom();
    let added = null;
    for (const [ref, shown] of boards) {
      if (!all.includes(ref)) {
        shown.board.node.remove();
        boards.delete(ref);
      }
    }
    for (const entry of entries) {
      let shown = boards.get(entry.ref);
      if (!shown) {
        shown = { board: createBoard((press, node) => act(press, entry.ref, node)) };
        boards.set(entry.ref, shown);
        added = shown.board.node;
      }
      shown.entry = entry;
    }
    all.forEach((ref, i) => {
      const { node } = boards.get(ref).board;
      if (list.children[i] !== node) list.insertBefore(node, list.children[i] ?? null);
    });
    entries.forEach((entry) => draw(boards.get(entry.ref)));
    onChange(Array.from(boards.values(), (shown) => shown.entry.message));
    if (added) reveal(added);
    else if (bottom) toBottom();
  }

  /** note shows a private message; again is a note to draw it over. */
  function note(message, again) {
    const open = again?.closest(".note")?.shown;
    const shown = open ?? createNote(act);
    shown.message = message;
    shown.board.update(message, { mine: {}, mover: undefined, actor: "" });
    if (!open) {
      notes.append(shown.frame);
      while (notes.children.length > 5) notes.firstElementChild.remove();
    }
    reveal(shown.frame);
    shown.frame.focus({ preventScroll: true });
  }

  return { take, note, redraw: () => boards.forEach(draw) };
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

/** reveal brings a node into sight, its beginning first. */
function reveal(node) {
  const bar = document.querySelector(".bar").offsetHeight + document.querySelector(".persons").offsetHeight;
  const composer = document.querySelector(".composer").offsetHeight;
  const { top, bottom, height } = node.getBoundingClientRect();
  if (top >= bar && bottom <= innerHeight - composer) return;
  const room = innerHeight - composer - bar;
  const up = height > room ? top - bar - 8 : bottom - innerHeight + composer + 12;
  scrollBy({ top: up, behavior: calm() ? "instant" : "smooth" });
}

/** anyLive says whether a table is open: its board has buttons and no winner. */
export function anyLive(messages) {
  return messages.some((m) => m.table && m.buttons?.length && !over(m));
}
