// The menu: doors to everything that is not at hand. On a phone its parts are the view "more".

import { make, narrow, unseen } from "../js/dom.js";
import { icon } from "../js/icon.js";
import { placed } from "./popover.js";
import { say } from "../js/words.js";

const menu = document.getElementById("menu");
const button = document.getElementById("menu-open");
const items = document.getElementById("menu-items");

/** Menu draws the doors, each {key, press(door)} with the key of its name. leaving are those at the end. */
export class Menu {
  constructor(doors, leaving) {
    button.prepend(icon("menu"));
    document.getElementById("how").prepend(icon("help"));
    document.getElementById("invite-open").prepend(icon("invite"));
    placed(menu, button);
    menu.addEventListener("beforetoggle", ({ newState }) => newState === "open" && menu.append(items));
    this.rows = new Map();
    document.getElementById("doors").append(...doors.map((door) => this.door(door)));
    document.getElementById("leaving").append(...leaving.map((door) => this.door(door)));
  }

  door({ key, press }) {
    const row = make("li");
    const door = make("button", "plain", say(key));
    door.addEventListener("click", () => {
      if (menu.matches(":popover-open")) menu.hidePopover();
      press(door);
    });
    row.append(door);
    this.rows.set(key, row);
    return row;
  }

  /** offer shows or hides a door. */
  offer(key, yes) {
    this.rows.get(key).hidden = !yes;
  }

  /** fill puts the menu into the view of a phone. */
  fill(container) {
    if (narrow.matches) container.append(items);
  }
}

/** drawWhere draws the game on the table, and the name of the room. */
export function drawWhere(game, room) {
  const where = document.getElementById("where");
  const name = make("b", "", game);
  if (where.said === `${game}\n${room}`) return;
  where.said = `${game}\n${room}`;
  where.replaceChildren(...game ? [name] : room ? [] : [unseen("Knobel")], game && room ? " · " : "", room);
}
