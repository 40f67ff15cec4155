// The last lines of a room on a television: moves, what people write, and news.

import { createMini } from "../board/die.js";
import { make } from "../js/dom.js";
import { request } from "../js/net.js";

const list = document.getElementById("last");
const most = 12; // lines; those without room are not shown
const further = 20; // moves that are read
let moves = []; // of the table on the stage
let table; // its number
let turn; // of the last reading
let shown = [[], []]; // what showLines has shown

new ResizeObserver(() => showLines(...shown)).observe(list);

/** readMoves reads the latest moves of the table that a message shows. */
export async function readMoves(message) {
  if (message.table === table && `${message.turn} ${message.record}` === turn) return;
  if (message.table !== table) moves = [];
  table = message.table;
  turn = `${message.turn} ${message.record}`;
  if (!message.turn) return;
  const read = async (since) => {
    const answer = await request(`/log?view=screen&table=${message.table}&since=${since}`).catch(() => null);
    return answer?.ok ? (await answer.json()).moves.filter(({ open }) => !open) : []; // the board shows that one
  };
  const since = Math.max(message.turn - further, 0);
  let late = await read(since);
  if (since && late.length === 0) late = await read(0); // many moves were undone
  if (message.table === table && late.length) moves = late;
}

/** showLines shows the last of all lines: the moves, what people have written, and entries of the stream with news, of
 * which it leaves out the last sentences if there is no room for them. The newest is the first element, which stands at
 * the bottom. */
export function showLines(written, news) {
  shown = [written, news];
  const all = [...moves.map((move) => ({ at: move.at, move })),
    ...written.map((line) => ({ at: line.at, line })), ...news.map((entry) => ({ at: entry.at, entry }))];
  all.sort((one, other) => one.at - other.at);
  list.replaceChildren(...all.slice(-most).reverse().map(({ move, line, entry }) => {
    if (entry) return newsOf(entry.message);
    return move ? lineOf(move.end ? "" : move.name, ...dice(move), [move.said, ...move.more ?? []].join(" · ")) :
      lineOf(line.name, make("q", "", line.text));
  }));
  for (const item of list.querySelectorAll(".news")) {
    while (item.childElementCount > 1 && item.scrollHeight > item.clientHeight) item.lastElementChild.remove();
  }
}

function newsOf({ head, told = [], lines = [] }) {
  const item = make("li", "news");
  item.append(...[head, ...told, ...lines].map((sentence) => make("span", "", `${sentence} `)));
  return item;
}

function lineOf(name, ...parts) {
  const item = make("li");
  const own = make("b", "", name);
  own.dir = "auto";
  item.append(own, name ? " " : "", ...parts);
  return item;
}

const dice = ({ dice: all }) => (all ?? []).flatMap((die) => [createMini(die), " "]);
