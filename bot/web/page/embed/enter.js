// Signing in to a page inside a platform's client, by what the client gives the page.

import { client } from "./client.js";
import { make } from "../js/dom.js";
import { path } from "../js/net.js";
import { say } from "../js/words.js";

const key = "knobel-session";
const longest = 30_000; // milliseconds between tries
const away = document.getElementById("away");

/** rest waits before the try with a number, ever longer, or for the seconds that an answer asks for. */
export function rest(tries, answer) {
  const asked = Number(answer?.headers.get("Retry-After")) * 1000;
  return new Promise((done) => setTimeout(done, asked || Math.min(1000 * 2 ** tries, longest)));
}

/** end replaces the page by a sentence. What it returns never resolves. */
export function end(sentence) {
  const card = make("section", "card");
  card.role = "alert";
  card.append(make("h1", "", sentence));
  const main = make("main", "middle");
  main.append(card);
  document.body.className = "sheet";
  document.body.replaceChildren(main);
  client.ready();
  return new Promise(() => {});
}

let kept; // the session from before a reload, until it has shown the table

/** anew makes the page sign in anew. */
export function anew() {
  drop();
  location.reload();
  return new Promise(() => {});
}

/** drop makes the next visit sign in anew. */
export function drop() {
  sessionStorage.removeItem(key);
}

/** isDoubtful reports whether the page may be let in by signing in anew, although its session is not. */
export function isDoubtful() {
  return Boolean(kept) && client.renews;
}

/** prove notes that the session is let in. */
export function prove() {
  kept = null;
}

let until; // in seconds, when the session ends

/** isEnded reports whether the session has ended by time. Otherwise the server has ended it, as /forget does. */
export function isEnded() {
  return until * 1000 <= Date.now();
}

/** enter resolves to the session of this page, {bearer, name, lang}: the one before a reload, or else a new one. */
export async function enter() {
  const { visit } = client;
  const before = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (before?.visit === visit && before.until * 1000 > Date.now()) {
    ({ until } = kept = before);
    return before;
  }
  for (let tries = 0; ; tries++) {
    const body = await client.signed();
    const answer = await fetch(path(`/${client.name}`), { method: "POST", body }).catch(() => null);
    const said = await answer?.json().catch(() => null);
    if (answer?.ok && said) {
      sessionStorage.setItem(key, JSON.stringify({ ...said, visit }));
      away.hidden = true;
      ({ until } = said);
      return said;
    }
    if (answer && answer.status !== 429 && answer.status < 500) return end(said?.say ?? say("embed-forged"));
    away.textContent = said?.say ?? say("embed-busy");
    away.hidden = false;
    await rest(tries, answer);
  }
}
