// The list of keys.

import { make } from "../js/dom.js";
import { say } from "../js/words.js";

/** open opens a dialog that lists the keys. */
export function open() {
  const dialog = make("dialog", "keys");
  const title = make("h2", "", say("keys"));
  title.id = "keys-title";
  dialog.setAttribute("aria-labelledby", title.id);
  const list = make("dl");
  for (const [keys, about] of [["1 … 9", say("key-digits")], [say("key-go-name"), say("key-go")],
    ["Z", say("key-undo")], ["Esc", say("key-clear")], ["← →", say("key-moves")], ["/", say("key-line")]]) {
    list.append(make("dt", "", keys), make("dd", "", about));
  }
  const close = make("button", "secondary", say("close"));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(title, list, close);
  document.body.append(dialog);
  dialog.showModal();
}
