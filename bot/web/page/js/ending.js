// What a board offers once its game is over, beside what the server does: its
// result to pass on.

import { make, moveFocus } from "./dom.js";
import { pictureOf } from "./picture.js";
import { say } from "./words.js";

/** shares reports whether a browser passes pictures on to other programs. */
function shares() {
  const file = new File([""], "knobel.png", { type: "image/png" });
  return Boolean(navigator.canShare?.({ files: [file] }));
}

/** createEnding makes the empty row of it; message() is what the board shows. */
export function createEnding(message) {
  const node = make("div", "row ending");
  node.hidden = true;
  const share = make("button", "plain", "");
  share.type = "button";
  share.addEventListener("click", (event) => {
    event.stopPropagation();
    passOn(message(), share);
  });
  return { node, share };
}

/** drawEnding shows the row on the board of a game that has ended with a result, not on notes about such a game;
 * elsewhere there is no button that could have the focus. */
export function drawEnding({ node, share }, message) {
  node.hidden = !message.record || !message.table;
  if (node.hidden) {
    share.remove();
    return;
  }
  share.textContent = say(shares() ? "share-result" : "save-result", {}, message.lang);
  if (!node.firstChild) node.append(share);
}

async function passOn(message, button) {
  button.disabled = true;
  try {
    const name = `knobel-${message.record}.png`;
    const picture = new File([await pictureOf(message)], name, { type: "image/png" });
    if (!shares() || !await shared(picture, message.head)) save(picture);
  } finally {
    button.disabled = false;
    moveFocus(button);
  }
}

/** shared hands a picture to another program. It reports whether that could be done: who thought better of it wants
 * no file instead. */
async function shared(picture, title) {
  try {
    await navigator.share({ files: [picture], title });
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

function save(file) {
  const link = make("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
