// Handwriting on score sheets: digits and signs as strokes of a pen, because few devices have the same handwriting
// font.

import { svg } from "../js/dom.js";

const height = 21;

// The width and the strokes of each sign.
const signs = {
  0: [12, "M6 3C2.6 3 2 8 2 11s.8 7 4 7 4.200-4 4.100-7.500S9 3 5.600 3.300"],
  1: [10, "M2.500 7 6 3 5.500 18"],
  2: [12, "M2.500 6.200C3 3.700 5 3 6.300 3c2 0 3.200 1.300 3 3.400C9 10 4 13.500 2 17.800c2.600-.9 5.500-.5 8.200 0"],
  3: [12, "M2.500 4.600C4 3 8.500 2.600 9 5.500c.3 2.500-2 4-4.500 4.300 3 0 5.300 1 5.200 3.900C9.500 17 5.500 19 2 16.800"],
  4: [12, "M6.500 3C5.300 7 3.500 10 1.800 12.600c3 .2 6-.2 8.700-.5M8.200 8.500 7.600 18.200"],
  5: [12, "M9.700 3.100 4 3.400 3.200 9.300c2-1.100 6-1 6.500 3.200.4 4.500-4.500 6.500-7.700 4.300"],
  6: [12, "M8.600 2.900C5 5 2.500 9 2.300 13c-.1 3 1.400 5 3.700 5s4-1.700 4-4.200-1.600-3.900-3.600-3.900c-1.900 0-3.300 1.100-3.900 2.900"],
  7: [12, "M2 3.700c2.500.3 5.500.1 8-.5C7.500 8 5.800 12.500 5 18.100M3.400 10.700c1.700 0 3.400-.2 5.200-.7"],
  8: [12, "M9.300 5C8.500 3 4 2.300 3.300 5.300c-.6 3 6.400 4.200 6.400 8.400 0 4.800-7.600 5.300-7.700.6C1.900 10.500 9 8.500 9.500 4.600"],
  9: [12, "M9.600 6.300C9.300 3.800 7.800 3 6.200 3 3.800 3 2.200 4.900 2.300 7.100c.1 2.200 1.700 3.500 3.500 3.300 2-.2 3.500-1.800 3.800-4.100.2 4-.4 8-1.300 11.900"],
  "+": [12, "M6.200 7 5.900 15.200M2 11.300c2.600-.3 5.400-.3 8.200-.1"],
  "−": [12, "M2 11.600c2.600-.5 5.400-.5 8.200-.1"],
  "*": [9, "M4.500 3 4.400 9.200M1.800 4.400l5.400 3.400M7.200 4.300 1.700 7.900"],
  "—": [24, "M2 11.800c6-1.100 13.500-.9 20-.5"],
  "·": [8, "M4 12.500v.1"],
};

/** byHand returns a drawing of a text in handwriting, undefined if a character has no strokes here. Equal signs are
 * tilted differently. */
export function byHand(text) {
  const letters = Array.from(text);
  if (!letters.every((letter) => signs[letter])) return undefined;
  let at = 0;
  const strokes = letters.map((letter, i) => {
    const [wide, d] = signs[letter];
    const lean = ((i * 5 + wide + letters.length * 3) % 7) - 3;
    const stroke = ["path", { d, transform: `translate(${at} ${(i * 3 + letters.length) % 3 - 1}) rotate(${lean} ${wide / 2} ${height / 2})` }];
    at += wide;
    return stroke;
  });
  return svg(`0 0 ${at} ${height}`, strokes);
}
