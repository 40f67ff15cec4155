// The feed: the boards of current tables, a line for each past game, and private notes.

import { whatOf } from "./bar.js";
import { createBoard, over, playing } from "./board.js";
import { cheer } from "./cheer.js";
import { calm, make, moveFocus } from "./dom.js";
import { hasEnded } from "./ended.js";
import { announce } from "./live.js";
import { createOld, drawOld } from "./old.js";
import { begins } from "./replay.js";
import { sound } from "./sound.js";
import { caughtUp, stepping } from "./steps.js";
import { say } from "./words.js";

const maxNotes = 3;
const alone = { mine: {}, mover: undefined, actor: "" }; // the viewer of a private note, who has no seat
const awaited = 5000; // milliseconds in which a new table counts as the answer to an action

/** Feed shows the messages of the stream. act(press, on, node) is called for a pressed button: with its text, the
 * message's id and element. look(entry) returns the visitor's people on a board, as whoIsOn does, and
 * onChange(messages) is called after each change. */
export class Feed {
  constructor({ act, look, onChange }) {
    this.act = act;
    this.look = look;
    this.onChange = onChange;
    this.list = document.getElementById("entries");
    this.notes = document.getElementById("notes");
    this.earlier = document.getElementById("earlier");
    this.boards = new Map();
    this.replays = {};
    this.asked = -Infinity;
    this.followed = false; // the stream has sent these messages
  }

  /** take shows news, the removed, new and changed messages. early: they came with the page, not by the stream. */
  take({ all, entries }, early = false) {
    const first = this.boards.size === 0 || !this.followed;
    this.followed ||= !early;
    this.carry(all, entries);
    this.forget(all);
    const added = new Set(entries.filter((entry) => this.keep(entry)).map((entry) => entry.ref));
    const shown = all.map((ref) => this.boards.get(ref));
    const open = standing(shown);
    arrange(this.list, open.map((one) => this.unfold(one).node));
    arrange(this.earlier.querySelector(".olds"), shown.filter((one) => !open.includes(one)).reverse()
      .map((one) => this.fold(one)));
    this.earlier.hidden = open.length === shown.length;
    const changed = new Set(entries.map((entry) => entry.ref));
    shown.filter((one) => changed.has(one.entry.ref) || (one.board && !one.drawn))
      .forEach((one) => this.draw(one));
    caughtUp();
    if (!first) this.tellOf(open.filter(({ entry }) => added.has(entry.ref)));
    this.onChange(shown.map((one) => one.entry.message));
    if (!first) this.point(open, added, changed);
    this.clear(open.findLast(plays)?.entry.message.table);
    this.begin(shown.map((one) => one.entry.message).filter((m) => m.table && (!m.live || playing(m))));
  }

  /** clear removes the notes from before the game of a table at which a person of this browser now plays, except the
   * focused one and replays. */
  clear(table) {
    if (!table) return;
    Array.from(this.notes.children).filter((frame) => frame.shown.table < table && !frame.classList.contains("playing")
      && !frame.contains(document.activeElement)).forEach((frame) => frame.remove());
  }

  /** begin removes the notes about the tables in started, which are no lobbies now. A focused one loses only its
   * buttons. */
  begin(started) {
    const tables = started.map(({ table }) => table);
    for (const frame of Array.from(this.notes.children)) {
      const { message, board } = frame.shown;
      if (!lobbyOf(message, tables)) continue;
      if (frame.contains(document.activeElement)) {
        frame.shown.message = { ...message, buttons: [] };
        board.update(frame.shown.message, alone);
        moveFocus(frame);
      } else frame.remove();
    }
  }

  /** entryOf returns the entry with the id ref, undefined if there is none. */
  entryOf(ref) {
    return this.boards.get(ref)?.entry;
  }

  /** newest returns the number of the newest table, 0 if there is none. */
  newest() {
    return Math.max(0, ...Array.from(this.boards.values(), ({ entry }) => entry.message.table ?? 0));
  }

  /** point scrolls to a new board, which gets the focus if this page has asked for it, or to the buttons of a person at
   * this browser whose turn it is. */
  point(open, added, changed) {
    const fresh = open.findLast(({ entry }) => added.has(entry.ref));
    const mine = open.findLast(({ entry }) => changed.has(entry.ref) && this.look(entry).mover !== undefined);
    if (fresh?.entry.message.table && performance.now() - this.asked < awaited && idle()) {
      this.asked = -Infinity;
      moveFocus(fresh.board.head);
    }
    if (mine) revealBar(mine.board);
    else if (fresh && (fresh.entry.message.table || this.typed || !open.some(plays))) reveal(fresh.board.node);
  }

