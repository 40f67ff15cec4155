// Copying a link out of its field.

import { toast } from "./toast.js";
import { say } from "./words.js";

/** copied copies what stands in a field, which it selects, and tells whether that has worked. */
export async function copied(field) {
  field.select();
  // Browsers have no clipboard for pages on plain http beyond this computer; there the old command copies.
  const written = navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  const done = await written || document.execCommand("copy");
  if (done) toast(say("way-copied"));
  return done;
}
