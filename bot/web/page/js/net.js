// Talking to the server.

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

/** send posts a value to something of the room and returns the answer. It is sent once more where the
 * connection broke; the id in it keeps that from happening twice. */
export async function send(to, value, again = true) {
  try {
    const answer = await post(to, value);
    if (answer.ok) return await answer.json();
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

/** gone says whether the room lets this browser in no more; its page then says so. */
function gone({ status }) {
  return [401, 403, 404].includes(status);
}

/** follow listens to the feed, for ever, and tells how the connection is; on has what hears of other events.
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
    const answer = await fetch(path("/me")).catch(() => null);
    if (answer && gone(answer)) location.reload();
    else open();
  };
  open(known);
}
