// The people at this screen: who acts, new names, one more person.

import { make } from "./dom.js";
import { send } from "./net.js";
import { toast } from "./toast.js";
import { inTurn } from "./turn.js";
import { showWay } from "./way.js";
import { say } from "./words.js";

const key = "knobel-as";

/** Persons is the switcher. onChange is called when who acts or how somebody
 * is called has changed. */
export class Persons {
  constructor(self, onChange) {
    this.people = self.people;
    this.full = self.full;
    this.onChange = onChange;
    this.chosen = Number(sessionStorage.getItem(key) ?? this.people[0].n);
    this.group = document.getElementById("persons");
    this.form = new NameForm((name, number) => this.take(name, number), (number) => this.drop(number),
      () => this.rest(),
      () => this.skip());
    this.draw();
    this.fresh = self.fresh;
    if (this.fresh) this.form.ask(this.people[0], false, false);
  }

  /** current is who acts. */
  current() {
    return this.people.find((p) => p.n === this.chosen) ?? this.people[0];
  }

  several() {
    return this.people.length > 1;
  }

  name(number) {
    return this.people.find((p) => p.n === number)?.name;
  }

  choose(number) {
    this.chosen = number;
    sessionStorage.setItem(key, String(number));
    this.draw();
    this.onChange();
  }

  draw() {
    const held = this.group.contains(document.activeElement) ? document.activeElement.dataset.key : "";
    this.group.replaceChildren(...this.people.flatMap((p) => this.chip(p)));
    if (!this.full) {
      this.group.append(this.button("plain small add", `+ ${say("add-person")}`, "add",
        () => this.form.ask(null, false)));
    }
    this.group.append(this.button("plain small", say("way"), "way", showWay));
    if (held) this.group.querySelector(`[data-key="${held}"]`)?.focus();
  }

  /** chip is the button of one person; who acts has a pen beside it. */
  chip(person) {
    const own = person.n === this.current().n;
    const chip = this.button("person", person.name, `person-${person.n}`, () => this.choose(person.n));
    chip.dir = "auto";
    chip.ariaPressed = String(own);
    if (!own) return [chip];
    const pen = this.button("plain small pen", "✎", "pen", () => this.form.ask(person, this.several()));
    pen.ariaLabel = say("rename", { name: person.name });
    return [chip, pen];
  }

  button(className, text, name, onClick) {
    const node = make("button", className, text);
    node.type = "button";
    node.dataset.key = name;
    node.addEventListener("click", onClick);
    return node;
  }

  /** take gives a name to a person, or to one more where number is null. */
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

  /** skip keeps the name that was proposed. */
  skip() {
    if (this.fresh) this.change({ nameless: true });
  }

  async change(what) {
    const answer = await inTurn(() => send("/people", what));
    toast(answer.toast, true);
    if (!answer.people) return false;
    this.people = answer.people;
    this.full = answer.full;
    this.fresh = answer.fresh;
    return !answer.toast;
  }

  /** rest gives the focus back once the form has closed. */
  rest() {
    this.group.querySelector(`[data-key="person-${this.current().n}"]`)?.focus();
  }
}

/** NameForm asks for a name. */
class NameForm {
  constructor(onName, onRemove, onClose, onSkip) {
    this.node = document.getElementById("person-form");
    this.input = document.getElementById("person-name");
    this.label = document.getElementById("person-label");
    this.save = document.getElementById("person-save");
    this.remove = document.getElementById("person-remove");
    this.onClose = onClose;
    this.number = null; // of whom it renames; null: it adds
    this.node.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await onName(this.input.value, this.number)) this.close();
    });
    this.remove.addEventListener("click", async () => {
      if (await onRemove(this.number)) this.close();
    });
    const skip = () => {
      this.close();
      onSkip();
    };
    document.getElementById("person-cancel").addEventListener("click", skip);
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") skip();
    });
  }

  /** ask opens the form for a person, or for one more. */
  ask(person, removable, focus = true) {
    this.number = person ? person.n : null;
    this.label.textContent = say(person ? "ask-name" : "ask-name-other");
    this.save.textContent = say(person ? "save" : "add");
    this.remove.hidden = !removable;
    this.input.value = "";
    this.input.placeholder = person ? person.name : "";
    this.node.hidden = false;
    if (focus) this.input.focus();
  }

  close() {
    const focused = this.node.contains(document.activeElement);
    this.node.hidden = true;
    if (focused) this.onClose();
  }
}
