// The names of buttons for screen readers, if the label is hardly a word.

import { say } from "../js/words.js";

const turns = { "⏮": "turn-first", "◀": "turn-back", "▶": "turn-on", "⏭": "turn-last" };
const sum = /^\d+(\+\d+)*$/;

/** spoken returns the name of a button whose label has only signs or numbers, null if the label suffices. */
export function spoken(label, { tiles, lang }) {
  if (turns[label]) return say(turns[label], {}, lang);
  return tiles?.length && sum.test(label) ? say("close-these", { tiles: label }, lang) : null;
}
