// The tables of the room: the board of one of them is on the stage.

import { spokenOf } from "../board/banner.js";
import { createBoard } from "../board/board.js";
import { hasEnded } from "../board/ended.js";
import { lobby, over, playing } from "../board/state.js";
import { caughtUp, stepping } from "../board/steps.js";
import { moveFocus, narrow } from "../js/dom.js";
import { announce } from "../js/live.js";
import { load } from "../js/load.js";
import { sound } from "./volume.js";

const awaited = 5000; // milliseconds in which a new table counts as the answer to an action

/** Tables shows the messages of the stream. act(press, on, node) is called for a pressed button: with its text, the
 * message's id and element. look(entry) returns the visitor's people on a board, as whoIsOn does; onChange(messages) is
 * called after each change, shown(message, who) whenever the stage shows another message, heard(entry) for a new
 * message that belongs to no table, and renewed(entry) when such a message has changed. doors are those of createBoard. */
export class Tables {
  constructor({ act, look, onChange, shown, heard, renewed, doors }) {
    Object.assign(this, { act, look, onChange, shown, heard, renewed, doors });
    this.place = document.getElementById("tables");
    this.boards = new Map(); // by id: {entry, count, board, drawn}
    this.asked = -Infinity;
    this.followed = false; // the stream has sent these messages
    narrow.addEventListener("change", () => this.redraw()); // a sheet has fewer columns there
  }

  /** take shows news, the removed, new and changed messages. early: they came with the page, not by the stream. */
  take({ all, entries }, early = false) {
    const first = !this.followed;
    this.followed ||= !early;
    this.carry(all, entries);
    for (const [ref, { board }] of this.boards) {
      if (all.includes(ref)) continue;
      board?.node.remove();
      this.boards.delete(ref);
    }
    const added = new Set(entries.filter((entry) => this.keep(entry)).map((entry) => entry.ref));
    this.order = all;
    const changed = new Set(entries.map(({ ref }) => ref));
    this.stand(added, changed, first);
    caughtUp();
    const others = entries.filter(({ ref, message, past }) => added.has(ref) && !message.table && !past);
    others.forEach((entry) => this.heard(entry, first));
    entries.filter(({ ref, message }) => !added.has(ref) && !message.table).forEach(this.renewed);
    this.onChange(this.messages());
  }

  /** stand puts the right board on the stage, and draws it if it has changed. */
  stand(added, changed, first) {
    const shown = this.current();
    const before = this.standing;
    this.standing = shown;
    if (!shown) return this.place.replaceChildren();
    const { board } = this.unfold(shown);
    if (this.place.firstChild !== board.node) this.place.replaceChildren(board.node);
    if (changed.has(shown.entry.ref) || !shown.drawn || before !== shown) this.draw(shown);
    if (first || !added.has(shown.entry.ref)) return undefined;
    announce(spokenOf(shown.entry.message, shown.entry.mine), shown.entry.message.lang);
    if (performance.now() - this.asked < awaited && idle()) {
      this.asked = -Infinity;
      moveFocus(board.head);
    }
    return undefined;
  }

  /** current returns the table for the stage: one that waits for a person at this browser, else one that has begun or
   * is about to, else the newest. Of several, the one already shown or the newest. */
  current() {
    const shown = this.tables();
    const mine = ({ entry }) => Object.keys(entry.mine ?? {}).length > 0;
    const open = ({ entry: { message } }) => playing(message) || lobby(message);
    const wanted = [(one) => one.entry.ref === this.picked && open(one),
      (one) => this.look(one.entry).mover !== undefined, (one) => open(one) && mine(one), open];
    for (const wants of wanted) {
      const some = shown.filter(wants);
      if (some.length) return some.includes(this.standing) && !this.fresh(some) ? this.standing : some.at(-1);
    }
    return shown.at(-1);
  }

  /** fresh reports whether a table that this page has just opened is among some. */
  fresh(some) {
    return performance.now() - this.asked < awaited && some.at(-1).count === 1 && some.at(-1) !== this.standing;
  }

  /** tables returns all tables that are not past, the oldest first. */
  tables() {
    return (this.order ?? []).map((ref) => this.boards.get(ref)).filter(({ entry }) => entry.message.table && !entry.past);
  }

  /** open returns the entries of tables whose game runs or is about to begin, without the one on the stage. */
  open() {
    return this.tables().filter((one) => one !== this.standing)
      .map(({ entry }) => entry).filter(({ message }) => playing(message) || lobby(message));
  }

  /** pick puts the table with the id ref on the stage. */
  pick(ref) {
    this.picked = ref;
    this.stand(new Set(), new Set(), true);
    this.onChange(this.messages());
  }

  /** position shows a message in place of the present one on the stage, until the table changes; null ends that. */
  position(message) {
    const shown = this.standing;
    if (!shown) return;
    if (message) shown.board.show(message, { ...this.look(shown.entry), mover: undefined, actor: "" });
    else this.draw(shown);
  }

  /** newest returns the number of the newest table, 0 if there is none. */
  newest() {
    return Math.max(0, ...Array.from(this.boards.values(), ({ entry }) => entry.message.table ?? 0));
  }

  messages() {
    return (this.order ?? []).map((ref) => this.boards.get(ref).entry.message);
  }

  /** entryOf returns the entry with the id ref, undefined if there is none. */
  entryOf(ref) {
    return this.boards.get(ref)?.entry;
  }

  /** yours reports whether a person at this browser has the turn at any table. */
  yours() {
    return this.tables().some(({ entry }) => this.look(entry).mover !== undefined);
  }

  /** expect records that the next new table is the answer to an action on this page, or (yes false) that it is not.
   * typed: the action was a command, and any new message is its answer. */
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

  /** keep stores an entry and reports whether it is new. */
  keep(entry) {
    const shown = this.boards.get(entry.ref);
    if (shown) shown.entry = entry;
    else this.boards.set(entry.ref, { entry, count: 0 });
    this.boards.get(entry.ref).count++;
    return !shown;
  }

  /** unfold creates the board of a table, unless it exists. */
  unfold(shown) {
    if (shown.board) return shown;
    const show = (message, who) => shown === this.standing && this.shown(message, who);
    const board = createBoard((press, node) => this.act(press, shown.entry.ref, node), show, this.doors);
    const heard = { ...board, update: (message, who) => {
      sound(board.node, message);
      board.update(message, who);
    } };
    shown.board = { show: board.update, ...stepping(heard, (was, message) => {
      if (!was || over(was) || !over(message)) return;
      hasEnded(board.node);
      load("board/end").then(({ cheer }) => cheer(board.node, message)).catch(() => {}); // a game ends without it, too
    }) };
    return shown;
  }

  /** draw updates the board of an entry. */
  draw(shown) {
    shown.drawn = true;
    shown.board.update(shown.entry.message, this.look(shown.entry));
  }

  redraw() {
    if (this.standing) this.draw(this.standing);
    this.onChange(this.messages());
  }

  /** changes returns how often a message was received, 0 if it is unknown. */
  changes(ref) {
    return this.boards.get(ref)?.count ?? 0;
  }

  /** active returns the board that keys act on, undefined if there is none. */
  active() {
    return this.standing?.board;
  }
}

/** idle reports whether the focus may move: it is nowhere, on the stage, or in the menu or gallery. */
function idle() {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || !activeElement.closest(".panel, dialog") ||
    Boolean(activeElement.closest("#line"));
}
