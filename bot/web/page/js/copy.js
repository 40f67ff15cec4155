// Copying a link from its field.

import { toast } from "../frame/toast.js";
import { say } from "./words.js";

/** copied selects and copies the text of a field. It resolves to whether that succeeded; if so, it shows a toast. */
export async function copied(field) {
  field.select();
  // Pages over plain http have a clipboard only on this computer; elsewhere the old command copies.
  const written = navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  const done = await written || document.execCommand("copy");
  if (done) toast(say("way-copied"));
  return done;
}
