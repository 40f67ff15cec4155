// The leaderboard of the room, open amounts, and past games.

import { signOf } from "../board/score.js";
import { make, swap } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

/** show fills the part of the panel, and draws it again each time it is shown and after each game. */
export function show(container, room) {
  const board = new Leaderboard(container, room);
  board.load();
  room.onShow((name) => name === "leaderboard" && board.load());
  room.onChange(() => {
    const changed = `${room.message()?.record} ${room.heard()}`; // others can confirm payments
    if (changed === board.changed) return;
    board.changed = changed;
    if (room.shown() === "leaderboard") board.load();
  });
}

class Leaderboard {
  constructor(container, room) {
    Object.assign(this, { container, room, period: "", kind: "" });
  }

  /** load reads the chosen leaderboard, and draws it. */
  async load() {
    const query = new URLSearchParams();
    if (this.period) query.set("period", this.period);
    if (this.kind) query.set("kind", this.kind);
    const data = await this.room.get(`leaderboard?${query}`).catch((error) => ({ failed: error.message }));
    if (data.failed) {
      this.container.replaceChildren(make("p", "quiet", data.failed));
      return;
    }
    swap(this.container, this.periods(data.periods), ...this.kinds(data.kinds), this.ranking(data),
      this.settle(data.settle), this.past(data));
  }

  periods(periods) {
    const group = make("div", "seg");
    group.setAttribute("role", "group");
    group.ariaLabel = say("period");
    group.append(...periods.map(({ key, label, chosen }) => {
      const button = make("button", "", label);
      button.dataset.key = `period ${key}`;
      button.ariaPressed = String(chosen);
      button.addEventListener("click", () => {
        this.period = key;
        this.load();
      });
      return button;
    }));
    return group;
  }

  /** kinds returns the list of rankings, if there is a choice. */
  kinds(kinds) {
    if (kinds.length < 2) return [];
    const select = make("select", "field");
    select.ariaLabel = say("ranked-by");
    select.dataset.key = "kind";
    select.append(...kinds.map(({ key, label, chosen }) => new Option(label, key, chosen, chosen)));
    select.addEventListener("change", () => {
      this.kind = select.value;
      this.load();
    });
    return [select];
  }

  ranking({ rows, unit, head, note }) {
    const block = make("section", "block");
    if (rows.length) {
      const table = make("table", "list");
      table.append(make("caption", "unseen", head));
      const heads = table.createTHead().insertRow();
      heads.append(th("", "place-head"), th(say("player")), th(say("won"), "n"), th(unit, "n"));
      heads.firstChild.ariaLabel = say("place");
      const body = table.createTBody();
      for (const row of rows) body.append(rowOf(row, this.person(row.name)));
      block.append(table);
    }
    if (note) block.append(make("p", "small quiet", note));
    return block;
  }

  /** settle returns the payments that settle all balances. */
  settle({ rows, waiting, said, note, why }) {
    const block = make("section", "block");
    const head = make("h3", "", say("settle-up"));
    head.append(this.door(say("why"), why));
    block.append(head, ...rows.map((row) => this.transfer(row)), ...waiting.map((one) => this.pending(one)),
      make("p", "small quiet", [said, note].filter(Boolean).join(" ")));
    return block;
  }

  transfer({ payer, payee, amount, press }) {
    const line = make("div", "pay");
    const flow = make("span", "flow");
    const [one, other] = [payer, payee].map(this.person, this);
    flow.append(one, " → ", other);
    line.append(flow, make("b", "sum num", amount));
    if (press) line.append(this.button(say("paid"), "secondary", press));
    return line;
  }

  /** person returns the disc and the name of a person, in the colour of their seat at the table that is shown. */
  person(name) {
    const who = make("span", "one pl");
    const face = createFace();
    drawFace(face, this.room.message()?.people?.find((one) => one.name === name) ?? { name });
    const words = make("span", "", name);
    words.dir = "auto";
    who.append(face, words);
    return who;
  }

  /** pending returns a payment that waits for the other side. */
  pending({ said, buttons }) {
    const line = make("div", "pay pending");
    line.append(make("span", "", said), ...(buttons ?? []).map(({ label, press }) => this.button(label, "secondary", press)));
    return line;
  }

  past({ past, none, more }) {
    const block = make("section", "block");
    const head = make("h3", "", say("past-games"));
    if (more) head.append(this.door(say("all"), more));
    const list = make("ul", "past");
    list.append(...past.map((game) => this.pastGame(game)));
    block.append(head, list);
    if (none) block.append(make("p", "small quiet", none));
    return block;
  }

  pastGame({ table, title, said, at }) {
    const item = make("li");
    const door = make("button");
    door.dataset.key = `past ${table}`;
    const words = make("span");
    words.append(make("b", "", title), make("small", "", said));
    door.append(words, make("small", "num", when(at)));
    door.addEventListener("click", () => this.room.review(table));
    item.append(door);
    return item;
  }

  /** door returns a quiet button for a command. */
  door(label, command) {
    const door = make("button", "plain", label);
    door.addEventListener("click", () => this.room.command(command, door));
    return door;
  }

  /** button returns a button for a press on no board. The list is read again after it. */
  button(label, rank, press) {
    const button = make("button", rank, label);
    button.addEventListener("click", async () => {
      await this.room.act("/press", { press, on: "" }, button);
      this.load();
    });
    return button;
  }
}

function rowOf({ place, won, amount, me, title }, who) {
  const row = make("tr", me ? "me" : "");
  const cell = (text, className) => {
    const td = make("td", className, text);
    row.append(td);
    return td;
  };
  cell("").append(make("span", `place g${place}`, String(place)));
  cell("").append(who);
  if (title) {
    const crown = make("span", "", " 👑");
    crown.role = "img";
    crown.ariaLabel = title;
    who.append(crown);
  }
  cell(won, "n");
  cell(amount, `n big ${signOf(amount)}`);
  return row;
}

function th(text, className = "") {
  const cell = make("th", className, text);
  cell.scope = "col";
  return cell;
}

/** when returns a time in the page's language, as in the reader's country: today the time of day, else the date. */
function when(at) {
  const then = new Date(at * 1000);
  const { lang: page } = document.documentElement;
  const lang = navigator.languages.find((one) => one.startsWith(page)) ?? page;
  return then.toDateString() === new Date().toDateString()
    ? then.toLocaleTimeString(lang, { timeStyle: "short" })
    : then.toLocaleDateString(lang, { day: "numeric", month: "short" });
}
