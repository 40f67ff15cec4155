// A page that stays open for days: the display does not sleep, and the page loads again when the stream has stopped, or
// when the server has a newer version of it.

import { goBy } from "../js/net.js";

const patience = 60000; // milliseconds without an event; the server sends one every 20 seconds
const youngest = 10000; // age in milliseconds before a reload for a newer version: replicas may differ for a while
let heard = performance.now();
let leaves = false;

/** last keeps the page going. */
export function last() {
  goBy({ left: anew });
  setInterval(() => performance.now() - heard > patience && anew(), patience / 4);
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
}

/** hear notes an event of the stream. files is the address of the server's files, "" if the event does not name it. */
export function hear(files = "") {
  heard = performance.now();
  if (files && !import.meta.url.includes(files)) setTimeout(anew, Math.max(0, youngest - performance.now()));
}

/** stayAwake keeps the display on while the page is in sight, where the browser can. */
function stayAwake() {
  if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
}

/** anew loads the page again as soon as the server itself answers, not a proxy in front of it: a page with an error would
 * stay for ever. */
async function anew() {
  if (leaves) return;
  leaves = true;
  for (;;) {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(10000) }).catch(() => null);
    if (answer?.status < 429 && answer.headers.has("Content-Language")) return location.reload();
    await new Promise((done) => setTimeout(done, 5000));
  }
}
