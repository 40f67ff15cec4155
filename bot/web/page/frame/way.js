// The visitor's sign-in link, by which another browser becomes the same visitor. It is shown on request. Its code is
// behind a "#": browsers do not send that part to servers.

import { copied } from "../js/copy.js";
import { path, send } from "../js/net.js";
import { toast } from "./toast.js";
import { inTurn } from "../js/turn.js";
import { say } from "../js/words.js";

const node = document.getElementById("way");
const link = document.getElementById("way-link");
const about = document.getElementById("way-about");
const fresh = document.getElementById("way-make");
const copy = document.getElementById("way-copy");
const revoke = document.getElementById("way-revoke");

async function ask(what) {
  const { code, toast: problem } = await inTurn(() => send("/way", what));
  if (problem) return toast(problem, true);
  link.hidden = !code;
  copy.hidden = !code;
  link.value = code ? `${location.origin}/take#${code}${path("")}` : ""; // ends with the path back to this room
  about.textContent = say(code ? "way-is" : "way-none");
  fresh.textContent = say(code ? "way-new" : "way-make");
  node.hidden = false;
  return true;
}

/** showWay opens the panel about the sign-in link, with the link if there is one. */
export async function showWay() {
  if (await ask({})) (link.hidden ? fresh : link).focus(); // scrolls a low panel to it
}

fresh.addEventListener("click", () => ask({ make: true }));
revoke.addEventListener("click", async () => {
  if (await ask({ revoke: true })) toast(say("way-revoked"));
});
link.addEventListener("click", () => link.select());
copy.addEventListener("click", () => copied(link));
document.getElementById("way-close").addEventListener("click", () => {
  node.hidden = true;
  link.value = "";
});
