// What a picture is painted with: texts that fit their place, plates, the
// colours of seats.

export const width = 1200;
export const edge = 56;
export const inner = width - 2 * edge;
export const serif = "Georgia, 'Times New Roman', serif";
export const sans = "system-ui, sans-serif";

const seats = ["#c2502e", "#2f6fb0", "#c69214", "#3b8a4c", "#8a55a6",
  "#148a8a", "#b8447a", "#6b7a2a", "#8a6a4a", "#5a6a8a"];
const apart = (text) => `\u2068${text}\u2069`; // a name from right to left turns nothing else around

/** colourOf is the colour of a seat. */
export function colourOf(seat) {
  return seats[seat % 10];
}

/** plate paints an area with round corners. */
export function plate(pen, [x, y, wide, high], round, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(x, y, wide, high, round);
  pen.fill();
}

/** write paints a text from, up to or around x, cut where it is wider than wide, and returns how wide it is. */
export function write(pen, text, [x, y], { font, colour, align = "left", wide = Infinity }) {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = align;
  const said = apart(cut(pen, text, wide));
  pen.fillText(said, x, y);
  pen.textAlign = "left";
  return pen.measureText(said).width;
}

/** widthOf is how wide a text is. */
export function widthOf(pen, text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

/** lettersOf are what people see as letters: what stands above or below one is not taken from it. */
function lettersOf(text) {
  if (!Intl.Segmenter) return Array.from(text);
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function cut(pen, text, wide) {
  if (pen.measureText(text).width <= wide) return text;
  const letters = lettersOf(text);
  while (letters.length && pen.measureText(`${letters.join("")}…`).width > wide) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** wrapped breaks a text between words into at most so many lines, and a word that is longer than a line within. */
export function wrapped(pen, text, font, wide, most) {
  pen.font = font;
  const fits = (line) => pen.measureText(line).width <= wide;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (fits(longer)) {
      lines[lines.length - 1] = longer;
      continue;
    }
    if (lines.at(-1)) lines.push("");
    for (const letter of fits(word) ? [word] : lettersOf(word)) {
      if (lines.at(-1) && !fits(lines.at(-1) + letter)) lines.push("");
      lines[lines.length - 1] += letter;
    }
  }
  if (lines.length <= most) return lines;
  const rest = lines.splice(most - 1).join(" ");
  return [...lines, cut(pen, rest, wide)];
}
