// The link by which others enter the room, as text and as a picture.

import { make } from "../js/dom.js";
import { path, post, problemOf } from "../js/net.js";
import { say } from "../js/words.js";

const root = document.documentElement;
// Others cannot use a loopback name: for them, the link has the address by which they reach this computer.
const local = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(location.hostname);

/** reach returns the beginning of URLs for others, "" if they cannot reach this computer. */
export const reach = () => (local ? root.dataset.reach ?? "" : location.origin);

/** linkOf returns the URL of this room, for others if they can reach it. */
export function linkOf() {
  return (reach() || location.origin) + (path("") || "/table");
}

/** saidOf returns the sentence about that link. */
export function saidOf() {
  if (!reach()) return say("invite-alone");
  return say(path("") ? "invite-is" : "invite-here");
}

/** qrCode returns the picture of the link. */
export function qrCode() {
  const image = make("img");
  image.alt = say("invite-code");
  image.width = image.height = 220;
  image.src = path("/qr.svg");
  return image;
}

const followers = new Set();

/** onReach calls f() once others can use the link, if they cannot yet. */
export function onReach(f) {
  followers.add(f);
}

/** createAbout returns the sentence about the link. If others cannot use it, a button below opens the page to the
 * network, or a sentence says how to start the program for that. */
export function createAbout() {
  const about = make("div", "about");
  const draw = () => {
    const { opens, command } = root.dataset;
    about.replaceChildren(make("p", "small quiet", saidOf()));
    if (reach()) return;
    if (opens) about.append(...createOpener());
    else if (command) about.append(restart(command));
  };
  onReach(draw);
  draw();
  return about;
}

/** restart returns the sentence that says how to start the program, with the command as the operator types it. */
function restart(command) {
  const said = make("p", "small quiet", `${say("invite-restart")} `);
  const code = make("code", "", command);
  code.dir = "ltr";
  said.append(code);
  return said;
}

/** createOpener returns the button that opens the page to the network, and the empty place for a problem. */
function createOpener() {
  const problem = make("p", "problem");
  problem.setAttribute("role", "alert");
  const button = make("button", "secondary", say("invite-open"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    const answer = await post("/open", {}).catch(() => null);
    if (!answer?.ok) {
      button.disabled = false;
      problem.textContent = await problemOf(answer, say("invite-not-open"));
      return;
    }
    root.dataset.reach = (await answer.json()).reach;
    delete root.dataset.opens;
    followers.forEach((f) => f());
  });
  return [button, problem];
}
