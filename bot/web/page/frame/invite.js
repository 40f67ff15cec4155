// Inviting: the link of the room, in every way in which this browser can pass it on.

import { copied } from "../js/copy.js";
import { createAbout, linkOf, onReach, qrCode, reach } from "./link.js";
import { say } from "../js/words.js";

const dialog = document.getElementById("invite");
const link = document.getElementById("invite-link");
const copy = document.getElementById("invite-copy");
const share = document.getElementById("invite-share");
const code = document.getElementById("invite-code");

/** invite opens the panel, without the ways that do not work here. */
export function invite() {
  dialog.showModal();
  draw();
}

function draw() {
  link.value = linkOf();
  share.hidden = !navigator.share || !reach();
  code.hidden = !reach();
  if (!code.hidden && !code.firstElementChild) code.append(qrCode());
  link.select();
}

document.getElementById("invite-about").replaceWith(createAbout());
onReach(() => dialog.open && draw());

link.addEventListener("click", () => link.select());
copy.addEventListener("click", async () => {
  if (await copied(link)) dialog.close();
});
share.addEventListener("click", async () => {
  const shared = { title: document.title, text: say("invite-text"), url: link.value };
  if (await navigator.share(shared).then(() => true, () => false)) dialog.close();
});
document.getElementById("invite-close").addEventListener("click", () => dialog.close());
