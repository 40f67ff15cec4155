// The page of a room inside a platform's client: it signs in, and then shows the room.

import { client } from "../embed/client.js";
import { enter } from "../embed/enter.js";
import { refused, Stream } from "../embed/stream.js";
import { goBy } from "../js/net.js";
import { storage } from "../embed/storage.js";

storage();
client.dress();

const { bearer, name, lang } = await enter();
const here = new URL(location);
if (lang !== document.documentElement.lang && !here.searchParams.has("lang")) { // the page is in the browser's
  here.searchParams.set("lang", lang);
  location.replace(here);
  await new Promise(() => {});
}
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
