// The panel of a review: luck and mistakes of each player, and the list of moves.

import { createMini } from "../board/die.js";
import { barsOf, mostOf } from "../board/end.js";
import { signOf } from "../board/score.js";
import { make, narrow, unseen } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

/** createList creates the empty panel. go(index) is called for the move that is pressed. */
export function createList(go) {
  const node = make("div", "reviewed");
  return { node, go, buttons: [] };
}

/** drawList draws a review or, as long as there is none, why, and the moves. */
export function drawList(list, { ready, note, unit, seats, moves }) {
  const parts = [];
  if (ready) parts.push(block(say("review-bars", { unit }), barsList(seats)));
  else if (note) parts.push(make("p", "small quiet", note));
  list.buttons = moves.map((move, i) => createMove(move, i, seats, list.go));
  if (moves.length) {
    const all = make("ol", "movelist");
    all.append(...list.buttons.map((button) => {
      const item = make("li");
      item.append(button);
      return item;
    }));
    parts.push(block(say("moves"), all));
  }
  list.node.replaceChildren(...parts);
}

function block(title, ...nodes) {
  const part = make("section", "block");
  part.append(make("h3", "", title), ...nodes);
  return part;
}

/** barsList returns the players by their places, each with two bars and the winnings. */
function barsList(seats) {
  const most = mostOf(seats);
  const list = make("ul", "plates");
  list.append(...[...seats].sort((a, b) => a.place - b.place).map((seat) => {
    const item = make("li", "plate");
    const face = createFace();
    drawFace(face, seat);
    face.title = seat.name;
    const split = make("div", "split");
    split.append(...barsOf(seat, most));
    const won = make("b", `num ${signOf(seat.amount)}`, seat.amount || seat.score);
    item.append(face, unseen(seat.name), split, won);
    return item;
  }));
  return list;
}

/** createMove creates the button of a move: its number, player, dice, sentence, and its cost or luck. */
function createMove({ seat, name, dice = [], said, costText, luckText }, i, seats, go) {
  const button = make("button", "mv");
  const face = createFace();
  drawFace(face, seats.find((one) => one.seat === seat) ?? { seat: seat < 0 ? undefined : seat, name });
  const line = make("span", "what");
  const small = make("span", "minis");
  small.append(...dice.map(createMini));
  line.append(face, unseen(`${name}: `), small, make("span", "said", said));
  const figure = make("span", costText ? "num cost" : "num by-luck");
  if (costText || luckText) figure.append(unseen(`${say(costText ? "mistakes" : "luck")} `), costText ?? luckText);
  button.append(make("span", "num count", String(i + 1)), line, figure);
  button.addEventListener("click", () => {
    go(i);
    if (narrow.matches) scrollTo(0, 0); // the board is above the list
  });
  return button;
}

/** markList marks the move that is shown, and scrolls to it if the list has its own scrollbar. */
export function markList({ node, buttons, marked }, index) {
  const button = buttons[index];
  if (button?.hasAttribute("aria-current")) return;
  buttons.forEach((one) => one.removeAttribute("aria-current"));
  button?.setAttribute("aria-current", "true");
  const panel = node.parentElement;
  if (!button || !panel || panel.scrollHeight <= panel.clientHeight) return;
  const { top, bottom } = button.getBoundingClientRect();
  const view = panel.getBoundingClientRect();
  if (top < view.top || bottom > view.bottom) panel.scrollTop += top - view.top - view.height / 2;
}
