// Decisions before a game: computer players, friends, options.

import { fit, make, put } from "../js/dom.js";
import { copied } from "../js/copy.js";
import { icon } from "../js/icon.js";
import { createAbout, linkOf, onReach, qrCode, reach } from "../frame/link.js";
import { say } from "../js/words.js";

/** Lobby draws the controls in container. press(what, node) presses a button of the table, and options(container,
 * table) fills in the form of options. */
export class Lobby {
  constructor(container, { press, options }) {
    Object.assign(this, { container, press, options });
    this.houses = make("div", "link houses");
    this.add = make("button", "secondary");
    this.add.append(icon("plus"), say("computer"));
    this.strength = make("select", "field");
    this.strength.ariaLabel = say("strength");
    this.add.addEventListener("click", () => this.press(this.strength.value, this.add));
    this.houses.append(this.add, this.strength);
    this.form = make("section", "block");
    container.append(this.houses, this.invite(), this.form);
  }

  /** invite returns the block with the link of the room. */
  invite() {
    const block = make("section", "block");
    const link = make("div", "link");
    const field = make("input", "field");
    field.readOnly = true;
    field.value = linkOf();
    field.ariaLabel = say("invite-link");
    field.addEventListener("click", () => field.select());
    const copy = make("button", "secondary", say("way-copy"));
    copy.addEventListener("click", () => copied(field));
    link.append(field, copy);
    const code = make("button", "plain small", say("invite-code"));
    code.addEventListener("click", () => {
      const frame = make("div", "code");
      frame.append(qrCode());
      code.replaceWith(frame);
    });
    block.append(make("h3", "", say("invite-title")), link, createAbout(), code);
    code.hidden = !reach();
    onReach(() => {
      field.value = linkOf();
      code.hidden = !reach();
    });
    return block;
  }

  /** show draws the controls for a message, or hides them if its game has begun. */
  show(message, isLobby) {
    this.container.hidden = !isLobby;
    if (!isLobby) return;
    const houses = message.houses ?? [];
    const full = !houses.some(({ press }) => press);
    this.houses.hidden = full;
    const chosen = this.strength.selectedIndex;
    fit(this.strength, houses.length, () => make("option")).forEach((option, i) => {
      put(option, houses[i].label);
      option.value = houses[i].press;
    });
    const usual = Math.min(1, houses.length - 1); // the middle one of three
    this.strength.selectedIndex = this.table === message.table && chosen >= 0 ? Math.min(chosen, houses.length - 1) : usual;
    this.strength.hidden = houses.length < 2;
    if (this.table === message.table && this.version === message.turn) return;
    Object.assign(this, { table: message.table, version: message.turn });
    this.options(this.form, message);
  }
}
