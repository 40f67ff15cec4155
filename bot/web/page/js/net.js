// Talking to the server.

import { needCookies } from "./cookies.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const { base = "" } = document.documentElement.dataset;

/** path is where something of this page's room is asked for: "/press". */
export function path(of) {
  return base + of;
}

/** post sends a value to something of the room. */
export function post(to, value) {
  return fetch(path(to), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  });
}

/** waits reports whether an answer tells the page to wait and ask again. */
const waits = (answer) => answer?.status === 429;

/** pause waits as long as an answer tells, or a moment. */
function pause(answer) {
  const seconds = Number(answer?.headers.get("Retry-After")) || 3;
  return new Promise((done) => setTimeout(done, 1000 * seconds));
}

/** patiently asks until the page does not have to wait for the answer, or has asked that often; onWait hears each time
 * that it does. */
async function patiently(ask, onWait, most = Infinity) {
  for (let times = 1; ; times++) {
    const answer = await ask();
    if (!waits(answer) || times === most) return answer;
    onWait();
    await pause(answer);
  }
}

/** quietly asks the room for something, and has null for an answer where the connection is broken. */
const quietly = (what, method = "GET") => fetch(path(what), { method }).catch(() => null);

/** patient asks for something until the page does not have to wait for the answer; onWait hears that it does. */
export function patient(what, onWait) {
  return patiently(() => quietly(what), onWait);
}

/** asked is what the room answers, once it does. Until then onState hears why that takes so long. */
export async function asked(what, onState, method = "GET") {
  for (;;) {
    const answer = await patiently(() => quietly(what, method), () => onState(false, true));
    if (answer?.ok) {
      given ||= method === "POST";
      return answer.json();
    }
    left(answer);
    onState(false);
    await pause(answer);
  }
}

const patience = 5; // times that something is sent while the page is told to wait

/** send posts a value to something of the room and returns the answer. It is sent once more where the
 * connection broke, and again where the page is told to wait; the id in it keeps that from happening twice. */
export async function send(to, value, again = true) {
  try {
    const answer = await patiently(() => post(to, value), () => toast(say("wait"), true), patience);
    if (answer.ok) return await answer.json();
    if (waits(answer) || answer.status === 503) return { toast: await answer.text(), refused: true };
    left(answer);
  } catch {
    if (again) return send(to, value, false);
  }
  return { toast: say("unsent"), refused: true };
}

/** draw makes an id that no press had before. */
export function drawId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

const unknown = 428; // the server does not know this browser
let given = false; // this page has just been given a cookie

/** left leaves a page whose room lets this browser in no more, and reports whether that is so. The page that comes
 * says why, or asks for a new cookie; where the browser keeps none, that would go on for ever. */
function left(answer) {
  if (![401, 403, 404, unknown].includes(answer?.status)) return false;
  if (answer.status === unknown && given) needCookies();
  else location.reload();
  return true;
}

/** follow listens to the feed, for ever, and tells how the connection is: whether it stands, and else whether the
 * page has to wait for it; on has what hears of other events.
 * came is what the page has come with: the feed goes on from there. */
export function follow(onFeed, onState, on = {}, came = null) {
  let source;
  let broken = false;
  const known = came ? `?${new URLSearchParams([["after", came.at], ...came.all.map((ref) => ["has", ref])])}` : "";
  const open = (asks = "") => {
    source = new EventSource(path("/events") + asks);
    source.addEventListener("feed", (event) => {
      onState(true);
      onFeed(JSON.parse(event.data));
    });
    for (const [name, hears] of Object.entries(on)) {
      source.addEventListener(name, (event) => hears(JSON.parse(event.data || "{}")));
    }
    source.addEventListener("error", () => {
      onState(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(look, broken ? 3000 : 0);
      broken = true;
    });
  };
  const look = async () => {
    const answer = await patiently(() => quietly("/events", "HEAD"), () => onState(false, true));
    return left(answer) ? undefined : open();
  };
  open(known);
}
