// The feed: the board that is played on and what stands with it, the games of
// before in a line each, and the notes that only this visitor sees.

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
const alone = { mine: {}, mover: undefined, actor: "" }; // who looks at a note
const awaited = 5000; // milliseconds in which a new table is the answer to a command

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
    this.earlier = document.getElementById("earlier");
    this.boards = new Map();
    this.replays = {};
    this.asked = -Infinity;
    this.followed = false; // the stream has brought what stands here
  }

  /** take shows the news: boards that went, came, changed. early: the page has come with them. */
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

  /** clear drops the notes that were shown before the game of a table, which somebody of this browser plays by now: but
   * for one with the focus, and one that goes on by itself. */
  clear(table) {
    if (!table) return;
    Array.from(this.notes.children).filter((frame) => frame.shown.table < table && !frame.classList.contains("playing")
      && !frame.contains(document.activeElement)).forEach((frame) => frame.remove());
  }

  /** begin drops the notes about lobbies of which these are boards no more; one with the focus loses its buttons. */
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

  /** entryOf is what stands under a name, undefined: nothing. */
  entryOf(ref) {
    return this.boards.get(ref)?.entry;
  }

  /** newest is the number of the newest table, 0: there is none. */
  newest() {
    return Math.max(0, ...Array.from(this.boards.values(), ({ entry }) => entry.message.table ?? 0));
  }

  /** point brings into sight what is new: a board that came, with the focus where
   * this page has asked for it, or the bar of whoever is to move. */
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

  /** expect tells that the next new table is the answer to what was done here, or that it has another answer; typed: to
   * a command, whatever comes. */
  expect(yes = true, typed = false) {
    this.asked = yes ? performance.now() : -Infinity;
    this.typed = typed;
  }

  /** carry has boards go on under new names where the server has begun anew: whoever plays keeps what they have chosen,
   * and nothing is news. */
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

  /** forget removes what stands in the feed no more. */
  forget(all) {
    for (const [ref, { board, old }] of this.boards) {
      if (all.includes(ref)) continue;
      board?.node.remove();
      old?.node.remove();
      this.boards.delete(ref);
    }
  }

  /** keep notes an entry and says whether it is new. */
  keep(entry) {
    const shown = this.boards.get(entry.ref);
    if (shown) shown.entry = entry;
    else this.boards.set(entry.ref, { entry, count: 0 });
    this.boards.get(entry.ref).count++;
    return !shown;
  }

  /** unfold is the board of an entry, made once it is wanted. */
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

  /** fold is the line of an entry, with its board behind it. */
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

  draw(shown) {
    if (!shown.board) return;
    shown.drawn = true;
    shown.board.update(shown.entry.message, this.look(shown.entry));
  }

  /** tellOf has boards that came read out; what changes on a board it tells itself. */
  tellOf(fresh) {
    fresh.forEach(({ entry: { message: { head, told = [], lang } } }) => announce([head, ...told].join(" "), lang));
  }

  redraw() {
    this.boards.forEach((shown) => this.draw(shown));
  }

  /** changes counts what has come about a message. */
  changes(ref) {
    return this.boards.get(ref)?.count ?? 0;
  }

  /** nodeOf is the board of a message, unfolded. */
  nodeOf(ref) {
    const shown = this.boards.get(ref);
    if (shown?.old?.node.isConnected) shown.old.node.open = true;
    return shown && this.unfold(shown).node;
  }

  /** active is the board that is played on. */
  active() {
    const shown = [...this.boards.values()];
    return shown.findLast(({ entry, board }) => entry.message.table && board?.node.isConnected)?.board;
  }

  /** asks notes that a press asks for something, and returns what reports whether the answer is still wanted: nothing
   * was asked for later by the same note, which is open, or by another game that is shown again. */
  asks(press, node) {
    const note = node?.closest(".note")?.shown;
    const place = note ?? (begins(press) ? this.replays : {});
    const mine = place.asked = (place.asked ?? 0) + 1;
    return () => place.asked === mine && (!note || note.frame.isConnected);
  }

  /** note shows a private message, over the note whose button asked for it, and returns that note. The focus goes there,
   * but from the buttons of a game that is shown again, and where that goes on by itself. */
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

