// The log: every move of the table on the stage, and the messages of people in the room, in chronological order. A
// press on a move shows its position on the stage.

import { createMini } from "../board/die.js";
import { make, unseen } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { announce } from "../js/live.js";
import { tell } from "../js/net.js";
import { say } from "../js/words.js";

const lately = 3; // lines that the players' part shows

/** show fills the part of the panel, and follows the room from then on. */
export function show(container, room) {
  new Log(container, room);
}

class Log {
  constructor(container, room) {
    this.room = room;
    this.moves = [];
    this.seen = new Set(room.before());
    this.list = make("ul", "log");
    const log = make("div");
    log.setAttribute("role", "log");
    log.ariaLabel = say("log");
    log.ariaLive = "off"; // boards say their moves, and new lines are said below
    log.append(this.list);
    this.empty = make("p", "small quiet", say("log-empty"));
    this.body = container;
    container.append(this.empty, log);
    this.late = document.getElementById("lately");
    this.late.className = "block";
    this.title = make("h3", "", say("lately"));
    this.lateList = make("ul", "log");
    this.late.append(this.title, this.lateList);
    this.back = this.createBack();
    room.onChange(() => this.follow());
    room.onShow(() => this.read());
    this.follow();
  }

  /** createBack creates the button that ends the look at an earlier position. */
  createBack() {
    const back = make("button", "secondary back-now", say("back-to-now"));
    back.addEventListener("click", () => this.leave());
    return back;
  }

  /** leave shows the present position again. */
  leave() {
    if (!this.back.isConnected) return;
    this.back.remove();
    this.mark(null);
    this.room.position(null);
  }

  /** follow reads the moves that are new, and draws the log again. */
  async follow() {
    const table = this.room.table();
    const turn = this.room.message()?.turn ?? 0;
    const now = `${table} ${turn} ${Boolean(this.room.message()?.record)}`;
    if (now !== this.now) {
      this.now = now;
      if (this.back.isConnected) {
        this.back.remove();
        this.mark(null);
      }
      if (table !== this.table) Object.assign(this, { table, moves: [], count: 0 });
      if (table && turn) await this.fetch(table);
    }
    this.draw();
  }

  /** fetch reads the moves since the last but two, which may have been undone. */
  async fetch(table) {
    const since = Math.max((this.count ?? 0) - 3, 0);
    const log = await this.room.get(`log?table=${table}&since=${since}`).catch(() => null);
    if (!log || table !== this.table) return;
    if (log.count < since) {
      this.count = 0;
      await this.fetch(table);
      return;
    }
    this.count = log.count;
    this.moves = [...this.moves.filter(({ move }) => move <= since), ...log.moves];
  }

  /** items returns moves and lines, the oldest first. */
  items() {
    const seatOf = (name) => this.room.message()?.people?.find((one) => !one.house && one.name === name)?.seat;
    const lines = this.room.said().map((line) => ({ ...line, seat: seatOf(line.name) }));
    const all = [];
    let next = 0;
    for (const move of this.moves) {
      while (next < lines.length && lines[next].at < (move.at ?? 0)) all.push({ line: lines[next++] });
      all.push({ move });
    }
    return [...all, ...lines.slice(next).map((line) => ({ line }))];
  }

  draw() {
    const items = this.items();
    const atEnd = this.body.scrollHeight - this.body.scrollTop - this.body.clientHeight < 40;
    this.empty.hidden = items.length > 0;
    this.fill(this.list, items);
    if (atEnd) this.body.scrollTop = this.body.scrollHeight;
    this.late.hidden = items.length === 0 || document.body.classList.contains("in-lobby");
    this.fill(this.lateList, items.slice(-lately), true);
    this.read();
  }

  /** fill draws items in a list. It keeps the elements of items that have not changed. */
  fill(list, items, short = false) {
    const known = new Map(Array.from(list.children, (node) => [node.key, node]));
    const nodes = items.flatMap(({ move, line }) => {
      const key = JSON.stringify(move ?? line);
      const made = [known.get(key) ?? (move ? this.createMove(move) : this.createLine(line))];
      made[0].key = key;
      if (move?.begins && !short) made.unshift(known.get(`turn ${key}`) ?? createTurn(move, `turn ${key}`));
      return made;
    });
    Array.from(list.children).filter((node) => !nodes.includes(node)).forEach((node) => node.remove());
    nodes.forEach((node, i) => {
      if (list.children[i] !== node) list.insertBefore(node, list.children[i] ?? null);
    });
  }

  createMove(move) {
    const item = make("li");
    const button = make("button", move.end ? "end" : "");
    button.addEventListener("click", () => this.look(move, button));
    if (move.name) button.append(unseen(`${move.name}: `));
    for (const die of move.dice ?? []) button.append(createMini(die), " ");
    if (move.dice?.length) button.append(arrow());
    button.append([move.said, ...move.more ?? []].join(" · "));
    item.append(this.face(move), button);
    return item;
  }

  createLine(line) {
    const item = make("li", "talk");
    const said = make("span", "bubble");
    if (line.seat !== undefined) said.dataset.seat = line.seat % 10;
    const name = make("b", "", line.name);
    const text = make("span", "", line.text);
    name.dir = text.dir = "auto";
    said.append(name, " ", text);
    item.append(this.face(line), said);
    if (line.mine || this.room.host()) {
      const remove = make("button", "plain", "✕");
      remove.ariaLabel = remove.title = say("chat-remove", { name: line.name });
      remove.addEventListener("click", () => tell("/unsay", { number: line.number }));
      item.append(remove);
    }
    return item;
  }

  face({ seat, name }) {
    const face = createFace();
    const one = this.room.message()?.people?.find((person) => person.seat === seat);
    drawFace(face, { seat: seat < 0 ? undefined : seat, name: name ?? "", house: Boolean(one?.house) && one.name === name });
    return face;
  }

  /** look shows the position after a move on the stage. */
  async look({ move }, button) {
    const message = await this.room.get(`at?table=${this.table}&move=${move}`).catch(() => null);
    if (!message) return;
    this.mark(button);
    this.room.position(message);
    document.getElementById("stage").append(this.back);
    this.room.showTable();
    announce([message.head, ...message.told ?? []].join(" "), message.lang);
  }

  mark(button) {
    this.marked?.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "true");
    this.marked = button;
  }

  /** read counts the unread lines, or counts them as read while the log is shown. New ones of others are announced. */
  read() {
    const lines = this.room.said();
    for (const { number, name, text, mine } of lines) {
      if (this.seen.has(number)) continue;
      this.seen.add(number);
      if (mine) continue;
      this.unread = (this.unread ?? 0) + 1;
      announce(`${name}: ${text}`);
    }
    if (this.room.shown() === "log") this.unread = 0;
    this.room.unread(this.unread ?? 0);
  }
}

/** createTurn creates the rule with a name where a turn begins. */
function createTurn({ name }, key) {
  const rule = make("li", "turn", name);
  rule.key = key;
  return rule;
}

function arrow() {
  const sign = make("span", "", "→ ");
  sign.ariaHidden = "true";
  return sign;
}
