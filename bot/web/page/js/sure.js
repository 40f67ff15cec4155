// What cannot be taken back is asked once before it is done.

const dialog = document.getElementById("sure");
const text = document.getElementById("sure-text");
const yes = document.getElementById("sure-yes");

document.getElementById("sure-no").addEventListener("click", () => dialog.close());
yes.addEventListener("click", () => dialog.close("yes"));

/** sure shows a sentence and what would be done, and tells whether it shall be. */
export function sure(sentence, what) {
  text.textContent = sentence;
  yes.textContent = what;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}