/** createNote makes a note. Once it is closed, what had the focus before has it again. */
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
    event.stopPropagation(); // what is chosen on the board stays
    close.click();
  });
  bar.append(title, close);
  const board = createBoard((press, node) => act(press, "", node));
  frame.append(bar, board.node);
  frame.setAttribute("aria-label", say("only-you"));
  frame.shown = { frame, board };
  return frame.shown;
}

/** lobbyOf tells whether a note offers a seat at one of some tables, or to leave it. */
const lobbyOf = ({ buttons = [] }, tables) => buttons.flat().some(({ press }) =>
  /^!(join|leave)$/.test(whatOf(press)) && tables.includes(Number(press.split(":")[1])));

/** standing are the entries that are seen whole: the newest table and what came
 * after it, and every table that goes on. */
function standing(shown) {
  const newest = shown.findLastIndex(({ entry }) => entry.message.table && !entry.past);
  const goesOn = (message) => message.live || (message.table && message.buttons?.length && !over(message));
  return shown.filter(({ entry }, i) => (i >= newest && !entry.past) || goesOn(entry.message));
}

/** plays reports whether somebody of this browser sits at a board in play. */
function plays({ entry: { message, mine = {} } }) {
  return playing(message) && Object.keys(mine).length > 0;
}

/** arrange has a parent hold exactly these, in this order; what stands right stays untouched. */
function arrange(parent, nodes) {
  Array.from(parent.children).filter((node) => !nodes.includes(node)).forEach((node) => node.remove());
  nodes.forEach((node, i) => {
    if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] ?? null);
  });
}

/** idle reports whether nobody is in the middle of something else. */
function idle() {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || Boolean(activeElement.closest(".composer, .board"));
}

/** edges are where what stands fixed at the top ends, and where it begins at the bottom. */
function edges() {
  const ends = (node) => node.getBoundingClientRect().bottom; // of what is not fixed here, it may lie above the window
  const top = Math.max(0, ends(document.querySelector(".bar")), ends(document.querySelector(".persons")));
  return { top, bottom: innerHeight - document.querySelector(".composer").offsetHeight };
}

/** fell says whether dice have fallen since a message. */
function fell(was, { dice = [] }) {
  const faces = (all) => all.map(({ face }) => face).join(" ");
  return dice.length > 0 && faces(dice) !== faces(was.dice ?? []);
}

/** revealTop brings the beginning of a board back into sight for whoever looks at what stands further down: its
 * headline and dice. */
function revealTop(node) {
  const { top: least, bottom: most } = edges();
  const { top, bottom } = node.getBoundingClientRect();
  if (top >= least || bottom < least || top > most) return;
  scrollBy({ top: top - least - 8, behavior: calm() ? "instant" : "smooth" });
}

/** reveal brings a node into sight, its beginning first. */
function reveal(node) {
  const { top: least, bottom: most } = edges();
  const { top, bottom, height } = node.getBoundingClientRect();
  if (top >= least && bottom <= most) return;
  const up = height > most - least ? top - least - 8 : bottom - most + 12;
  scrollBy({ top: up, behavior: calm() ? "instant" : "smooth" });
}

/** revealBar brings the bar of a board into sight: whoever is to move has to find it. */
function revealBar({ node, bar }) {
  const { top: least, bottom: most } = edges();
  const { top, bottom, height } = bar.node.getBoundingClientRect();
  if (height === 0 || (top >= least && bottom <= most + 1)) return;
  const by = top < least ? top - least - 8 : node.getBoundingClientRect().top - least - 8;
  scrollBy({ top: by, behavior: calm() ? "instant" : "smooth" });
}

/** anyLive says whether a table is open: its board has buttons and no winner. */
export function anyLive(messages) {
  return messages.some((m) => m.live || (m.table && m.buttons?.length && !over(m)));
}
