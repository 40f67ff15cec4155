// A position of a finished game: the sentence about a move, and the board before it, on which the played and the better
// move are marked.

import { createBanner, drawBanner } from "../board/banner.js";
import { createBox, drawBox, drawFoot } from "../board/box.js";
import { createSheet, drawRace, drawSheet } from "../board/sheet.js";
import { make, put } from "../js/dom.js";
import { say } from "../js/words.js";

const spectator = { mine: {} };

/** createPosition creates an empty position. */
export function createPosition() {
  const node = document.createDocumentFragment();
  const banner = createBanner();
  const area = make("div", "area");
  const tray = make("div", "tray");
  const box = createBox();
  const sheet = createSheet();
  area.append(sheet.node);
  node.append(banner.node, area, tray);
  return { node, banner, head: banner.head, area, tray, box, sheet };
}

/** drawPosition draws a move of a review, and the board before it, a message that may not be loaded yet. */
export function drawPosition(position, message, move, { seats, title, note = "" }) {
  const { banner, area, tray, box, sheet } = position;
  const people = seats.length ? seats : move ? [move] : [];
  drawBanner(banner, { head: move?.title ?? title, told: [move?.text ?? note], accent: move?.seat, people }, spectator);
  banner.told.title = banner.told.textContent; // it may be cut off
  area.hidden = !message;
  tray.hidden = !message?.sheet;
  const { classList } = banner.node.parentNode;
  classList.toggle("sheets", Boolean(message?.sheet));
  classList.toggle("marked", Boolean(move?.playedOn || move?.betterOn));
  if (!message) return;
  const shown = withMove(message, move);
  (message.sheet ? tray : area).append(box.node);
  drawBox(box, shown);
  drawFoot(box, shown);
  sheet.seat = move.seat; // on a phone the sheet shows one player
  drawRace(box, shown);
  drawSheet(sheet, shown);
  put(box.tell, move.betterOn ? say("review-marks") : move.playedOn ? say("review-played") : "");
  mark(position, move);
}

/** withMove returns the board before a move with its dice and, as chosen, its items. */
function withMove(message, { playedOn: { row, tiles, dice: kept } = {}, dice = [] }) {
  const lie = message.dice?.length ? message.dice : dice;
  return {
    ...message,
    record: undefined, // so it is not a result
    dice: kept ? lie.map((die, i) => ({ ...die, kept: kept.includes(i) })) : lie,
    tiles: tiles ? message.tiles.map((rail, i) => (i === row ? withTiles(rail, tiles) : rail)) : message.tiles,
  };
}

const withTiles = (rail, picked) => ({ ...rail,
  tiles: rail.tiles.map((tile) => ({ ...tile, picked: picked.includes(tile.number) })) });

/** mark outlines the better move, and marks the cell that was filled. */
function mark({ box, sheet }, { playedOn = {}, betterOn = {} }) {
  box.rails.forEach(({ tiles }, row) => Array.from(tiles.children).forEach((tile) => {
    const number = Number(tile.querySelector(".slot").textContent);
    tile.classList.toggle("better", row === betterOn.row && Boolean(betterOn.tiles?.includes(number)));
  }));
  Array.from(box.dice.children)
    .forEach((die, i) => die.classList.toggle("better", Boolean(betterOn.dice?.includes(i))));
  sheet.halves.querySelectorAll("tbody tr").forEach((line, row) => Array.from(line.children).forEach((cell, i) => {
    const at = sheet.shown[i - 1];
    cell.classList.toggle("played", row === playedOn.row && at === playedOn.cell);
    cell.classList.toggle("better", row === betterOn.row && at === betterOn.cell);
  }));
}
