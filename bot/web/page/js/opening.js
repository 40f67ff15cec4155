// Opening a table: a button for each game, the lobby that opens by itself in a new room, and other games instead of the
// one that has not begun.

import { make, unseen } from "./dom.js";
import { lastGame, openedGame } from "./visited.js";
import { say } from "./words.js";

const stake = document.getElementById("stake");

/** Openings are the games that can be opened; open(command) opens one. */
export class Openings {
  constructor(games, open) {
    this.games = games;
    this.open = open;
    this.waits = false;
    document.getElementById("new-tables").append(...this.buttons(() => true));
    const staked = this.offered().filter((game) => game.stake).map(({ game }) => game);
    const label = stake.closest("label");
    label.hidden = staked.length === 0;
    if (staked.length < games.length) { // others are played for nothing, or settle by points
      label.firstChild.textContent = say("stake-of", { games: staked.join(", ") });
    }
  }

  /** offered are the games that have a button: those that are listed, and the one that was opened last here. */
  offered() {
    const last = lastGame();
    return this.games.filter(({ listed, command }) => listed || command === last);
  }

  /** buttons are one for each of the offered games that are wanted, and one that shows all where there are more. */
  buttons(wanted, style) {
    const offered = this.offered();
    const all = offered.filter(wanted).map((game) => this.button(game, style));
    if (offered.length < this.games.length) {
      const more = make("button", "plain small", say("all-games"));
      more.type = "button";
      more.addEventListener("click", () => this.open("/play"));
      all.push(more);
    }
    return all;
  }

  button(game, style = "primary") {
    const button = make("button", `${style} small`);
    const name = make("span", "name"); // what is new is said once for all of them, before the first
    name.dataset.name = game.game;
    button.append(unseen(say("new-table", { game: game.game })), name);
    button.type = "button";
    button.addEventListener("click", () => this.opens(game));
    return button;
  }

  opens({ command, stake: staked }) {
    openedGame(command);
    this.waits = true;
    return this.open(staked ? `${command} stake=${stake.value}` : command);
  }

  /** opening reports whether what is pressed in a message opens a table of a game, whose board takes the focus then. */
  opening(pressed) {
    const opens = this.games.some(({ command }) => command === pressed);
    if (opens) {
      openedGame(pressed);
      this.waits = true;
    }
    return opens;
  }

  /** opened takes away the note whose button has opened a table. */
  opened({ refused }, button) {
    if (refused) this.waits = false;
    else button?.closest(".note")?.remove();
  }

  /** instead offers the other games below the board of a table that has not begun, and takes them off others. */
  instead(board, lobby, { game: now }) {
    const there = board.querySelector(":scope > .instead");
    if (Boolean(there) === lobby) return;
    if (there) return there.remove();
    const others = this.buttons(({ game }) => game !== now, "plain");
    if (others.length === 0) return;
    const row = make("p", "instead quick");
    const label = make("span", "quiet", say("instead"));
    label.ariaHidden = "true"; // the buttons say it
    row.append(label, ...others);
    board.querySelector(":scope > .invites").after(row);
  }

  /** awaited says, once, whether a table was opened by a press of this page: its board takes the focus. */
  awaited() {
    const waited = this.waits;
    this.waits = false;
    return waited;
  }

  /** again opens the game that was opened last in this browser, or else the first. */
  again() {
    const last = lastGame();
    const game = this.games.find(({ command }) => command === last) ?? this.games[0];
    return game && this.opens(game);
  }
}
