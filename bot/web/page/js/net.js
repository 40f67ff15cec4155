// Talking to the server.

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

/** patient asks for something until the page does not have to wait for the answer; onWait hears that it does. */
export async function patient(what, onWait) {
  for (;;) {
    const answer = await fetch(path(what)).catch(() => null);
    if (!waits(answer)) return answer;
    onWait();
    await pause(answer);
  }
}

/** asked is what the room answers, once it does. Until then onState hears why that takes so long. */
export async function asked(what, onState, method = "GET") {
  for (;;) {
    const answer = await fetch(path(what), { method }).catch(() => null);
    if (answer?.ok) return answer.json();
    if (answer && gone(answer)) location.reload();
    onState(false, waits(answer));
    await pause(answer);
  }
}

const patience = 5; // times that something is sent while the page is told to wait

/** send posts a value to something of the room and returns the answer. It is sent once more where the
 * connection broke, and again where the page is told to wait; the id in it keeps that from happening twice. */
export async function send(to, value, again = true) {
  try {
    let answer = await post(to, value);
    for (let sent = 1; waits(answer) && sent < patience; sent++) {
      toast(say("wait"), true);
      await pause(answer);
      answer = await post(to, value);
    }
    if (answer.ok) return await answer.json();
    if (waits(answer)) return { toast: await answer.text(), refused: true };
    if (gone(answer)) location.reload();
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

/** gone reports whether the room lets this browser in no more; its page then says so. */
function gone({ status }) {
  return [401, 403, 404].includes(status);
}

/** follow listens to the feed, for ever, and tells how the connection is: whether it stands, and else whether the
 * page has to wait for it; on has what hears of other events.
 * came is what the page has come with: the feed goes on from there. */
export function follow(onFeed, onState, on = {}, came = null) {
  let source;
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
      if (source.readyState === EventSource.CLOSED) setTimeout(look, 3000);
    });
  };
  const look = async () => {
    const answer = await fetch(path("/events"), { method: "HEAD" }).catch(() => null);
    if (answer && gone(answer)) return location.reload();
    if (!waits(answer)) return open();
    onState(false, true);
    await pause(answer);
    return look();
  };
  open(known);
}
