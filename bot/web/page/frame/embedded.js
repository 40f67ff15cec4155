// The page of a room inside a platform's client: it signs in, and then shows the room.

import { client } from "../embed/client.js";
import { enter } from "../embed/enter.js";
import { refused, Stream } from "../embed/stream.js";
import { goBy } from "../js/net.js";
import { storage } from "../embed/storage.js";

storage();
client.dress();

/** speak opens the page again in the language of the client, if it is another one that the page has. */
function speak() {
  const lang = client.lang().split("-")[0];
  const known = Array.from(document.getElementById("lang").options, ({ value }) => value);
  if (lang === document.documentElement.lang || !known.includes(lang) || location.search) return undefined;
  location.replace(`${location.pathname}?lang=${lang}${location.hash}`);
  return new Promise(() => {});
}

await speak();
const { bearer, name } = await enter();
goBy({
  request: (to, options = {}) => fetch(to, { ...options, headers: { ...options.headers, Authorization: `Bearer ${bearer}` } }),
  stream: (to) => new Stream(to.split("?")[1] ?? ""),
  left: (status) => refused(status, null),
});
const begin = document.getElementById("begin");
begin.textContent = JSON.stringify({ ...JSON.parse(begin.textContent), self: { people: [{ n: 0, name }], full: true } });
await import("./room.js");
client.ready();

/** table shows the table again, in place of what covers it. */
function table() {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) dialog.close();
  else document.querySelector(".bottom [data-tab=players]").click();
}

const watch = () => client.back(document.body.dataset.view !== "players" || Boolean(document.querySelector("dialog[open]")),
  table);
new MutationObserver(watch).observe(document.body, { attributeFilter: ["data-view", "open"], subtree: true });
