// How to play the game of the table on the stage: three steps, a picture of scoring, and the rules in sentences.

import { createMini } from "../board/die.js";
import { make, unseen } from "../js/dom.js";
import { say } from "../js/words.js";

const most = 4; // sets of tiles in the example

/** show fills a page of the panel. Without a table, it is about Shut the Box. */
export async function show(container, room) {
  const table = room.table();
  const what = table ? `table=${table}` : "game=shutbox";
  const data = await room.get(`howto?${what}`).catch((error) => ({ failed: error.message }));
  if (data.failed) {
    container.replaceChildren(make("p", "quiet", data.failed));
    return;
  }
  const { title, steps, text, scoring, tiles } = data;
  container.replaceChildren(make("h3", "", title), list(steps), ...tiles ? [example(tiles)] : [],
    ...scoring.length ? [scores(scoring)] : [], rules(text));
}

function list(steps) {
  const all = make("ol", "howto-steps");
  all.append(...steps.map((step) => make("li", "", step)));
  return all;
}

/** scores returns the table of scoring: dice, and their points. */
function scores(scoring) {
  const table = make("table", "scoring");
  table.append(make("caption", "unseen", say("what-scores")));
  for (const { label, dice, points } of scoring) {
    const row = table.insertRow();
    const name = make("th", "", label);
    name.scope = "row";
    const shown = make("td", "dice-of");
    shown.append(...dice.map((face) => createMini({ face, sides: 6 })));
    row.append(name, shown, make("td", "num", String(points)));
  }
  return table;
}

/** example returns a roll, and the tiles that it may close. */
function example({ board, dice, sides, sets }) {
  const figure = make("figure", "tiles-example");
  const roll = make("p", "roll");
  roll.append(...dice.map((face) => createMini({ face, sides })), " = ", String(dice.reduce((sum, face) => sum + face, 0)));
  figure.append(roll, ...sets.slice(0, most).map((set) => {
    const row = make("p", "set");
    row.append(unseen(set.join(" + ")), ...board.map((number) => {
      const tile = make("span", set.includes(number) ? "t flat" : "t", String(number));
      tile.ariaHidden = "true";
      return tile;
    }));
    return row;
  }));
  return figure;
}

/** rules returns the rules, a paragraph each. */
function rules(text) {
  const all = make("div", "rules");
  all.append(...text.map((paragraph) => make("p", "", paragraph)));
  return all;
}
