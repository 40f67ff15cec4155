// Copying a link out of its field, where the browser lets pages copy: not on plain http beyond this computer.

import { toast } from "./toast.js";
import { say } from "./words.js";

/** canCopy says whether a button for it can work. */
export const canCopy = Boolean(navigator.clipboard);

/** copied copies what stands in a field, which it selects, and tells whether that has worked. */
export async function copied(field) {
  field.select();
  const done = await navigator.clipboard.writeText(field.value).then(() => true, () => false);
  if (done) toast(say("way-copied"));
  return done;
}