  /** expect records that the next new table is the answer to an action on this page, or (yes false) that it is not.
   * typed: the action was a command, and the page scrolls to any new message. */
  expect(yes = true, typed = false) {
    this.asked = yes ? performance.now() : -Infinity;
    this.typed = typed;
  }

  /** carry keeps the boards whose ids have changed because the server was restarted: choices on them stay, and nothing
   * is announced as new. */
  carry(all, entries) {
    if (all.some((ref) => this.boards.has(ref))) return;
    const before = [...this.boards];
    for (const { ref, message: { table } } of entries) {
      const [was, shown] = before.find(([, one]) => table && one.entry.message.table === table) ?? [];
      if (!was) continue;
      this.boards.delete(was);
      this.boards.set(ref, shown);
    }
  }

  /** forget removes the messages whose ids are not in all. */
  forget(all) {
    for (const [ref, { board, old }] of this.boards) {
      if (all.includes(ref)) continue;
      board?.node.remove();
      old?.node.remove();
      this.boards.delete(ref);
    }
  }

  /** keep stores an entry and reports whether it is new. */
  keep(entry) {
    const shown = this.boards.get(entry.ref);
    if (shown) shown.entry = entry;
    else this.boards.set(entry.ref, { entry, count: 0 });
    this.boards.get(entry.ref).count++;
    return !shown;
  }

  /** unfold returns the board of an entry, which it creates at the first call. */
  unfold(shown) {
    if (shown.board) return shown.board;
    const board = createBoard((press, node) => this.act(press, shown.entry.ref, node));
    const heard = { ...board, update: (message, who) => {
      sound(board.node, message);
      board.update(message, who);
    } };
    shown.board = stepping(heard, (was, message) => {
      const ends = was && !over(was) && over(message);
      if (ends) {
        hasEnded(board.node);
        cheer(board.node, message);
      }
      if (ends || was && fell(was, message) && this.look(shown.entry).mover !== undefined) revealTop(board.node);
    });
    return shown.board;
  }

  /** fold returns the line of a past game. A press on it shows the board. */
  fold(shown) {
    shown.old ??= createOld(() => {
      const { node } = this.unfold(shown);
      this.draw(shown);
      return node;
    });
    if (!shown.old.node.isConnected) {
      shown.old.node.open = false;
      shown.board?.node.remove();
    }
    drawOld(shown.old, shown.entry);
    return shown.old.node;
  }

  /** draw updates the board of an entry, if the board was created. */
  draw(shown) {
    if (!shown.board) return;
    shown.drawn = true;
    shown.board.update(shown.entry.message, this.look(shown.entry));
  }

  /** tellOf announces new boards. A board announces its changes itself. */
  tellOf(fresh) {
    fresh.forEach(({ entry: { message: { head, told = [], lang } } }) => announce([head, ...told].join(" "), lang));
  }

  redraw() {
    this.boards.forEach((shown) => this.draw(shown));
  }

  /** changes returns how often a message was received, 0 if it is unknown. */
  changes(ref) {
    return this.boards.get(ref)?.count ?? 0;
  }

  /** nodeOf returns the element of a message's board, unfolded, or undefined if there is none. */
  nodeOf(ref) {
    const shown = this.boards.get(ref);
    if (shown?.old?.node.isConnected) shown.old.node.open = true;
    return shown && this.unfold(shown).node;
  }

  /** active returns the board that keys act on: the last one of a table that is on the page, undefined if there is
   * none. */
  active() {
    const shown = [...this.boards.values()];
    return shown.findLast(({ entry, board }) => entry.message.table && board?.node.isConnected)?.board;
  }

  /** asks records that press in node requests an answer, and returns a function that reports whether the answer is
   * still wanted: its note is open, and neither the note nor another replay has requested another one since. */
  asks(press, node) {
    const note = node?.closest(".note")?.shown;
    const place = note ?? (begins(press) ? this.replays : {});
    const mine = place.asked = (place.asked ?? 0) + 1;
    return () => place.asked === mine && (!note || note.frame.isConnected);
  }

  /** note shows a private message in the note that contains the element again, else in a new one, and returns the note.
   * It moves the focus there, unless a replay runs (byItself) or one of its buttons has the focus. */
  note(message, again, byItself) {
    const open = again?.closest(".note")?.shown;
    const shown = open ?? createNote(this.act, document.activeElement);
    shown.board.update(message, alone);
    shown.message = message;
    shown.table = this.newest();
    if (!open) {
      this.notes.prepend(shown.frame); // right below the board, the newest first
      while (this.notes.children.length > maxNotes) this.notes.lastElementChild.remove();
    }
    if (byItself || shown.frame.classList.contains("playing")) return shown;
    reveal(shown.frame);
    const onItsButtons = shown.frame.querySelector(".replays") && shown.board.node.contains(document.activeElement);
    if (!onItsButtons) moveFocus(shown.frame);
    return shown;
  }
}

