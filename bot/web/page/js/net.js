// Talking to the server.

import { say } from "./words.js";

/** send posts a value and returns the answer. It is sent once more where the
 * connection broke; the id in it keeps that from happening twice. */
export async function send(path, value, again = true) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    });
    if (answer.ok) return await answer.json();
    if (answer.status === 401 || answer.status === 403) location.reload();
  } catch {
    if (again) return send(path, value, false);
  }
  return { toast: say("unsent"), refused: true };
}

/** draw makes an id that no press had before. */
export function drawId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** follow listens to the feed, for ever, and tells how the connection is. */
export function follow(onFeed, onState) {
  let source;
  const open = () => {
    source = new EventSource("/events");
    source.addEventListener("feed", (event) => {
      onState(true);
      onFeed(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      onState(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(look, 3000);
    });
  };
  const look = async () => {
    const answer = await fetch("/me").catch(() => null);
    if (answer?.status === 401 || answer?.status === 403) location.reload();
    else open();
  };
  open();
  return () => {
    source.close();
    open();
  };
}
