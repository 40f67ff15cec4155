// The race to a number of points: everyone's disc on a track, and the dice that are set aside with their points.

import { createMini } from "./die.js";
import { along } from "./score.js";
import { fit, make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

const ticks = 5; // between the start and the target

/** createRace adds the empty track to a box, and the empty place for dice that are set aside. */
function createRace({ node, dice }) {
  const track = make("div", "track");
  track.setAttribute("role", "img");
  track.append(make("div", "rod"), make("div", "figures num"), make("div", "discs"));
  const aside = make("div", "aside");
  const set = make("ul", "set");
  const sum = make("p", "pts num");
  sum.append(make("span"), make("small"));
  aside.append(make("p", "label"), set, sum);
  node.prepend(track);
  dice.parentNode.after(aside);
  return { track, aside, set, sum };
}

/** drawRace draws the race of a message on box.race, which is created with the first one, or hides it without one. */
export function drawRace(box, message, choice) {
  const { race, people = [], lang } = message;
  if (!race && !box.race) return;
  const parts = box.race ??= createRace(box);
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
