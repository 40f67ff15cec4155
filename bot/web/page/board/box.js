// The wooden box: rows of tiles, and the felt on which the dice lie.

import { drawDice } from "./die.js";
import { tileItem } from "./pick.js";
import { over } from "./state.js";
import { fit, make, put, unseen } from "../js/dom.js";
import { say } from "../js/words.js";

/** createBox creates an empty box. */
export function createBox() {
  const node = make("div", "box");
  const above = createRail("above");
  const below = createRail("below");
  const felt = make("div", "felt");
  const tell = make("p", "tell");
  const dice = make("ul", "dice");
  const sum = make("p", "sumof num");
  const lie = make("div", "lie");
  lie.append(dice, sum);
  felt.append(tell, lie);
  const foot = make("div", "foot");
  const whose = make("span", "plaque");
  const name = make("span", "name");
  name.dir = "auto";
  whose.append(make("span", "dot"), name);
  const pool = make("span", "plaque num");
  foot.append(whose, pool);
  node.append(above.node, felt, below.node, foot);
  return { node, rails: [above, below], felt, tell, dice, sum, foot, whose, name, pool };
}

function createRail(where) {
  const node = make("div", `rail ${where}`);
  const owner = make("p", "owner");
  owner.dir = "auto";
  const tiles = make("ul", "tiles");
  node.append(owner, tiles);
  return { node, owner, tiles };
}

/** drawBox draws tiles and dice, and marks the chosen ones. choice may be undefined. It reports whether the message has
 * any tiles or dice. */
export function drawBox(box, message, choice) {
  const rows = message.tiles ?? [];
  const ended = rows.find((row) => row.dice?.length > 0); // with the last roll, until the next one
  const dice = message.dice?.length > 0 ? message.dice : ended?.dice ?? [];
  const theirs = dice === ended?.dice ? ended.whose ?? ended.owner : moverOf(message)?.name;
  box.rails.forEach((rail, i) => {
    rail.node.hidden = !rows[i]?.tiles?.length && !(rows[i]?.owner && rows[i] !== ended);
    if (!rail.node.hidden) drawRail(rail, rows[i], message, choice, i, rows.length > 1);
  });
  const { lang } = message;
  box.dice.setAttribute("aria-label", theirs ? say("dice-of", { name: theirs }, lang) : say("dice", {}, lang));
  const picks = message.pick?.kind === "dice" && dice === message.dice;
  const ghosts = dice.length === 0 ? ghostsOf(message) : 0;
  drawDice(box.dice, picks ? dice.map((die, i) => pickable(die, i, choice)) : dice, message.lang, ghosts);
  box.dice.classList.toggle("many", Math.max(dice.length, ghosts) > 5);
  const total = rows.some(({ tiles }) => tiles?.length) && dice.length > 1 && dice === message.dice ?
    message.pick?.goal || dice.reduce((all, { face }) => all + face, 0) : 0;
  put(box.sum, total ? `= ${total}` : "");
  box.sum.ariaHidden = "true"; // the dice say the same
  box.node.classList.toggle("racing", Boolean(message.race));
  put(box.tell, tellOf(message, dice === ended?.dice && ended.owner));
  return rows.length > 0 || dice.length > 0;
}

/** tellOf returns the words on the felt: the possible presses, or the owner of the last roll. */
function tellOf({ pick, people = [], lang }, whose) {
  if (pick?.kind === "dice") return say("dice-tap", {}, lang);
  return whose && people.length > 1 ? say("throw-of", { name: whose }, lang) : "";
}

/** ghostsOf returns how many dice the next roll will have, 0 if none is next. */
function ghostsOf({ tiles, sheet, race, buttons = [], people = [] }) {
  if (!people.some(({ state }) => state === "to-move")) return 0;
  const said = buttons.flat().find(({ style }) => style === "primary")?.label.match(/\d+/);
  if (said) return Math.min(Number(said[0]), 6);
  return tiles?.some((row) => row.tiles?.length) ? 2 : sheet ? 5 : race ? 6 : 0;
}

/** pickable returns die number i as it looks while a person chooses the dice to keep. */
function pickable(die, i, choice) {
  const picks = choice.touches(i);
  return { ...die, picks, press: undefined, kept: picks ? choice.has(i) : die.kept };
}

/** moverOf returns the person whose turn it is, undefined if there is none. */
export function moverOf(message) {
  return message.people?.find((person) => person.state === "to-move");
}

/** drawRail draws a row of tiles. where is the number of the row; owned: rows have owners, who are named. */
function drawRail(rail, row, { lang }, choice, where, owned) {
  put(rail.owner, row.owner ?? "");
  rail.owner.hidden = !row.owner || !owned;
  const label = row.owner ? say("tiles-of", { name: row.owner }, lang) : say("tiles", {}, lang);
  rail.tiles.setAttribute("aria-label", label);
  const count = row.tiles?.length ?? 0;
  rail.tiles.hidden = count === 0;
  rail.tiles.style.setProperty("--columns", count > 12 ? Math.ceil(count / 2) : count);
  rail.tiles.style.setProperty("--narrow", Math.ceil(count / Math.ceil(count / 9))); // columns in a narrow window
  rail.tiles.classList.toggle("many", count > 9);
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
  const fits = Boolean(touches && !chosen && choice.fits(touched));
  item.classList.toggle("fits", fits && choice.any());
  item.classList.toggle("dim", Boolean(touches && !chosen && !fits));
  drawTouch(item, touches && { tile, chosen, fits, touched, lang });
}

/** drawTouch puts a button over a tile that can be chosen. If touch is false, it removes the button. */
function drawTouch(item, touch) {
  if (!touch) return item.children[3]?.remove();
  const { tile, chosen, fits, touched, lang } = touch;
  const button = item.children[3] ?? item.appendChild(make("button", "touch"));
  button.dataset.item = touched;
  button.ariaPressed = String(chosen);
  const state = say(tile.open ? "touch-open" : "touch-shut", {}, lang);
  button.ariaLabel = say(chosen || fits ? "touch-fits" : "touch-unfit", { number: tile.number, state }, lang);
  return undefined;
}

/** drawFoot draws the plaques: whose turn it is or, before the game, its name; and the pool or another fact. */
export function drawFoot(box, message) {
  const { accent = -1, people = [], game = "" } = message;
  const last = !over(message) && message.tiles?.find(({ dice }) => dice?.length > 0); // what the turn before has left
  const whose = people.find(({ seat, name }) => (last ? name === (last.whose ?? last.owner) : seat === accent));
  if (whose) box.node.dataset.seat = whose.seat % 10;
  else delete box.node.dataset.seat;
  box.whose.firstElementChild.hidden = !whose;
  const ended = over(message);
  put(box.name, whose && ended ? say("how-ended", { name: whose.name }, message.lang) : whose?.name ?? game);
  box.whose.hidden = !box.name.textContent;
  const fact = message.pool ? `${say("pool", {}, message.lang)} ${message.pool}` :
    whose && !ended ? (message.small ?? "").split(" · ")[0] : "";
  put(box.pool, fact);
  box.pool.hidden = !fact;
}

/** sample returns the element of a drawn box, for a page that has no board yet. */
export function sample(message) {
  const box = createBox();
  drawBox(box, message);
  box.foot.hidden = true;
  return box.node;
}
