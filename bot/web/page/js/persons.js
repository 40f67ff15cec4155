// The people at this screen: who acts, new names, one more person.

import { make } from "./dom.js";
import { send } from "./net.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const key = "knobel-as";

/** createPersons runs the switcher; onChange is called when who acts or how
 * somebody is called has changed. */
export function createPersons(self, onChange) {
  const group = document.getElementById("persons");
  const form = document.getElementById("person-form");
  const input = document.getElementById("person-name");
  const label = document.getElementById("person-label");
  const save = document.getElementById("person-save");
  const remove = document.getElementById("person-remove");
  let people = self.people;
  let full = self.full;
  let chosen = Number(sessionStorage.getItem(key) ?? people[0].n);
  let renaming = null; // the number of whom the form renames; null: it adds

  const current = () => people.find((p) => p.n === chosen) ?? people[0];

  function choose(number) {
    chosen = number;
    sessionStorage.setItem(key, String(number));
    draw();
    onChange();
  }

  function draw() {
    const held = group.contains(document.activeElement) ? document.activeElement.dataset.key : "";
    group.replaceChildren();
    for (const p of people) {
      const own = p.n === current().n;
      const chip = button("person", p.name, `person-${p.n}`, () => choose(p.n));
      chip.dir = "auto";
      chip.ariaPressed = String(own);
      group.append(chip);
      if (own) {
        const pen = button("plain small pen", "✎", "pen", () => ask(p));
        pen.ariaLabel = say("rename", { name: p.name });
        group.append(pen);
      }
    }
    if (!full) group.append(button("plain small add", `+ ${say("add-person")}`, "add", () => ask(null)));
    if (held) group.querySelector(`[data-key="${held}"]`)?.focus();
  }

  function button(className, text, name, onClick) {
    const node = make("button", className, text);
    node.type = "button";
    node.dataset.key = name;
    node.addEventListener("click", onClick);
    return node;
  }

  function ask(person, focus = true) {
    renaming = person ? person.n : null;
    label.textContent = say(person ? "ask-name" : "ask-name-other");
    save.textContent = say(person ? "save" : "add");
    remove.hidden = !person || people.length === 1;
    input.value = "";
    input.placeholder = person ? person.name : "";
    form.hidden = false;
    if (focus) input.focus();
  }

  function close() {
    const focused = form.contains(document.activeElement);
    form.hidden = true;
    if (focused) group.querySelector(`[data-key="person-${current().n}"]`)?.focus();
  }

  async function change(what) {
    const answer = await send("/people", what);
    toast(answer.toast, true);
    if (!answer.people) return false;
    people = answer.people;
    full = answer.full;
    return !answer.toast;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = input.value;
    const adding = renaming === null;
    const done = await change(adding ? { add: name } : { rename: { n: renaming, name } });
    if (done && adding) chosen = people[people.length - 1].n;
    choose(current().n);
    if (done) close();
  });
  remove.addEventListener("click", async () => {
    if (await change({ remove: renaming })) {
      choose(people[0].n);
      close();
    }
  });
  document.getElementById("person-cancel").addEventListener("click", close);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });

  draw();
  if (self.fresh) ask(people[0], false);
  return {
    current,
    several: () => people.length > 1,
    name: (number) => people.find((p) => p.n === number)?.name,
  };
}
