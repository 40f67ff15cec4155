// Small pictures of the games, drawn from a few shapes: dice, tiles, score sheets, coins.

import { make } from "../js/dom.js";

const bone = "#fbf3e2";
const dark = "#34170a";
const brass = "#e0b34a";
const line = "#9db3d0";
const grounds = {
  felt: ["#1d5a44", "#2f7a5e"], wood: ["#6a4020", "#8a5a30"], blue: ["#24496b", "#3a6a94"],
  red: ["#7a2a22", "#a2463a"], plum: ["#553257", "#7b4f7d"], sand: ["#b58a4c", "#d6b176"],
  slate: ["#34414a", "#52636e"],
};
const dot = (x, y) => `M${x} ${y}h.1`;
const middle = dot(0, 0);
const two = dot(-24, -24) + dot(24, 24);
const four = two + dot(24, -24) + dot(-24, 24);
const pips = ["", middle, two, two + middle, four, four + middle, four + dot(-24, 0) + dot(24, 0)];

const rect = (x, y, width, height, fill, more = "rx='2'") =>
  `<rect x='${x}' y='${y}' width='${width}' height='${height}' fill='${fill}' ${more}/>`;
const path = (d, more) => `<path d='${d}' ${more}/>`;
const font = "font-family='Palatino,Georgia,serif' font-weight='700' text-anchor='middle'";
const word = (x, y, size, text, fill) =>
  `<text x='${x}' y='${y}' fill='${fill}' font-size='${size}' ${font}>${text}</text>`;
const ellipse = (cx, cy, rx, ry, fill, more = "") =>
  `<ellipse cx='${cx}' cy='${cy}' rx='${rx}' ry='${ry}' fill='${fill}' ${more}/>`;
const group = (transform, inner) => `<g transform='${transform}'>${inner}</g>`;
const coin = (x, y, fill = brass) => ellipse(x, y, 11, 6, fill, "stroke='#0004'");

/** ground returns a coloured table in the light of a lamp. */
const ground = (name) => rect(0, 0, 180, 96, grounds[name][0]) +
  ellipse(90, 20, 120, 60, grounds[name][1], "opacity='.5'");

/** die returns a die at [x, y], turned by some degrees, with pips or, if face is a text, with a letter. */
function die([x, y, face, turned, ink = dark], size = 26, fill = bone) {
  const shown = pips[face] ? path(pips[face], `fill='none' stroke='${ink}' stroke-width='19' stroke-linecap='round'`)
    : word(0, 20, 58, face, ink);
  return group(`translate(${x} ${y})rotate(${turned})scale(${size / 100})`,
    rect(-50, -50, 100, 100, fill, "rx='22' stroke='#0003' stroke-width='3'") + shown);
}

const dice = (all, size, fill) => all.map((one) => die(one, size, fill)).join("");

/** sheet returns a score sheet with two columns, turned by some degrees. */
function sheet(x, y, turned) {
  const rows = [14, 22, 30, 38, 46, 54, 62, 70, 78].map((at) => `M3 ${at}h41`).join("");
  return group(`translate(${x} ${y})rotate(${turned})`, rect(0, 0, 47, 88, "#fffdf3") + rect(0, 0, 47, 5, "#6b3f1d") +
    path(rows, `stroke='${line}'`) + path("M18 6v80M32 6v80", "stroke='#d89a92'"));
}

const tile = (n) => {
  const x = n * 16.4;
  if (n === 3 || n === 7) return rect(x, 43, 14, 5, "#a98250");
  return rect(x, 18, 14, 30, "#eccb94") + word(x + 7, 38, 14, n, "#351a06");
};

const column = (sign, i) => rect(82 + i * 22, 10, 19, 78, i % 2 ? "#fdeec8" : "#fffdf3") +
  word(91.5 + i * 22, 30, 17, sign, "#7a2a22") + path(`M${85 + i * 22} 42h13m-13 9h13m-13 9h13m-13 9h13m-13 9h13`,
  `stroke='${line}'`);

const cell = (_, i) => rect(92 + i % 4 * 19, 8 + Math.floor(i / 4) * 12, 16, 9.5, i % 3 ? "#fffdf3" : "#e8cf8c");

