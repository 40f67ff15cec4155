// The people in the room: a chip for each, with name and state, and a menu of what the host can do.

import { fit, make, put, svg, unseen } from "./dom.js";
import { openBelow } from "./panel.js";
import { sure } from "./sure.js";
import { say } from "./words.js";

const list = document.getElementById("here");
const menu = document.getElementById("guest");
const rights = document.getElementById("rights");
const renew = document.getElementById("renew");
const yours = document.getElementById("you-host");
const watch = document.getElementById("watching");
const crown = ["path", { d: "M12 78h76M14 66 8 26l24 18 18-28 18 28 24-18-6 40z", fill: "none", stroke: "currentColor",
  "stroke-width": 8, "stroke-linejoin": "round", "stroke-linecap": "round" }];

/** reached makes the list focusable if it scrolls sideways and has no button that can get the focus. */
function reached() {
  if (list.scrollWidth > list.clientWidth && !list.querySelector("button")) list.tabIndex = 0;
  else list.removeAttribute("tabindex");
}
new ResizeObserver(reached).observe(list);

/** Here shows the people in the room. tell(path, value) posts a request of the host. */
export class Here {
  constructor(tell) {
    this.tell = tell;
    this.people = [];
    this.host = false;
    yours.append(svg("0 0 100 100", [crown]));
    renew.addEventListener("click", async () => {
      if (await sure(say("renew-sure"), say("renew"))) tell("/renew", {});
    });
  }

  /** take draws the people in the room, here. host: this visitor is the host. live: a table is open, and people without
   * a seat are marked as watching. */
  take({ here = [], host = false }, live) {
    this.people = here;
    this.live = live;
    this.host = host;
    const others = here.filter((one) => !one.you);
    list.hidden = others.length === 0;
    fit(list, others.length, () => make("li", "guest")).forEach((item, i) => this.draw(item, others[i]));
    yours.hidden = !host;
    renew.hidden = !host;
    put(rights, this.rights());
    reached();
  }

  /** rights returns the sentence that says who may change the room. */
  rights() {
    if (this.host) return say("rights-host");
    const host = this.people.find((one) => one.host);
    return host ? say("rights-guest", { name: host.name }) : say("rights-all");
  }

  draw(item, one) {
    item.dataset.id = one.id;
    item.classList.toggle("away", Boolean(one.away));
    const wanted = this.host ? "BUTTON" : "SPAN";
    let chip = item.querySelector(":scope > .chip");
    if (chip?.tagName !== wanted) {
      chip = make(wanted, "chip");
      const name = make("span", "name");
      name.dir = "auto";
      chip.append(make("span", "dot"), name, unseen(""), make("span", "crown"), make("span", "quiet"));
      if (wanted === "BUTTON") {
        chip.type = "button";
        chip.setAttribute("aria-haspopup", "true");
        chip.addEventListener("click", () => this.open(chip, this.people.find(({ id }) => id === item.dataset.id)));
      }
      item.prepend(chip);
      item.querySelectorAll(":scope > .chip").forEach((other) => other !== chip && other.remove());
    }
    const [, name, state, mark, note] = chip.children;
    put(name, one.name);
    put(state, `, ${say(one.away ? "here-away" : "here-now")}${one.host ? `, ${say("here-host")}` : ""}`);
    if (Boolean(one.host) !== mark.hasChildNodes()) mark.replaceChildren(...one.host ? [svg("0 0 100 100", [crown])] : []);
    mark.title = one.host ? say("here-host") : "";
    put(note, this.live && !one.seated ? say("here-watching") : "");
  }

  /** open shows the menu of what the host can do with one, a person, below their chip. */
  open(chip, one) {
    if (!one) return;
    const ways = [["/host", say("hand-host", { name: one.name }), say("hand-host-sure", { name: one.name })],
      ["/out", say("show-out", { name: one.name }), say("show-out-sure", { name: one.name })]];
    menu.ariaLabel = one.name;
    menu.replaceChildren(...ways.map(([to, what, sentence]) => {
      const button = make("button", to === "/out" ? "plain small danger" : "plain small", what);
      button.type = "button";
      button.addEventListener("click", async () => {
        menu.hidePopover();
        chip.focus({ preventScroll: true }); // the dialog returns the focus to it
        if (await sure(sentence, what)) this.tell(to, { person: one.id });
      });
      return button;
    }));
    openBelow(menu, chip);
    menu.firstElementChild.focus({ preventScroll: true });
  }

  /** watching shows or hides the note that no one at this browser plays in the running games. */
  watching(yes) {
    put(watch, yes ? say("you-watch") : "");
  }

  /** find returns the person with an id, undefined if there is none. */
  find(id) {
    return this.people.find((one) => one.id === id);
  }
}

/** chipOf returns the element at which a person's reactions are shown, null if there is none. */
export function chipOf(one) {
  if (one?.you) return document.getElementById("you");
  return one ? list.querySelector(`[data-id="${CSS.escape(one.id)}"]`) : null;
}
