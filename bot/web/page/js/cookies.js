// A browser that keeps no cookies: the page can do nothing, and says so instead.

import { make } from "./dom.js";
import { say } from "./words.js";

/** needCookies has the page say that it needs cookies, and nothing else. */
export function needCookies() {
  const card = make("section", "card");
  card.role = "alert";
  card.append(make("h1", "", say("no-cookies")));
  const main = make("main", "middle");
  main.append(card);
  document.body.className = "sheet";
  document.body.replaceChildren(main);
}
