// Where things stand on a chart, and how its numbers are spelled.

/** scale chooses round values for the edges of an axis, and for the lines between them. */
export function scale(low, high) {
  const top = high - low < 1 ? low + 1 : high;
  const rough = (top - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * 0.999), 1);
  return { low: Math.floor(low / step) * step, high: Math.ceil(top / step) * step, step };
}

/** plain spells numbers as people of a language do: "−20", "1.5". */
export function plain(lang) {
  const format = new Intl.NumberFormat(lang || "en", { maximumFractionDigits: 1, useGrouping: false });
  return (value) => format.format(Math.abs(value) < 0.05 ? 0 : value).replace("-", "−");
}

/** spread chooses of so many places every step-th from the last on. */
export function spread(count, step) {
  const all = [];
  for (let i = count - 1; i >= 0; i -= Math.max(step, 1)) all.unshift(i);
  return all;
}

/** apart moves heights away from each other, as little as needed, within bounds. */
export function apart(heights, least, top, bottom) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((at, i) => {
    placed[at] = Math.max(placed[at], top + i * least, i ? placed[order[i - 1]] + least : -Infinity);
  });
  for (let i = order.length - 1; i >= 0; i--) {
    const below = i < order.length - 1 ? placed[order[i + 1]] - least : Infinity;
    placed[order[i]] = Math.min(placed[order[i]], bottom - (order.length - 1 - i) * least, below);
  }
  return placed;
}

/** shorten cuts a text to a width; an ellipsis shows it. */
export function shorten(text, most, wide) {
  if (wide(text) <= most) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && wide(`${letters.join("")}…`) > most) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
