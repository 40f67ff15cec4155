// Opening a table: the gallery of games, the game of a new room, and the commands behind them.

import { load } from "../js/load.js";
import { request } from "../js/net.js";
import { lastGame, openedGame } from "../js/visited.js";
import { toast } from "./toast.js";
import { say } from "../js/words.js";

/** Games knows the games that can be opened (openings). open(text) sends a command that opens one. */
export class Games {
  constructor({ openings, open }) {
    this.openings = openings;
    this.open = open;
  }

  /** choose shows the gallery over the stage. A press on a card opens the lobby of that game. */
  async choose() {
    const gallery = await load("gallery/gallery").catch(() => null);
    if (!await gallery?.open(this.openings, (command) => this.opens(command), () => request("/games"))) toast(say("unsent"), true);
  }

  /** opens opens a table of the game with that command, without a stake: the lobby offers one. */
  opens(command) {
    openedGame(command);
    const staked = this.openings.some((one) => one.command === command && one.stake);
    return this.open(staked ? `${command} stake=0` : command);
  }

  /** opening reports whether a press is a game's command, and remembers that game. */
  opening(pressed) {
    const opens = this.openings.some(({ command }) => command === pressed);
    if (opens) openedGame(pressed);
    return opens;
  }

  /** again opens the game last opened in this browser, or else the first. */
  again() {
    const last = lastGame();
    const game = this.openings.find(({ command }) => command === last) ?? this.openings[0];
    return game && this.opens(game.command);
  }
}
