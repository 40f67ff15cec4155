// The players of the table on the stage, as plates, and the others in the room.

import { left } from "../board/deadline.js";
import { along, scoreOf } from "../board/score.js";
import { byPlace, lobby, over } from "../board/state.js";
import { fit, make, put } from "../js/dom.js";
import { createFace, crown, drawFace } from "../js/icon.js";
import { dress } from "../js/icons.js";
import { pressOf, whatOf } from "../board/press.js";
import { say } from "../js/words.js";

const list = make("ul", "plates");
const facts = make("p", "facts");
const notes = make("div", "notes small");
const watching = make("div", "watching small quiet");
const others = make("div", "block");

/** Players draws the list in container. press(what) presses a button of the table on the stage, open(chip, person)
 * shows the host's actions for a person, and pick(ref) shows another table. */
export class Players {
  constructor(container, { press, open, pick }) {
    Object.assign(this, { press, open, pick, here: [], host: false });
    container.className = "block";
    container.append(list, facts, notes, watching, others);
    setInterval(() => this.message && this.drawDoing(), 1000);
  }

  /** show draws the players of a message. */
  show(message, who) {
    Object.assign(this, { message, who });
    this.draw();
  }

  /** meet takes the people in the room. host: this visitor is the host. */
  meet(here, host) {
    Object.assign(this, { here, host });
    this.draw();
  }

  draw() {
    const { people = [], small = "", lines = [], lang } = this.message ?? {};
    const order = this.message && over(this.message) ? byPlace(this.message) : people;
    this.order = order;
    list.hidden = order.length === 0;
    list.ariaLabel = say("seats", {}, lang);
    fit(list, order.length, createPlate).forEach((plate, i) => this.drawPlate(plate, order[i]));
    this.drawDoing();
    const parts = small.split(" · ").filter(Boolean);
    facts.hidden = parts.length === 0;
    fit(facts, parts.length, () => make("span")).forEach((part, i) => dress(part, parts[i]));
    const hint = this.message?.sheet && this.who.mover !== undefined ? 1 : 0; // lines that are said beside the buttons
    const shown = this.message && lobby(this.message) ? [] : lines.slice(hint);
    fit(notes, shown.length, () => make("p")).forEach((line, i) => dress(line, shown[i]));
    this.drawWatching(people);
  }

  drawPlate(plate, person) {
    const [face, who, score, meter, more] = plate.children;
    const { lang } = this.message;
    const one = this.presentOf(person);
    plate.dataset.seat = person.seat % 10;
    plate.dataset.state = person.state ?? "";
    const moves = person.state === "to-move";
    plate.classList.toggle("moves", moves);
    if (moves) plate.setAttribute("aria-current", "true");
    else plate.removeAttribute("aria-current");
    drawFace(face.firstChild, person);
    face.lastChild.hidden = !one;
    face.lastChild.className = one?.away ? "on off" : "on";
    put(who.querySelector(".own"), person.name);
    const mark = who.querySelector(".mark");
    if (Boolean(one?.host) !== mark.hasChildNodes()) mark.replaceChildren(...one?.host ? [crown(say("here-host"))] : []);
    const mine = this.who.mine[person.seat] !== undefined;
    put(who.querySelector(".you"), mine ? say(this.who.several ? "mine" : "you", {}, lang) : "");
    const { score: figure, unit } = scoreOf(person);
    put(score.children[0], figure);
    put(score.children[1], unit);
    score.hidden = !figure;
    const { race } = this.message;
    meter.hidden = !race;
    if (race) meter.firstChild.style.setProperty("--w", along(race.points[person.seat], race));
    this.drawMore(more, person, one);
  }

  /** presentOf returns the person in the room who has a seat, undefined if there is none. */
  presentOf({ house, name }) {
    return house ? undefined : this.here.find((one) => one.name === name);
  }

