// A sheet in a picture: every row of it, with sums ruled off, a column for each
// seat below its colour.

import { seatsOf } from "./sheet.js";
import { colourOf, edge, inner, plate, sans, serif, widthOf, write } from "./paint.js";

/** sheetOf is the part of a picture that shows a sheet: how high it is, and how it is painted. */
export function sheetOf(pen, { sheet }, k) {
  if (!sheet) return undefined;
  const { columns, rows } = sheet;
  const size = 21 * k;
  const line = size * 1.36;
  const labels = rows.map(({ label }) => widthOf(pen, label, fontOf({ sum: true }, size)));
  const names = Math.min(Math.max(...labels) + 24, inner / 3);
  const each = (inner - names) / columns.length;
  const signed = columns.some(({ sign }) => sign) ? 1 : 0; // a line with the signs of columns
  const right = (i) => edge + names + each * (i + 1) - 14;
  return {
    high: line * (rows.length + 1 + signed) + 10,
    draw: (y) => {
      let i = 0;
      for (const { name, seat, wide } of seatsOf(columns)) {
        plate(pen, [edge + names + each * i + 10, y + line, each * wide - 14, 4], 2, colourOf(seat));
        i += wide;
        write(pen, name, [right(i - 1), y + size],
          { font: `600 ${size * .92}px ${sans}`, colour: "#35281a", align: "right", wide: each * wide - 24 });
      }
      if (signed) columns.forEach(({ sign }, n) => write(pen, sign ?? "", [right(n), y + 10 + line + size],
        { font: `600 ${size * .92}px ${sans}`, colour: "#35281a", align: "right", wide: each - 24 }));
      rows.forEach((row, j) => {
        const at = y + 10 + line * (j + 1 + signed);
        if (row.sum) plate(pen, [edge - 8, at, inner + 8, line], 0, "#f4ead6");
        drawRow(pen, row, [right, at + size], { size, names, each });
      });
    },
  };
}

function fontOf({ sum }, size) {
  return `${sum ? 700 : 400} ${size}px ${serif}`;
}

/** drawRow paints a row's name and what each seat has there; what is struck or empty is paler. */
function drawRow(pen, row, [right, y], { size, names, each }) {
  write(pen, row.label, [edge, y], { font: fontOf(row, size), colour: "#35281a", wide: names - 10 });
  row.cells.forEach(({ text, mark }, i) => write(pen, text ?? "", [right(i), y], {
    font: `${row.sum ? 700 : 500} ${size}px ${sans}`,
    colour: mark === "struck" || mark === "open" ? "#8d7a62" : "#1c3f94",
    align: "right",
    wide: each - 24,
  }));
}
