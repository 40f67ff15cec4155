// The page of a room: creates all parts and connects them.

import "../js/held.js";
import "../js/look.js";
import { Answers, asks } from "./answers.js";
import { comeIntoView, createRoom } from "./api.js";
import { Company } from "./company.js";
import { Line } from "./compose.js";
import { showCalls, toMove } from "./calls.js";
import { Games } from "./games.js";
import { invite } from "./invite.js";
import { listen, showKeys } from "./keys.js";
import { drawWhere, Menu } from "./menu.js";
import { offerNotices, showNotices } from "./notices.js";
import { Persons } from "./persons.js";
import { offerSounds } from "./volume.js";
import { Tables } from "./tables.js";
import { drawTitle } from "./title.js";
import { clearToast, toast } from "./toast.js";
import { fillWith, Views } from "./views.js";
import { createWelcome } from "./welcome.js";
import { moverOf } from "../board/box.js";
import { whatOf } from "../board/press.js";
import { loadScores } from "../board/scores.js";
import { lobby, playing } from "../board/state.js";
import { missed } from "../board/steps.js";
import { embedded, narrow, put } from "../js/dom.js";
import { keepShell, whenIdle, whenQuiet } from "../js/install.js";
import { announce } from "../js/live.js";
import { asked, drawId, follow, path, send } from "../js/net.js";
import { inTurn } from "../js/turn.js";
import { loadWords, say } from "../js/words.js";
import { createChat } from "../panel/chat.js";
import { Lobby } from "../panel/lobby.js";
import { Players } from "../panel/players.js";

const away = document.getElementById("away");
history.scrollRestoration = "manual"; // the current board is at the top

/** connected shows whether the server answers (yes) and, if not, whether the page has to wait for it (waits). */
function connected(yes, waits = false) {
  const text = say(waits ? "wait" : "away");
  if (!yes && (away.hidden || away.textContent !== text)) announce(text);
  put(away, text);
  away.hidden = yes;
}

const begin = document.getElementById("begin");
const begun = JSON.parse(begin?.textContent || "{}"); // the data that came with the page
begin?.remove(); // it names all games
const [self, openings] = await Promise.all([begun.self ?? asked("/me", connected, "POST"),
  begun.games ?? asked("/games", connected)]);
connected(true);
const underWay = new Set();
let headed = {}; // the message that the header is about

const views = new Views({ fill, onShow: (name) => room.shows(name) });
const answers = new Answers({ act: (press, on, node) => act("/press", { press, on }, node), views });
const command = (text, node) => act("/command", { text }, node);
const games = new Games({ openings, open: command });
const onTable = (press, node) => tables.standing && act("/press", { press, on: tables.standing.entry.ref }, node);
const tables = new Tables({
  act: (press, on, node) => act("/press", { press, on }, node),
  look: whoIsOn,
  onChange: changed,
  shown: (message, who) => {
    players.show(message, who);
    lobbyControls.show(message, lobby(message));
    drawHead(message);
    room.change();
  },
  heard: async (entry, early) => {
    if (early) {
      return whenIdle(async () => {
        await answers.tell(entry.message, entry.ref, tables.newest());
        if (!asks(entry.message)) return;
        if (narrow.matches) toast(entry.message.head);
        else views.show("answer");
      });
    }
    if (!tables.typed) toast([entry.message.head, ...entry.message.told ?? []].join(" "));
    const frame = await answers.tell(entry.message, entry.ref, tables.newest());
    if (!tables.typed) return undefined;
    views.show("answer");
    return comeIntoView(frame);
  },
  renewed: (entry) => answers.renew(entry.message, entry.ref),
  doors: {
    game: () => games.choose(room),
    give: (sign) => company.react(sign),
    share: (message) => navigator.share({ text: textOf(message) }).catch(() => {}), // rejected if the person cancels
    review: (table) => room.get(`review?table=${table}`).catch(() => null),
    showMove: (table, move) => room.review(table, move),
  },
});
const room = createRoom({ tables, views, act, command, press: onTable, covers: () => drawHead() });
const players = new Players(document.getElementById("players"), { press: onTable, pick: (ref) => tables.pick(ref),
  open: (chip, one) => company.guests.open(chip, one) });
