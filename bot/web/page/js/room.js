// The page of a room: creates all parts and connects them.

import "./held.js";
import "./look.js";
import { whatOf } from "./bar.js";
import { sample } from "./board.js";
import { Line } from "./compose.js";
import { comeInto, showCalls, toMove } from "./calls.js";
import { Company } from "./company.js";
import { put } from "./dom.js";
import { anyLive, Feed } from "./feed.js";
import { keepShell, whenIdle } from "./install.js";
import { listen, showKeys } from "./keys.js";
import { announce } from "./live.js";
import { asked, drawId, follow, path, send } from "./net.js";
import { offerNotices, showNotices } from "./notify.js";
import { Openings } from "./opening.js";
import { Persons } from "./persons.js";
import { begins, replay } from "./replay.js";
import { offerSounds } from "./sound.js";
import { missed } from "./steps.js";
import { clearToast, toast } from "./toast.js";
import { inTurn } from "./turn.js";
import { loadWords, say } from "./words.js";

const welcome = document.getElementById("welcome");
const quick = document.getElementById("quick");
const away = document.getElementById("away");

history.scrollRestoration = "manual"; // the current board is at the top

/** connected shows whether the server answers (yes) and, if not, whether the page has to wait for it (waits). */
function connected(yes, waits = false) {
  const text = say(waits ? "wait" : "away");
  if (!yes && (away.hidden || away.textContent !== text)) announce(text);
  put(away, text);
  away.hidden = yes;
}

const begun = JSON.parse(document.getElementById("begin")?.textContent || "{}"); // the data that came with the page
const [self, games] = await Promise.all([begun.self ?? asked("/me", connected, "POST"),
  begun.games ?? asked("/games", connected)]);
connected(true);
const underWay = new Set();
let persons;

const feed = new Feed({
  act: (press, on, node) => act("/press", { press, on }, node),
  look: whoIsOn,
  onChange: (messages) => {
    welcome.hidden = messages.length > 0;
    quick.hidden = anyLive(messages);
  },
});
persons = new Persons(self, () => feed.redraw());

/** whoIsOn describes the people of this browser on a board: their seats (mine), the seat to move (mover), its person's
 * name if several people are here (actor), and whether there are several. */
function whoIsOn({ message, mine = {} }) {
  const movers = (message.people ?? []).filter((p) => p.state === "to-move" && mine[p.seat] !== undefined);
  const mover = movers.find((p) => mine[p.seat] === persons.current().n) ?? movers[0];
  const actor = mover && persons.several() ? persons.name(mine[mover.seat]) ?? mover.name : "";
  return { mine, mover: mover?.seat, actor, several: persons.several() };
}

/** act sends what, a press or command, to a path of the room, and shows the answer. node is the pressed element. What
 * is being sent is not sent twice. */
async function act(to, what, node) {
  const key = JSON.stringify(what);
  if (underWay.has(key)) return;
  underWay.add(key);
  node?.classList.add("busy");
  const byItself = Boolean(node?.closest(".playing")); // a replay has pressed, not a person
  if (!byItself) {
    clearToast();
    feed.expect(true, to === "/command");
  }
  const before = feed.changes(what.on);
  const wanted = feed.asks(what.press, node);
  const opens = openings.opening(whatOf(what.press));
  try {
    const as = what.as ?? persons.acting(what.press, feed.entryOf(what.on));
    const answer = await send(to, { id: drawId(), ...what, as });
    if (answer.refused || !what.on || !await changed(what.on, before)) toast(answer.toast, answer.refused);
    else if (whatOf(what.press) === "!undo") announce(answer.toast); // the board looks as before
    if (answer.private) {
      feed.expect(false);
      await loadWords(answer.private.lang);
      if (!wanted()) return;
      const note = feed.note(answer.private, node, byItself);
      if (begins(what.press) && !node.closest(".note")) replay(note);
    }
    if (opens) openings.opened(answer, node);
  } finally {
    underWay.delete(key);
    node?.classList.remove("busy");
  }
}

/** changed waits up to 0.8 seconds for a change of a message since the count before, and reports whether there was one:
 * if so, no toast is needed. */
async function changed(ref, before) {
  for (let tries = 0; tries < 16; tries++) {
    if (feed.changes(ref) !== before) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

const composer = document.querySelector(".composer");
new ResizeObserver(() => document.documentElement.style.setProperty("--composer", `${composer.offsetHeight}px`))
  .observe(composer);

listen(() => feed.active(), new Line((text) => act("/command", { text })));
document.getElementById("help").addEventListener("click", () => act("/command", { text: "/help" }));
const openings = new Openings(games, (text) => act("/command", { text }));
const company = new Company({ persons, openings, feed });
document.getElementById("show-keys").addEventListener("click", showKeys);

document.getElementById("sample").append(sample({
  lang: document.documentElement.lang,
  tiles: [{ tiles: Array.from({ length: 9 }, (_, i) => ({ number: i + 1, open: ![2, 6].includes(i) })) }],
  dice: [{ face: 6, sides: 6 }, { face: 4, sides: 6 }],
}));

offerNotices(document.getElementById("notify"));
offerSounds(document.getElementById("volume"), document.getElementById("volume-label"));
let shown = Promise.resolve();
const inOrder = (show) => { shown = shown.then(show).catch(reportError); };
const takeFeed = async (news, early) => {
  await loadWords(...news.entries.map(({ message }) => message.lang));
  feed.take(news, early);
};
if (begun.feed) inOrder(() => takeFeed(begun.feed, true));
follow((news) => inOrder(async () => {
  await takeFeed(news);
  company.take(news);
  showCalls(news.calls, (ref) => comeInto(feed.nodeOf(ref)), (what, node) => act("/press", what, node));
  await showNotices(news.calls?.filter(toMove) ?? []);
}), (here, waits) => {
  connected(here, waits);
  if (!here) missed();
}, company.events, begun.feed);
// Renews the cookie, which lasts a year. Visitors who are asked for a name get a new one with the answer.
if (begun.self && !begun.self.fresh) whenIdle(() => inTurn(() => fetch(path("/me"), { method: "POST" }).catch(() => null)));
keepShell();
