// The host's actions for people in the room, and the rights to change the room.

import { make, put } from "../js/dom.js";
import { tell } from "../js/net.js";
import { openBelow } from "./popover.js";
import { sure } from "./sure.js";
import { say } from "../js/words.js";

const menu = document.getElementById("guest");
const rights = document.getElementById("rights");
const renew = document.getElementById("renew");

/** Guests knows the people in the room. */
export class Guests {
  constructor() {
    this.people = [];
    renew.addEventListener("click", async () => {
      if (await sure(say("renew-sure"), say("renew"))) tell("/renew", {});
    });
  }

  /** take stores the people in the room. host: this visitor is the host. */
  take({ here = [], host = false }) {
    this.people = here;
    renew.hidden = !host;
    const hosts = here.find((one) => one.host);
    if (host) put(rights, say("rights-host"));
    else put(rights, hosts ? say("rights-guest", { name: hosts.name }) : say("rights-all"));
  }

  /** open shows the menu of the host's actions for one, a person, below their chip. */
  open(chip, one) {
    const ways = [["/host", say("hand-host", { name: one.name }), say("hand-host-sure", { name: one.name })],
      ["/out", say("show-out", { name: one.name }), say("show-out-sure", { name: one.name })]];
    menu.ariaLabel = one.name;
    menu.replaceChildren(...ways.map(([to, what, sentence]) => {
      const button = make("button", to === "/out" ? "plain bad" : "plain", what);
      button.addEventListener("click", async () => {
        menu.hidePopover();
        chip.focus({ preventScroll: true }); // the dialog returns the focus to it
        if (await sure(sentence, what)) tell(to, { person: one.id });
      });
      return button;
    }));
    openBelow(menu, chip);
    menu.firstElementChild.focus({ preventScroll: true });
  }

  /** find returns the person with an id, undefined if there is none. */
  find(id) {
    return this.people.find((one) => one.id === id);
  }
}
