// The banner of a board: whose turn it is, in one headline and one line, with the clock.

import { drawClock } from "./deadline.js";
import { lobby, openerOf, over } from "./state.js";
import { make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { dress } from "../js/icons.js";
import { say } from "../js/words.js";

const longest = 32; // characters of a headline in one line

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

/** drawBanner draws the headline of a message, and its other sentences below it. It is filled with the colour of the
 * seat if it is the turn of a person at this browser. */
export function drawBanner(parts, message, who, sentences = [message.head, ...message.told ?? []]) {
  const { node, face, head, told, clock } = parts;
  const { accent = -1, people = [] } = message;
  const seat = who.mover ?? (accent >= 0 ? accent : undefined);
  const winners = people.filter(({ place, state }) => place === 1 || state === "won");
  const opener = openerOf(message);
  const person = opener || (people.find((one) => one.seat === seat) ?? (over(message) ? winners[0] : people[0]));
  face.hidden = !person;
  if (person) drawFace(face, person);
  if (person) node.dataset.seat = person.seat % 10;
  else delete node.dataset.seat;
  node.classList.toggle("mine", who.mover !== undefined);
  const [first, ...below] = sentences;
  dress(head, ownHead(message, who.mine) ?? first);
  head.classList.toggle("long", first.length > longest);
  put(told, below.join(" "));
  told.hidden = !told.textContent;
  drawClock(clock, message);
}

/** ownHead returns the headline of a lobby for the person who invites, undefined for others; mine are their seats. */
function ownHead(message, mine) {
  const opener = openerOf(message);
  return opener && mine?.[opener.seat] !== undefined ? say("lobby-yours", message, message.lang) : undefined;
}

/** spokenOf returns the sentences of a board as they are announced to the people who have the seats mine. */
export function spokenOf(message, mine) {
  const head = ownHead(message, mine);
  return (head ? [head, ...sentencesOf(message).slice(1)] : [message.head, ...message.told ?? []]).join(" ");
}

/** sentencesOf returns the headline of a board and the sentences below it, with the rest of a headline that is too long
 * for a line. */
export function sentencesOf(message) {
  const { head, told = [] } = message;
  const split = lobby(message) ? /^(.{9,}?)[:,] (.+)$/ : /^(.{9,}?)(?:(?<=\?)|[:;.]) (.+)$/;
  const [, first, rest] = head.length > longest && split.exec(head) || [];
  return [first ?? head, ...rest ? [rest[0].toUpperCase() + rest.slice(1)] : [], ...told];
}
