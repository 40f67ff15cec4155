// A box in a picture: the rows of its tiles, each with whose it is, and dice as
// they lie.

import { outlines, pips } from "./die.js";
import { colourOf, edge, inner, plate, sans, serif, write } from "./paint.js";

/** boxOf is the part of a picture that shows rows of tiles and dice: how high it is, and how it is painted. */
export function boxOf(pen, { tiles = [], dice = [], people = [] }, k) {
  const rows = tiles.filter((row) => row.tiles?.length || row.dice?.length)
    .map((row) => rowOf(pen, row, row.dice?.length ? row.dice : tiles.length === 1 ? dice : [], people, k));
  if (rows.length === 0 && dice.length) rows.push(rowOf(pen, {}, dice, people, k));
  if (rows.length === 0) return undefined;
  const gap = 16 * k;
  return {
    high: rows.reduce((sum, { high }) => sum + high + gap, -gap),
    draw: (y) => rows.reduce((at, { high, draw }) => {
      draw(at);
      return at + high + gap;
    }, y),
  };
}

/** rowOf is a row of tiles below the name of its owner, with dice beside it, or below where there is no room. */
function rowOf(pen, { owner, whose = owner, tiles = [] }, dice, people, k) {
  const lines = tiles.length > 12 ? 2 : 1;
  const columns = Math.ceil(tiles.length / lines);
  const frame = 12;
  const each = Math.min(74 * k, (inner - 2 * frame) / Math.max(columns, 1));
  const tall = each * (tiles.length > 9 || people.length > 4 ? 1 : 1.14);
  const wide = tiles.length ? each * columns + 2 * frame : 0;
  const box = tiles.length ? tall * lines + 2 * frame + 6 * (lines - 1) : 0;
  const size = 64 * k;
  const beside = wide + dice.length * size * 1.2 + 16 * k < inner;
  const name = owner ? 34 * k : 0;
  const lie = dice.length && (!beside || !wide) ? size + (wide ? 16 * k : 0) : 0;
  return {
    high: name + box + lie,
    draw: (y) => {
      if (owner) drawOwner(pen, owner, people.find(({ name }) => name === whose), y, k);
      if (wide) drawTiles(pen, tiles, [edge, y + name, wide, box], { frame, each, tall, columns });
      const left = beside && wide ? edge + wide + 28 * k : edge;
      diceOf(pen, dice, left, beside && wide ? y + name + (box - size) / 2 : y + name + box + lie - size, size);
    },
  };
}

function drawOwner(pen, owner, person, y, k) {
  if (person) plate(pen, [edge, y + 2 * k, 7, 24 * k], 2, colourOf(person.seat));
  write(pen, owner, [person ? edge + 18 : edge, y + 22 * k],
    { font: `600 ${22 * k}px ${sans}`, colour: "#35281a", wide: inner - 18 });
}

function drawTiles(pen, tiles, place, { frame, each, tall, columns }) {
  plate(pen, place, 12, "#2b180b");
  tiles.forEach(({ number, open }, i) => {
    const x = place[0] + frame + each * (i % columns);
    const y = place[1] + frame + (tall + 6) * Math.floor(i / columns);
    plate(pen, [x + 3, y, each - 6, tall], 8, open ? "#f2d9ae" : "#3d2413");
    const font = `700 ${Math.min(each * .47, 52)}px ${serif}`;
    write(pen, String(number), [x + each / 2, y + tall / 2 + each * .16],
      { font, colour: open ? "#3a2110" : "#a07a50", align: "center" });
  });
}

function diceOf(pen, dice, x, y, size) {
  dice.forEach((die, i) => drawDie(pen, die, x + i * size * 1.2, y, size));
}

/** outline are the corners of a die that is no cube. */
function outline(sides) {
  return (outlines[sides] ?? outlines[20]).split(" ").map((point) => point.split(","));
}

/** drawDie paints a die with pips, or one that is no cube with its number in its own outline. */
function drawDie(pen, { face, sides }, x, y, size) {
  const at = (part) => part * size / 100;
  const spots = sides === 6 && pips[face];
  pen.beginPath();
  if (spots) pen.roundRect(x, y, size, size, size * .19);
  else outline(sides).forEach(([a, b]) => pen.lineTo(x + at(a), y + at(b)));
  pen.closePath();
  pen.fillStyle = spots ? "#f7f1e3" : "#f6ead0";
  pen.fill();
  pen.strokeStyle = "#8a7457";
  pen.lineWidth = size / 32;
  pen.lineJoin = "round";
  pen.stroke();
  pen.fillStyle = "#2a2018";
  if (!spots) {
    write(pen, String(face), [x + size / 2, y + at(sides === 4 ? 80 : 63)],
      { font: `700 ${size * .38}px ${serif}`, colour: "#34170a", align: "center" });
    return;
  }
  for (const [a, b] of spots) {
    pen.beginPath();
    pen.arc(x + at(a), y + at(b), size * .09, 0, 7);
    pen.fill();
  }
}
