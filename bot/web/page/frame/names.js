// The door of a room: a new visitor sees the people here and the invitation, and enters a name before anything
// else.

import { make, put } from "../js/dom.js";
import { createFace, drawFace } from "../js/icon.js";
import { say } from "../js/words.js";

const dialog = document.getElementById("names");
const form = document.getElementById("names-form");
const title = document.getElementById("names-title");
const company = document.getElementById("names-company");
const field = document.getElementById("names-name");
const problem = document.getElementById("names-problem");
const listed = new Intl.ListFormat(document.documentElement.lang);
const maxFaces = 4;

/** askName asks for a name, with proposal in the field. It calls take(name), or take("") to keep the proposal, also if
 * the dialog is cancelled. take resolves to the problem with the name, "" if there is none; then the promise resolves
 * to whether a person has pressed Join. */
export function askName(proposal, take) {
  field.value = proposal;
  dialog.showModal();
  field.select();
  return new Promise((done) => {
    const answered = (joins) => {
      document.activeElement.blur(); // close() alone leaves the focus, and keys, in the dialog until the next frame
      dialog.close();
      done(joins);
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const name = field.value.trim();
      problem.textContent = await take(name === proposal ? "" : name);
      if (!problem.textContent) answered(true);
      else field.select();
    });
    dialog.addEventListener("cancel", async (event) => {
      event.preventDefault();
      await take("");
      answered(false);
    });
  });
}

/** showDoor shows on the open dialog the people in the room (here) and its game: message is the board of the
 * newest table, undefined if there is none, and opens whether it is a lobby. host: the visitor made this room. */
export function showDoor(here, host, message, opens) {
  put(title, titleOf(host, message, opens));
  const others = here.filter(({ you, away, fresh }) => !you && !away && !fresh).map(({ name }) => name);
  company.hidden = others.length === 0;
  const faces = others.slice(0, maxFaces).map((name, i) => {
    const face = createFace();
    drawFace(face, { name, seat: message?.people?.find((one) => one.name === name)?.seat ?? i });
    return face;
  });
  const said = make("span", "small quiet", say(others.length > 1 ? "door-here-several" : "door-here",
    { names: listed.format(others) }));
  said.dir = "auto";
  company.replaceChildren(...faces, said);
}

/** titleOf returns the heading of the dialog; the arguments are those of showDoor. */
function titleOf(host, message, opens) {
  if (host) return say("room-yours");
  if (!message) return say("door-title");
  const { game, people = [] } = message;
  const opener = people.find(({ house, reserved }) => !house && !reserved);
  if (!opens) return say("door-running", { game });
  return opener ? say("door-invites", { name: opener.name, game }) : say("door-to", { game });
}
