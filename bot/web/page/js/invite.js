// Inviting: the link of the room, in every way in which this browser can pass it on.

import { copied } from "./copy.js";
import { make, put } from "./dom.js";
import { path } from "./net.js";
import { say } from "./words.js";

const dialog = document.getElementById("invite");
const link = document.getElementById("invite-link");
const about = document.getElementById("invite-about");
const copy = document.getElementById("invite-copy");
const share = document.getElementById("invite-share");
const code = document.getElementById("invite-code");

// Others cannot use a loopback name: for them, the link has the address by which they reach this computer.
const local = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(location.hostname);
const reach = local ? document.documentElement.dataset.reach : location.origin;

/** own returns the URL of this room, for others if they can reach it. */
function own() {
  return (reach ?? location.origin) + (path("") || "/table");
}

function saidOf() {
  if (!reach) return say("invite-alone");
  return say(path("") ? "invite-is" : "invite-here");
}

/** invite opens the panel, without the ways that do not work here. */
export function invite() {
  link.value = own();
  put(about, saidOf());
  share.hidden = !navigator.share || !reach;
  code.hidden = !reach;
  if (!code.hidden && !code.firstElementChild) {
    const image = make("img");
    image.alt = say("invite-code");
    image.width = image.height = 220;
    image.src = path("/qr.svg");
    code.append(image);
  }
  dialog.showModal();
  link.select();
}

link.addEventListener("click", () => link.select());
copy.addEventListener("click", async () => {
  if (await copied(link)) dialog.close();
});
share.addEventListener("click", async () => {
  const shared = { title: document.title, text: say("invite-text"), url: link.value };
  if (await navigator.share(shared).then(() => true, () => false)) dialog.close();
});
document.getElementById("invite-close").addEventListener("click", () => dialog.close());
document.getElementById("invite-open").addEventListener("click", invite);

/** offerInvite adds an invite button below a board if lobby is true (its game has not begun), else removes it. */
export function offerInvite(board, lobby) {
  const there = board.querySelector(":scope > .invites");
  if (Boolean(there) === lobby) return;
  if (there) return there.remove();
  const row = make("p", "invites");
  const button = make("button", "plain", say("invite-title"));
  button.type = "button";
  button.addEventListener("click", invite);
  row.append(button);
  board.querySelector(":scope > .at-hand").after(row);
}
