// The line for commands, with a list of completions.

import { make } from "../js/dom.js";
import { request } from "../js/net.js";
import { home } from "./views.js";

/** Line is the input for commands, in the panel. run(text) is called with a complete command, and show() when the line
 * opens: it returns a function to be called when the line closes. */
export class Line {
  constructor(run, show) {
    this.form = document.getElementById("line");
    this.opens = show;
    this.input = document.getElementById("text");
    this.list = document.getElementById("suggestions");
    this.suggestions = [];
    this.chosen = -1;
    this.asked = 0;
    this.input.addEventListener("input", () => this.ask());
    this.input.addEventListener("blur", () => this.left());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) return;
      this.close();
      run(text);
    });
  }

  /** open shows the line, types the slash of a command, and returns true. */
  open() {
    if (this.form.hidden) this.before = document.activeElement;
    if (this.form.hidden) this.leaves = this.opens();
    this.form.hidden = false;
    this.input.value ||= "/";
    this.input.focus({ preventScroll: true }); // the line is always in the window
    this.ask();
    return true;
  }

  /** left hides the list when another element gets the focus, but not when the whole window loses it. */
  left() {
    if (document.activeElement !== this.input) this.hide();
  }

  /** close hides the line and deletes its text. */
  close() {
    this.input.value = "";
    this.hide();
    this.form.hidden = true;
    this.leaves?.();
    const back = this.before?.checkVisibility() && this.before !== document.body ? this.before : home();
    back.focus({ preventScroll: true });
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.suggestions.length) {
      event.preventDefault();
      const from = this.chosen < 0 && step < 0 ? 0 : this.chosen;
      this.choose((from + step + this.suggestions.length) % this.suggestions.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && this.chosen >= 0) {
      event.preventDefault();
      this.take(this.chosen);
    } else if (event.key === "Escape") {
      if (this.suggestions.length) this.hide();
      else this.close();
    }
  }

  /** hide hides the list, and ignores completions that arrive later. */
  hide() {
    this.asked++;
    this.show([]);
  }

  // show lists completions. If the chosen one is still in the list, it stays chosen: a late answer must not undo a
  // choice.
  show(suggestions) {
    const kept = this.suggestions[this.chosen]?.text;
    this.suggestions = suggestions;
    this.list.replaceChildren(...suggestions.map((s, i) => this.item(s, i)));
    this.list.hidden = suggestions.length === 0;
    this.input.ariaExpanded = String(suggestions.length > 0);
    this.choose(suggestions.findIndex((s) => s.text === kept));
  }

  item(suggestion, i) {
    const item = make("li");
    item.id = `suggestion-${i}`;
    item.role = "option";
    item.append(make("span", "what", suggestion.label), make("span", "about", suggestion.about ?? ""));
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.take(i);
    });
    return item;
  }

  choose(i) {
    this.chosen = i;
    Array.from(this.list.children).forEach((item, k) => {
      item.ariaSelected = String(k === i);
      if (k === i) item.scrollIntoView({ block: "nearest" });
    });
    if (i >= 0) this.input.setAttribute("aria-activedescendant", `suggestion-${i}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  take(i) {
    this.input.value = this.suggestions[i].text;
    this.choose(-1);
    this.input.focus({ preventScroll: true }); // the line is always in the window
    this.ask();
  }

  async ask() {
    const mine = ++this.asked;
    this.input.value = this.input.value.replace(/^\/\/+/, "/"); // open has typed a slash already
    const text = this.input.value;
    if (!text.startsWith("/")) return this.show([]);
    const answer = await request(`/complete?text=${encodeURIComponent(text)}`).catch(() => null);
    if (!answer?.ok) return;
    const suggestions = await answer.json();
    if (mine === this.asked) this.show(suggestions);
  }
}
