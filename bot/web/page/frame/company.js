// The people in a room: a newcomer enters a name, a new room opens its first lobby by itself, people are shown, react,
// and follow the room to a new address.

import { whatOf } from "../board/press.js";
import { embedded } from "../js/dom.js";
import { lobby, playing } from "../board/state.js";
import { Guests } from "./guests.js";
import { askName, showDoor } from "./names.js";
import { path, tell } from "../js/net.js";
import { showSign } from "./signs.js";
import { forgetRoom, moveRoom, visit } from "../js/visited.js";
import { say } from "../js/words.js";

/** Company updates the page about the people in the room: who is present, reactions, the first lobby. players are the
 * plates, tables the Tables, and begin() opens the first lobby. */
export class Company {
  constructor({ persons, tables, players, begin }) {
    Object.assign(this, { persons, tables, players, opens: begin });
    this.news = null;
    this.left = false; // true once the browser is sent to another page
    this.greeted = !persons.fresh;
    const [, was] = /^#was=(\w+)$/.exec(location.hash) ?? []; // set if an old address was redirected here
    if (was) {
      moveRoom(`/r/${was}`, path(""));
      history.replaceState(history.state, "", location.pathname);
    }
    this.settled = !path(""); // the main room opens no lobby by itself
    this.guests = new Guests();
    this.events = {
      sign: (data) => this.sign(data),
      moved: (data) => this.moved(data),
      out: () => this.out("/out"),
      gone: () => this.out(""),
    };
    if (!this.greeted) this.greet();
  }

  async greet() {
    this.joins = await askName(this.persons.people[0].name, (name) => this.persons.comeIn(name));
    this.greeted = true;
    this.begin();
  }

  /** newest returns the entry of the newest table, undefined if that is over or there is none. */
  newest() {
    const { entry } = this.tables.tables().at(-1) ?? {};
    return entry && (playing(entry.message) || lobby(entry.message)) ? entry : undefined;
  }

  /** join presses Join in an open lobby for a person who has just pressed Join at the door, if a seat is free. */
  join() {
    this.joins = false;
    const { ref, message, mine = {} } = this.newest() ?? {};
    if (!message || !lobby(message) || Object.keys(mine).length > 0) return;
    const button = message.buttons.flat().find(({ press }) => whatOf(press) === "!join");
    if (button) this.tables.act(button.press, ref);
  }

  /** react gives a reaction to all in the room. */
  react(sign) {
    tell("/react", { as: this.persons.current().n, sign });
  }

  /** take updates people and lobbies after the tables have shown news, an event of the stream. */
  take(news) {
    this.news = news;
    this.persons.tellApart(news.here);
    this.guests.take(news);
    this.players.meet(news.here ?? [], news.host ?? false);
    this.remember(news);
    if (!this.greeted) {
      const message = this.newest()?.message;
      showDoor(news.here ?? [], news.host && news.all.length === 0, message, Boolean(message && lobby(message)));
    }
    this.begin();
  }

  /** room returns the name of the room: after its host, "" for the main room. */
  room() {
    const host = this.news?.here?.find((one) => one.host);
    return path("") && host ? say("room-of", { name: host.name }) : "";
  }

  /** remember stores the room and its people in this browser, for the front page. */
  remember({ here = [], host = false, out = [] }) {
    if (this.left || embedded) return;
    const named = here.filter((one) => !one.fresh && !(one.away && out.includes(one.name)));
    visit(path(""), {
      host: named.find((one) => one.host)?.name,
      mine: host,
      others: named.filter((one) => !one.you).map(({ name }) => name),
      out,
    });
  }

  /** begin opens the first lobby of a new room, once its host has a name, and lets a guest join an open one. */
  begin() {
    if (!this.greeted || !this.news) return;
    if (this.joins) this.join();
    if (this.settled) return;
    this.settled = true;
    if (this.news.host && this.news.all.length === 0) this.opens();
  }

  /** sign shows a reaction at the places of its sender. */
  sign({ id, seat, sign }) {
    const one = this.guests.find(id);
    const entry = this.tables.tables().map((shown) => shown.entry)
      .findLast(({ message }) => playing(message) || lobby(message));
    const name = one?.name ?? entry?.message.people?.find((person) => person.seat === seat)?.name;
    const strip = seat === undefined ? null : document.querySelector(`.strip [data-seat="${seat % 10}"]`);
    const places = [this.players.placeOf(seat, one), strip].filter((place) => place?.checkVisibility());
    showSign(sign, name, places.length ? places : [document.getElementById("toasts")]);
  }

  moved({ path: to }) {
    this.left = true;
    moveRoom(path(""), to);
    location.replace(to);
  }

  out(to) {
    if (embedded) return; // the stream has ended the page
    this.left = true;
    forgetRoom(path(""));
    location.replace(path(to));
  }
}
