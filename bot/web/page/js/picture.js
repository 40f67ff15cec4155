// The result of a game as a picture to pass on, of the size that links are
// previewed in: the headline, the board, who has what, luck in words. It says
// nothing of the room.

const width = 1200;
const height = 630;
const edge = 56;
const serif = "Georgia, 'Times New Roman', serif";
const sans = "system-ui, sans-serif";
const seats = ["#c2502e", "#2f6fb0", "#c69214", "#3b8a4c", "#8a55a6", "#148a8a", "#b8447a", "#6b7a2a", "#8a6a4a", "#5a6a8a"];
const signs = /[\p{Extended_Pictographic}\u{fe0f}]/gu; // fonts may lack them, and the text says all

/** pictureOf draws a message whose game is over, and resolves to a PNG. */
export function pictureOf(message) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  table(pen);
  let y = title(pen, message);
  y = board(pen, message, y);
  y = people(pen, message, y);
  words(pen, message, y);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function table(pen) {
  pen.fillStyle = "#5d3719";
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = "#fffaf1";
  panel(pen, 18, 18, width - 36, height - 36, 22);
  pen.textBaseline = "alphabetic";
}

function panel(pen, x, y, wide, high, round) {
  pen.beginPath();
  pen.roundRect(x, y, wide, high, round);
  pen.fill();
}

function title(pen, { game = "", head }) {
  write(pen, "Knobel", edge, 76, { font: `700 30px ${serif}`, colour: "#7a3b12", wide: 300 });
  pen.textAlign = "right";
  write(pen, game, width - edge, 76, { font: `600 28px ${sans}`, colour: "#655441", wide: 760 });
  pen.textAlign = "left";
  const lines = wrapped(pen, head, `700 46px ${serif}`, width - 2 * edge, 2);
  lines.forEach((line, i) => write(pen, line, edge, 140 + 54 * i, { font: `700 46px ${serif}`, colour: "#2a2018" }));
  return 140 + 54 * (lines.length - 1) + 28;
}

/** board draws the tiles of the last row and its dice, or the sums of a sheet. */
function board(pen, { tiles = [], dice = [], sheet }, y) {
  const row = tiles.find((one) => one.tiles?.length);
  if (row) return tilesOf(pen, row, dice.length ? dice : row.dice ?? [], y);
  if (dice.length) return diceOf(pen, dice, edge, y, 64) + 20;
  return sheet ? sumsOf(pen, sheet, y) : y;
}

function tilesOf(pen, { tiles }, dice, y) {
  const each = Math.min(74, (width - 2 * edge - 24) / tiles.length);
  const high = 84;
  pen.fillStyle = "#2b180b";
  panel(pen, edge, y, each * tiles.length + 24, high + 24, 12);
  tiles.forEach(({ number, open }, i) => {
    const x = edge + 12 + each * i + 3;
    pen.fillStyle = open ? "#f2d9ae" : "#3d2413";
    panel(pen, x, y + 12, each - 6, high, 8);
    pen.textAlign = "center";
    write(pen, String(number), x + (each - 6) / 2, y + 12 + high / 2 + 12,
      { font: `700 34px ${serif}`, colour: open ? "#3a2110" : "#a07a50" });
    pen.textAlign = "left";
  });
  const right = edge + each * tiles.length + 24 + 28;
  if (right + dice.length * 76 < width - edge) diceOf(pen, dice, right, y + 22, 64);
  return y + high + 24 + 24;
}

const pips = [[], [[1, 1]], [[0, 0], [2, 2]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [0, 2], [2, 0], [2, 2]],
  [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]]];

function diceOf(pen, dice, x, y, size) {
  dice.forEach(({ face }, i) => {
    const left = x + i * (size + 12);
    pen.fillStyle = "#f7f1e3";
    pen.strokeStyle = "#8a7457";
    pen.lineWidth = 2;
    panel(pen, left, y, size, size, 12);
    pen.stroke();
    pen.fillStyle = "#2a2018";
    for (const [column, line] of pips[face] ?? []) {
      pen.beginPath();
      pen.arc(left + size * (.25 + .25 * column), y + size * (.25 + .25 * line), size * .085, 0, 7);
      pen.fill();
    }
  });
  return y + size;
}

