// The race to a number of points: everyone's disc on a track, and the dice that are set aside with their points.

import { createMini } from "./die.js";
import { fit, make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

const ticks = 5; // between the start and the target

/** along returns the progress of points to the target of a race, in percent. */
export const along = (points, { target }) => `${Math.max(0, Math.min(1, points / target)) * 100}%`;

/** drawRace draws the race of a message, or hides it if there is none. */
export function drawRace(parts, message, choice) {
  const { race, people = [], lang } = message;
  parts.track.hidden = !race;
  parts.aside.hidden = !race || !people.some(({ state }) => state === "to-move");
  if (!race) return;
  const says = new Intl.NumberFormat(lang, { useGrouping: "min2" });
  const [, figures, discs] = parts.track.children;
  const at = (points) => along(points, race);
  parts.track.ariaLabel = people.map(({ seat, name }) => `${name} ${says.format(race.points[seat])}`).join(", ");
  fit(figures, ticks + 1, () => make("span")).forEach((tick, i) => {
    tick.style.setProperty("--at", at(race.target * i / ticks));
    put(tick, says.format(race.target * i / ticks));
  });
  fit(discs, people.length, createFace).forEach((disc, i) => {
    drawFace(disc, people[i]);
    const points = race.points[people[i].seat];
    const close = people.slice(0, i).filter(({ seat }) => Math.abs(race.points[seat] - points) < race.target / 30).length;
    disc.style.setProperty("--at", at(points));
    disc.style.setProperty("--shift", close);
  });
  drawAside(parts, message, choice, says);
}

/** drawAside draws the value of the turn: its earlier points, and those of the chosen dice. */
function drawAside({ aside, set, sum }, { race, dice = [], pick, lang }, choice, says) {
  put(aside.firstChild, say("set-aside", {}, lang));
  const chosen = pick?.kind === "dice" ? dice.filter((_, i) => choice.has(i)) : [];
  const points = pick?.kind === "dice" ? choice.whole()[0]?.points ?? 0 : 0;
  const lines = [];
  if (race.turn) lines.push([[document.createTextNode(say("set-before", {}, lang))], race.turn]);
  if (chosen.length) lines.push([chosen.map(createMini), points || "–"]);
  const now = JSON.stringify([lines.map(([, worth]) => worth), chosen.map(({ face }) => face), lang]);
  if (set.dataset.now !== now) {
    set.dataset.now = now;
    set.replaceChildren(...lines.map(([what, worth]) => {
      const line = make("li");
      const dieces = make("span", "of");
      dieces.append(...what);
      line.append(dieces, make("b", "num", typeof worth === "number" ? says.format(worth) : worth));
      return line;
    }));
  }
  put(sum.firstChild, says.format(race.turn + points));
  put(sum.lastChild, say("this-turn", {}, lang));
}
