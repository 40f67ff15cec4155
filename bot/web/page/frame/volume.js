// The volume of sounds, which is stored. Sounds are off, and not loaded, until a person turns them up.

import { put } from "../js/dom.js";
import { load } from "../js/load.js";
import { say } from "../js/words.js";

const key = "knobel-volume";

let sounds;

/** volume returns the stored volume, from 0 to 1. */
export function volume() {
  const kept = Number(localStorage.getItem(key));
  return kept > 0 && kept <= 1 ? kept : 0;
}

/** sound plays the changes of a board (node) since it was last shown, if sounds are loaded. */
export function sound(node, message) {
  sounds?.sound(node, message);
}

/** offerSounds makes slider set the volume, with a sample sound. label then says whether sounds are on. */
export function offerSounds(slider, label) {
  const show = () => put(label, say(volume() ? "sounds" : "sounds-off"));
  const loads = async () => { sounds ??= await load("frame/sound").catch(() => undefined); };
  slider.value = String(Math.round(volume() * 10));
  slider.addEventListener("input", () => {
    localStorage.setItem(key, String(Number(slider.value) / 10));
    show();
  });
  slider.addEventListener("change", async () => {
    await loads();
    sounds?.sample();
  });
  if (volume()) loads();
  show();
}
