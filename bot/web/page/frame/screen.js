// The page of a room for a television: the shared board, the players, the way into the room, and the last message.
// last. Nothing can be pressed on it.

import { linkOf, qrCode, reach, saidOf } from "./link.js";
import { showSign } from "./signs.js";
import { drawTitle } from "./title.js";
import { samplePicture } from "./welcome.js";
import { createBanner, drawBanner } from "../board/banner.js";
import { arrange } from "../board/board.js";
import { createBox, drawBox, drawFoot, moverOf } from "../board/box.js";
import { cheer, createEnd, drawEnd } from "../board/end.js";
import { createHowTo, drawHowTo } from "../board/howto.js";
import { createSheet, drawRace, drawSheet } from "../board/sheet.js";
import { lobby, over } from "../board/state.js";
import { caughtUp, missed, stepping } from "../board/steps.js";
import { make, put } from "../js/dom.js";
import { announce } from "../js/live.js";
import { follow } from "../js/net.js";
import { say } from "../js/words.js";
import { Players } from "../panel/players.js";

const stage = document.getElementById("stage");
const last = document.getElementById("last");
const away = document.getElementById("away");
const spectator = { mine: {}, mover: undefined, actor: "", several: false };
const players = new Players(document.getElementById("players"), {});
let board; // of the newest table: {table, update}
let here = [];
let entries = new Map(); // by id
let lines = new Map(); // by number

/** createBoard creates the board of a table, without anything to press. */
function createBoard(table) {
  const node = make("article", "board");
  const banner = createBanner();
  const area = make("div", "area");
  const tray = make("div", "tray");
  const end = createEnd({ review: async () => null });
  end.lesson.remove(); // it leads to the review
  const parts = { node, area, tray, end, banner, box: createBox(), sheet: createSheet(), howTo: createHowTo() };
  parts.box.felt.append(parts.howTo.node);
  node.append(banner.node, area, tray);
  const update = (message) => draw(parts, message);
  return { node, table, ...stepping({ node, update }, (was, message) => {
    if (was && !over(was) && over(message)) cheer(node, message);
  }) };
}

/** draw draws a message on the board. */
function draw(parts, message) {
  const { node, banner, box, sheet, end, howTo } = parts;
  node.lang = message.lang;
  node.classList.toggle("over", over(message));
  node.classList.toggle("sheets", Boolean(message.sheet));
  node.classList.toggle("lobby", lobby(message));
  drawBanner(banner, message, spectator);
  arrange(parts, message);
  drawHowTo(howTo, message);
  drawFoot(box, message);
  drawBox(box, message);
  drawRace(box, message);
  drawSheet(sheet, message);
  end.node.hidden = !over(message);
  if (over(message)) drawEnd(end, message, spectator);
  players.show(message, spectator);
  drawTitle({ game: message.game, mover: moverOf(message)?.name }, false);
  announce([message.head, ...message.told ?? []].join(" "), message.lang);
}

/** showNewest puts the newest table on the stage or, if there is none, a picture. */
function showNewest() {
  const message = Array.from(entries.values()).findLast(({ message: { table } }) => table)?.message;
  if (!message) {
    const welcome = make("section", "welcome");
    welcome.append(make("h2", "", say("welcome")), samplePicture());
    stage.replaceChildren(welcome);
    board = undefined;
    return;
  }
  if (board?.table !== message.table) {
    board = createBoard(message.table);
    stage.replaceChildren(board.node);
  }
  board.update(message, spectator);
}

/** showLast shows the last message: a line of a person, or news of the room. */
function showLast() {
  const line = Array.from(lines.values()).at(-1);
  const news = Array.from(entries.values()).findLast(({ message }) => !message.table);
  const name = make("b", "", line ? `${line.name}:` : "");
  name.dir = "auto";
  if (line && line.at >= (news?.at ?? 0)) last.replaceChildren(name, " ", make("q", "", line.text));
  else if (news) last.replaceChildren([news.message.head, ...news.message.told ?? []].join(" "));
  else last.replaceChildren();
}

/** take shows news, an event of the stream. */
function take({ all, entries: changed, here: people }) {
  for (const entry of changed) entries.set(entry.ref, entry);
  entries = new Map(all.map((ref) => [ref, entries.get(ref)]));
  here = people ?? []; // null if the room is empty
  showNewest();
  players.meet(here, false);
  showLast();
  caughtUp();
  document.body.dataset.ready = "yes";
}

/** hear takes lines that people have written. */
function hear({ all, lines: fresh }) {
  for (const line of fresh) lines.set(line.number, line);
  lines = new Map(all.filter((number) => lines.has(number)).map((number) => [number, lines.get(number)]));
  showLast();
}

/** react shows a reaction at the disc of its sender. */
function react({ id, seat, sign }) {
  const one = here.find((person) => person.id === id);
  showSign(sign, one?.name, [players.placeOf(seat, one) ?? stage]);
}

/** showWay shows the link into the room, if others can use it. */
function showWay() {
  const link = new URL(linkOf());
  if (!reach()) return put(document.getElementById("host"), saidOf());
  document.getElementById("code").append(qrCode());
  put(document.getElementById("host"), link.host);
  return put(document.getElementById("path"), link.pathname);
}

showWay();
follow(take, (connected, waits) => {
  put(away, say(waits ? "wait" : "away"));
  away.hidden = connected;
  if (!connected) missed();
}, { said: hear, sign: react, gone: () => location.reload() }, null, "/events?view=screen");
