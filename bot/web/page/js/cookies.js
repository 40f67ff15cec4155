// The notice for browsers that store no cookies, without which the page does not work.

import { make } from "./dom.js";
import { say } from "./words.js";

/** needCookies replaces the whole page by the notice that it needs cookies. */
export function needCookies() {
  const card = make("section", "card");
  card.role = "alert";
  card.append(make("h1", "", say("no-cookies")));
  const main = make("main", "middle");
  main.append(card);
  document.body.className = "sheet";
  document.body.replaceChildren(main);
}
