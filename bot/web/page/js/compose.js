// The line for commands, with a list of how to go on.

import { make } from "./dom.js";

/** createLine runs the input; run(text) is called with a whole command. */
export function createLine(run) {
  const form = document.getElementById("line");
  const input = document.getElementById("text");
  const list = document.getElementById("suggestions");
  let suggestions = [];
  let chosen = -1;
  let asked = 0;

  function show(next) {
    suggestions = next;
    choose(-1);
    list.replaceChildren(...next.map((s, i) => {
      const item = make("li");
      item.id = `suggestion-${i}`;
      item.role = "option";
      item.append(make("span", "what", s.label), make("span", "about", s.about ?? ""));
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        take(i);
      });
      return item;
    }));
    list.hidden = next.length === 0;
    input.ariaExpanded = String(next.length > 0);
  }

  function choose(i) {
    chosen = i;
    Array.from(list.children).forEach((item, k) => {
      item.ariaSelected = String(k === i);
      if (k === i) item.scrollIntoView({ block: "nearest" });
    });
    if (i >= 0) input.setAttribute("aria-activedescendant", `suggestion-${i}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function take(i) {
    input.value = suggestions[i].text;
    input.focus();
    ask();
  }

  async function ask() {
    const mine = ++asked;
    const text = input.value;
    if (!text.startsWith("/")) return show([]);
    const answer = await fetch(`/complete?text=${encodeURIComponent(text)}`).catch(() => null);
    if (mine === asked && answer?.ok) show(await answer.json());
  }

  input.addEventListener("input", ask);
  input.addEventListener("blur", () => show([]));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && suggestions.length) {
      event.preventDefault();
      choose((chosen + step + suggestions.length) % suggestions.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) {
      event.preventDefault();
      take(chosen);
    } else if (event.key === "Escape") {
      show([]);
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    input.value = "";
    asked++;
    show([]);
    run(text);
  });
}
