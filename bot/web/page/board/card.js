// An answer or a notice as a card: sentences, tables, a picture, a box, and buttons. It is updated in place and never
// rebuilt: so tiles fold with an animation, and the focus stays on the button in the same place.

import { createBar, drawBar, mainOf, plays } from "./bar.js";
import { createBox, drawBox } from "./box.js";
import { drawLines } from "./lines.js";
import { Choice, touch } from "./pick.js";
import { createSheet, drawRace, drawSheet } from "./sheet.js";
import { fit, make, put } from "../js/dom.js";
import { dress } from "../js/icons.js";
import { announce } from "../js/live.js";
import { path } from "../js/net.js";
import { say } from "../js/words.js";

/** createCard creates the card of a message, still empty. press(what, node) is called for a pressed button, with the
 * text that the button sends and the card's element. */
export function createCard(press) {
  const node = make("article", "card");
  const said = make("div", "said");
  const head = make("p", "head");
  head.tabIndex = -1;
  const told = make("div", "told");
  said.append(head, told);
  const parts = { node, head, told, box: createBox(), sheet: createSheet(), seats: make("ul", "seats"),
    lines: make("div", "lines"), picture: make("div", "picture"), file: make("p", "file"), bar: createBar(),
    guide: make("p", "guide"), small: make("p", "small-print"), more: make("p", "record") };
  parts.box.foot.hidden = true;
  parts.choice = new Choice((what) => press(what, node), () => drawChoice(parts));
  node.append(said, parts.box.node, parts.sheet.node, parts.seats, parts.lines, parts.picture, parts.file, parts.guide,
    parts.bar.node, parts.small, parts.more);
  node.addEventListener("click", (event) => touch(parts, event, press));
  return { node, head, choice: parts.choice, bar: parts.bar, update: (message) => update(parts, message) };
}

/** update draws a message. */
function update(parts, message) {
  const held = parts.node.contains(document.activeElement);
  const headed = document.activeElement === parts.head; // screen readers do not read its changes
  const waits = held && document.activeElement === parts.wait; // an earlier update has moved the focus there
  const { lang } = message;
  parts.node.lang = lang;
  parts.choice.take(message);
  parts.message = message;
  dress(parts.head, message.head);
  drawTold(parts.told, message);
  drawSeats(parts.seats, message);
  drawLines(parts.lines, message, parts.head);
  drawPicture(parts.picture, message.picture);
  drawFile(parts.file, message.file, lang);
  drawChoice(parts);
  dress(parts.guide, message.guide ?? "");
  dress(parts.small, message.small ?? "");
  drawRecord(parts.more, message);
  if (waits && plays(mainOf(parts.bar))) mainOf(parts.bar).focus({ preventScroll: true });
  if (held && !parts.node.contains(document.activeElement)) {
    parts.wait = mainOf(parts.bar) ?? parts.bar.node.querySelector("button") ?? parts.head;
    parts.wait.focus({ preventScroll: true });
  }
  const said = [message.head, ...message.told ?? []].join(" ");
  const read = document.activeElement === parts.head && !headed;
  if (parts.said && parts.said !== said && !read) announce(said, lang);
  parts.said = said;
}

/** drawChoice draws the parts that depend on the current choice: box, sheet and buttons. */
function drawChoice({ box, sheet, bar, choice, message }) {
  box.node.hidden = !drawBox(box, message, choice);
  drawRace(box, message, choice);
  drawSheet(sheet, message, choice);
  drawBar(bar, message, choice);
}

/** drawTold draws the sentences below the headline. */
function drawTold(told, { told: lines = [] }) {
  told.hidden = lines.length === 0;
  fit(told, lines.length, () => make("p")).forEach((line, i) => dress(line, lines[i]));
}

/** drawSeats draws the players of a message, one line each. */
function drawSeats(list, message) {
  const people = message.people ?? [];
  const ended = people.every(({ state }) => state === "out"); // the game was ended early: no seat is shown as out
  list.hidden = people.length === 0;
  list.ariaLabel = say("seats", {}, message.lang);
  fit(list, people.length, createSeat).forEach((item, i) => {
    const { seat, name: called, text = "", state = "" } = people[i];
    const [name, score, badge] = item.children;
    const marks = { "to-move": "▸ ", won: "★ ", out: "✕ " };
    const mark = ended || people.length === 1 && state === "won" ? "" : marks[state] ?? "";
    item.dataset.seat = seat % 10;
    item.dataset.state = mark ? state : "";
    put(name, called);
    put(score, text);
    put(badge, mark ? mark + say(`seat-${state}`, {}, message.lang) : "");
  });
}

function createSeat() {
  const item = make("li", "seat");
  const name = make("span", "name");
  name.dir = "auto";
  item.append(name, make("span", "text"), make("span", "badge"));
  return item;
}

/** drawPicture shows a picture, or hides frame if there is none. It sets the size at once, so that nothing moves. */
function drawPicture(frame, picture) {
  frame.hidden = !picture?.png;
  const [image] = fit(frame, frame.hidden ? 0 : 1, () => make("img"));
  if (!image) return;
  image.alt = picture.alt;
  const [width, height] = sizeOf(picture.png);
  image.width = width;
  image.height = height;
  const source = `data:image/png;base64,${picture.png}`;
  if (image.src !== source) image.src = source;
}

/** drawFile shows a link that saves a file, or hides frame if there is none. */
function drawFile(frame, file, lang) {
  frame.hidden = !file;
  const [link] = fit(frame, file ? 1 : 0, () => make("a", "secondary"));
  if (!link || link.download === file.name) return;
  const bytes = Uint8Array.from(atob(file.bytes), (letter) => letter.charCodeAt(0));
  link.href = URL.createObjectURL(new Blob([bytes], { type: file.type }));
  link.download = file.name;
  put(link, say("save-file", { name: file.name }, lang));
}

/** sizeOf returns the width and height of a PNG (base64), from its header: two numbers of four bytes. */
function sizeOf(png) {
  const head = Array.from(atob(png.slice(0, 32)), (letter) => letter.charCodeAt(0));
  const number = (at) => head.slice(at, at + 4).reduce((n, byte) => n * 256 + byte, 0);
  return [number(16), number(20)];
}

/** drawRecord shows the link that checks the dice of a finished game, if the message has one. */
function drawRecord(node, { record, lang }) {
  const [link] = fit(node, record ? 1 : 0, () => make("a"));
  node.hidden = !record;
  if (!link) return;
  link.href = path(`/fair?table=${record}`);
  put(link, say("check-dice", {}, lang));
}
