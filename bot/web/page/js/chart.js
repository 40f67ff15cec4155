// Charts: drawn from their numbers in the colours and letters of the page, and
// told as a table besides. They are drawn anew where the width changes.

import { make, put } from "./dom.js";
import { apart, plain, scale, shorten, spread } from "./scale.js";
import { createTable, drawTable } from "./table.js";
import { say } from "./words.js";

const space = "http://www.w3.org/2000/svg";

/** furnish puts into a frame what a chart needs, once. */
function furnish(node) {
  if (node.firstElementChild) return;
  const paper = make("div", "paper-of-chart");
  const numbers = make("details");
  numbers.append(make("summary"), createTable());
  node.append(paper, numbers);
  new ResizeObserver(() => draw(node)).observe(paper);
}

/** drawChart shows a picture that is a chart, or puts the chart away. */
export function drawChart(node, picture, lang) {
  node.hidden = !picture?.chart;
  if (node.hidden) return;
  furnish(node);
  node.shows = picture;
  node.drawn = 0;
  const [summary, table] = node.lastElementChild.children;
  put(summary, say("chart-numbers", {}, lang));
  const { bars, below, labels, series } = picture.chart;
  const spell = plain(lang);
  drawTable(table, {
    head: [below, ...series.map(({ name }) => name)],
    rows: labels.map((label, i) => [label, ...series.map(({ values }) => spell(values[i]))]),
  }, summary);
  node.classList.toggle("bars", Boolean(bars));
  node.lang = lang;
  draw(node);
}

/** draw draws it as wide as it may be. */
function draw(node) {
  const paper = node.firstElementChild;
  const width = Math.floor(paper.clientWidth);
  if (!node.shows || width < 100 || node.drawn === width) return;
  node.drawn = width;
  const { alt, chart } = node.shows;
  const style = getComputedStyle(paper);
  const size = parseFloat(style.fontSize);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${size}px ${style.fontFamily}`;
  const names = (chart.series.length * 1.35 + 6) * size; // room for all of them below each other
  const height = Math.round(Math.max(Math.min(Math.max(width * 0.6, 220), 380), chart.bars ? 0 : names));
  const root = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  const title = shape("title", {}, alt);
  root.append(title);
  const sheet = { root, width, height, size, wide: (text) => pen.measureText(text).width, spell: plain(node.lang) };
  if (chart.bars) drawBars(sheet, chart);
  else drawLines(sheet, chart);
  paper.replaceChildren(root);
}

function shape(name, attributes, text) {
  const node = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
}

function write({ root }, x, y, text, anchor = "start", name = "") {
  root.append(shape("text", { x, y, "text-anchor": anchor, ...(name && { class: name }) }, text));
}

/** drawAxis rules the grid and writes what its lines stand for, and what is counted. */
function drawAxis(sheet, { low, high, step }, left, right, y) {
  for (let value = low; value <= high + step / 2; value += step) {
    const kind = Math.abs(value) < step / 2 ? "rule zero" : "rule";
    sheet.root.append(shape("path", { class: kind, d: `M${left} ${y(value)}H${right}` }));
    write(sheet, left - 6, y(value) + sheet.size * 0.35, sheet.spell(value), "end", "tick");
  }
}

/** drawBelow writes what stands below the horizontal axis: as many labels as have room. */
function drawBelow(sheet, { labels, below }, at, y) {
  const widest = Math.max(...labels.map(sheet.wide)) + sheet.size;
  const room = labels.length > 1 ? at(1) - at(0) : widest;
  for (const i of spread(labels.length, Math.ceil(widest / room))) {
    const half = sheet.wide(labels[i]) / 2;
    const x = Math.min(Math.max(at(i), half), sheet.width - half);
    write(sheet, x, y + sheet.size * 1.4, labels[i], "middle", "tick");
  }
  write(sheet, (at(0) + at(labels.length - 1)) / 2, y + sheet.size * 2.8, below, "middle", "tick");
}

function drawLines(sheet, chart) {
  const { size, width, height } = sheet;
  const all = chart.series.flatMap(({ values }) => values);
  const axis = scale(Math.min(0, ...all), Math.max(0, ...all));
  const left = Math.max(sheet.wide(sheet.spell(axis.low)), sheet.wide(sheet.spell(axis.high))) + 8;
  const names = chart.series.map(({ name, last }) => `${shorten(name, width * 0.27, sheet.wide)} ${last ?? ""}`.trim());
  const right = width - Math.max(...names.map(sheet.wide)) - size * 2;
  const [top, bottom] = [size * 2, height - size * 3.2];
  const y = (value) => bottom - (value - axis.low) / (axis.high - axis.low) * (bottom - top);
  const x = (i) => left + i / Math.max(chart.labels.length - 1, 1) * (right - left);
  drawAxis(sheet, axis, left, right, y);
  write(sheet, 0, size, chart.unit, "start", "tick");
  drawBelow(sheet, chart, x, bottom);
  const ends = chart.series.map(({ values }) => y(values.at(-1) ?? 0));
  const places = apart(ends, size * 1.35, top, bottom);
  chart.series.forEach(({ seat, values }, i) => {
    const line = shape("g", { class: "series", "data-seat": seat % 10 });
    line.append(shape("path", { d: values.map((v, k) => `${k ? "L" : "M"}${x(k)} ${y(v)}`).join("") }));
    if (values.length <= 16) line.append(...values.map((v, k) => shape("circle", { cx: x(k), cy: y(v), r: 3 })));
    line.append(shape("path", { class: "lead", d: `M${right + 4} ${ends[i]}L${right + size * 1.4} ${places[i]}` }));
    sheet.root.append(line);
    write(sheet, right + size * 1.7, places[i] + size * 0.35, names[i], "start", "name");
  });
}

function drawBars(sheet, chart) {
  const { size, width, height } = sheet;
  const { values } = chart.series[0];
  const each = width / values.length;
  const [top, bottom] = [size * 1.6, height - size * 3.2];
  const most = Math.max(1, ...values);
  const middle = (i) => (i + 0.5) * each;
  const bar = Math.min(each * 0.78, 64);
  values.forEach((value, i) => {
    const tall = value / most * (bottom - top);
    sheet.root.append(shape("rect", { class: "bar", x: middle(i) - bar / 2, y: bottom - tall, width: bar, height: tall }));
    if (value > 0) write(sheet, middle(i), bottom - tall - 5, sheet.spell(value), "middle", "name");
  });
  sheet.root.append(shape("path", { class: "rule zero", d: `M0 ${bottom}H${width}` }));
  drawBelow(sheet, chart, middle, bottom);
}
