// Score sheets and tracks, whose script and styles are loaded with the first game that has one.

import { load } from "../js/load.js";

let sheets;

/** loadScores resolves once everything is loaded that drawing the messages of entries needs. */
export async function loadScores(entries) {
  if (!entries.some(({ message }) => message.sheet || message.race)) return;
  sheets ??= await load("board/sheet").catch(() => undefined);
}

/** drawScores draws the track of a message, and its sheet on board.sheet, which is created with the first one. place(pad)
 * puts it at its place. Without a connection, there is none. */
export function drawScores(board, message, place, mine) {
  sheets?.drawRace(board.box, message, board.choice);
  if (!sheets || !message.sheet && !board.sheet) return;
  if (!board.sheet) place(board.sheet = sheets.createSheet());
  sheets.drawSheet(board.sheet, message, board.choice, mine);
}
