// The title of the window and its picture: they say at once whether it is the turn of a person at this browser.

import { say } from "../js/words.js";

const own = document.title;
const link = document.querySelector("link[rel=icon]");
const still = link.href;
const called = still.replace(/%3C(?:\/|%2F)svg%3E(?:%0A)*$/i, (end) => `${encodeURIComponent(
  '<circle cx="47" cy="17" r="15" fill="#c2361a" stroke="#fff" stroke-width="4"/>')}${end}`);

/** drawTitle draws the title for the table that is shown: its game, and whose turn it is. yours: it is the turn of a
 * person at this browser, here or at another table. */
export function drawTitle({ game = "", mover = "", room = "" }, yours) {
  const now = yours ? say("called") : mover && say("turn-of", { name: mover });
  document.title = (yours ? [now, game] : [game, now || room]).filter(Boolean).join(" · ") || own;
  const wanted = yours ? called : still;
  if (link.href !== wanted) link.href = wanted;
}
