// The result of a game as a picture to pass on, of the size that links are
// previewed in, and higher where a sheet is on it: the headline, the board, who
// has what, luck in words. It says nothing of the room.

import { colourOf, edge, inner, plate, sans, serif, width, widthOf, wrapped, write } from "./paint.js";
import { boxOf } from "./paintbox.js";
import { sheetOf } from "./paintsheet.js";

const sign = /^\p{Extended_Pictographic}\u{fe0f}? /u; // fonts may lack it, and the text says all
const top = 92; // where what the picture tells begins
const below = 44; // how much is left free below
const largest = 1.8;
const smallest = .6;

/** pictureOf draws a message whose game is over, and resolves to a PNG. */
export function pictureOf(message) {
  const canvas = document.createElement("canvas");
  const height = message.sheet ? 1080 : 630;
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  pen.textBaseline = "alphabetic";
  plate(pen, [0, 0, width, height], 0, "#5d3719");
  plate(pen, [18, 18, width - 36, height - 36], 22, "#fffaf1");
  write(pen, "Knobel", [edge, 76], { font: `700 30px ${serif}`, colour: "#7a3b12" });
  write(pen, message.game ?? "", [width - edge, 76],
    { font: `600 28px ${sans}`, colour: "#655441", align: "right", wide: 760 });
  compose(pen, message);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** compose draws all parts as large as they fit, with what room is left spread between them. */
function compose(pen, message) {
  const room = pen.canvas.height - below - top;
  let parts;
  let least;
  for (let k = largest; k > smallest; k -= .05) {
    parts = [titleOf, boxOf, sheetOf, peopleOf, wordsOf].map((part) => part(pen, message, k)).filter(Boolean);
    least = parts.reduce((sum, { high }) => sum + high, 0);
    if (least + 22 * k * (parts.length - 1) <= room) break;
  }
  const gap = Math.min(Math.max((room - least) / (parts.length + 1), 10), 64);
  let y = top + Math.max((room - least - gap * (parts.length - 1)) / 2, 0);
  for (const { high, draw } of parts) {
    draw(y);
    y += high + gap;
  }
}

function titleOf(pen, { head }, k) {
  const size = Math.min(46 * k, 66);
  const font = `700 ${size}px ${serif}`;
  const lines = wrapped(pen, head, font, inner, 2);
  const line = size * 1.17;
  return {
    high: line * lines.length,
    draw: (y) => lines.forEach((text, i) => write(pen, text, [edge, y + size * .9 + line * i],
      { font, colour: "#2a2018" })),
  };
}

/** peopleOf is who has what, each on a plate, in columns where they are many or beside a board. */
function peopleOf(pen, { people: all = [], sheet, tiles }, k) {
  if (all.length === 0) return undefined;
  const columns = all.length > 8 ? 3 : all.length > 3 || (all.length > 1 && (sheet || tiles?.length)) ? 2 : 1;
  const gap = 8 * k;
  const wide = (inner - 16 * (columns - 1)) / columns;
  const size = sizeOf(pen, all, wide - 60, 28 * k);
  const line = size * 1.3 + gap;
  return {
    high: (line + gap) * Math.ceil(all.length / columns) - gap,
    draw: (y) => all.forEach((person, i) => {
      const place = [edge + (wide + 16) * (i % columns), y + (line + gap) * Math.floor(i / columns), wide, line];
      drawPerson(pen, person, place, size);
    }),
  };
}

const nameOf = ({ name, state, house }) => `${state === "won" ? "★ " : ""}${house ? "⌂ " : ""}${name}`;

/** sizeOf is a size of letters at which names stand beside what they have, as long as it can be read. */
function sizeOf(pen, all, room, most) {
  const takes = (size) => Math.max(...all.map((person) => widthOf(pen, nameOf(person), `700 ${size}px ${serif}`) +
    widthOf(pen, person.text ?? "", `600 ${size * .93}px ${sans}`) + size));
  return Math.max(Math.min(most, most * room / takes(most)), Math.min(most, 20));
}

function drawPerson(pen, person, [x, y, wide, high], size) {
  const { text = "", state, seat } = person;
  const won = state === "won";
  plate(pen, [x, y, wide, high], 10, won ? "#e3efdc" : "#f4ead6");
  plate(pen, [x, y, 10, high], [10, 0, 0, 10], colourOf(seat));
  const at = y + high / 2 + size * .34;
  const font = `700 ${size}px ${serif}`;
  const left = wide - 60 - widthOf(pen, nameOf(person), font);
  const said = write(pen, text, [x + wide - 18, at],
    { font: `600 ${size * .93}px ${sans}`, colour: "#2a2018", align: "right", wide: Math.max(left, wide * .6) });
  write(pen, nameOf(person), [x + 26, at],
    { font, colour: won ? "#1d6338" : "#2a2018", wide: wide - said - 60 });
}

/** wordsOf is what else the board says, as far as there is room. */
function wordsOf(pen, { lines = [], people = [] }, k) {
  const size = Math.min(22 * k, 30);
  const font = `400 ${size}px ${sans}`;
  const called = (text) => people.some(({ name }) => text.startsWith(name));
  const all = lines.slice(0, 4)
    .flatMap((text) => wrapped(pen, called(text) ? text : text.replace(sign, ""), font, inner, 2));
  if (all.length === 0) return undefined;
  const line = size * 1.4;
  const lowest = pen.canvas.height - below + 10;
  return {
    high: line * all.length,
    draw: (y) => all.forEach((text, i) => {
      if (y + line * i + size < lowest) write(pen, text, [edge, y + size + line * i], { font, colour: "#655441" });
    }),
  };
}
