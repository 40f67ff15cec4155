// A sign-in link that was opened in another browser: the page shows the present players here, and those after a
// press. Before that it changes nothing.

import "./held.js";
import "./look.js";
import { make } from "./dom.js";
import { isRoom } from "./visited.js";
import { say } from "./words.js";

const place = document.getElementById("take");
const [, code, room] = /^#([^/]*)(.*)$/.exec(location.hash) ?? ["", "", ""];
const back = isRoom(room) ? room : "/table"; // the room in which the link was made
document.getElementById("take-back").setAttribute("href", back);

/** ask sends the link to the server and resolves to its answer. yes: this browser becomes the visitor of the link. */
async function ask(yes) {
  const answer = await fetch("/take", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code, yes }),
  }).catch(() => null);
  if (answer?.ok) return answer.json();
  const problem = { 404: "take-wrong", 429: "sign-in-slowly" }[answer?.status] ?? "unsent";
  place.replaceChildren(make("p", "problem", say(problem)));
  return undefined;
}

const names = (people) => people.map((p) => p.name).join(", ");

/** show asks whether this browser should become the visitor of the link, or says that it is that visitor already. */
function show({ now, then, same }) {
  const who = names(then);
  if (same) {
    place.replaceChildren(make("p", "", say("take-same", { names: who })));
    return;
  }
  const yes = make("button", "primary", say("take-yes", { names: who }));
  yes.addEventListener("click", async () => {
    if (await ask(true)) location.replace(back);
  });
  const said = [make("p", "", say("take-then", { names: who }))];
  if (now) said.push(make("p", "", say("take-now", { names: names(now) })));
  said.forEach((p) => { p.dir = "auto"; });
  place.replaceChildren(...said, yes);
}

const found = await ask(false);
if (found) show(found);
