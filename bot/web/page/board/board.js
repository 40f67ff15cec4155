// The board of a table on the stage: banner, players in short, box or sheet, and actions. It is updated in
// place and never rebuilt: so tiles fold with an animation, and the focus stays on the button in the same place.

import { createActions, drawActions, focusNext, mainOf } from "./actions.js";
import { createBanner, drawBanner, sentencesOf, spokenOf } from "./banner.js";
import { createBox, drawBox, drawFoot } from "./box.js";
import { createHowTo, drawHowTo } from "./howto.js";
import { Choice, touch } from "./pick.js";
import { drawScores } from "./scores.js";
import { lobby, over, running } from "./state.js";
import { createStrip, drawStrip } from "./strip.js";
import { calm, make, moveFocus } from "../js/dom.js";
import { announce } from "../js/live.js";
import { load } from "../js/load.js";
import { say } from "../js/words.js";

const hold = 300; // milliseconds between a roll and the choices that follow

/** createBoard creates the board of a table, still empty. press(what, node) is called for a pressed button, with the
 * text that the button sends and the board's element; shown(message, who) whenever it shows another message; doors are
 * those of createActions. */
export function createBoard(press, shown, doors) {
  const node = make("article", "board");
  const banner = createBanner();
  const area = make("div", "area");
  const tray = make("div", "tray");
  const parts = { node, banner, area, tray, shown, head: banner.head, strip: createStrip(), box: createBox(),
    end: { node: make("div", "ending"), doors }, howTo: createHowTo(), actions: createActions(doors) };
  parts.box.felt.append(parts.howTo.node);
  parts.choice = new Choice((what) => press(what, node), () => drawChoice(parts));
  node.append(banner.node, parts.strip.node, area, tray, parts.actions.node);
  node.addEventListener("click", (event) => {
    pickSeat(parts, event);
    touch(parts, event, press);
  });
  return { node, head: banner.head, choice: parts.choice, actions: parts.actions,
    update: (message, who) => update(parts, message, who) };
}

/** pickSeat shows the sheet of the player who was pressed above the board or the sheet, or again the visitor's own. */
function pickSeat(parts, { target }) {
  const seat = Number(target.closest("[data-at]")?.dataset.at);
  if (!parts.sheet || Number.isNaN(seat)) return;
  parts.sheet.seat = parts.sheet.seat === seat ? undefined : seat;
  drawChoice(parts);
}

/** update draws a message. who describes the visitor's people on it: see whoIsOn in room.js. */
function update(parts, message, who) {
  const { node } = parts;
  const held = node.contains(document.activeElement);
  const headed = document.activeElement === parts.head; // screen readers do not read its changes
  node.lang = message.lang;
  node.dataset.table = message.table;
  node.classList.toggle("over", over(message));
  if (!over(message)) node.classList.remove("crowned");
  node.classList.toggle("sheets", Boolean(message.sheet));
  node.classList.toggle("lobby", lobby(message));
  node.classList.toggle("theirs", running(message) && who.mover === undefined);
  holdChoices(parts, message);
  parts.choice.take(message);
  Object.assign(parts, { message, who });
  drawBanner(parts.banner, message, who, sentencesOf(message));
  drawStrip(parts.strip, message, who);
  arrange(parts, message);
  drawHowTo(parts.howTo, message);
  drawFoot(parts.box, message);
  drawChoice(parts);
  showEnd(parts, message, who);
  if (held && (!node.contains(document.activeElement) || document.activeElement.disabled)) {
    if (mainOf(parts.actions) || who.mover !== undefined) focusNext(parts.actions);
    if (!node.contains(document.activeElement)) moveFocus(parts.head);
  }
  tell(parts, message, document.activeElement === parts.head && !headed);
  parts.shown(message, who);
}

/** showEnd shows the result of a game that is over, in a part that is loaded then. */
async function showEnd({ end, node }, message, who) {
  end.node.hidden = !over(message);
  if (end.node.hidden) return;
  const { createEnd, drawEnd } = await load("board/end");
  end.parts ??= end.node.appendChild(createEnd(end.doors).node).parts;
  if (node.classList.contains("over")) drawEnd(end.parts, message, who);
}

/** arrange puts box, sheet and result at their places, which depend on the game and its state. */
export function arrange(parts, message) {
  const { area, tray, box, sheet, end } = parts;
  const ended = over(message);
  if (sheet && message.turn !== parts.turn) sheet.seat = undefined;
  parts.turn = message.turn;
  const place = (parent, ...nodes) => nodes.forEach((child) => child.parentNode !== parent && parent.append(child));
  if (sheet) place(area, sheet.node);
  place(message.sheet ? tray : area, end.node, box.node);
  const tiled = message.tiles?.some((row) => row.tiles?.length);
  box.node.hidden = ended && !message.race && (Boolean(message.sheet) || !tiled);
  box.node.classList.toggle("flat", ended);
  tray.hidden = !message.sheet;
}

/** drawChoice draws the parts that depend on the current choice: box, sheet and actions. */
function drawChoice(parts) {
  const { area, box, actions, choice, message, who } = parts;
  drawBox(box, message, choice);
  drawScores(parts, message, ({ node }) => area.prepend(node), who.mine);
  drawActions(actions, message, choice, who);
}

/** holdChoices hides the choices for a moment after a roll. */
function holdChoices({ node, message: before }, { dice = [] }) {
  const faces = (all = []) => all.map(({ face }) => face).join(" ");
  if (!before || dice.length === 0 || faces(dice) === faces(before.dice) || calm()) return;
  node.classList.add("held");
  setTimeout(() => node.classList.remove("held"), hold);
}

/** tell announces changed sentences of a board, unless the focus makes screen readers read them (read), the next update
 * repeats them (unheard), or a replay shows them. */
function tell(parts, message, read) {
  const said = spokenOf(message, parts.who.mine);
  const heard = read || message.unheard || !parts.node.isConnected;
  if (parts.said && parts.said !== said && !heard) announce(said, message.lang);
  parts.said = said;
  tellSeats(parts);
}

/** tellSeats announces that others have joined a table whose game has not begun. */
function tellSeats(parts) {
  const { message: { live, people = [], lang }, who } = parts;
  const sits = live && !running(parts.message) ? people.filter(({ house }) => !house) : [];
  const fresh = sits.filter(({ seat, name }) => who.mine[seat] === undefined && !parts.seated?.includes(name));
  if (parts.seated && fresh.length) announce(fresh.map(({ name }) => say("sits-down", { name }, lang)).join(" "), lang);
  parts.seated = sits.map(({ name }) => name);
}
