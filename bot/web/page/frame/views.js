// The panel beside the table: its tabs, and on a phone the same parts as views that the bar at the bottom opens.

import { narrow } from "../js/dom.js";
import { icon } from "../js/icon.js";
import { load } from "../js/load.js";

const tabs = ["players", "log", "leaderboard"];

/** Views shows one part of the panel at a time: "players" (on a phone the table), "log", "leaderboard", "more", or
 * "answer". fill(name, container) is called when a part is first shown, onShow(name) each time. */
export class Views {
  constructor({ fill, onShow }) {
    this.fill = fill;
    this.onShow = onShow;
    this.filled = new Set();
    this.before = "players"; // the part to which a closed answer returns
    this.bar = Array.from(document.querySelectorAll(".bottom [data-tab]"));
    this.tabs = Array.from(document.querySelectorAll(".tabs [data-tab]"));
    for (const button of this.bar) {
      button.prepend(icon(button.dataset.tab));
      button.addEventListener("click", () => this.show(button.dataset.tab));
    }
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(tab.dataset.tab));
      tab.addEventListener("keydown", (event) => this.step(event, tab));
    }
    narrow.addEventListener("change", () => this.show(!narrow.matches && this.shown === "more" ? "players" : this.shown));
  }

  /** show shows a part. */
  show(name) {
    if (this.shown && this.shown !== "answer") this.before = this.shown;
    this.shown = name;
    document.body.dataset.view = name;
    // On a phone, a view other than the table is the main part of the page.
    document.getElementById("panel").role = narrow.matches && name !== "players" ? "main" : "complementary";
    for (const body of document.querySelectorAll(".panel > .body")) body.hidden = body.id !== `panel-${name}`;
    this.tabs.forEach((tab, i) => {
      const chosen = tab.dataset.tab === name;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen || (!tabs.includes(name) && i === 0) ? 0 : -1;
    });
    for (const button of this.bar) {
      if (button.dataset.tab === name) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    this.fillNow(name);
    this.onShow(name);
  }

  /** fillNow fills a part before it is first shown. */
  fillNow(name) {
    if (this.filled.has(name)) return;
    this.filled.add(name);
    this.fill(name, document.getElementById(`panel-${name}`));
  }

  /** back leaves an answer for the part that was shown before. */
  back() {
    if (this.shown === "answer") this.show(this.before === "more" && !narrow.matches ? "players" : this.before);
  }

  /** step moves along the tabs by the arrow keys. */
  step(event, tab) {
    const at = this.tabs.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = this.tabs.at(to % this.tabs.length);
    this.show(next.dataset.tab);
    next.focus({ preventScroll: true });
  }

  /** count shows how many lines of the log are unread; 0 hides the badge. */
  count(unread, said) {
    for (const button of [...this.tabs, ...this.bar].filter(({ dataset }) => dataset.tab === "log")) {
      button.querySelector(".badge")?.remove();
      if (!unread) continue;
      const badge = document.createElement("span");
      badge.className = "badge";
      badge.textContent = unread > 99 ? "99+" : String(unread);
      badge.ariaLabel = said;
      badge.setAttribute("role", "img");
      button.append(badge);
    }
  }
}

/** home returns the button that gets the focus when nothing else can: the menu's or, on a phone, the present view's. */
export function home() {
  return document.querySelector(narrow.matches ? ".bottom [aria-current], .bottom button" : "#menu-open");
}

/** fillWith shows a part of the page that is loaded now: show(container, room) of the module. If it does not arrive,
 * otherwise() is called. */
export async function fillWith(part, container, room, otherwise = () => {}) {
  const module = await load(part).catch(() => null);
  if (module) module.show(container, room);
  else otherwise();
}
