// The graph of a review: the expected result of each seat before the first move, and after each.

import { make, put, svg } from "../js/dom.js";
import { say } from "../js/words.js";

const wide = 1000, high = 100; // of the drawing, which is stretched to its place

/** createGraph creates an empty graph. go(move) is called with the number of moves at the place of a click. */
export function createGraph(go) {
  const node = make("figure", "graph");
  const place = make("div", "lines-of");
  const now = make("i", "now");
  const spot = make("i", "spot");
  const labels = make("figcaption");
  labels.append(make("span", "num"), make("span", "num"));
  labels.ariaHidden = "true";
  node.append(place, now, spot, labels);
  const graph = { node, place, now, spot, labels, last: 0 };
  node.addEventListener("click", ({ clientX }) => {
    const { left, width } = place.getBoundingClientRect();
    go(Math.round((clientX - left) / width * graph.last));
  });
  return graph;
}

/** drawGraph draws the graph of a review, or hides it if there is none. */
export function drawGraph(graph, { ready, series, seats, moves, unit }) {
  const all = series.flatMap(({ values }) => values);
  graph.node.hidden = !ready || all.length === 0;
  graph.series = [];
  if (graph.node.hidden) return;
  let [low, top] = [Math.min(...all), Math.max(...all)];
  const zero = low < top - low; // else all is far above zero
  if (zero) [low, top] = [Math.min(low, 0), Math.max(top, 0)];
  const last = series[0].values.length - 1;
  const over = top - low || 1;
  const up = (value) => (top - value) / over;
  Object.assign(graph, { last, up, series });
  const y = (value) => (up(value) * high).toFixed(1);
  const x = (move) => (move / Math.max(last, 1) * wide).toFixed(1);
  const seatOf = (seat) => seats.find((one) => one.seat === seat);
  const house = (seat) => Boolean(seatOf(seat)?.house);
  const order = [...series].sort((a, b) => house(b.seat) - house(a.seat)); // people above computers
  const turns = moves.filter(({ begins, before }) => begins && before > 1).map(({ before }) => x(before - 1));
  const drawing = svg(`0 0 ${wide} ${high}`, [
    ...turns.length < 25 ? turns.map((at) => ["path", { d: `M${at} 0V${high}` }]) : [],
    ...zero ? [["path", { d: `M0 ${y(0)}H${wide}`, class: "zero" }]] : [],
    ...order.map(({ seat, values }) => ["path", { "data-seat": seat % 10, class: house(seat) ? "line house" : "line",
      d: `M${values.map((value, i) => `${x(i)} ${y(value)}`).join("L")}` }]),
  ]);
  drawing.setAttribute("preserveAspectRatio", "none");
  drawing.setAttribute("role", "img");
  drawing.removeAttribute("aria-hidden");
  const ways = series.map(({ seat, values }) =>
    `${seatOf(seat)?.name}: ${asText(values[0])} → ${asText(values.at(-1))}`);
  drawing.setAttribute("aria-label", [say("review-graph", { unit }), ...ways].join(". "));
  graph.place.replaceChildren(drawing);
  put(graph.labels.firstChild, asText(top));
  put(graph.labels.lastChild, asText(low));
}

/** markGraph marks a move, which may be undefined. */
export function markGraph({ node, now, spot, last, up, series }, move) {
  const values = series.find(({ seat }) => seat === move?.seat)?.values;
  now.hidden = spot.hidden = !values;
  if (!values) return;
  node.style.setProperty("--at", move.move / Math.max(last, 1));
  node.style.setProperty("--up", up(values[move.move]));
  spot.dataset.seat = move.seat % 10;
}

/** asText returns a number with its sign. */
function asText(value) {
  const { lang } = document.documentElement;
  return value.toLocaleString(lang, { maximumFractionDigits: 1, signDisplay: "exceptZero" }).replace("-", "−");
}
