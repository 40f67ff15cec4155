// The leaderboard of the evening, which a television shows while no game is being played.

import { signOf } from "../board/score.js";
import { make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { request } from "../js/net.js";
import { say } from "../js/words.js";

const node = document.getElementById("evening");
const title = document.getElementById("evening-title");
const table = node.querySelector("table");
const rowsShown = 8;
let asked = 0; // readings so far; only the last one counts

/** showEvening reads the leaderboard, and shows it in place unless no game was played. people have seats at the table
 * that is shown, and give their rows their colours. */
export async function showEvening(place, people) {
  if (node.parentElement !== place) place.append(node);
  const number = ++asked;
  const answer = await request("/evening?view=screen").catch(() => null);
  if (!answer?.ok) return;
  const { head, unit, rows } = await answer.json();
  if (number !== asked) return;
  put(title, head);
  const heads = make("tr");
  heads.append(th(say("place"), "unseen"), th(say("player")), th(say("won"), "n"), th(unit, "n"));
  table.tHead.replaceChildren(heads);
  table.tBodies[0].replaceChildren(...rows.slice(0, rowsShown).map((row) => rowOf(row, people)));
  node.hidden = rows.length === 0;
}

/** hideEvening hides the leaderboard. */
export function hideEvening() {
  asked++;
  node.hidden = true;
}

function rowOf({ place, name, won, amount }, people) {
  const row = make("tr");
  const face = createFace();
  drawFace(face, people.find((one) => one.name === name) ?? { name });
  const own = make("span", "own", name);
  own.dir = "auto";
  const who = make("td", "pl");
  who.append(face, own);
  const first = make("td");
  first.append(make("span", `place g${place}`, String(place)));
  row.append(first, who, make("td", "n", won), make("td", `n big ${signOf(amount)}`, amount));
  return row;
}

function th(text, className = "") {
  const cell = make("th");
  cell.scope = "col";
  cell.append(make("span", className, text));
  if (className === "n") cell.className = "n";
  return cell;
}
