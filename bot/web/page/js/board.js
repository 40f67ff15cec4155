// One message as it is shown: a board with its box, its people and its
// buttons, or a notice. It is drawn over, never rebuilt: tiles fold, and the
// focus stays on the button that stands in the same place.

import { drawDeadline } from "./deadline.js";
import { fit, make, put, unseen } from "./dom.js";
import { drawDice } from "./die.js";
import { dress } from "./icons.js";
import { createSheet, drawSheet } from "./sheet.js";
import { say } from "./words.js";

const stateOf = (message) => (message.people ?? []).map((p) => p.state);

/** running says whether somebody is to move on a board. */
function running(message) {
  return stateOf(message).includes("to-move");
}

/** over says whether a board's game has ended: its dice can be thrown again, or
 * all are out because it was ended before its time. */
export function over(message) {
  const states = stateOf(message);
  return Boolean(message.table && message.record) || (states.length > 0 && states.every((state) => state === "out"));
}

/** createBoard makes an empty message; press is called with what a pressed
 * button carries. */
export function createBoard(press) {
  const node = make("article", "card board");
  const said = make("div", "said");
  said.setAttribute("aria-live", "polite");
  said.setAttribute("aria-atomic", "true");
  const head = make("p", "head");
  head.tabIndex = -1;
  const told = make("div", "told");
  said.append(head, told);
  const parts = {
    node, head, told,
    box: createBox(),
    sheet: createSheet(),
    seats: make("ul", "seats"),
    lines: make("div", "lines"),
    deadline: make("p", "deadline"),
    picture: make("div", "picture"),
    file: make("p", "file"),
    actor: make("p", "actor"),
    buttons: make("div", "buttons"),
    guide: make("p", "guide"),
    small: make("p", "small-print"),
    more: make("p", "more"),
  };
  parts.buttons.setAttribute("role", "group");
  node.append(said, parts.box.node, parts.sheet.node, parts.seats, parts.lines, parts.deadline, parts.picture,
    parts.file, parts.guide, parts.actor, parts.buttons, parts.small, parts.more);
  node.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-press]");
    const again = event.detail > 1; // the second half of a double click meant the button before
    if (button && !again) press(button.dataset.press, node);
  });
  return { node, update: (message, who) => update(parts, message, who) };
}

/** update draws a message; who knows the visitor's own people on it. */
function update(parts, message, who) {
  const held = parts.node.contains(document.activeElement);
  const { lang } = message;
  parts.node.lang = lang;
  parts.node.dataset.accent = message.accent ?? -1;
  parts.node.classList.toggle("over", over(message));
  parts.node.classList.toggle("paper", Boolean(message.sheet));
  parts.node.classList.toggle("theirs", running(message) && who.mover === undefined);
  dress(parts.head, message.head);
  drawHeading(parts, message);
  drawBox(parts.box, message);
  drawSheet(parts.sheet, message.sheet, lang, message.lines);
  drawSeats(parts.seats, message, who);
  drawLines(parts.lines, message);
  drawDeadline(parts.deadline, message);
  drawPicture(parts.picture, message.picture);
  drawFile(parts.file, message.file, lang);
  put(parts.actor, who.actor && message.buttons?.length ? say("act-for", { name: who.actor }, lang) : "");
  drawButtons(parts.buttons, message);
  dress(parts.guide, message.guide ?? "");
  dress(parts.small, message.small ?? "");
  drawMore(parts.more, message);
  if (held && !parts.node.contains(document.activeElement)) {
    (parts.buttons.querySelector("button") ?? parts.head).focus({ preventScroll: true });
  }
}

/** drawHeading marks a board's first sentence as its heading, and draws below it
 * what else has happened. */
function drawHeading({ head, told }, message) {
  if (message.table) {
    head.setAttribute("role", "heading");
    head.ariaLevel = "2";
  } else {
    head.removeAttribute("role");
    head.ariaLevel = null;
  }
  const lines = message.told ?? [];
  told.hidden = lines.length === 0;
  fit(told, lines.length, () => make("p")).forEach((line, i) => dress(line, lines[i]));
}

function createBox() {
  const node = make("div", "box");
  const lid = make("div", "lid");
  const above = createRail("above");
  const below = createRail("below");
  const felt = make("div", "felt");
  const dice = make("ul", "dice");
  felt.append(dice);
  node.append(lid, above.node, felt, below.node);
  return { node, lid, rails: [above, below], felt, dice };
}

function createRail(where) {
  const node = make("div", `rail ${where}`);
  const plate = make("div", "plate");
  const owner = make("span", "owner");
  owner.dir = "auto";
  plate.append(owner);
  const tiles = make("ul", "tiles");
  node.append(plate, tiles);
  return { node, plate, owner, tiles };
}

/** drawBox shows tiles and dice; the closed box of a table that has neither;
 * nothing where a message is no board. */
function drawBox(box, message) {
  const rows = message.tiles ?? [];
  const ended = rows.find((row) => row.dice?.length > 0); // it lies there until the next throw
  const dice = message.dice?.length > 0 ? message.dice : ended?.dice ?? [];
  const theirs = dice === ended?.dice && ended?.owner;
  const empty = rows.length === 0 && dice.length === 0;
  box.node.hidden = empty && !message.table;
  box.lid.hidden = !empty;
  box.felt.hidden = empty;
  box.rails.forEach((rail, i) => {
    rail.node.hidden = !rows[i];
    if (rows[i]) drawRail(rail, rows[i], message.lang);
  });
  const whose = theirs ? say("dice-of", { name: theirs }, message.lang) : say("dice", {}, message.lang);
  box.dice.setAttribute("aria-label", whose);
  drawDice(box.dice, dice, message.lang);
}

