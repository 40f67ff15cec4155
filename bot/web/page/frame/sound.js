// The sounds of dice and tiles, generated from noise and tones. They are loaded once a person turns them up.

import { volume } from "./volume.js";
import { over } from "../board/state.js";

const heard = new WeakMap(); // by board: the sounding parts of the last message

const presses = ["pointerup", "touchend", "click", "keydown"]; // not pointerdown, which may begin a scroll

let context;
let noise;
let tries = 0; // changes when a late sample sound must not be played

/** awake reports whether sounds can be played now. */
const awake = () => context?.state === "running";

/** wake creates or resumes the audio context. Browsers allow that only during a press, and suspend it while the page is
 * in the background or a phone call is taken. */
async function wake() {
  if (!volume() || !("AudioContext" in globalThis)) return;
  context ??= new AudioContext();
  noise ??= hiss();
  if (!awake()) await context.resume().catch(() => {}); // the next press tries again
}

/** hiss returns a buffer with half a second of noise. */
function hiss() {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = Math.random() * 2 - 1;
  return buffer;
}

/** sample plays a tile that is closed. */
export async function sample() {
  const mine = ++tries;
  await wake();
  if (mine === tries && awake()) knock(0);
}

for (const event of presses) addEventListener(event, wake, { capture: true, passive: true });
document.addEventListener("visibilitychange", () => context && !document.hidden && wake());

/** sound plays the changes of a board (node) since it was last shown: rolled dice, closed tiles, a won game. */
export function sound(node, message) {
  const now = lying(message);
  const before = heard.get(node);
  heard.set(node, now);
  if (!before || before.table !== now.table || document.hidden || !volume()) return;
  tries++; // no sample sound after this
  if (!awake()) return;
  if (now.dice && now.dice !== before.dice) rattle(now.count);
  if (now.shut > before.shut) knock(now.dice && now.dice !== before.dice ? .35 : 0);
  if (now.won && !before.won) chime();
}

/** lying returns the parts of a message whose changes have sounds. */
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

/** strike plays noise around a pitch (Hz), as a hit on wood: late seconds from now, loud from 0 to 1, for long
 * seconds. */
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

/** fading returns a node whose input sounds at the volume loud from the time at, and fades out within long seconds. */
function fading(at, loud, long) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud * volume(), at);
  gain.gain.exponentialRampToValueAtTime(.001, at + long);
  gain.connect(context.destination);
  return gain;
}

/** rattle plays the sound of count dice that fall and roll. */
function rattle(count) {
  for (let i = 0; i < Math.min(3 + 2 * count, 12); i++) {
    strike(i * .045 + Math.random() * .03, 1400 + Math.random() * 1400, .8 / (1 + i * .25), .07);
  }
}

/** knock plays the sound of a tile that is closed, late seconds from now. */
function knock(late) {
  strike(late, 420, 1, .12);
  strike(late + .03, 1100, .35, .05);
}

/** chime plays three rising notes. */
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
