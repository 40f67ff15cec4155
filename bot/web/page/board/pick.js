// Choices on a board: tiles to close, dice to keep, a cell to fill. Only the press that plays them is sent.

import { whatOf } from "./press.js";
import { announce } from "../js/live.js";
import { say } from "../js/words.js";

const rowStep = 1000; // more than any number on a tile

/** Choice is the current choice on one board. press(what) is called for a choice to play, changed() when the board must
 * be redrawn. */
export class Choice {
  constructor(press, changed) {
    this.press = press;
    this.changed = changed;
    this.chosen = new Set();
    this.cell = "";
    this.ways = [];
    this.say("", false);
  }

  /** take stores a message, and begins a new choice if the message offers another one than before. */
  take(message) {
    this.message = message;
    const key = JSON.stringify([message.table, message.turn, message.pick]);
    if (key === this.key) return;
    this.key = key;
    this.cell = "";
    this.pick = message.pick;
    this.ways = (this.pick?.choices ?? []).map((choice) => ({ ...choice, items: new Set(itemsOf(choice)) }));
    this.chosen = new Set(this.begun());
    this.say(this.progress(), false);
  }

  /** begun returns the items that are chosen at the beginning: dice already kept. */
  begun() {
    return this.pick?.picked ?? [];
  }

  /** touches reports whether an item (a die or tile) is part of any way to play. */
  touches(item) {
    return this.ways.some(({ items }) => items.has(item));
  }

  has(item) {
    return this.chosen.has(item);
  }

  /** fits reports whether an item can be added to the chosen ones. */
  fits(item) {
    const all = [...this.chosen, item];
    return this.ways.some(({ items }) => all.every((one) => items.has(one)));
  }

  /** toggle chooses an item, or removes it from the choice. Chosen tiles to which none can be added are played at
   * once. */
  toggle(item) {
    this.cell = "";
    if (this.chosen.delete(item)) return this.show(this.progress());
    const dice = this.pick.kind === "dice";
    if (!dice && !this.fits(item)) return this.show(this.reason(item), true);
    this.chosen.add(item);
    const [way, other] = this.whole();
    const text = this.progress();
    const longer = this.ways.some(({ items }) => items.size > this.chosen.size && covers(items, this.chosen));
    if (way && !other && !dice && !longer) {
      this.show(text);
      return this.press(way.press);
    }
    return this.show(text);
  }

  /** mark chooses a cell of the sheet, or plays it if it is chosen already. */
  mark(cell) {
    if (this.cell === cell.press) return this.press(cell.press);
    this.cell = cell.press;
    this.marked = cell;
    return this.show(say("cell-chosen", { what: cell.label }, this.message.lang));
  }

  clear() {
    if (!this.any()) return;
    this.cell = "";
    this.chosen = new Set(this.begun());
    this.show(this.progress());
  }

  /** any reports whether the choice differs from the one at the beginning. */
  any() {
    const begun = this.begun();
    return this.cell !== "" || begun.length !== this.chosen.size || begun.some((item) => !this.chosen.has(item));
  }

  /** numbersChosen returns the numbers on the chosen items, the largest first. */
  numbersChosen() {
    return Array.from(this.chosen, (item) => this.number(item)).sort((a, b) => b - a);
  }

  /** whole returns the ways to play exactly the chosen items. */
  whole() {
    return this.ways.filter(({ items }) => items.size === this.chosen.size && covers(items, this.chosen));
  }

  /** offers are the buttons that play or clear the choice. */
  get offers() {
    const clear = { label: say("choice-clear", {}, this.message?.lang), style: "plain clear" };
    if (this.cell) {
      const strike = whatOf(this.cell).startsWith("strike");
      return [{ label: this.marked.label, press: this.cell, style: strike ? "danger" : "primary" }, clear];
    }
    if (!this.pick) return [];
    const tiles = this.pick.kind === "tiles";
    if (tiles && this.chosen.size === 0) return [];
    const { wanted } = this;
    const plays = this.whole().map(({ label, press, style }, i) => (
      { label, press, style: style || (i || wanted ? "plain" : "primary") }));
    if (wanted) plays.unshift(wanted);
    return tiles ? [...plays, clear] : plays;
  }

