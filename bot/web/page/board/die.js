// Drawings of dice: cubes with pips, all others with the number of their face.

import { make, svg, unseen } from "../js/dom.js";
import { say } from "../js/words.js";

const near = 24, middle = 50, far = 76;
const corners = [[near, near], [far, far], [far, near], [near, far]];
const pips = {
  1: [[middle, middle]],
  2: corners.slice(0, 2),
  3: [...corners.slice(0, 2), [middle, middle]],
  4: corners,
  5: [...corners, [middle, middle]],
  6: [...corners, [near, middle], [far, middle]],
};

// Outlines of dice that are not cubes, by their number of faces.
const outlines = {
  4: "50,6 96,88 4,88",
  8: "50,3 93,50 50,97 7,50",
  20: "50,2 92,26 92,74 50,98 8,74 8,26",
};
const edges = {
  4: [],
  8: ["7,50 50,62 93,50"],
  20: ["50,20 78,68 22,68 50,20", "50,2 50,20 92,26", "92,26 78,68 92,74", "50,98 78,68", "50,98 22,68 8,74",
    "8,26 22,68", "8,26 50,20"],
};

function face(die) {
  if (die.sides === 6 && pips[die.face]) {
    return svg("0 0 100 100", pips[die.face].map(([x, y]) => ["circle", { cx: x, cy: y, r: 9.5, class: "pip" }]));
  }
  const outline = outlines[die.sides] ?? outlines[20];
  const lines = (edges[die.sides] ?? edges[20]).map((points) => ["polyline", { points, class: "edge" }]);
  const y = die.sides === 4 ? 76 : 63;
  return svg("0 0 100 100", [
    ["polygon", { points: outline, class: "solid" }],
    ...lines,
    ["text", { x: 50, y: die.sides === 8 ? 56 : y, class: "figure", "text-anchor": "middle" }, String(die.face)],
  ]);
}

/** sayDie returns the words for a die, for screen readers. */
export function sayDie(die, lang) {
  if (die.kept) return say("die-kept", { face: die.face }, lang);
  return say(die.sides === 6 ? "die" : "die-of", { face: die.face, sides: die.sides }, lang);
}

/** drawDice draws dice in a list, newly rolled ones with an animation, and ghosts: places where the next roll will lie.
 * A die that can be pressed is a button, which keeps the focus when it is redrawn. */
export function drawDice(list, dice, lang, ghosts = 0) {
  const now = JSON.stringify([dice, ghosts]);
  if (list.dataset.now === now && list.lang === lang) return;
  const faces = dice.map((die) => die.face).join(" ");
  const rolls = list.dataset.faces !== undefined && list.dataset.faces !== faces;
  const held = Array.from(list.children).findIndex((item) => item.contains(document.activeElement));
  Object.assign(list.dataset, { now, faces });
  list.lang = lang;
  list.replaceChildren(...dice.map((die, i) => createDie(die, i, rolls, lang)),
    ...Array.from({ length: ghosts }, createGhost));
  list.children[held]?.querySelector("button")?.focus({ preventScroll: true });
}

// Resting places of dice: pixels across, pixels down, and degrees.
const spots = [[-8, 5, -9], [7, -7, 7], [-3, 8, 12], [8, 3, -5], [2, -8, 4], [-7, -2, -12]];

function createDie(die, i, rolls, lang) {
  const item = make("li", "place");
  const shown = [unseen(sayDie(die, lang)), face(die)];
  const button = die.press || die.picks;
  const cube = make(button ? "button" : "span", "die");
  cube.classList.toggle("cube", die.sides === 6);
  cube.classList.toggle("rolls", rolls && !die.kept);
  cube.classList.toggle("kept", Boolean(die.kept));
  const [x, y, tilt] = spots[(i * 2 + die.face) % spots.length];
  for (const [name, value] of [["--x", `${x}px`], ["--y", `${y}px`], ["--tilt", `${tilt}deg`], ["--order", i]]) {
    cube.style.setProperty(name, value);
  }
  if (button) {
    if (die.picks) cube.dataset.item = i;
    else cube.dataset.press = die.press;
    cube.setAttribute("aria-pressed", String(Boolean(die.kept)));
  }
  cube.append(...shown);
  item.append(cube);
  return item;
}

/** createGhost creates the place of a die that is not rolled yet. */
function createGhost(_, i) {
  const item = make("li", "place");
  const ghost = make("span", "ghost");
  ghost.style.setProperty("--tilt", `${i % 2 ? 6 : -7}deg`);
  item.ariaHidden = "true";
  item.append(ghost);
  return item;
}

/** createMini creates a small cube, for lines of text. */
export function createMini({ face: shows, sides }) {
  const cube = make("span", "die mini");
  cube.classList.toggle("cube", sides === 6);
  cube.setAttribute("role", "img");
  cube.ariaLabel = String(shows);
  cube.append(face({ face: shows, sides }));
  return cube;
}
