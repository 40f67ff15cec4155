// The result of a game: the players by place, with their winnings, luck and mistakes, and one sentence about
// the most expensive mistake.

export { cheer } from "./cheer.js";
import { scoreOf, signOf } from "./score.js";
import { byPlace } from "./state.js";
import { fit, make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

/** createEnd creates the empty result. doors.review(table) resolves to the review of a game, doors.showMove(table,
 * move) shows a move in the review. */
export function createEnd(doors) {
  const node = make("div", "end");
  const rank = make("ol", "rank");
  const lesson = make("div", "lesson");
  const said = make("p");
  const show = make("button", "secondary");
  lesson.hidden = true;
  lesson.append(said, show);
  node.append(rank, lesson);
  const parts = { node, rank, lesson, said, show, doors };
  show.addEventListener("click", () => doors.showMove(parts.table, parts.move));
  node.parts = parts;
  return parts;
}

/** drawEnd draws the result of a message. */
export function drawEnd(parts, message, who) {
  const { node, rank, lesson, doors } = parts;
  const people = byPlace(message);
  node.hidden = people.length === 0;
  if (node.hidden) return;
  fit(rank, people.length, createLine).forEach((line, i) => drawLine(line, people[i], message, who));
  const table = message.record;
  if (parts.table === table) return;
  parts.table = table;
  lesson.hidden = true;
  fillBars(rank, undefined);
  if (table) doors.review(table).then((review) => parts.table === table && drawReview(parts, review));
}

function createLine() {
  const line = make("li");
  const name = make("div", "name");
  const own = make("span", "own");
  own.dir = "auto";
  name.append(own, make("span", "you small quiet"), make("small"));
  const won = make("div", "won num");
  won.append(make("span"), make("small"));
  line.append(make("span", "place"), createFace(), name, make("div", "split"), won);
  return line;
}

function drawLine(line, person, { lang, people, pool = "" }, who) {
  const [place, face, name, split, won] = line.children;
  const { score, unit, amount, more, doing } = scoreOf(person);
  const at = person.place || (person.state === "won" ? 1 : 0);
  line.classList.toggle("first", at === 1 && people.length > 1);
  line.dataset.seat = person.seat % 10;
  line.dataset.state = person.state ?? "";
  place.className = `place g${at}`;
  put(place, at ? String(at) : "–");
  drawFace(face, person);
  const points = [score, unit].filter(Boolean).join(" ");
  put(name.children[0], person.name);
  put(name.children[1], who.mine[person.seat] !== undefined ? ` ${say("you", {}, lang)}` : "");
  put(name.children[2], [amount ? points : more, doing].filter(Boolean).join(" · "));
  put(won.children[0], amount || score);
  put(won.children[1], amount ? pool.replace(/[\d.,\s]+/, "").trim() : unit);
  won.className = `won num ${signOf(amount)}`;
  split.dataset.of = person.seat;
}

/** drawReview draws luck and mistakes, and the sentence about the most expensive mistake. */
function drawReview(parts, review) {
  if (!review?.seats) return;
  fillBars(parts.rank, review.seats, parts.rank.closest(".board")?.lang);
  parts.lesson.hidden = !review.lesson;
  if (!review.lesson) return;
  put(parts.said, review.lesson.said);
  put(parts.show, say("show-me"));
  parts.move = review.lesson.move;
}

/** fillBars draws the bars of all lines; without seats it empties them. */
function fillBars(rank, seats, lang) {
  const most = mostOf(seats ?? []);
  for (const split of rank.querySelectorAll(".split")) {
    const one = seats?.find(({ seat }) => seat === Number(split.dataset.of));
    split.replaceChildren(...one ? barsOf(one, most, lang) : []);
  }
}

/** mostOf returns the largest luck or mistakes of seats in a review, never 0. */
export const mostOf = (seats) =>
  Math.max(1e-9, ...seats.flatMap(({ luck, mistakes }) => [Math.abs(luck), Math.abs(mistakes)]));

/** barsOf returns the bars of a seat in a review: luck, which goes to both sides, and mistakes. most is the length of a
 * full half. */
export function barsOf({ luck, mistakes, luckText, mistakesText }, most, lang) {
  const both = [["luck", say("luck", {}, lang), luck, luckText],
    ["mistakes", say("mistakes", {}, lang), mistakes, mistakesText]];
  return both.map(([kind, label, value, text]) => {
    const line = make("span", kind);
    const bar = make("span", "bar");
    const fill = make("i", value < 0 ? "neg" : "");
    const wide = Math.abs(value) / most * 50;
    fill.style.setProperty("--l", `${value < 0 ? 50 - wide : 50}%`);
    fill.style.setProperty("--w", `${wide}%`);
    bar.append(fill);
    bar.ariaHidden = "true";
    line.append(label, bar, make("em", "", text));
    return line;
  });
}
