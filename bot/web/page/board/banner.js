// The banner of a board: whose turn it is, in one headline and one line, with the clock.

import { drawClock } from "./deadline.js";
import { lobby, openerOf, over } from "./state.js";
import { make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { dress } from "../js/icons.js";
import { say } from "../js/words.js";

/** createBanner creates an empty banner. */
export function createBanner() {
  const node = make("section", "banner");
  const face = createFace();
  const said = make("div", "said");
  const head = make("h2", "head");
  head.tabIndex = -1;
  const told = make("p", "told");
  const clock = make("span", "clock num");
  said.append(head, told);
  node.append(face, said, clock);
  return { node, face, head, told, clock };
}

/** drawBanner draws the headline of a message. It is filled with the colour of the seat if it is the turn of a person
 * at this browser. */
export function drawBanner({ node, face, head, told, clock }, message, who) {
  const { accent = -1, people = [] } = message;
  const seat = who.mover ?? (accent >= 0 ? accent : undefined);
  const winners = people.filter(({ place, state }) => place === 1 || state === "won");
  const opener = lobby(message) && openerOf(message);
  const person = opener || (people.find((one) => one.seat === seat) ?? (over(message) ? winners[0] : people[0]));
  face.hidden = !person;
  if (person) drawFace(face, person);
  if (person) node.dataset.seat = person.seat % 10;
  else delete node.dataset.seat;
  node.classList.toggle("mine", who.mover !== undefined);
  const own = opener && who.mine?.[opener.seat] !== undefined;
  dress(head, own ? say("lobby-yours", message, message.lang) : message.head);
  head.classList.toggle("long", message.head.length > 32);
  put(told, (message.told ?? []).join(" "));
  told.hidden = !told.textContent;
  drawClock(clock, message);
}
