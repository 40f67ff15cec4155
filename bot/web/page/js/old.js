// A past game in one line: who won it and when. A press shows its board.

import { make, put } from "./dom.js";

/** createOld creates the line of a past game. board() draws and returns the board when the line is opened. */
export function createOld(board) {
  const node = make("details", "old");
  const line = make("summary");
  const said = make("span", "said-then");
  const when = make("time");
  line.append(said, when);
  node.append(line);
  node.addEventListener("toggle", () => {
    if (node.open) node.append(board());
  });
  return { node, said, when };
}

/** drawOld fills the line from an entry of the feed. */
export function drawOld({ said, when }, { message, at }) {
  put(said, message.game ? `${message.game}: ${message.head}` : message.head);
  said.lang = message.lang;
  when.hidden = !at;
  if (!at) return;
  const then = new Date(at * 1000);
  when.dateTime = then.toISOString();
  const today = then.toDateString() === new Date().toDateString();
  put(when, today ? new Intl.DateTimeFormat(navigator.language, { timeStyle: "short" }).format(then)
    : new Intl.DateTimeFormat(spoken(), { day: "numeric", month: "short" }).format(then));
}

/** spoken returns the browser's locale for the page's language, such as "de-AT", else the language itself. */
function spoken() {
  const { lang } = document.documentElement;
  return navigator.languages.find((locale) => locale.split("-")[0] === lang) ?? lang;
}
