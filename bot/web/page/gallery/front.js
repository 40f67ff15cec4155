// The front page: a button that makes a room, the room to continue in, the main room, the gallery of games, and the
// rooms that this browser has visited.

import "../js/held.js";
import "../js/look.js";
import { make } from "../js/dom.js";
import { keepShell } from "../js/install.js";
import { forgetRoom, openedGame, visited } from "../js/visited.js";
import { say } from "../js/words.js";
import { gallery } from "./gallery.js";

const unknown = 428; // the server does not know this browser
const wishKey = "knobel-wish";
const signedIn = location.hash === "#in"; // the secret was given just now

const button = document.getElementById("make-room");
const problem = document.getElementById("problem");
const been = document.getElementById("been");
const list = document.getElementById("rooms");
const way = document.getElementById("continue");
const games = JSON.parse(document.getElementById("games").textContent);

const since = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
const listed = new Intl.ListFormat(document.documentElement.lang);

/** ago returns how long ago a time was, in the largest unit that fits, "" if it is not a number. */
function ago(time) {
  if (!Number.isFinite(time)) return ""; // stored by another program at this address
  const hours = (Date.now() - time) / 3_600_000;
  if (hours >= 24) return since.format(-Math.floor(hours / 24), "day");
  if (hours >= 1) return since.format(-Math.floor(hours), "hour");
  return since.format(-Math.floor(hours * 60), "minute");
}

function nameOf(room) {
  if (room.mine) return say("room-yours");
  return room.host ? say("room-of", { name: room.host }) : say("room-some");
}

/** whatOf returns the game of a room, or else its name, and the names of the others. */
function whatOf(room, game, names = []) {
  const others = names.length > 0 ? say("room-with", { names: listed.format(names) }) : "";
  return `${game || nameOf(room)} ${others}`.trim();
}

/** drawWay shows the way back into the room that was visited last, then also whose turn it is there. */
async function drawWay() {
  const [room] = visited();
  way.hidden = !room;
  if (!room) return;
  way.href = room.path;
  way.textContent = say("continue", { what: whatOf(room, "", room.others) });
  const answer = await fetch(`${room.path}/now`).catch(() => null);
  if (answer?.status === 404 || answer?.status === 403) way.hidden = true;
  const now = answer?.ok ? await answer.json() : {};
  if (!now.game) return;
  const what = whatOf(room, now.game, now.others);
  if (now.mine) way.textContent = say("continue-yours", { what });
  else way.textContent = now.turn ? say("continue-theirs", { what, name: now.turn }) : say("continue", { what });
}

/** drawRooms lists the visited rooms, each with a button that removes it from the list. */
function drawRooms() {
  const rooms = visited();
  been.hidden = rooms.length === 0;
  list.replaceChildren(...rooms.map((room) => {
    const item = make("li", "visited");
    const link = make("a", "", nameOf(room));
    link.href = room.path;
    const met = room.others?.length ? say("room-with", { names: listed.format(room.others) }) : "";
    const about = make("span", "quiet", [met, ago(room.seen)].filter(Boolean).join(" · "));
    for (const node of [link, about]) node.dir = "auto";
    const off = make("button", "plain small", "✕");
    off.ariaLabel = say("room-forget", { name: link.textContent });
    off.addEventListener("click", () => {
      forgetRoom(room.path);
      drawRooms();
      drawWay();
      (list.querySelector("button") ?? button).focus(); // scrolls there: the list may be longer than the window
    });
    const told = make("span", "told");
    told.append(link, about);
    item.append(told, off);
    return item;
  }));
}

/** wish stores that a room is wanted as soon as the secret was given. */
function wish() {
  try {
    sessionStorage.setItem(wishKey, "yes");
  } catch {
    // Storage is forbidden: the button has to be pressed again.
  }
}

/** wished reports whether wish was called before, and deletes the stored wish. */
function wished() {
  try {
    const was = sessionStorage.getItem(wishKey) !== null;
    sessionStorage.removeItem(wishKey);
    return was;
  } catch {
    return false;
  }
}

/** makeRoom makes a room and goes there. Its first table is of the game last opened in this browser. */
async function makeRoom() {
  button.disabled = true;
  problem.textContent = "";
  const asks = () => fetch("/rooms", { method: "POST" }).catch(() => null);
  let answer = await asks();
  if (answer?.status === unknown) answer = await asks(); // now with the cookie that the first answer has set
  if (answer?.ok) return location.assign((await answer.json()).path);
  if (answer?.status === 401 && !signedIn) {
    wish();
    return location.assign("/sign-in"); // the form redirects back
  }
  const needsCookie = answer?.status === 401 || answer?.status === unknown;
  if (needsCookie) problem.textContent = say("no-cookies");
  else problem.textContent = answer?.status === 429 ? (await answer.text()).trim() : say("unsent");
  button.disabled = false;
  return undefined;
}

button.addEventListener("click", makeRoom);
if (games.length > 1) {
  const section = document.getElementById("all-games");
  section.append(...gallery(games, (command) => {
    openedGame(command);
    button.scrollIntoView({ block: "nearest" }); // a problem is shown there
    makeRoom();
  }, "h2", say("front-games", { count: games.length })));
  section.hidden = false;
}
addEventListener("pageshow", ({ persisted }) => { // also after the browser's Back button
  button.disabled = false;
  if (!persisted) return;
  drawRooms(); // a room may have been removed meanwhile
  drawWay();
});
drawRooms();
drawWay();
if (signedIn) history.replaceState(history.state, "", location.pathname);
if (wished() && signedIn) makeRoom();
keepShell();
document.body.dataset.ready = "yes";
