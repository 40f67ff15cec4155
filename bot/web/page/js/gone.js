// The page of a room that no longer admits this browser. It removes the room from the list of rooms. People can still
// see and delete their stored data here.

import "./look.js";
import { make } from "./dom.js";
import { drawId } from "./net.js";
import { forgetRoom } from "./visited.js";
import { say } from "./words.js";

const [room = ""] = /^\/r\/[^/]+/.exec(location.pathname) ?? [];
forgetRoom(room.replace(/[^/]+$/, (address) => address.toUpperCase())); // as the server spells addresses

const place = document.getElementById("own");

/** ask sends a command or a press for the person with the number as, and shows the answer. */
async function ask({ as, text, press }) {
  const answer = await fetch(room + (press ? "/press" : "/command"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id: drawId(), as: Number(as), text, press }),
  }).catch(() => null);
  if (answer?.ok) show(await answer.json(), as);
  else place.replaceChildren(make("p", "problem", (await answer?.text()) || say("unsent")));
}

/** show shows an answer: its text, its file and its buttons. */
function show({ toast = "", private: { head = toast, told = [], lines = [], file, buttons = [] } = {} }, as) {
  place.replaceChildren(...[head, ...told, ...lines].map((text) => make("p", "", text)));
  if (file) {
    const link = make("a", "button", say("save-file", { name: file.name }));
    const bytes = Uint8Array.from(atob(file.bytes), (letter) => letter.charCodeAt(0));
    link.href = URL.createObjectURL(new Blob([bytes], { type: file.type }));
    link.download = file.name;
    place.append(link);
  }
  for (const { label, press } of buttons.flat()) {
    const button = make("button", "", label);
    Object.assign(button.dataset, { as, press });
    place.append(button, " ");
  }
}

document.addEventListener("click", ({ target }) => {
  const { dataset } = target.closest("button[data-as]") ?? {};
  if (dataset) ask(dataset);
});
