// The deadline of a turn: a sentence with the remaining time, which counts down by itself.

import { make } from "./dom.js";

/** drawDeadline shows the deadline of a message, or hides node if there is none. */
export function drawDeadline(node, message) {
  const { deadline } = message;
  node.hidden = !deadline;
  if (!deadline) {
    node.replaceChildren();
    return;
  }
  const time = make("time");
  time.dateTime = new Date(deadline.at * 1000).toISOString();
  time.title = deadline.clock;
  time.dataset.at = deadline.at;
  time.lang = message.lang;
  count(time);
  node.replaceChildren(deadline.before, time, deadline.after);
}

/** count writes the remaining time into a time element. */
function count(time) {
  const seconds = Math.round(Number(time.dataset.at) - Date.now() / 1000);
  const text = left(seconds, time.lang);
  if (time.textContent !== text) time.textContent = text;
}

/** left returns the remaining seconds as text in a suitable unit: "in 9 minutes". */
export function left(seconds, lang) {
  const says = new Intl.RelativeTimeFormat(lang, { numeric: "always" });
  const size = Math.abs(seconds);
  if (size < 120) return says.format(Math.max(seconds, 0), "second");
  if (size < 2 * 3600) return says.format(Math.round(seconds / 60), "minute");
  if (size < 2 * 86400) return says.format(Math.round(seconds / 3600), "hour");
  return says.format(Math.round(seconds / 86400), "day");
}

setInterval(() => document.querySelectorAll("time[data-at]").forEach(count), 1000);
