// The options of a table that has not begun, as a form: a label and a control for each.

import { make, swap } from "../js/dom.js";
import { say } from "../js/words.js";

/** show fills a container with the options of the table on the stage, and keeps them up to date. */
export function show(container, room) {
  if (container.form) return;
  container.form = new OptionsForm(container, room);
  container.form.follow();
  room.onChange(() => container.form.follow());
}

class OptionsForm {
  constructor(container, room) {
    Object.assign(this, { container, room, open: false });
  }

  /** follow reads the options again if the table has changed, as long as they are shown. */
  async follow() {
    if (this.container.closest("[hidden]")) return;
    const { table, people = [], buttons = [] } = this.room.message() ?? {};
    const now = JSON.stringify([table, people, buttons, this.room.message()?.small]);
    if (!table || now === this.now) return;
    this.now = now;
    const data = await this.room.get(`options?table=${table}`).catch(() => null);
    if (data && now === this.now) this.draw(data);
  }

  draw({ may, presets, fields }) {
    const form = make("div", "form options");
    const first = fields.filter((field) => field.first);
    const rest = fields.filter((field) => !field.first);
    for (const field of first) form.append(...this.field(field, may));
    const parts = [make("h3", "", say("options"))];
    const about = presets.find(({ chosen }) => chosen)?.about;
    if (about) parts.push(make("p", "small quiet", about));
    parts.push(form);
    if (rest.length) {
      const more = make("details", "more-options");
      more.open = this.open;
      more.addEventListener("toggle", () => { this.open = more.open; });
      const all = make("div", "form options");
      for (const field of rest) all.append(...this.field(field, may));
      more.append(make("summary", "", say("all-options")), all);
      parts.push(more);
    }
    swap(this.container, ...parts);
  }

  /** field returns the label and the control of an option. People who may not change it see its value. */
  field({ key, label, value, about, choices = [], less, more }, may) {
    const named = make("label", "", label);
    const id = `option-${key}`;
    named.htmlFor = id;
    if (about) named.title = about;
    if (!may) {
      const said = make("output", "value", value ?? choices.find(({ chosen }) => chosen)?.label ?? "");
      said.id = id;
      return [named, said];
    }
    if (less !== undefined || more !== undefined) return [named, this.stepper(id, { value, label, less, more })];
    const select = make("select", "field");
    select.id = id;
    select.dataset.key = key;
    if (!choices.some(({ chosen }) => chosen)) select.append(new Option(value ?? "", "", true, true));
    select.append(...choices.map((choice) => new Option(choice.label, choice.press ?? "", choice.chosen, choice.chosen)));
    select.addEventListener("change", () => select.value && this.room.press(select.value, select));
    return [named, select];
  }

  /** stepper returns the control of a stake: less, its value, more. */
  stepper(id, { value, label, less, more }) {
    const step = make("div", "step");
    const button = (sign, press, name) => {
      const one = make("button", "", sign);
      one.ariaLabel = name;
      one.dataset.key = `${id} ${sign}`;
      one.disabled = !press;
      one.addEventListener("click", () => this.room.press(press, one));
      return one;
    };
    const shown = make("output", "", value);
    shown.id = id;
    step.append(button("−", less, say("less", { what: label })), shown, button("+", more, say("more-of", { what: label })));
    return step;
  }
}
