// One message on the page: a board with its box, people and buttons, or a notice. It is updated in place and never
// rebuilt: so tiles fold with an animation, and the focus stays on the button in the same place.

import { createBar, drawBar, mainOf, plays } from "./bar.js";
import { drawDeadline } from "./deadline.js";
import { drawDice } from "./die.js";
import { fit, make, put, unseen } from "./dom.js";
import { createEnding, drawEnding } from "./ending.js";
import { dress } from "./icons.js";
import { drawLines } from "./lines.js";
import { announce } from "./live.js";
import { path } from "./net.js";
import { Choice, tileItem } from "./pick.js";
import { createSheet, drawSheet } from "./sheet.js";
import { say } from "./words.js";

const stateOf = (message) => (message.people ?? []).map((p) => p.state);

/** running reports whether it is someone's turn on a board. */
function running(message) {
  return stateOf(message).includes("to-move");
}

/** playing reports whether the game at a table is running. It is false for puzzles. */
export function playing(message) {
  return Boolean(message.table) && running(message);
}

/** over reports whether a board's game has ended: it has a record or, if it was ended early, all seats are out. */
export function over(message) {
  const states = stateOf(message);
  return Boolean(message.table && message.record) || (states.length > 0 && states.every((state) => state === "out"));
}

/** createBoard creates the board of a message, still empty. press(what, node) is called for a pressed button, with the
 * text that the button sends and the board's element. */
export function createBoard(press) {
  const node = make("article", "card board");
  const said = make("div", "said");
  const head = make("p", "head");
  head.tabIndex = -1;
  const told = make("div", "told");
  said.append(head, told);
  const parts = {
    node, head, told,
    game: make("div", "game"),
    box: createBox(),
    sheet: createSheet(),
    seats: make("ul", "seats"),
    lines: make("div", "lines"),
    deadline: make("p", "deadline"),
    picture: make("div", "picture"),
    file: make("p", "file"),
    bar: createBar(),
    guide: make("p", "guide"),
    small: make("p", "small-print"),
    more: make("p", "more"),
  };
  parts.more.append(make("span"), make("span"));
  parts.ending = createEnding(() => parts.message);
  parts.bar.buttons.after(parts.ending.node);
  parts.choice = new Choice((what) => press(what, node), () => drawChoice(parts));
  parts.game.append(said, parts.box.node, parts.sheet.node, parts.seats, parts.lines,
    parts.deadline, parts.picture, parts.file, parts.guide);
  node.append(parts.game, parts.bar.node, parts.small, parts.more);
  node.addEventListener("click", (event) => touch(parts, event, press));
  return { node, head, choice: parts.choice, bar: parts.bar, update: (message, who) => update(parts, message, who) };
}

/** touch carries out a click on a button, a tile, a die or a cell. */
function touch({ node, choice, sheet }, event, press) {
  const button = event.target.closest("button");
  if (!button || !node.contains(button)) return;
  const { press: what, item } = button.dataset;
  if (item !== undefined) choice.toggle(Number(item));
  else if (sheet.cells.has(button)) choice.mark(sheet.cells.get(button));
  else if (button.classList.contains("clear")) choice.clear();
  else if (what && event.detail < 2) press(what, node); // not for the second half of a double click
}

/** update draws a message. who describes the visitor's people on it: see whoIsOn in room.js. */
function update(parts, message, who) {
  const held = parts.node.contains(document.activeElement);
  const headed = document.activeElement === parts.head; // screen readers do not read its changes
  const waits = held && document.activeElement === parts.wait; // an earlier update has moved the focus there
  const { lang } = message;
  parts.node.lang = lang;
  parts.node.dataset.accent = message.accent ?? -1;
  if (message.table) parts.node.dataset.table = message.table;
  else delete parts.node.dataset.table;
  parts.node.classList.toggle("over", over(message));
  if (!over(message)) parts.node.classList.remove("crowned");
  parts.node.classList.toggle("paper", Boolean(message.sheet));
  parts.node.classList.toggle("theirs", running(message) && who.mover === undefined);
  parts.choice.take(message);
  Object.assign(parts, { message, who });
  dress(parts.head, message.head);
  drawHeading(parts, message);
  drawSeats(parts.seats, message, who);
  drawLines(parts.lines, message, parts.head);
  drawDeadline(parts.deadline, message);
  drawPicture(parts.picture, message.picture);
  drawFile(parts.file, message.file, lang);
  drawChoice(parts);
  dress(parts.guide, message.guide ?? "");
  dress(parts.small, message.small ?? "");
  drawMore(parts.more, message);
  if (waits && plays(mainOf(parts.bar))) mainOf(parts.bar).focus({ preventScroll: true });
  if (held && !parts.node.contains(document.activeElement)) {
    parts.wait = mainOf(parts.bar) ?? parts.bar.node.querySelector("button") ?? parts.head;
    parts.wait.focus({ preventScroll: true });
  }
  tell(parts, message, document.activeElement === parts.head && !headed);
}

