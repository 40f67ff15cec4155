// The one place where news are read out to those who listen: each thing once.

import { make } from "./dom.js";

const place = document.getElementById("live");
const kept = 10000; // milliseconds that a sentence stands there

/** announce has a sentence read out, unless it is the one that was just read. */
export function announce(text, lang = document.documentElement.lang) {
  if (!place || !text || place.lastElementChild?.textContent === text) return;
  const line = make("p", "", text);
  line.lang = lang;
  place.append(line);
  setTimeout(() => line.remove(), kept);
}