/** sample makes a box for a page that has no board yet. */
export function sample(message) {
  const box = createBox();
  drawBox(box, message);
  return box.node;
}

function drawRail(rail, row, lang) {
  put(rail.owner, row.owner ?? "");
  rail.plate.hidden = !row.owner;
  const label = row.owner ? say("tiles-of", { name: row.owner }, lang) : say("tiles", {}, lang);
  rail.tiles.setAttribute("aria-label", label);
  const count = row.tiles?.length ?? 0;
  rail.tiles.hidden = count === 0;
  rail.tiles.style.setProperty("--columns", count > 12 ? Math.ceil(count / 2) : count);
  rail.tiles.classList.toggle("many", count > 10);
  fit(rail.tiles, count, createTile).forEach((item, i) => drawTile(item, row.tiles[i], lang));
}

function createTile() {
  const item = make("li", "tile");
  const slot = make("span", "slot");
  const flap = make("span", "flap");
  slot.ariaHidden = flap.ariaHidden = "true";
  item.append(unseen(""), slot, flap);
  return item;
}

function drawTile(item, tile, lang) {
  const state = tile.picked ? "picked" : tile.open ? "open" : "shut";
  const [text, slot, flap] = item.children;
  put(text, say(`tile-${state}`, { number: tile.number }, lang));
  put(slot, String(tile.number));
  put(flap, String(tile.number));
  item.dataset.state = state;
}

function drawSeats(list, message, who) {
  const people = message.people ?? [];
  list.hidden = people.length === 0;
  list.setAttribute("aria-label", say("seats", {}, message.lang));
  const mixed = people.some((p) => !p.house && who.mine[p.seat] === undefined);
  fit(list, people.length, createSeat).forEach((item, i) => {
    const p = people[i];
    const [name, text, badge, note] = item.children;
    item.dataset.state = p.state ?? "";
    item.dataset.seat = p.seat % 10;
    item.classList.toggle("house", Boolean(p.house));
    put(name, p.name);
    const marks = { "to-move": "▸ ", won: "★ ", out: "✕ " };
    put(badge, marks[p.state] ? marks[p.state] + say(`seat-${p.state}`, {}, message.lang) : "");
    put(text, p.text ?? "");
    put(note, mixed && who.mine[p.seat] !== undefined ? say("mine", {}, message.lang) : "");
  });
}

function createSeat() {
  const item = make("li", "seat");
  const name = make("span", "name");
  name.dir = "auto";
  item.append(name, make("span", "text"), make("span", "badge"), make("span", "note"));
  return item;
}

/** drawLines draws further lines, below those with a text that people copy. */
function drawLines(node, message) {
  const exact = message.exact ?? [];
  const lines = message.lines ?? [];
  node.hidden = exact.length + lines.length === 0;
  const copied = node.querySelectorAll("code").length;
  if (copied !== exact.length) node.replaceChildren();
  fit(node, exact.length + lines.length, (i) => (i < exact.length ? createExact() : make("p"))).forEach((p, i) => {
    if (i < exact.length) drawExact(p, exact[i]);
    else dress(p, lines[i - exact.length]);
  });
}

function createExact() {
  const p = make("p");
  const code = make("code");
  code.dir = "auto";
  p.append(make("span"), code, make("span"));
  return p;
}

function drawExact(p, exact) {
  [exact.before, exact.text, exact.after].forEach((text, i) => put(p.children[i], text));
}

/** drawPicture shows a picture in a place of its size: it is there at once. */
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

/** drawFile shows a link by which a file can be kept. */
function drawFile(frame, file, lang) {
  frame.hidden = !file;
  const [link] = fit(frame, file ? 1 : 0, () => make("a", "button"));
  if (!link || link.download === file.name) return;
  const bytes = Uint8Array.from(atob(file.bytes), (letter) => letter.charCodeAt(0));
  link.href = URL.createObjectURL(new Blob([bytes], { type: file.type }));
  link.download = file.name;
  put(link, say("save-file", { name: file.name }, lang));
}

/** sizeOf reads how large a PNG is: its head begins with both, four bytes each. */
function sizeOf(png) {
  const head = Array.from(atob(png.slice(0, 32)), (letter) => letter.charCodeAt(0));
  const number = (at) => head.slice(at, at + 4).reduce((n, byte) => n * 256 + byte, 0);
  return [number(16), number(20)];
}

/** drawButtons shows the buttons, but for those that only say again what a die
 * on the board can be pressed for. */
function drawButtons(group, message) {
  const onDice = new Set((message.dice ?? []).map((die) => die.press));
  const rows = (message.buttons ?? []).map((row) => row.filter(({ press }) => !onDice.has(press)))
    .filter((row) => row.length);
  group.hidden = rows.length === 0;
  group.setAttribute("aria-label", say("buttons-of", {}, message.lang));
  fit(group, rows.length, () => make("div", "row")).forEach((row, i) => {
    row.classList.toggle("slim", rows[i].length > 4 && rows[i].every(({ label }) => label.length < 6));
    fit(row, rows[i].length, createButton).forEach((button, j) => {
      const { label, press, style } = rows[i][j];
      dress(button, label);
      button.dataset.press = press;
      button.className = style || "plain";
    });
  });
}

function createButton() {
  const button = make("button");
  button.type = "button";
  return button;
}

function drawMore(node, message) {
  const table = message.record;
  node.hidden = !table;
  if (!table) return;
  const [link] = fit(node, 1, () => make("a"));
  link.href = `/fair?table=${table}`;
  put(link, say("check-dice", {}, message.lang));
}
