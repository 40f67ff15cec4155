// Who comes in new is asked for a name before anything else.

const dialog = document.getElementById("names");
const form = document.getElementById("names-form");
const field = document.getElementById("names-name");
const problem = document.getElementById("names-problem");

/** askName asks for a name; the proposal stands in the field. take(name) gives it, "" keeps the
 * proposal, and answers with what is wrong with it, "" where it is taken. Closing keeps the
 * proposal. The promise is kept once there is an answer. */
export function askName(proposal, take) {
  field.value = proposal;
  dialog.showModal();
  field.select();
  return new Promise((done) => {
    const answered = () => {
      document.activeElement.blur(); // closing alone leaves the focus, and keys, inside until the next frame
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
