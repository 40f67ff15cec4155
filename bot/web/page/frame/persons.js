// The people at this browser, in the menu: who acts, renaming, adding and removing.

import { acting } from "./acting.js";
import { make, swap } from "../js/dom.js";
import { send } from "../js/net.js";
import { toast } from "./toast.js";
import { inTurn } from "../js/turn.js";
import { showWay } from "./way.js";
import { say } from "../js/words.js";

const key = "knobel-as";

/** Persons is the switcher between the people of self, the page's visitor. onChange() is called when another person
 * acts, or the room shows a name of theirs differently. */
export class Persons {
  constructor(self, onChange) {
    this.people = self.people;
    this.full = self.full;
    this.fresh = self.fresh;
    this.onChange = onChange;
    this.called = new Map(); // their names in the room, by number
    this.chosen = Number(sessionStorage.getItem(key) ?? this.people[0].n);
    this.group = document.getElementById("persons");
    this.form = new NameForm((name, number) => this.take(name, number), (number) => this.drop(number));
    this.draw();
  }

  /** current returns the person who acts. */
  current() {
    return this.people.find((p) => p.n === this.chosen) ?? this.people[0];
  }

  /** acting returns the number of the person that a press on the message of entry acts for. */
  acting(press, entry) {
    return acting(press, entry, this.people.map(({ n }) => n), this.current().n);
  }

  several() {
    return this.people.length > 1;
  }

  /** name returns the name in the room of the person with a number, undefined if there is none. */
  name(number) {
    const person = this.people.find((p) => p.n === number);
    return person && this.nameOf(person);
  }

  /** nameOf returns a person's name in the room: with a number if others have this name, too. A name that was just
   * changed has no number yet. */
  nameOf({ n, name }) {
    const called = this.called.get(n) ?? "";
    return called.startsWith(name) && /^ \d+$/.test(called.slice(name.length)) ? called : name;
  }

  /** tellApart reads the names of the visitor's people in the room from here, the people present. */
  tellApart(here = []) {
    const names = () => this.people.map((p) => this.nameOf(p)).join("\n");
    const before = names();
    this.called = new Map(here.filter(({ you }) => you).map(({ n = 0, name }) => [n, name]));
    if (names() === before) return;
    this.draw();
    this.onChange();
  }

  choose(number) {
    this.chosen = number;
    sessionStorage.setItem(key, String(number));
    this.draw();
    this.onChange();
  }

  draw() {
    const door = (name, text, onClick) => this.button("plain small", text, name, onClick);
    swap(this.group, ...this.people.map((p) => this.chip(p)),
      door("pen", say("rename", { name: this.nameOf(this.current()) }),
        () => this.form.ask(this.current(), this.several())),
      ...this.full ? [] : [door("add", `+ ${say("add-person")}`, () => this.form.ask(null, false))],
      door("way", say("way"), showWay));
  }

  /** chip returns the button that chooses a person to act. */
  chip(person) {
    const chip = this.button("chip person", this.nameOf(person), `person-${person.n}`, () => this.choose(person.n));
    chip.dir = "auto";
    chip.ariaPressed = String(person.n === this.current().n);
    return chip;
  }

  button(className, text, name, onClick) {
    const node = make("button", className, text);
    node.dataset.key = name;
    node.addEventListener("click", onClick);
    return node;
  }

  /** take renames the person with a number, or adds one if number is null, and reports whether that succeeded. */
  async take(name, number) {
    const done = await this.change(number === null ? { add: name } : { rename: { n: number, name } });
    this.choose(done && number === null ? this.people.at(-1).n : this.current().n);
    return done;
  }

  async drop(number) {
    const done = await this.change({ remove: number });
    this.choose(this.current().n);
    return done;
  }

  /** comeIn gives the first person the entered name, or confirms the proposed one if name is "". It resolves to the
   * problem with the name, "" if there is none. */
  async comeIn(name) {
    const answer = await this.ask(name ? { rename: { n: this.people[0].n, name } } : { nameless: true });
    if (!answer.toast) this.choose(this.current().n);
    return answer.toast ?? "";
  }

  async change(what) {
    const answer = await this.ask(what);
    toast(answer.toast, true);
    return Boolean(answer.people) && !answer.toast;
  }

  async ask(what) {
    const answer = await inTurn(() => send("/people", what));
    if (answer.people) {
      this.people = answer.people;
      this.full = answer.full;
      this.fresh = answer.fresh;
    }
    return answer;
  }
}

/** NameForm is the form that renames, adds or removes a person at this browser. */
class NameForm {
  constructor(onName, onRemove) {
    this.node = document.getElementById("person-form");
    this.input = document.getElementById("person-name");
    this.label = document.getElementById("person-label");
    this.save = document.getElementById("person-save");
    this.remove = document.getElementById("person-remove");
    this.number = null; // of the person to rename; null: it adds one
    const close = () => {
      this.node.hidden = true;
    };
    this.node.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await onName(this.input.value, this.number)) close();
    });
    this.remove.addEventListener("click", async () => {
      if (await onRemove(this.number)) close();
    });
    document.getElementById("person-cancel").addEventListener("click", close);
  }

  /** ask opens the form to rename a person, or to add one if person is null. removable: it can remove the person. */
  ask(person, removable) {
    this.number = person ? person.n : null;
    this.label.textContent = say(person ? "ask-name" : "ask-name-other");
    this.save.textContent = say(person ? "save" : "add");
    this.remove.hidden = !removable;
    this.input.value = "";
    this.input.placeholder = person ? person.name : "";
    this.node.hidden = false;
    this.input.focus(); // in a low window this scrolls the panel, never the page
  }
}