/** tell announces changed sentences of a board, unless the focus makes screen readers read them (read), the next update
 * repeats them (unheard), or a replay shows them. */
function tell(parts, { head, told = [], lang, unheard }, read) {
  const said = [head, ...told].join(" ");
  if (parts.said && parts.said !== said && !read && !unheard && !parts.node.closest(".playing")) announce(said, lang);
  parts.said = said;
  tellSeats(parts);
}

/** tellSeats announces that others have joined a table whose game has not begun. */
function tellSeats(parts) {
  const { message: { live, people = [], lang }, who } = parts;
  const sits = live && !running(parts.message) ? people.filter(({ house }) => !house) : [];
  const fresh = sits.filter(({ seat, name }) => who.mine[seat] === undefined && !parts.seated?.includes(name));
  if (parts.seated && fresh.length) announce(fresh.map(({ name }) => say("sits-down", { name }, lang)).join(" "), lang);
  parts.seated = sits.map(({ name }) => name);
}

/** drawChoice draws the parts that depend on the current choice: box, sheet and buttons. */
function drawChoice({ box, sheet, bar, ending, choice, message, who }) {
  drawBox(box, message, choice);
  drawSheet(sheet, message, choice);
  drawBar(bar, message, choice, who.actor);
  drawEnding(ending, message);
  if (!ending.node.hidden) bar.node.hidden = false;
}

/** drawHeading makes the headline of a board a heading, and draws the further sentences below it. */
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
  const whose = make("p", "whose");
  whose.ariaHidden = "true"; // the label of the dice says the same
  const dice = make("ul", "dice");
  felt.append(whose, dice);
  node.append(lid, above.node, felt, below.node);
  return { node, lid, rails: [above, below], felt, whose, dice };
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

/** drawBox draws tiles and dice, and marks the chosen ones. A table without either, before its game, gets a closed box;
 * other messages get no box. choice may be undefined. */
function drawBox(box, message, choice) {
  const rows = message.tiles ?? [];
  const ended = rows.find((row) => row.dice?.length > 0); // with the last roll, until the next one
  const dice = message.dice?.length > 0 ? message.dice : ended?.dice ?? [];
  const theirs = dice === ended?.dice ? ended.whose ?? ended.owner : moverOf(message);
  const empty = rows.length === 0 && dice.length === 0;
  box.node.hidden = empty && (!message.table || over(message));
  box.lid.hidden = !empty;
  box.felt.hidden = empty;
  box.rails.forEach((rail, i) => {
    rail.node.hidden = !rows[i];
    if (rows[i]) drawRail(rail, rows[i], message.lang, choice, i);
  });
  const whose = theirs ? say("dice-of", { name: theirs }, message.lang) : say("dice", {}, message.lang);
  box.whose.hidden = dice.length === 0 || !theirs || (message.people?.length ?? 0) < 2;
  put(box.whose, box.whose.hidden ? "" : say("throw-of", { name: theirs }, message.lang));
  box.dice.setAttribute("aria-label", whose);
  const picks = message.pick?.kind === "dice" && dice === message.dice;
  drawDice(box.dice, picks ? dice.map((die, i) => pickable(die, i, choice)) : dice, message.lang);
}

/** pickable returns die number i as it looks while a person chooses the dice to keep. */
function pickable(die, i, choice) {
  const picks = choice.touches(i);
  return { ...die, picks, press: undefined, kept: picks ? choice.has(i) : die.kept };
}

/** moverOf returns the name of the person whose turn it is, undefined if there is none. */
function moverOf(message) {
  return message.people?.find((person) => person.state === "to-move")?.name;
}

/** sample returns the element of a drawn box, for a page that has no board yet. */
export function sample(message) {
  const box = createBox();
  drawBox(box, message);
  return box.node;
}

