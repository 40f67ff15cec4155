// The players in short, in one row above the board of a phone.

import { scoreOf } from "./score.js";
import { fit, make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

/** createStrip creates an empty row. */
export function createStrip() {
  const node = make("ul", "strip");
  return { node };
}

/** drawStrip draws the players of a message. */
export function drawStrip({ node }, message, who) {
  const people = message.people ?? [];
  node.hidden = people.length === 0;
  node.ariaLabel = say("seats", {}, message.lang);
  fit(node, people.length, createItem).forEach((item, i) => {
    const person = people[i];
    if (item.firstChild.tagName !== (message.sheet ? "BUTTON" : "DIV")) item.replaceChildren(createPlate(message.sheet));
    const [face, name, score] = item.firstChild.children;
    item.dataset.seat = person.seat % 10;
    item.dataset.at = person.seat;
    item.classList.toggle("moves", person.state === "to-move");
    if (person.state === "to-move") item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
    drawFace(face, person);
    put(name, who.mine[person.seat] !== undefined && !who.several ? say("you-short", {}, message.lang) : person.name);
    put(score, scoreOf(person).score || "–");
  });
}

function createItem() {
  const item = make("li");
  item.append(createPlate(false));
  return item;
}

/** createPlate creates the plate of a player; pressed: a press on it shows the player's sheet. */
function createPlate(pressed) {
  const plate = make(pressed ? "button" : "div");
  const name = make("span", "name");
  name.dir = "auto";
  plate.append(createFace(), name, make("b", "num"));
  return plate;
}
