// The room's functions for the parts that are loaded later. Each exports show(container, room).

import { calm, make, moveFocus, narrow } from "../js/dom.js";
import { path, problemOf, request } from "../js/net.js";
import { createNote } from "./note.js";
import { toast } from "./toast.js";
import { fillWith, home } from "./views.js";
import { say } from "../js/words.js";

/** createRoom returns the room for parts that are loaded later:
 *
 * get(what) resolves to the JSON of GET BASE/what, and fails with the server's sentence;
 * message() is the message on the stage, table() its table, 0 if there is none, and here() the people in the room;
 * press(press, node) presses a button of that table, command(text, node) sends a command, and act(to, what, node) posts
 * a press or command of any kind: the page shows the answer;
 * said() are the lines that people have written, the oldest first, before() the numbers of those from before the page
 * was opened, and host() is whether this browser may remove them;
 * heard() is the id of the newest message, of a table or not;
 * position(message) shows another position of the table on the stage, and position(null) the present one again;
 * review(table, move, plays) shows the review of a finished game in place of the table: at a move, else at the
 * costliest mistake, or playing from the first move; cover({title, about, close}) tells the page what is shown there,
 * and cover(null) that the table is shown again; yours() is whether a person at this browser has the turn;
 * show(name) shows a part of the panel, shown() is the part that is shown, showTable() shows the table if the panel
 * hides it, and openPage(part, title, door) a page in the panel;
 * unread(n) shows how many lines of the log are unread;
 * onChange(f) calls f() after each change of the table or the room, and onShow(f) f(name) when a part is shown. */
export function createRoom({ tables, views, act, command, press, covers }) {
  const changes = new Set();
  const shows = new Set();
  const lines = new Map(); // by number
  let order = [];
  let before;
  let news = { here: [] };
  const room = {
    get, act, command, press,
    message: () => tables.standing?.entry.message,
    table: () => tables.standing?.entry.message.table ?? 0,
    entry: () => tables.standing?.entry,
    here: () => news.here ?? [],
    heard: () => tables.order?.at(-1),
    host: () => Boolean(news.host) || !path(""),
    said: () => order.map((number) => lines.get(number)),
    before: () => before ?? [],
    covered: null,
    cover: (what) => {
      room.covered = what;
      covers();
    },
    position: (message) => {
      room.covered?.close();
      tables.position(message);
    },
    yours: () => tables.yours(),
    show: (name) => views.show(name),
    shown: () => views.shown,
    showTable: () => narrow.matches && views.show("players"),
    review: (table, move, plays) => fillWith("review/review", document.getElementById("stage"),
      { ...room, at: { table, move, plays } }, () => toast(say("unsent"), true)),
    unread: (n) => views.count(n, say("log-unread", { n })),
    onChange: (f) => changes.add(f),
    onShow: (f) => shows.add(f),
    openPage: (part, title, door) => openPage(views, room, { part, title, door }),
    change: () => changes.forEach((f) => f()),
    shows: (name) => shows.forEach((f) => f(name)),
    hear: (more) => {
      news = more;
      room.change();
    },
    hearLines: ({ all, lines: fresh }) => {
      before ??= all;
      fresh.forEach((line) => lines.set(line.number, line));
      order = all.filter((number) => lines.has(number));
      room.change();
    },
  };
  return room;
}

/** get resolves to the JSON of a path of the room, or fails with the server's sentence. */
async function get(what) {
  const answer = await request(`/${what}`).catch(() => null);
  if (answer?.ok) return answer.json();
  throw new Error(await problemOf(answer));
}

/** openPage shows a page in the panel: a title with Close, and the part's content below it. */
function openPage(views, room, { part, title, door }) {
  const list = document.getElementById("panel-answer");
  list.querySelector(`:scope > [data-part="${part}"]`)?.remove();
  const frame = createNote(make("h2", "", title), title, () => {
    frame.remove();
    views.back();
    (door?.checkVisibility() ? door : home()).focus({ preventScroll: true });
  });
  frame.classList.add("paged");
  frame.dataset.part = part;
  const body = make("div", "block");
  frame.append(body);
  frame.shown = { frame };
  list.prepend(frame);
  views.show("answer");
  moveFocus(frame);
  fillWith(part, body, room, () => body.replaceChildren(say("unsent")));
}

/** comeIntoView scrolls a part of the panel into it. */
export function comeIntoView(node) {
  node.scrollIntoView({ block: "nearest", behavior: calm() ? "instant" : "smooth" });
}
