// Language and theme: a visitor's choice is stored in a cookie that the server reads, so that no page first appears in
// the other theme.

import { inTurn } from "./turn.js";

const root = document.documentElement;
const darkWanted = matchMedia("(prefers-color-scheme: dark)");

function dark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : darkWanted.matches;
}

/** keep stores a choice, {theme} or {lang}, in the cookie, even if the page is left at once. */
function keep(look) {
  return inTurn(() => fetch("/look", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(look),
    keepalive: true,
  }));
}

const button = document.getElementById("theme");
const picker = document.getElementById("lang");

function label() {
  button.querySelector(".said").textContent = dark() ? button.dataset.light : button.dataset.dark;
}

button.addEventListener("click", async () => {
  root.dataset.theme = dark() ? "light" : "dark";
  label();
  await keep({ theme: root.dataset.theme });
});
picker.addEventListener("change", async () => {
  await keep({ lang: picker.value });
  location.assign(location.pathname + location.search);
});
darkWanted.addEventListener("change", label);
label();
