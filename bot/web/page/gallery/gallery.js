// The gallery: a card for each game, with a filter by family. In a room it opens above the table.

import { make, svg } from "../js/dom.js";
import { say } from "../js/words.js";
import { pictureOf } from "./pictures.js";

const shoulders = "M3 19c.5-3.5 3-5 6-5s5.5 1.5 6 5M16 6a3.5 3.5 0 0 1 0 6.5M18 14.5c1.8.8 2.8 2.3 3 4.5";
const icons = {
  people: [["circle", { cx: 9, cy: 9, r: 3.5 }], ["path", { d: shoulders }]],
  time: [["circle", { cx: 12, cy: 12, r: 8.5 }], ["path", { d: "M12 7.500V12l3 2" }]],
};

function icon(name) {
  const drawing = svg("0 0 24 24", icons[name]);
  drawing.classList.add("icon");
  return drawing;
}

/** figure returns a figure, such as "15 min", with its icon. */
function figure(name, text) {
  const node = make("span");
  node.append(icon(name), text);
  return node;
}

/** card returns the button of a game, which calls choose with its command. */
function card({ command, game, subtitle, about, players, minutes, picture }, choose) {
  const button = make("button", "game-card");
  const text = make("span", "txt");
  const twice = about?.toLowerCase().startsWith(subtitle?.toLowerCase());
  const figures = make("span", "figures");
  if (players) figures.append(figure("people", players), " ");
  if (minutes) figures.append(figure("time", minutes));
  text.append(make("b", "", game), " ");
  if (subtitle && !twice) text.append(make("span", "kind", subtitle), " ");
  if (about) text.append(make("span", "about", about), " ");
  text.append(figures);
  button.append(pictureOf(picture), text);
  button.addEventListener("click", () => choose(command));
  return button;
}

/** filter returns the choice of a family, which hides the other cards; "" if all games are of one family. */
function filter(games, items) {
  const names = new Map(games.map(({ family, familyName }) => [family, familyName]));
  if (names.size < 2) return "";
  const group = make("div", "seg");
  group.role = "group";
  group.ariaLabel = say("gallery-filter");
  group.append(...[["", say("gallery-all")], ...names].map(([family, name]) => {
    const button = make("button", "", name);
    button.ariaPressed = String(!family);
    button.addEventListener("click", () => {
      for (const one of group.children) one.ariaPressed = String(one === button);
      items.forEach((item, i) => { item.hidden = Boolean(family) && games[i].family !== family; });
    });
    return button;
  }));
  return group;
}

/** gallery returns a heading (a tag, such as "h2", with a text), the filter and the cards of games. choose is called
 * with the command of the pressed card. */
export function gallery(games, choose, heading, title) {
  const items = games.map((game) => {
    const item = make("li");
    item.append(card(game, choose));
    return item;
  });
  const head = make("div", "filter");
  const list = make("ul", "games");
  list.append(...items);
  head.append(make(heading, "", title), filter(games, items));
  return [head, list];
}

/** described resolves to games with their cards, those that ask() requests if games lacks them, null if the server does
 * not answer. */
async function described(games, ask) {
  if (games[0]?.game) return games;
  const answer = await ask().catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** open shows the gallery above the table until a game is chosen, then calls choose with its command. Escape, or the
 * button for it, closes it, and the focus goes back. It resolves to false if the games are not known. games may lack
 * their cards, which ask() then requests. */
export async function open(games, choose, ask) {
  const all = await described(games, ask);
  if (!all || document.getElementById("gallery")) return Boolean(all);
  const dialog = make("dialog", "gallery");
  dialog.id = "gallery";
  dialog.addEventListener("close", () => dialog.remove());
  const close = make("button", "secondary", say("close"));
  close.addEventListener("click", () => dialog.close());
  const wide = make("div", "wide");
  const [head, list] = gallery(all, (command) => {
    dialog.close();
    choose(command);
  }, "h2", say("gallery-title"));
  const title = head.querySelector("h2");
  title.id = "gallery-title";
  title.tabIndex = -1;
  title.autofocus = true; // not the first card: a pressed Enter would start its game
  dialog.setAttribute("aria-labelledby", title.id);
  head.append(close);
  wide.append(head, list);
  dialog.append(wide);
  document.body.append(dialog);
  dialog.showModal();
  return true;
}
