// The question before an action that cannot be undone.

const dialog = document.getElementById("sure");
const text = document.getElementById("sure-text");
const yes = document.getElementById("sure-yes");

document.getElementById("sure-no").addEventListener("click", () => dialog.close());
yes.addEventListener("click", () => dialog.close("yes"));

/** sure asks the question in sentence. It resolves to whether the button, labelled what, was pressed. */
export function sure(sentence, what) {
  text.textContent = sentence;
  yes.textContent = what;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}
