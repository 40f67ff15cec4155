// Opening a table: a button for each game, the first lobby of a new room, and other games in place of a lobby.

import { make, unseen } from "./dom.js";
import { lastGame, openedGame } from "./visited.js";
import { say } from "./words.js";

const stake = document.getElementById("stake");

/** Openings holds the games that can be opened. open(text) sends a command that opens one. */
export class Openings {
  constructor(games, open) {
    this.games = games;
    this.open = open;
    this.waits = false;
    document.getElementById("new-tables").append(...this.buttons(() => true));
    const staked = this.offered().filter((game) => game.stake).map(({ game }) => game);
    const label = stake.closest("label");
    label.hidden = staked.length === 0;
    if (staked.length < games.length) { // others have no stake, or no button
      label.firstChild.textContent = say("stake-of", { games: staked.join(", ") });
    }
  }

  /** offered returns the games that have a button: those listed, and the one last opened in this browser. */
  offered() {
    const last = lastGame();
    return this.games.filter(({ listed, command }) => listed || command === last);
  }

  /** buttons returns a button for each offered game that wanted accepts, and one for all games if there are more. */
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

  /** button returns a button that opens a game. style is its class. */
  button(game, style = "primary") {
    const button = make("button", `${style} small`);
    const name = make("span", "name"); // the visible label is the name alone
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

  /** opening reports whether a press is a game's command. If so, the new table's board will get the focus. */
  opening(pressed) {
    const opens = this.games.some(({ command }) => command === pressed);
    if (opens) {
      openedGame(pressed);
      this.waits = true;
    }
    return opens;
  }

  /** opened removes the note whose button has opened a table, unless the answer is a refusal. */
  opened({ refused }, button) {
    if (refused) this.waits = false;
    else button?.closest(".note")?.remove();
  }

  /** instead offers the other games below a board if lobby is true (its game has not begun), else removes them. */
  instead(board, lobby, { game: now }) {
    const there = board.querySelector(":scope > .instead");
    if (Boolean(there) === lobby) return;
    if (there) return there.remove();
    const others = this.buttons(({ game }) => game !== now, "plain");
    if (others.length === 0) return;
    const row = make("p", "instead quick");
    const label = make("span", "quiet", say("instead"));
    label.ariaHidden = "true"; // the labels of the buttons suffice
    row.append(label, ...others);
    board.querySelector(":scope > .invites").after(row);
  }

  /** awaited reports, once, whether a press on this page has opened a table, whose board then gets the focus. */
  awaited() {
    const waited = this.waits;
    this.waits = false;
    return waited;
  }

  /** again opens the game last opened in this browser, or else the first. */
  again() {
    const last = lastGame();
    const game = this.games.find(({ command }) => command === last) ?? this.games[0];
    return game && this.opens(game);
  }
}