  /** wanted is the button that fills a row, if that is preferred to another roll, else undefined. */
  get wanted() {
    if (this.pick?.kind !== "dice") return undefined;
    const fills = ({ style, press }) => style === "primary" && whatOf(press).startsWith("write ");
    return (this.message.buttons ?? []).flat().find(fills);
  }

  /** progress returns the sentence about the choice so far, "" for none. */
  progress() {
    const { lang } = this.message;
    if (this.pick?.kind === "dice" && this.whole().length === 0) {
      return this.chosen.size ? this.pick.refusal || say("dice-unfit", {}, lang) : say("dice-choose", {}, lang);
    }
    if (this.pick?.kind !== "tiles" || this.chosen.size === 0) return "";
    const { set, made } = added(this.chosen);
    const { goal } = this.pick;
    return goal ? say("tiles-sum", { made, goal }, lang) : say("tiles-chosen", { set }, lang);
  }

  /** reason returns the sentence that says why a tile does not fit the chosen ones. */
  reason(item) {
    const { lang } = this.message;
    const { set, sum, made } = added([...this.chosen, item]);
    const { goal } = this.pick;
    if (goal && sum > goal) return say("tiles-over", { made, goal }, lang);
    return goal ? say("tiles-unfit", { set, goal }, lang) : say("tiles-unfit-any", { set }, lang);
  }

  /** items returns all items that can be pressed: those of any way to play, then open tiles that fit none. */
  items() {
    const open = this.pick?.kind === "tiles" ? (this.message.tiles ?? []).flatMap(({ tiles = [] }, row) =>
      tiles.filter((tile) => tile.open).map(({ number }) => tileItem(number, row))) : [];
    return [...new Set([...this.ways.flatMap((way) => [...way.items]), ...open])];
  }

  /** numbers returns the numbers that these items show. */
  numbers() {
    return this.items().map((item) => this.number(item));
  }

  number(item) {
    return this.pick.kind === "dice" ? this.message.dice[item].face : item % rowStep;
  }

  /** itemsCalled returns the items that show a number: those of any way to play or, if there are none, all. */
  itemsCalled(number) {
    const called = this.items().filter((item) => this.number(item) === number).sort((a, b) => a - b);
    const fitting = called.filter((item) => this.touches(item));
    return fitting.length ? fitting : called;
  }

  /** call chooses by a number: a tile, or one more of the dice that show it; if all are chosen, it removes them from
   * the choice. It reports whether any item shows the number. */
  call(number) {
    if (!this.pick) return false;
    const items = this.itemsCalled(number);
    if (items.length === 0) return false;
    const next = items.find((item) => !this.chosen.has(item));
    if (next !== undefined) this.toggle(next);
    else items.forEach((item) => this.toggle(item));
    return true;
  }

  /** show sets and announces the sentence about the choice, and redraws the board. wrong: it is a refusal. */
  show(text, wrong = false) {
    this.say(text, wrong);
    announce(text, this.message.lang);
    this.changed();
  }

  say(told, wrong) {
    this.told = told;
    this.wrong = wrong;
  }
}

/** touch carries out a click on a button, a tile, a die or a cell of a board or card, whose sheet may be undefined. */
export function touch({ node, choice, sheet }, event, press) {
  const button = event.target.closest("button");
  if (!button || !node.contains(button)) return;
  const { press: what, item } = button.dataset;
  if (item !== undefined) choice.toggle(Number(item));
  else if (sheet?.cells.has(button)) choice.mark(sheet.cells.get(button));
  else if (button.classList.contains("clear")) choice.clear();
  else if (what && event.detail < 2) press(what, node); // not for the second half of a double click
}

/** itemsOf returns the items of a way to play: indexes of dice, or tiles with their row. */
function itemsOf({ items, row }) {
  return items.map((item) => tileItem(item, row));
}

/** tileItem returns the item for the tile with a number in a row. */
export function tileItem(number, row = 0) {
  return row * rowStep + number;
}

function covers(items, chosen) {
  return [...chosen].every((item) => items.has(item));
}

/** added returns the numbers of items as text, the largest first (set), and their sum. */
function added(items) {
  const numbers = Array.from(items, (item) => item % rowStep).sort((a, b) => b - a);
  const set = numbers.join(" + ");
  const sum = numbers.reduce((all, number) => all + number, 0);
  return { set, sum, made: numbers.length > 1 ? `${set} = ${sum}` : set };
}
