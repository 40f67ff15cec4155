// What buttons are called for those who listen, where what they show is hardly a word.

import { say } from "./words.js";

const turns = { "⏮": "turn-first", "◀": "turn-back", "▶": "turn-on", "⏭": "turn-last" };
const sum = /^\d+(\+\d+)*$/;

/** spoken is the name of a button that shows only signs or numbers; null: what it shows says enough. */
export function spoken(label, { tiles, lang }) {
  if (turns[label]) return say(turns[label], {}, lang);
  return tiles?.length && sum.test(label) ? say("close-these", { tiles: label }, lang) : null;
}