/** drawRail draws a row of tiles. where is the number of the row. */
function drawRail(rail, row, lang, choice, where) {
  put(rail.owner, row.owner ?? "");
  rail.plate.hidden = !row.owner;
  const label = row.owner ? say("tiles-of", { name: row.owner }, lang) : say("tiles", {}, lang);
  rail.tiles.setAttribute("aria-label", label);
  const count = row.tiles?.length ?? 0;
  rail.tiles.hidden = count === 0;
  rail.tiles.style.setProperty("--columns", count > 12 ? Math.ceil(count / 2) : count);
  rail.tiles.style.setProperty("--narrow", Math.ceil(count / Math.ceil(count / 8))); // columns in a narrow window
  rail.tiles.classList.toggle("many", count > 10);
  rail.tiles.classList.toggle("rows", count > 12);
  fit(rail.tiles, count, createTile).forEach((item, i) => {
    const touched = tileItem(row.tiles[i].number, where);
    drawTile(item, row.tiles[i], lang, choice?.pick?.kind === "tiles" && choice, touched);
  });
}

/** createTile creates an empty tile; drawTile fills it. */
function createTile() {
  const item = make("li", "tile");
  const slot = make("span", "slot");
  const flap = make("span", "flap");
  slot.ariaHidden = flap.ariaHidden = "true";
  item.append(unseen(""), slot, flap);
  return item;
}

/** drawTile draws a tile. choice is false if no tiles can be chosen; touched is the tile's item in choice. */
function drawTile(item, tile, lang, choice, touched) {
  const touches = choice && (tile.open || choice.touches(touched));
  const chosen = touches ? choice.has(touched) : tile.picked;
  const state = chosen ? "picked" : tile.open ? "open" : "shut";
  const [text, slot, flap] = item.children;
  put(text, touches ? "" : say(`tile-${state}`, { number: tile.number }, lang));
  put(slot, String(tile.number));
  put(flap, String(tile.number));
  item.dataset.state = state;
  item.classList.toggle("fits", Boolean(touches && !chosen && choice.fits(touched)));
  drawTouch(item, touches && { tile, chosen, fits: choice.fits(touched), touched, lang });
}

/** drawTouch puts a button over a tile that can be chosen. If touch is false, it removes the button. */
function drawTouch(item, touch) {
  if (!touch) return item.children[3]?.remove();
  const { tile, chosen, fits, touched, lang } = touch;
  const button = item.children[3] ?? item.appendChild(make("button", "touch"));
  button.type = "button";
  button.dataset.item = touched;
  button.ariaPressed = String(chosen);
  const state = say(tile.open ? "touch-open" : "touch-shut", {}, lang);
  button.ariaLabel = say(chosen || fits ? "touch-fits" : "touch-unfit", { number: tile.number, state }, lang);
  return undefined;
}

function drawSeats(list, message, who) {
  const people = message.people ?? [];
  list.hidden = people.length === 0;
  list.setAttribute("aria-label", say("seats", {}, message.lang));
  const ended = people.every((p) => p.state === "out"); // the game was ended early: no seat is shown as out
  const mixed = people.some((p) => !p.house && who.mine[p.seat] === undefined);
  fit(list, people.length, createSeat).forEach((item, i) => {
    const p = people[i];
    const [name, text, badge, note] = item.children;
    const state = ended || people.length === 1 && p.state === "won" ? "" : p.state ?? "";
    item.dataset.state = state;
    item.dataset.seat = p.seat % 10;
    item.classList.toggle("house", Boolean(p.house));
    put(name, p.name);
    const marks = { "to-move": "▸ ", won: "★ ", out: "✕ " };
    put(badge, marks[state] ? marks[state] + say(`seat-${state}`, {}, message.lang) : "");
    put(text, p.text ?? "");
    put(note, mixed && who.mine[p.seat] !== undefined ? say(who.several ? "mine" : "you", {}, message.lang) : "");
  });
}

function createSeat() {
  const item = make("li", "seat");
  const name = make("span", "name");
  name.dir = "auto";
  item.append(name, make("span", "text"), make("span", "badge"), make("span", "note"));
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
  const [link] = fit(frame, file ? 1 : 0, () => make("a", "button"));
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

/** drawMore shows what is rarely needed: the link that checks the dice of a finished game (record is its table), and
 * the button that ends a running one (ends is its press). */
function drawMore(node, { record, ends, lang }) {
  node.hidden = !record && !ends;
  const [link] = fit(node.firstElementChild, record ? 1 : 0, () => make("a"));
  const [end] = fit(node.lastElementChild, ends ? 1 : 0, () => make("button", "small"));
  if (link) {
    link.href = path(`/fair?table=${record}`);
    put(link, say("check-dice", {}, lang));
  }
  if (!end) return;
  end.type = "button";
  end.dataset.press = ends;
  put(end, say("end-game", {}, lang));
}
