// A game of before: one line, who won it and when. A press shows its board.

import { make, put } from "./dom.js";

/** createOld makes the line of a board; board() makes and draws that once it is asked for. */
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

/** drawOld writes the line. */
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

/** spoken is the language of the page, as this browser's region writes it where both are the same. */
function spoken() {
  const { lang } = document.documentElement;
  return navigator.languages.find((locale) => locale.split("-")[0] === lang) ?? lang;
}