/** createNote creates a note. When it is closed, the focus returns to the element before. */
function createNote(act, before) {
  const frame = make("section", "note");
  frame.tabIndex = -1;
  const bar = make("div", "note-bar");
  const title = make("span", "", say("only-you"));
  const close = make("button", "plain small", `✕ ${say("close")}`);
  close.type = "button";
  close.addEventListener("click", () => {
    frame.remove();
    const back = before?.matches("button") && before.checkVisibility() ? before : document.getElementById("slash");
    back.focus({ preventScroll: true });
  });
  frame.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // else Escape clears the choice on the board
    close.click();
  });
  bar.append(title, close);
  const board = createBoard((press, node) => act(press, "", node));
  frame.append(bar, board.node);
  frame.setAttribute("aria-label", say("only-you"));
  frame.shown = { frame, board };
  return frame.shown;
}

/** lobbyOf reports whether a message has a button to join or leave one of tables, a list of numbers. */
const lobbyOf = ({ buttons = [] }, tables) => buttons.flat().some(({ press }) =>
  /^!(join|leave)$/.test(whatOf(press)) && tables.includes(Number(press.split(":")[1])));

/** standing returns the entries shown as whole boards: the newest table, all after it, and all open tables. */
function standing(shown) {
  const newest = shown.findLastIndex(({ entry }) => entry.message.table && !entry.past);
  const goesOn = (message) => message.live || (message.table && message.buttons?.length && !over(message));
  return shown.filter(({ entry }, i) => (i >= newest && !entry.past) || goesOn(entry.message));
}

/** plays reports whether a person at this browser has a seat in the running game of a board. */
function plays({ entry: { message, mine = {} } }) {
  return playing(message) && Object.keys(mine).length > 0;
}

/** arrange makes nodes the children of parent, in this order. It does not move those in the right place. */
function arrange(parent, nodes) {
  Array.from(parent.children).filter((node) => !nodes.includes(node)).forEach((node) => node.remove());
  nodes.forEach((node, i) => {
    if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] ?? null);
  });
}

/** idle reports whether the focus may move: it is nowhere, on a board, or at the bottom bar. */
function idle() {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || Boolean(activeElement.closest(".composer, .board"));
}

/** edges returns the top and bottom of the part of the window that no fixed element covers. */
function edges() {
  const ends = (node) => node.getBoundingClientRect().bottom; // negative if the node has scrolled out of the window
  const top = Math.max(0, ends(document.querySelector(".bar")), ends(document.querySelector(".persons")));
  return { top, bottom: innerHeight - document.querySelector(".composer").offsetHeight };
}

/** fell reports whether a message shows other dice than was, the message before it. */
function fell(was, { dice = [] }) {
  const faces = (all) => all.map(({ face }) => face).join(" ");
  return dice.length > 0 && faces(dice) !== faces(was.dice ?? []);
}

/** revealTop scrolls to the top of a board, with headline and dice, if only a lower part is in the window. */
function revealTop(node) {
  const { top: least, bottom: most } = edges();
  const { top, bottom } = node.getBoundingClientRect();
  if (top >= least || bottom < least || top > most) return;
  scrollBy({ top: top - least - 8, behavior: calm() ? "instant" : "smooth" });
}

/** reveal scrolls a node into the window, to its top if it is higher than the window. */
function reveal(node) {
  const { top: least, bottom: most } = edges();
  const { top, bottom, height } = node.getBoundingClientRect();
  if (top >= least && bottom <= most) return;
  const up = height > most - least ? top - least - 8 : bottom - most + 12;
  scrollBy({ top: up, behavior: calm() ? "instant" : "smooth" });
}

/** revealBar scrolls to the buttons of a board, for the person whose turn it is. */
function revealBar({ node, bar }) {
  const { top: least, bottom: most } = edges();
  const { top, bottom, height } = bar.node.getBoundingClientRect();
  if (height === 0 || (top >= least && bottom <= most + 1)) return;
  const by = top < least ? top - least - 8 : node.getBoundingClientRect().top - least - 8;
  scrollBy({ top: by, behavior: calm() ? "instant" : "smooth" });
}

/** anyLive reports whether any table is open: it has buttons, and its game is not over. */
export function anyLive(messages) {
  return messages.some((m) => m.live || (m.table && m.buttons?.length && !over(m)));
}
