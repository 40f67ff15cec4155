// The score of a seat, taken apart for plates: a figure and its unit, or words.

const figure = /^(?:≈ ?)?([+−-]?\d[\d.,\u00a0\u202f]*)(?:\s+([^\d(·][^(·]*))?(?:\s*\(([^)]*)\))?(?:\s*·\s*(.+))?$/;

/** signOf returns the class of an amount by its sign: "plus", "minus" or "". */
export const signOf = (amount) => (amount.startsWith("+") ? "plus" : /^[−-]/.test(amount) ? "minus" : "");

/** along returns the progress of points to the target of a race, in percent. */
export const along = (points, { target }) => `${Math.max(0, Math.min(1, points / target)) * 100}%`;

/** scoreOf returns the figure of a seat (score), its unit, the amount won, the text in brackets behind it (more),
 * and other words (doing), each "" if there is none. */
export function scoreOf({ text = "", amount = "" }) {
  const found = figure.exec(text.trim());
  if (!found) return { score: "", unit: "", amount, more: "", doing: text };
  const [, score, unit = "", more = "", rest = ""] = found;
  return { score, unit: unit.trim(), amount, more, doing: rest };
}