const pictures = {
  shutbox: () => ground("felt") + rect(0, 0, 180, 50, "#26150a") + rect(0, 48, 180, 3.5, "#d6ab55") +
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(tile).join("") + dice([[76, 74, 6, -9], [108, 73, 4, 10]], 24),
  wuerfelpoker: () => ground("plum") +
    dice([[30, 46, 1, -12], [60, 39, 2, -6], [90, 36, 3, 0], [120, 39, 4, 6], [150, 46, 5, 12]], 27) +
    coin(74, 80) + coin(90, 77, "#fffdf3") + coin(106, 80, "#d86a4a"),
  yahtzee: () => ground("felt") + sheet(122, 14, 5) +
    dice([[24, 34, 5, -8], [54, 60, 5, 9], [60, 26, 5, 4], [92, 40, 5, -5], [96, 74, 5, 8]]),
  kniffel: () => ground("wood") + path("M118 20h42l-7 62h-28z", "fill='#3a2010'") + ellipse(139, 20, 21, 6, "#1d0f06") +
    dice([[22, 40, 6, -8], [50, 68, 6, 9], [54, 32, 6, 5], [84, 56, 6, -6], [98, 26, 6, 8]]),
  zehntausend: () => ground("red") + rect(14, 78, 152, 4, "#e6c274") + ellipse(120, 80, 7, 7, "#7eb3ea") +
    ellipse(76, 80, 7, 7, brass) +
    dice([[24, 36, 1, -8], [50, 44, 1, 6], [77, 36, 1, -4], [103, 44, 5, 9], [130, 36, 2, -6], [156, 44, 6, 5]], 23),
  farkle: () => ground("sand") + [80, 71, 62, 53, 44, 35].map((y, i) => coin(150 - i % 2, y)).join("") +
    dice([[24, 32, 1, -7], [58, 30, 2, 6], [92, 33, 3, -4], [28, 68, 4, 5], [62, 66, 5, -8], [98, 69, 6, 7]]),
  yatzy: () => ground("blue") + sheet(12, 12, -4) +
    dice([[90, 34, 4, -8], [118, 34, 4, 7], [98, 68, 2, 6], [128, 70, 2, -6], [156, 50, 6, 10]]),
  "maxi-yatzy": () => ground("blue") + word(150, 44, 30, "6×", "#fff") +
    dice([[30, 30, 6, -6], [60, 30, 6, 5], [90, 30, 6, -3], [60, 68, 3, 6], [90, 68, 3, -5], [120, 68, 3, 4]], 27),
  generala: () => ground("plum") +
    path("m140 14 7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z", "fill='#fff3cf' stroke='#7a5300'") +
    dice([[26, 30, 3, -8], [56, 30, 3, 7], [36, 66, 3, 4], [68, 66, 3, -6], [100, 54, 3, 8]]),
  escalero: () => ground("slate") + dice([[28, 38, "A", -8, "#111"], [59, 60, "K", 6, "#a02020"],
    [90, 38, "A", -4, "#1c5a3a"], [121, 60, "9", 8, "#24496b"], [152, 38, "10", -6, "#111"]], 28),
  kismet: () => ground("red") + dice([[28, 34, 1, -6, "#111"], [58, 62, 2, 7, "#b02020"], [88, 34, 3, -4, "#1b7a3e"],
    [118, 62, 4, 5, "#1b7a3e"], [150, 36, 5, 9, "#b02020"]], 29, "#fff"),
  crag: () => ground("slate") + dice([[42, 50, 6, -8], [88, 44, 6, 6], [132, 52, 1, -4]], 36) +
    word(90, 90, 16, 13, "#ffe9b0"),
  balut: () => ground("felt") + Array.from({ length: 28 }, cell).join("") +
    dice([[28, 34, 5, -8], [58, 56, 5, 7], [30, 74, 5, 5]]),
  yamb: () => ground("wood") + ["↓", "↕", "↑", "!"].map(column).join("") +
    dice([[28, 30, 6, -8], [56, 52, 6, 7], [28, 72, 6, 5]]),
};

/** anyGame returns the picture of a game that has none. */
const anyGame = () => ground("felt") +
  dice([[30, 40, 1, -8], [64, 56, 2, 7], [94, 36, 3, -4], [124, 58, 4, 6], [152, 38, 5, 9]]);

/** pictureOf returns the picture of a game: an image, because its letters are not text of the page. */
export function pictureOf(name) {
  const drawn = (Object.hasOwn(pictures, name) ? pictures[name] : anyGame)();
  const picture = make("img");
  picture.alt = "";
  picture.width = 180;
  picture.height = 96;
  picture.src = `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 180 96' width='180' height='96'>${drawn}</svg>`)}`;
  return picture;
}
