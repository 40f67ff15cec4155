// The dialog that asks a new visitor for a name before anything else.

const dialog = document.getElementById("names");
const form = document.getElementById("names-form");
const field = document.getElementById("names-name");
const problem = document.getElementById("names-problem");

/** askName asks for a name, with proposal in the field. It calls take(name), or take("") to keep the proposal, also if
 * the dialog is cancelled. take resolves to the problem with the name, "" if there is none; then the promise
 * resolves. */
export function askName(proposal, take) {
  field.value = proposal;
  dialog.showModal();
  field.select();
  return new Promise((done) => {
    const answered = () => {
      document.activeElement.blur(); // close() alone leaves the focus, and keys, in the dialog until the next frame
      dialog.close();
      done();
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const name = field.value.trim();
      problem.textContent = await take(name === proposal ? "" : name);
      if (!problem.textContent) answered();
      else field.select();
    });
    dialog.addEventListener("cancel", async (event) => {
      event.preventDefault();
      await take("");
      answered();
    });
  });
}