  /** drawMore draws the host's actions for a seat: remove a computer player, or the menu of a person. */
  drawMore(place, person, one) {
    const { message } = this;
    const decides = message.buttons?.flat().some(({ press: what }) => whatOf(what).startsWith("!page"));
    const removes = person.house && lobby(message) && decides;
    const opens = this.host && one && !one.you;
    place.hidden = !removes && !opens;
    const [button] = fit(place, place.hidden ? 0 : 1, () => make("button", "plain small"));
    if (!button) return;
    put(button, removes ? say("remove") : "⋯");
    button.ariaLabel = removes ? say("remove-house", { name: person.name }) : say("guest-menu", { name: person.name });
    button.onclick = () => (removes ? this.press(pressOf(message, "!unhouse"), button) : this.open(button, one));
  }

  /** drawDoing draws each player's activity, with the time that is left. */
  drawDoing() {
    const { people = [] } = this.message ?? {};
    const toMove = people.findIndex(({ state }) => state === "to-move");
    Array.from(list.children).forEach((plate, i) => {
      put(plate.querySelector(".doing"), this.doing(this.order[i], people, toMove));
    });
  }

  doing(person, people, toMove) {
    const { message, who } = this;
    const { lang, deadline } = message;
    const { doing } = scoreOf(person);
    const one = this.presentOf(person);
    const time = deadline ? left(Math.max(Math.round(deadline.at - Date.now() / 1000), 0), lang) : "";
    if (person.state === "to-move") {
      const mine = who.mine[person.seat] !== undefined;
      return [say(mine ? "doing-you" : "doing-moves", {}, lang), time].filter(Boolean).join(" · ");
    }
    if (lobby(message)) {
      const here = one && !one.you ? say(one.away ? "here-away" : "here-now", {}, lang) : "";
      return [one?.host ? say("here-host", {}, lang) : "", doing || here].filter(Boolean).join(" · ");
    }
    const states = { won: "seat-won", out: "seat-out", done: over(message) ? "doing-done" : "doing-played" };
    const next = toMove >= 0 && people[(toMove + 1) % people.length] === person && people.length > 2;
    const state = states[person.state] ? say(states[person.state], {}, lang) :
      next && person.state !== "done" ? say("doing-next", {}, lang) : toMove >= 0 && !doing ? say("doing-waits", {}, lang) : "";
    return [doing, state].filter(Boolean).join(" · ");
  }

  /** drawWatching names the people in the room who have no seat; the host gets a button for each. */
  drawWatching(people) {
    const seated = new Set(people.filter(({ house }) => !house).map(({ name }) => name));
    const some = this.here.filter((one) => !seated.has(one.name));
    watching.hidden = some.length === 0;
    const label = say(people.length ? "watching" : "here");
    watching.replaceChildren(`${label}: `, ...some.flatMap((one, i) => [i ? ", " : "", this.nameOf(one)]));
  }

  nameOf(one) {
    const own = make(this.host && !one.you ? "button" : "span", one.away ? "name gone" : "name", one.name);
    own.dir = "auto";
    own.dataset.id = one.id;
    if (own.tagName === "BUTTON") {
      own.setAttribute("aria-haspopup", "true");
      own.addEventListener("click", () => this.open(own, one));
    }
    if (one.host) own.append(" ", crown(say("here-host")));
    return own;
  }

  /** showOpen offers the other tables that are open, entries of the stream. */
  showOpen(entries) {
    others.hidden = entries.length === 0;
    fit(others, entries.length, () => make("button", "secondary")).forEach((button, i) => {
      put(button, [entries[i].message.game, entries[i].message.head].join(": "));
      button.onclick = () => this.pick(entries[i].ref);
    });
  }

  /** placeOf returns the elements at which a reaction of a person is shown. */
  placeOf(seat, one) {
    const plate = seat === undefined ? null : list.querySelector(`[data-seat="${seat % 10}"] .face`);
    return plate ?? (one ? watching.querySelector(`[data-id="${CSS.escape(one.id)}"]`) : null);
  }
}

function createPlate() {
  const plate = make("li", "plate");
  const disc = make("span", "disc");
  disc.append(createFace(), make("span", "on"));
  const who = make("div", "who");
  const name = make("div", "name");
  const own = make("span", "own");
  own.dir = "auto";
  name.append(own, make("span", "mark"), make("span", "you"));
  who.append(name, make("div", "doing"));
  const score = make("div", "score num");
  score.append(make("span"), make("small"));
  const meter = make("div", "meter");
  meter.append(make("i"));
  plate.append(disc, who, score, meter, make("div", "do"));
  return plate;
}
