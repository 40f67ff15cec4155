// The page of a room for a television: the shared board, the players, the last lines, the way into the room and, while
// no game is being played, the leaderboard of the evening. Nothing can be pressed on it.

import { hideEvening, showEvening } from "./evening.js";
import { hear, last } from "./lasting.js";
import { readMoves, showLines } from "./lately.js";
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
import { lobby, over, playing } from "../board/state.js";
import { caughtUp, missed, stepping } from "../board/steps.js";
import { make, put } from "../js/dom.js";
import { announce } from "../js/live.js";
import { follow } from "../js/net.js";
import { say } from "../js/words.js";
import { Players } from "../panel/players.js";

const stage = document.getElementById("stage");
const place = document.getElementById("table"); // of the board
const side = document.getElementById("side");
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

const newest = () => Array.from(entries.values()).findLast(({ message: { table } }) => table)?.message;

/** showNewest puts the newest table on the stage or, if there is none, a picture. */
function showNewest() {
  const message = newest();
  if (!message) {
    const welcome = make("section", "welcome");
    welcome.append(make("h2", "", say("welcome")), samplePicture());
    place.replaceChildren(welcome);
    board = undefined;
    return;
  }
  if (board?.table !== message.table) {
    board = createBoard(message.table);
    place.replaceChildren(board.node);
  }
  board.update(message, spectator);
}

/** showBeside shows what lies beside the board: the last lines, and the leaderboard unless a game is being played. It
 * replaces the players of a game that is over, whose places the board shows. */
async function showBeside() {
  const message = newest();
  const ended = Boolean(message && over(message));
  document.body.classList.toggle("ended", ended);
  if (message && !ended && (playing(message) || message.turn > 0)) hideEvening();
  else showEvening(ended ? side : stage, message?.people ?? []);
  if (message) await readMoves(message);
  showLines(Array.from(lines.values()), Array.from(entries.values()).filter((entry) => !entry.message.table));
}

/** take shows news, an event of the stream. */
function take({ all, entries: changed, here: people }) {
  hear();
  for (const entry of changed) entries.set(entry.ref, entry);
  entries = new Map(all.map((ref) => [ref, entries.get(ref)]));
  here = people ?? []; // null if the room is empty
  showNewest();
  players.meet(here, false);
  showBeside();
  caughtUp();
  document.body.dataset.ready = "yes";
}

/** said takes lines that people have written. */
function said({ all, lines: fresh }) {
  for (const line of fresh) lines.set(line.number, line);
  lines = new Map(all.filter((number) => lines.has(number)).map((number) => [number, lines.get(number)]));
  showBeside();
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
last();
setInterval(showBeside, 60000); // the evening may be over, and a game of it may be annulled
follow(take, (connected, waits) => {
  put(away, say(waits ? "wait" : "away"));
  away.hidden = connected;
  if (!connected) missed();
}, { said, sign: react, alive: hear, gone: () => location.reload() }, null, "/events?view=screen");
