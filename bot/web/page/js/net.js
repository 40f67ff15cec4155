// Requests to the server.

import { needCookies } from "./cookies.js";
import { embedded } from "./dom.js";
import { toast } from "../frame/toast.js";
import { say } from "./words.js";

const { base = "" } = document.documentElement.dataset;

/** path returns the path of a part of this page's room, such as "/press". */
export function path(of) {
  return base + of;
}

// How requests and streams reach the server, and what the page does if it is not admitted (left, with a status).
const ways = {
  request: (to, options) => fetch(to, options),
  stream: (to) => new EventSource(to),
  left: () => location.reload(),
};

/** goBy makes an embedded page reach the server in other ways. */
export function goBy(others) {
  Object.assign(ways, others);
}

/** request requests a path of the room, as fetch does. */
export function request(of, options) {
  return ways.request(path(of), options);
}

/** post sends value as JSON to a path of the room, and resolves to the answer. */
export function post(to, value) {
  return request(to, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  });
}

// An id of this page, by which the server knows which pages of a room are visible.
const page = drawId();

/** tellSight tells the server whether this page is visible. */
function tellSight() {
  const body = JSON.stringify({ page, sees: !document.hidden });
  request("/sight", { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
}

/** tell posts value to a path of the room, and shows a refusal or a failure as a toast. It resolves to whether there
 * was none. */
export async function tell(to, value) {
  const answer = await post(to, value).catch(() => null);
  if (!answer?.ok) toast(await problemOf(answer), true);
  return Boolean(answer?.ok);
}

/** problemOf resolves to the server's sentence in answer or, if it has none or answer is null, to otherwise. */
export async function problemOf(answer, otherwise = say("unsent")) {
  return answer && answer.status < 500 ? sentenceOf(answer) : otherwise;
}

/** sentenceOf resolves to the sentence in an answer: its text or, of an embedded page, a part of its JSON. */
async function sentenceOf(answer) {
  const text = await answer.text();
  return embedded && text.startsWith("{") ? JSON.parse(text).say : text;
}

/** waits reports whether an answer asks the page to wait and try again. */
const waits = (answer) => answer?.status === 429 || (embedded && answer?.status === 503);

/** pause waits for the seconds in an answer's Retry-After header, else for three seconds; an embedded page ever longer
 * with the number of its tries. */
function pause(answer, tries = 1) {
  const seconds = Number(answer?.headers.get("Retry-After")) || (embedded ? Math.min(2 ** tries, 30) : 3);
  return new Promise((done) => setTimeout(done, 1000 * seconds));
}

/** patiently repeats ask() while its answer asks the page to wait, up to most times in all, and resolves to the last
 * answer. It calls onWait(answer) before each pause. */
async function patiently(ask, onWait, most = Infinity) {
  for (let times = 1; ; times++) {
    const answer = await ask();
    if (!waits(answer) || times === most) return answer;
    onWait(answer);
    await pause(answer, times);
  }
}

/** quietly requests a path of the room. It resolves to the answer, null if the connection is broken. */
const quietly = (what, method = "GET") => request(what, { method }).catch(() => null);

/** patient is like quietly, but repeats a request that has to wait, and calls onWait() before each pause. */
export function patient(what, onWait) {
  return patiently(() => quietly(what), onWait);
}

/** asked requests what until it succeeds and resolves to its JSON. It calls onState(false, waits) before each pause. */
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

const patience = 5; // most tries to send something while the page is told to wait

/** send posts value to a path of the room and resolves to the JSON answer, or to a refusal. It tries again if the
 * connection breaks (once) or the page has to wait; the id in value makes repetitions harmless. */
export async function send(to, value, again = true) {
  try {
    const answer = await patiently(() => post(to, value), ({ status }) => toast(say(status === 503 ? "embed-busy" : "wait"), true),
      patience);
    if (answer.ok) return await answer.json();
    if (waits(answer) || answer.status === 503) return { toast: await sentenceOf(answer), refused: true };
    left(answer);
  } catch {
    if (again) return send(to, value, false);
  }
  return { toast: say("unsent"), refused: true };
}

/** drawId returns a random id for a press or command. */
export function drawId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

const unknown = 428; // the server does not know this browser
let given = false; // the server has given this page a cookie

/** left reloads the page if the answer means that the room no longer admits this browser, and reports whether it does.
 * If the browser stores no cookies, it shows a notice instead: reloading would never end. */
function left(answer) {
  if (![401, 403, 404, unknown].includes(answer?.status)) return false;
  if (answer.status === unknown && given) needCookies();
  else ways.left(answer.status);
  return true;
}

/** follow receives the event stream for ever. It calls onFeed(news) for feed events, onState(connected, waits) for the
 * connection, and on[name](data) for other events. came is the feed that came with the page, null for none: the stream
 * continues after it. stream is the stream's path. */
export function follow(onFeed, onState, on = {}, came = null, stream = "/events") {
  let source;
  let broken = false;
  const seen = !embedded && stream === "/events"; // a person looks at it
  const known = came ? [["after", came.at], ...came.all.map((ref) => ["has", ref])] : [];
  const open = (asks = []) => {
    source = ways.stream(seen ? `${path(stream)}?${new URLSearchParams([["page", page], ...asks])}` : path(stream));
    if (seen) source.addEventListener("open", () => document.hidden && tellSight());
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
    const answer = await patiently(() => quietly(stream, "HEAD"), () => onState(false, true));
    return left(answer) ? undefined : open();
  };
  open(known);
  if (seen) document.addEventListener("visibilitychange", tellSight);
}
