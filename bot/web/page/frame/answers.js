// Answers that only this person sees, and notices of the room. They open in the panel.

import { createNote } from "./note.js";
import { whatOf } from "../board/press.js";
import { make, moveFocus } from "../js/dom.js";
import { load } from "../js/load.js";
import { home } from "./views.js";
import { say } from "../js/words.js";

const most = 3;

/** Answers is the list of answers. act(press, on, node) is called for a pressed button; views is the Views. */
export class Answers {
  constructor({ act, views }) {
    this.act = act;
    this.views = views;
    this.list = document.getElementById("panel-answer");
  }

  /** any reports whether there is an answer to show again. */
  any() {
    return this.list.children.length > 0;
  }

  /** clear removes the answers from before the game of a table at which a person of this browser now plays, except the
   * focused one. */
  clear(table) {
    if (!table) return;
    Array.from(this.list.children).filter((frame) => frame.shown.table < table
      && !frame.contains(document.activeElement)).forEach((frame) => this.remove(frame));
  }

  /** begin removes the answers about the tables in started, which are no longer lobbies. */
  begin(started) {
    const tables = started.map(({ table }) => table);
    Array.from(this.list.children).filter(({ shown }) => lobbyOf(shown.message, tables))
      .forEach((frame) => this.remove(frame));
  }

  remove(frame) {
    frame.remove();
    if (!this.any()) this.views.back();
  }

  /** asks records that node requests an answer, and returns a function that reports whether the answer is still wanted:
   * the one that contains node is open, and has not requested another one since. */
  asks(node) {
    const note = node?.closest(".note")?.shown;
    if (!note) return () => true;
    const mine = note.asked = (note.asked ?? 0) + 1;
    return () => note.asked === mine && note.frame.isConnected;
  }

  /** show shows an answer in the frame that contains the element again, else in a new one. It moves the focus there. */
  async show(message, again, table) {
    const { createCard } = await load("panel/card");
    const open = again?.closest(".note")?.shown;
    const shown = open ?? this.create(createCard, say("only-you"));
    shown.card.update(message);
    Object.assign(shown, { message, table });
    this.views.show("answer");
    shown.frame.scrollIntoView({ block: "nearest" });
    moveFocus(shown.frame);
  }

  /** tell shows a notice of the room, which everyone sees, and returns its frame; on is the message's id for its
   * buttons. */
  async tell(message, on, table) {
    const { createCard } = await load("panel/card");
    const shown = this.create(createCard, "", on);
    shown.card.update(message);
    Object.assign(shown, { message, table });
    return shown.frame;
  }

  /** renew shows the changed message of a notice with the id on, if its frame is still there. */
  renew(message, on) {
    for (const { shown } of this.list.children) {
      if (shown.on !== on) continue;
      shown.card.update(message);
      shown.message = message;
    }
  }

  /** create creates an empty frame, the newest first. When it is closed, the focus returns to the element before. */
  create(createCard, title, on = "") {
    const before = document.activeElement;
    const frame = createNote(make("span", "", title), title || say("notice"), () => {
      this.remove(frame);
      const back = before?.matches("button, input") && before.checkVisibility() ? before : home();
      back.focus({ preventScroll: true });
    });
    const card = createCard((press, node) => this.act(press, on, node));
    frame.append(card.node);
    frame.shown = { frame, card, on };
    this.list.prepend(frame);
    while (this.list.children.length > most) this.list.lastElementChild.remove();
    return frame.shown;
  }
}

/** asks reports whether a message asks who comes to a fixed evening. */
export const asks = ({ buttons = [] }) => buttons.flat().some(({ press }) => whatOf(press).startsWith("/evening #in "));

/** lobbyOf reports whether a message has a button to join or leave one of tables, a list of numbers. */
const lobbyOf = ({ buttons = [] } = {}, tables) => buttons.flat().some(({ press }) =>
  /^!(join|leave)$/.test(whatOf(press)) && tables.includes(Number(press.split(":")[1])));