const lobbyControls = new Lobby(document.getElementById("lobby"), { press: onTable,
  options: (container) => whenQuiet(() => {
    if (!container.closest("[hidden]")) fillWith("panel/options", container, room);
  }) });
const persons = new Persons(self, () => tables.redraw());
const welcome = createWelcome(() => games.choose(room));

/** textOf returns a result as text: the headline, and the result of each person. */
function textOf({ head, people = [] }) {
  return [head, ...people.map(({ name, text }) => text ? `${name}: ${text}` : name)].join("\n");
}

/** whoIsOn describes the people of this browser on a board: their seats (mine), the seat to move (mover), its person's
 * name if several people are here (actor), and whether there are several. */
function whoIsOn({ message, mine = {} }) {
  const movers = (message.people ?? []).filter((p) => p.state === "to-move" && mine[p.seat] !== undefined);
  const mover = movers.find((p) => mine[p.seat] === persons.current().n) ?? movers[0];
  const actor = mover && persons.several() ? persons.name(mine[mover.seat]) ?? mover.name : "";
  return { mine, mover: mover?.seat, actor, several: persons.several() };
}

/** changed updates the parts that depend on all tables, after a change. */
function changed(messages) {
  welcome(!messages.some(({ table }) => table));
  players.showOpen(tables.open());
  const mine = tables.tables().findLast(({ entry }) => playing(entry.message) && Object.keys(entry.mine ?? {}).length);
  answers.clear(mine?.entry.message.table);
  answers.begin(messages.filter((m) => m.table && (!m.live || playing(m))));
  menu.offer("end-game", Boolean(tables.standing?.entry.message.ends));
  if (!tables.standing) drawHead({});
  room.change();
}

/** drawHead draws the game on the table, or the page above it, in the header and in the title of the window. */
function drawHead(message = headed) {
  headed = message;
  const name = company?.room() ?? "";
  const { covered } = room;
  document.body.classList.toggle("in-lobby", lobby(message) && !covered);
  drawWhere(covered?.title ?? message.game ?? "", covered?.about ?? name);
  drawTitle({ game: message.game, mover: moverOf(message)?.name, room: name }, tables.yours());
}

/** act sends what, a press or command, to a path of the room, and shows the answer. node is the pressed element. What
 * is being sent is not sent twice. */
async function act(to, what, node) {
  const past = pastOf(what.press);
  if (past) return room.review(past.table, 0, past.plays);
  const key = JSON.stringify(what);
  if (underWay.has(key)) return undefined;
  underWay.add(key);
  node?.classList.add("busy");
  clearToast();
  tables.expect(true, to === "/command");
  const before = tables.changes(what.on);
  const wanted = answers.asks(node);
  const opens = games.opening(whatOf(what.press));
  try {
    const as = what.as ?? persons.acting(what.press, tables.entryOf(what.on));
    const answer = await send(to, { id: drawId(), ...what, as });
    if (answer.refused || !what.on || !await hasChanged(what.on, before)) toast(answer.toast, answer.refused);
    else if (whatOf(what.press) === "!undo") announce(answer.toast); // the board looks as before
    if (answer.private) await showAnswer(answer.private, node, wanted);
    if (opens && !answer.refused) node?.closest(".note")?.remove();
  } finally {
    underWay.delete(key);
    node?.classList.remove("busy");
  }
  return undefined;
}

/** pastOf returns the finished game that a press asks for: its table, and whether to play it (plays). It is
 * undefined for other presses. */
function pastOf(press) {
  const [, table] = (press ?? "").split(":");
  const found = /^\/(?:review(?: (\d+))?|history (\d+) first)$/.exec(whatOf(press));
  return found && { table: Number(found[1] ?? found[2] ?? table), plays: Boolean(found[2]) };
}