/** sumsOf draws the ruled-off rows of a sheet. */
function sumsOf(pen, { columns, rows }, y) {
  const sums = rows.filter(({ sum }) => sum);
  const names = 190;
  const each = Math.min(170, (width - 2 * edge - names) / columns.length);
  const line = 34;
  columns.forEach(({ name, seat }, i) => {
    pen.fillStyle = seats[seat % 10];
    pen.fillRect(edge + names + each * i, y + 32, each - 10, 4);
    write(pen, name, edge + names + each * i, y + 24, { font: `600 22px ${sans}`, colour: "#35281a", wide: each - 14 });
  });
  sums.forEach((row, k) => {
    const at = y + 36 + line * (k + 1) - 8;
    write(pen, row.label, edge, at, { font: `600 24px ${serif}`, colour: "#35281a", wide: names - 10 });
    row.cells.forEach(({ text }, i) => write(pen, text ?? "", edge + names + each * i, at,
      { font: `700 24px ${sans}`, colour: "#1c3f94", wide: each - 14 }));
  });
  return y + 36 + line * sums.length + 26;
}

/** people draws who has what, in columns where they are many. */
function people(pen, { people: all = [], sheet }, y) {
  const columns = all.length > 8 ? 3 : all.length > 3 || sheet ? 2 : 1;
  const wide = (width - 2 * edge) / columns;
  const line = all.length > 6 ? 40 : 46;
  const size = all.length > 6 ? 24 : 28;
  all.forEach(({ name, text = "", state, seat, house }, i) => {
    const x = edge + wide * (i % columns);
    const at = y + line * Math.floor(i / columns) + size;
    pen.fillStyle = seats[seat % 10];
    pen.fillRect(x, at - size + 2, 7, size + 4);
    const star = state === "won" ? "★ " : "";
    const room = wide - 40;
    const said = write(pen, `${star}${house ? "⌂ " : ""}${name}`, x + 20, at,
      { font: `700 ${size}px ${serif}`, colour: state === "won" ? "#1d6338" : "#2a2018", wide: room * .55 });
    write(pen, text, x + 20 + said + 16, at, { font: `600 ${size - 2}px ${sans}`, colour: "#2a2018", wide: room - said - 16 });
  });
  return y + line * Math.ceil(all.length / columns) + 14;
}

/** words draws what else the board says, as far as there is room. */
function words(pen, { lines = [] }, y) {
  let at = y + 22;
  const font = `400 22px ${sans}`;
  for (const text of lines) {
    for (const line of wrapped(pen, text.replace(signs, "").trim(), font, width - 2 * edge, 2)) {
      if (at > height - 40) return;
      write(pen, line, edge, at, { font, colour: "#655441" });
      at += 32;
    }
  }
}

/** write draws a text that is cut where it is wider than wide, and returns how wide it is. */
function write(pen, text, x, y, { font, colour, wide = Infinity }) {
  pen.font = font;
  pen.fillStyle = colour;
  const said = cut(pen, text, wide);
  pen.fillText(said, x, y);
  return pen.measureText(said).width;
}

function cut(pen, text, wide) {
  if (pen.measureText(text).width <= wide) return text;
  const letters = Array.from(text);
  while (letters.length && pen.measureText(`${letters.join("")}…`).width > wide) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** wrapped breaks a text between words into at most so many lines. */
function wrapped(pen, text, font, wide, most) {
  pen.font = font;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (pen.measureText(longer).width <= wide || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= most) return lines.map((line) => cut(pen, line, wide));
  return [...lines.slice(0, most - 1), lines.slice(most - 1).join(" ")].map((line) => cut(pen, line, wide));
}
