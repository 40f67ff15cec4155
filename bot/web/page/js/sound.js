// The sounds of dice and tiles, made here of noise and tones. There are none
// until somebody turns them up; how loud they are is remembered.

import { put } from "./dom.js";
import { over } from "./board.js";
import { say } from "./words.js";

const key = "knobel-volume";
const heard = new WeakMap(); // by board: what was shown last

const presses = ["pointerup", "touchend", "click", "keydown"]; // a finger that comes down may yet scroll: it is none

let context;
let noise;
let tries = 0; // of the volume

/** volume is how loud sounds are, from 0 to 1. */
function volume() {
  const kept = Number(localStorage.getItem(key));
  return kept > 0 && kept <= 1 ? kept : 0;
}

/** awake reports whether sounds can be made now. */
const awake = () => context?.state === "running";

/** wake makes what sounds are made with, or has it go on. Browsers let a page do so in the moment of a press alone,
 * and stop it while the page lies behind others or a call is taken. */
async function wake() {
  if (!volume() || !("AudioContext" in globalThis)) return;
  context ??= new AudioContext();
  noise ??= hiss();
  if (!awake()) await context.resume().catch(() => {}); // the next press tries again
}

/** hiss is half a second of noise. */
function hiss() {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = Math.random() * 2 - 1;
  return buffer;
}

/** offerSounds has a slider turn sounds up and down, with a try of them; its label says when there are none. */
export function offerSounds(slider, label) {
  const show = () => put(label, say(volume() ? "sounds" : "sounds-off"));
  slider.value = String(Math.round(volume() * 10));
  slider.addEventListener("input", () => {
    localStorage.setItem(key, String(Number(slider.value) / 10));
    show();
  });
  slider.addEventListener("change", async () => {
    const mine = ++tries;
    await wake();
    if (mine === tries && awake()) knock(0);
  });
  for (const event of presses) addEventListener(event, wake, { capture: true, passive: true });
  document.addEventListener("visibilitychange", () => context && !document.hidden && wake());
  show();
}

/** sound plays what has changed on a board since it was last shown: dice that fell, tiles that
 * were closed, a game that was won. */
export function sound(node, message) {
  const now = lying(message);
  const before = heard.get(node);
  heard.set(node, now);
  if (!before || before.table !== now.table || document.hidden || !volume()) return;
  tries++; // what has not been heard by now is heard no more
  if (!awake()) return;
  if (now.dice && now.dice !== before.dice) rattle(now.count);
  if (now.shut > before.shut) knock(now.dice && now.dice !== before.dice ? .35 : 0);
  if (now.won && !before.won) chime();
}

/** lying is what can be heard of a message. */
function lying(message) {
  const { table, dice = [], tiles = [], people = [] } = message;
  return {
    table,
    dice: dice.map(({ face }) => face).join(" "),
    count: dice.filter(({ kept }) => !kept).length,
    shut: tiles.flatMap((row) => row.tiles ?? []).filter(({ open }) => !open).length,
    won: over(message) && people.some(({ state }) => state === "won"),
  };
}

/** strike is one hit on wood: a moment of noise around a pitch. */
function strike(late, pitch, loud, long) {
  const at = context.currentTime + late;
  const source = context.createBufferSource();
  source.buffer = noise;
  const band = context.createBiquadFilter();
  Object.assign(band, { type: "bandpass" });
  band.frequency.value = pitch;
  band.Q.value = 4;
  source.connect(band).connect(fading(at, loud, long));
  source.start(at, Math.random() * .3, long);
}

/** fading is where a sound goes that is loud at once and then dies away. */
function fading(at, loud, long) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud * volume(), at);
  gain.gain.exponentialRampToValueAtTime(.001, at + long);
  gain.connect(context.destination);
  return gain;
}

/** rattle is dice that fall and roll out. */
function rattle(count) {
  for (let i = 0; i < Math.min(3 + 2 * count, 12); i++) {
    strike(i * .045 + Math.random() * .03, 1400 + Math.random() * 1400, .8 / (1 + i * .25), .07);
  }
}

/** knock is a tile that falls shut. */
function knock(late) {
  strike(late, 420, 1, .12);
  strike(late + .03, 1100, .35, .05);
}

/** chime is three rising notes. */
function chime() {
  [523, 659, 784].forEach((pitch, i) => {
    const at = context.currentTime + .5 + i * .14;
    const tone = context.createOscillator();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    tone.connect(fading(at, .3, .6));
    tone.start(at);
    tone.stop(at + .6);
  });
}
