// The place for announcements to screen readers, each made once.

import { make } from "./dom.js";

const place = document.getElementById("live");
const kept = 10000; // milliseconds for which a sentence stays on the page

/** announce makes screen readers read a sentence, unless it is the last one announced. */
export function announce(text, lang = document.documentElement.lang) {
  if (!place || !text || place.lastElementChild?.textContent === text) return;
  const line = make("p", "", text);
  line.lang = lang;
  place.append(line);
  setTimeout(() => line.remove(), kept);
}
