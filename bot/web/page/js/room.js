// The room: everything put together.

import "./look.js";
import { sample } from "./board.js";
import { Line } from "./compose.js";
import { comeInto, showCalls } from "./calls.js";
import { make } from "./dom.js";
import { anyLive, Feed } from "./feed.js";
import { drawId, follow, send } from "./net.js";
import { Persons } from "./persons.js";
import { toast } from "./toast.js";
import { loadWords, say } from "./words.js";

const welcome = document.getElementById("welcome");
const quick = document.getElementById("quick");
const away = document.getElementById("away");

const asked = (path, method = "GET") => fetch(path, { method }).then((answer) => answer.json());
const [self, games] = await Promise.all([asked("/me", "POST"), asked("/games"), loadWords()]);
const underWay = new Set();
let persons;

const feed = new Feed({
  act: (press, on, node) => act("/press", { press, on }, node),
  look: whoIsOn,
  onChange: (messages) => {
    welcome.hidden = messages.length > 0;
    quick.hidden = anyLive(messages);
  },
});
persons = new Persons(self, () => feed.redraw());

/** whoIsOn tells who of this browser sits at a board, who of them is to move,
 * and, where that could be doubted, for whom a press plays. */
function whoIsOn({ message, mine = {} }) {
  const movers = (message.people ?? []).filter((p) => p.state === "to-move" && mine[p.seat] !== undefined);
  const mover = movers.find((p) => mine[p.seat] === persons.current().n) ?? movers[0];
  const actor = mover && persons.several() ? persons.name(mine[mover.seat]) ?? mover.name : "";
  return { mine, mover: mover?.seat, actor };
}

/** act sends a press or a command and shows what comes back. What is under
 * way is not sent twice. */
async function act(path, what, node) {
  const key = JSON.stringify(what);
  if (underWay.has(key)) return;
  underWay.add(key);
  node?.classList.add("busy");
  try {
    const answer = await send(path, { id: drawId(), as: persons.current().n, ...what });
    toast(answer.toast, answer.refused);
    if (answer.private) feed.note(answer.private, node);
  } finally {
    underWay.delete(key);
    node?.classList.remove("busy");
  }
}

const composer = document.querySelector(".composer");
new ResizeObserver(() => document.documentElement.style.setProperty("--composer", `${composer.offsetHeight}px`))
  .observe(composer);

new Line((text) => act("/command", { text }));
document.getElementById("help").addEventListener("click", () => act("/command", { text: "/help" }));
document.getElementById("new-tables").append(...games.map(({ command, game, stake }, i) => {
  const button = make("button", i === 0 ? "primary" : "plain", say("new-table", { game }));
  button.type = "button";
  button.addEventListener("click", () => {
    act("/command", { text: stake ? `${command} stake=${document.getElementById("stake").value}` : command });
  });
  return button;
}));

document.getElementById("sample").append(sample({
  lang: document.documentElement.lang,
  tiles: [{ tiles: Array.from({ length: 9 }, (_, i) => ({ number: i + 1, open: ![2, 6].includes(i) })) }],
  dice: [{ face: 6, sides: 6 }, { face: 4, sides: 6 }],
}));

follow((news) => {
  feed.take(news);
  showCalls(news.calls, (ref) => comeInto(feed.boards.get(ref)?.board.node),
    ({ off, as }, node) => act("/press", { press: off.press, on: "", as }, node));
}, (here) => { away.hidden = here; });
