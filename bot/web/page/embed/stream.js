// The event stream of an embedded page, by a WebSocket or by server-sent events: whichever works.

import { client } from "./client.js";
import { anew, drop, end, isDoubtful, isEnded, prove, rest } from "./enter.js";
import { path, post } from "../js/net.js";
import { say } from "../js/words.js";

const patience = 5000; // milliseconds for the first feed of a way

/** open opens a stream by a WebSocket. hear(event, data, id) gets its events, and fails() is called once at its end. */
function bySocket(query, hear, fails) {
  const socket = new WebSocket(path(`/events?${query}`).replace(/^/, location.origin.replace(/^http/, "ws")));
  socket.addEventListener("message", ({ data }) => {
    const event = JSON.parse(data);
    hear(event.event, JSON.stringify(event.data), event.id);
  });
  socket.addEventListener("close", fails);
  return socket;
}

/** bySource is bySocket with server-sent events, of which the stream listens to names. */
function bySource(query, hear, fails, names) {
  const source = new EventSource(path(`/events?${query}`));
  for (const name of names) source.addEventListener(name, ({ data, lastEventId }) => hear(name, data, lastEventId));
  source.addEventListener("error", () => {
    source.close(); // its ticket is used
    fails();
  });
  return source;
}

const ways = [bySocket, bySource];

/** Stream is an event stream that looks like an EventSource and never ends. query says what the page has. */
export class Stream extends EventTarget {
  constructor(query) {
    super();
    this.query = query;
    this.names = new Set();
    this.way = 0;
    this.run();
  }

  addEventListener(name, ...more) {
    this.names.add(name);
    super.addEventListener(name, ...more);
  }

  async run() {
    await null; // until the page listens
    for (let tries = 0; ; tries++) {
      const ticket = await this.ticket();
      if (ticket && await this.follow(ticket)) tries = 0;
      this.dispatchEvent(new Event("error"));
      await rest(tries);
    }
  }

  /** ticket resolves to a ticket, "" if there is none at present. */
  async ticket() {
    const answer = await post("/ticket", {}).catch(() => null);
    const said = await answer?.json().catch(() => null);
    if (answer?.ok) return said?.ticket ?? "";
    await refused(answer?.status, said);
    return "";
  }

  /** follow passes events on until the stream breaks, and resolves to whether there were any. If there is no feed in
   * time, the next stream goes the other way. */
  follow(ticket) {
    return new Promise((done) => {
      let fed = false;
      let stream;
      const ends = () => {
        clearTimeout(late);
        stream?.close();
        if (!fed) this.way = 1 - this.way;
        done(fed);
      };
      const late = setTimeout(ends, patience);
      const query = new URLSearchParams(this.query);
      query.set("ticket", ticket);
      stream = ways[this.way](query, (name, data, id) => {
        if (name === "out") refused(403, JSON.parse(data));
        if (name === "feed") {
          fed = true;
          prove();
          clearTimeout(late);
          this.query = new URLSearchParams({ after: id });
        }
        this.dispatchEvent(new MessageEvent(name, { data }));
      }, ends, this.names);
    });
  }
}

/** refused handles a refusal with a status: the page signs in anew or, if its person may not look any more or the
 * server has ended the session, it ends. */
export function refused(status, said) {
  if (status !== 401 && status !== 403) return undefined;
  if (isDoubtful() || (status === 401 && isEnded())) return anew();
  drop();
  return end(said?.say ?? say(status === 401 ? "embed-aged" : client.stranger));
}
