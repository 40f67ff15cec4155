// The people in a room: a newcomer enters a name, a new room opens its first lobby by itself, people are shown, react,
// and follow the room to a new address.

import { over, playing } from "./board.js";
import { chipOf, Here } from "./here.js";
import { moveFocus } from "./dom.js";
import { offerInvite } from "./invite.js";
import { askName } from "./names.js";
import { path, post } from "./net.js";
import { showSign, Signs } from "./signs.js";
import { toast } from "./toast.js";
import { forgetRoom, moveRoom, visit } from "./visited.js";
import { say } from "./words.js";

for (const name of ["bar", "persons"]) {
  const node = document.querySelector(`.${name}`);
  new ResizeObserver(() => document.documentElement.style.setProperty(`--${name}`, `${node.offsetHeight}px`))
    .observe(node);
}

const lobby = (message) => Boolean(message.table && message.buttons?.length) && !over(message) && !playing(message);

/** makesRoom reports whether at most one person, of this browser, sits at a table besides computer players. */
const makesRoom = ({ people = [] }, mine) => people.every(({ house, seat }) => house || mine[seat] !== undefined) &&
  Object.keys(mine).length < 2;

/** Company updates the page about the people in the room: who is present, reactions, invitations, the first lobby. */
export class Company {
  constructor({ persons, openings, feed }) {
    this.persons = persons;
    this.openings = openings;
    this.feed = feed;
    this.news = null;
    this.left = false; // true once the browser is sent to another page
    this.greeted = !persons.fresh;
    const [, was] = /^#was=(\w+)$/.exec(location.hash) ?? []; // set if an old address was redirected here
    if (was) {
      moveRoom(`/r/${was}`, path(""));
      history.replaceState(history.state, "", location.pathname);
    }
    this.settled = !path(""); // the main room opens no lobby by itself
    this.here = new Here((to, value) => this.tell(to, value));
    this.signs = new Signs((sign) => this.tell("/react", { as: persons.current().n, sign }));
    this.events = {
      sign: (data) => this.sign(data),
      moved: (data) => this.moved(data),
      out: () => this.out("/out"),
      gone: () => this.out(""),
    };
    if (!this.greeted) this.greet();
  }

  async greet() {
    await askName(this.persons.people[0].name, (name) => this.persons.comeIn(name));
    this.greeted = true;
    this.begin();
  }

  /** tell posts value to a path of the room, and shows a refusal or a failure as a toast. */
  async tell(to, value) {
    const answer = await post(to, value).catch(() => null);
    if (!answer?.ok) toast(answer?.status < 500 ? await answer.text() : say("unsent"), true);
  }

  /** take updates people and lobbies after the feed has shown news, an event of the stream. */
  take(news) {
    this.news = news;
    this.persons.tellApart(news.here);
    const boards = Array.from(this.feed.boards.values());
    this.here.take(news, boards.some(({ entry: { message } }) => playing(message) || lobby(message)));
    const live = boards.filter(({ entry }) => playing(entry.message));
    this.here.watching(live.length > 0 && live.every(({ entry }) => !Object.keys(entry.mine ?? {}).length));
    boards.filter(({ board }) => board).forEach(({ entry: { message, mine = {} }, board: { node } }) => {
      offerInvite(node, lobby(message));
      this.openings.instead(node, lobby(message) && makesRoom(message, mine), message);
    });
    this.remember(news);
    this.begin();
    const opened = news.entries.map(({ ref }) => this.feed.boards.get(ref)).findLast(({ entry }) => lobby(entry.message));
    if (opened && this.openings.awaited()) moveFocus(opened.board.node.querySelector(".head"));
  }

  /** remember stores the room and its people in this browser, for the front page. */
  remember({ here = [], host = false, out = [] }) {
    if (this.left) return;
    const named = here.filter((one) => !one.fresh && !(one.away && out.includes(one.name)));
    visit(path(""), {
      host: named.find((one) => one.host)?.name,
      mine: host,
      others: named.filter((one) => !one.you).map(({ name }) => name),
      out,
    });
  }

  /** begin opens the first lobby of a new room, once its host has a name. */
  begin() {
    if (this.settled || !this.greeted || !this.news) return;
    this.settled = true;
    if (this.news.host && this.news.all.length === 0) this.openings.again();
  }

  /** sign shows a reaction at the seat and at the chip of its sender. */
  sign({ id, seat, sign }) {
    const one = this.here.find(id);
    const places = [chipOf(one)];
    const node = Array.from(this.feed.boards.values()).findLast(({ entry }) => playing(entry.message) ||
      lobby(entry.message))?.board.node;
    const at = seat === undefined ? null : node?.querySelector(`.seat[data-seat="${seat % 10}"]`);
    places.push(at);
    showSign(sign, one?.name ?? at?.querySelector(".name")?.textContent, places.filter(Boolean));
  }

  moved({ path: to }) {
    this.left = true;
    moveRoom(path(""), to);
    location.replace(to);
  }

  out(to) {
    this.left = true;
    forgetRoom(path(""));
    location.replace(path(to));
  }
}
