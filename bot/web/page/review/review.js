// The review of a finished game: on the stage a position with the played and the better move, the graph, and the steps;
// in the panel luck and mistakes, and the list of moves.

import { createGraph, drawGraph, markGraph } from "./graph.js";
import { createList, drawList, markList } from "./list.js";
import { createPosition, drawPosition } from "./position.js";
import { createSteps, drawSteps } from "./steps.js";
import { calm, make, moveFocus, narrow, put } from "../js/dom.js";
import { announce } from "../js/live.js";
import { say } from "../js/words.js";
import { toast } from "../frame/toast.js";

const again = 3000; // milliseconds between looks for a review that is being computed
const each = 800; // milliseconds for each move while the game plays
const typing = "input, textarea, select, [contenteditable], dialog, [popover]";
const tab = document.getElementById("tab-players");

let wanted = 0; // counts the reviews that were requested
let open; // the review that is shown
let begun = false; // the keys work

/** show shows the review of the game room.at.table on the stage: at the move with the number room.at.move or, if there
 * is none, at the costliest mistake. With room.at.plays, it plays the game from its first move. */
export async function show(stage, room) {
  const mine = ++wanted;
  const door = document.activeElement;
  const data = await read(room).catch((error) => toast(error.message, true));
  if (!data || mine !== wanted) return;
  if (!begun) begin(room);
  open?.remove();
  open = new Review(stage, room, data, door);
  room.cover({ title: say("review"), about: data.title, close: () => open?.close() });
  open.appear();
}

/** begin makes keys work, and follows the room. */
function begin(room) {
  begun = true;
  room.onChange(() => open?.draw());
  document.addEventListener("keydown", (event) => open?.press(event));
}

/** read resolves to the review of the game. Without one, its moves are those of the log, its seats those of the board.
 */
async function read({ at: { table }, get }) {
  const data = await get(`review?table=${table}`);
  if (data.ready) return data;
  const [{ moves = [] }, { people = [] }] = await Promise.all([`log?table=${table}`, `at?table=${table}&move=0`]
    .map((what) => get(what).catch(() => ({}))));
  return { ...data, seats: people, moves: moves.filter(({ end }) => !end).map(asReviewed) };
}

/** asReviewed returns a move of the log like one of a review. */
const asReviewed = (move) => ({ ...move, before: move.move - 1, text: move.news ?? "",
  title: [move.name, move.said].filter(Boolean).join(" · ") });

class Review {
  constructor(stage, room, data, door) {
    Object.assign(this, { stage, room, door, before: room.shown(), boards: new Map() });
    this.node = make("article", "review");
    this.position = createPosition();
    this.graph = createGraph((move) => this.goTo(move));
    this.steps = createSteps({ go: (index) => this.go(index), close: () => this.close(),
      play: () => this.play(!this.timer) });
    this.list = createList((index) => this.go(index));
    this.node.append(this.position.node, this.graph.node, this.steps.node);
    this.take(data);
    this.index = this.first();
  }

  /** first returns the index of the move that is shown first. */
  first() {
    const { move, plays } = this.room.at;
    const found = move ? this.moves.findIndex((one) => one.move === move) : -1;
    return plays ? 0 : Math.max(found >= 0 ? found : this.data.costliest, 0);
  }

  /** take stores the data, and reads it again as long as it is not complete. */
  take(data) {
    Object.assign(this, { data, moves: data.moves });
    drawGraph(this.graph, data);
    drawList(this.list, data);
    if (data.soon) this.later = setTimeout(() => this.look(), again);
  }

  /** look reads the review again. Unless the person has chosen a move, the costliest is shown then. */
  async look() {
    const data = document.hidden ? this.data : await read(this.room).catch(() => this.data);
    if (open !== this) return;
    const { move } = this.moves[this.index] ?? {};
    this.take(data);
    const same = this.moves.findIndex((one) => one.move === move);
    if (data.ready) this.go(this.chosen && same >= 0 ? same : this.first(), true);
  }

  /** appear puts the review in the place of the table, and moves the focus there. */
  appear() {
    document.body.classList.add("reviewing");
    this.stage.append(this.node);
    document.getElementById("panel-players").append(this.list.node);
    put(tab, say("review"));
    this.room.show("players");
    if (narrow.matches) scrollTo(0, 0);
    this.draw();
    moveFocus(this.position.head);
    this.board();
    if (this.room.at.plays) this.play(!calm());
  }

  remove() {
    this.play(false);
    clearTimeout(this.later);
    this.node.remove();
    this.list.node.remove();
  }

  /** close shows the table again, and the previous content of the panel. The focus returns to where it was. */
  close() {
    this.remove();
    open = undefined;
    document.body.classList.remove("reviewing");
    put(tab, say("players"));
    this.room.cover(null);
    if (this.room.shown() === "players" && !narrow.matches) this.room.show(this.before);
    if (this.door.matches("button") && this.door.checkVisibility()) this.door.focus({ preventScroll: true });
    else moveFocus(this.stage.querySelector(".board .head"));
  }

  /** draw draws all that depends on the move that is shown, except its board. */
  draw() {
    const move = this.moves[this.index];
    drawPosition(this.position, this.shown, move, this.data);
    markGraph(this.graph, move);
    markList(this.list, this.index);
    drawSteps(this.steps, { moves: this.moves, index: this.index, ready: this.data.ready, plays: Boolean(this.timer),
      yours: this.room.yours() });
  }

  /** board shows the board of the move, once it is loaded. */
  async board() {
    const move = this.moves[this.index];
    if (!move) return;
    const message = await this.boardOf(move);
    if (move !== this.moves[this.index] || !message) return;
    this.shown = message;
    this.draw();
    const next = this.moves[this.index + 1];
    if (next) this.boardOf(next);
  }

  /** boardOf resolves to the board before a move, null if it does not arrive. */
  boardOf({ before }) {
    const { table } = this.room.at;
    if (!this.boards.has(before)) {
      this.boards.set(before, this.room.get(`at?table=${table}&move=${before}`).catch(() => {
        this.boards.delete(before);
        return null;
      }));
    }
    return this.boards.get(before);
  }

  /** go shows the move with an index. byItself: no person has asked for it. */
  async go(index, byItself = false) {
    if (!byItself) {
      this.play(false);
      this.chosen = true;
    }
    const move = this.moves[index];
    if (!move) return;
    this.index = index;
    this.draw();
    announce([move.title, move.text].join(". "));
    await this.board();
  }

  /** goTo shows the move next to a number of moves. */
  goTo(count) {
    const away = this.moves.map(({ move }) => Math.abs(move - count));
    this.go(away.indexOf(Math.min(...away)));
  }

  /** play shows one move after the other, or stops that. */
  play(on) {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (on && this.index === this.moves.length - 1) this.go(0);
    if (on) this.timer = setTimeout(() => this.next(), each);
    if (this.node.isConnected) this.draw();
  }

  async next() {
    const { timer } = this;
    if (!document.hidden) await this.go(this.index + 1, true);
    if (timer !== this.timer) return;
    this.timer = this.index < this.moves.length - 1 ? setTimeout(() => this.next(), each) : undefined;
    this.draw();
  }

  /** press carries out a key. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
    if (event.target.closest?.(typing) || document.querySelector("dialog[open], :popover-open")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key !== "Escape" && !step) return;
    event.preventDefault();
    if (step) this.go(this.index + step);
    else this.close();
  }
}