/** showAnswer shows a private answer to a press, unless it is no longer wanted. */
async function showAnswer(message, node, wanted) {
  tables.expect(false);
  await loadWords(message.lang);
  if (wanted()) await answers.show(message, node, tables.newest());
}

/** hasChanged waits up to 0.8 seconds for a change of a message since the count before, and reports whether there was
 * one: if so, no toast is needed. */
async function hasChanged(ref, before) {
  for (let tries = 0; tries < 16; tries++) {
    if (tables.changes(ref) !== before) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

/** fill fills a part of the panel when it is first shown. */
function fill(name, container) {
  if (name === "log") fillWith("panel/log", container, room, () => views.filled.delete(name));
  if (name === "leaderboard") fillWith("panel/leaderboard", container, room, () => command("/leaderboard"));
}

// Loads the log before it is shown: it counts unread lines, and shows the latest lines beside the players.
const fillLog = () => views.fillNow("log");

const line = new Line(command, () => {
  const before = views.shown;
  if (narrow.matches && before === "players") views.show("more");
  return () => views.shown === "more" && views.show(before);
});
const howTo = (door) => room.openPage("panel/howto", say("how-to-play"), door);
const menu = new Menu([{ key: "how-to-play", press: howTo }, { key: "new-game", press: () => games.choose(room) },
  { key: "statistics", press: (door) => command("/stats", door) },
  { key: "house-rules", press: (door) => command("/rules", door) },
  { key: "settings", press: (door) => command("/settings", door) },
  { key: "answers", press: () => views.show("answer") },
  { key: "commands", press: () => line.open() }, { key: "keys", press: showKeys }],
[{ key: "end-game", press: (door) => onTable(tables.standing.entry.message.ends, door) },
  ...embedded ? [] : [{ key: "leave-room", press: () => location.assign("/") }]]);
document.getElementById("how").addEventListener("click", (event) => howTo(event.currentTarget));
document.getElementById("invite-open").addEventListener("click", invite);
room.onShow((name) => name === "more" && menu.fill(document.getElementById("panel-more")));
room.onChange(() => menu.offer("answers", answers.any()));
listen(() => (room.covered ? undefined : tables.active()), line);
views.show("players");
const company = new Company({ persons, tables, players, begin: () => games.again() });
createChat(document.getElementById("chat"), { as: () => persons.current().n, react: (sign) => company.react(sign),
  sent: () => document.body.classList.contains("in-lobby") && views.show("log") }); // the players' part shows no lines there
company.events.said = (data) => inOrder(() => {
  room.hearLines(data);
  if (data.lines.length) fillLog();
});
let begunLog = false;
room.onChange(() => {
  if (begunLog || !(room.message()?.turn > 0)) return;
  begunLog = true;
  whenQuiet(fillLog); // the first throw needs no log
});
if (!embedded) offerNotices(room, () => persons.people);
offerSounds(document.getElementById("volume"), document.getElementById("volume-label"));

let shown = Promise.resolve();
const inOrder = (show) => { shown = shown.then(show).catch(reportError); };
const takeTables = async (news, early) => {
  await Promise.all([loadWords(...news.entries.map(({ message }) => message.lang)), loadScores(news.entries)]);
  tables.take(news, early);
};
if (begun.feed) inOrder(() => takeTables(begun.feed, true));
follow((news) => inOrder(async () => {
  await takeTables(news);
  company.take(news);
  room.hear(news);
  drawHead(tables.standing?.entry.message ?? {});
  showCalls(news.calls, (ref) => {
    tables.pick(ref);
    views.show("players");
  }, (what, node) => act("/press", what, node));
  if (!embedded) showNotices(news.calls?.filter(toMove) ?? []);
}), (here, waits) => {
  connected(here, waits);
  if (!here) missed();
}, company.events, begun.feed);
// Renews the cookie, which lasts a year. Visitors who are asked for a name get a new one with the answer.
if (begun.self && !begun.self.fresh && !embedded) whenIdle(() => inTurn(() => fetch(path("/me"), { method: "POST" }).catch(() => null)));
if (!embedded) keepShell();
document.body.dataset.ready = "yes";
