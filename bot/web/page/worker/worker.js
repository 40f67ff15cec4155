// The service worker: it caches the page's own files, and the page that is shown without a connection. It caches
// nothing of a room, neither pages nor answers, but it keeps the paths of rooms that send pushes. The server puts three
// constants before this file: version, which changes with the files, kept, the paths that are needed offline, and icon.

const rooms = "knobel-push"; // the cache with the paths of rooms, by their ids in pushes

addEventListener("install", (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(kept)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const older = (await caches.keys()).filter((name) => name !== version && name !== rooms);
    await Promise.all(older.map((name) => caches.delete(name)));
    await registration.navigationPreload?.enable();
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (pathname.startsWith(`/${version}/`)) event.respondWith(file(request));
});

/** page returns the server's answer, or the offline page if there is none. */
async function page(event) {
  try {
    return await event.preloadResponse ?? await fetch(event.request);
  } catch (error) {
    return await caches.match("/offline") ?? Promise.reject(error);
  }
}

/** file returns one of the page's files, from the cache if possible: a changed file has another address. */
async function file(request) {
  const cache = await caches.open(version);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** pathOf returns the path of a room's page, "/" if its id is unknown. */
async function pathOf(id) {
  const found = await (await caches.open(rooms)).match(`/push/${id}`);
  return found ? await found.text() || "/table" : "/";
}

/** pageAt returns the open page at a path, undefined if there is none. */
async function pageAt(path) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return open.filter(({ url }) => new URL(url).pathname === path)
    .sort((a, b) => (b.visibilityState === "visible") - (a.visibilityState === "visible"))[0];
}

// A push becomes a notification, unless the page of its room is visible.
addEventListener("push", (event) => event.waitUntil(notify(event.data.json())));

async function notify({ id, room, text, tag }) {
  const data = await pathOf(id);
  if ((await pageAt(data))?.visibilityState === "visible") return;
  await registration.showNotification(room, { body: text, tag, renotify: true, icon, data });
}

// A page says which notifications of its room are up to date, and whether it is visible: then it shows what they say.
addEventListener("message", (event) => event.waitUntil(close(event.data)));

async function close({ id, keep, visible }) {
  for (const shown of await registration.getNotifications()) {
    const { tag } = shown;
    if (tag.startsWith(`${id}:`) && !keep.includes(tag) && (visible || !tag.endsWith(":all"))) shown.close();
  }
}

// A press on a notification shows the page that it is about.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function show(path) {
  const open = await pageAt(path);
  await (open ? open.focus() : clients.openWindow(path));
}

// A browser that renews its subscription gives the new one to all rooms.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew()));

async function renew() {
  const cache = await caches.open(rooms);
  for (const request of await cache.keys()) {
    const path = `${await (await cache.match(request)).text()}/push`;
    const answer = await fetch(path);
    if (!answer.ok) continue;
    const { key } = await answer.json();
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(subscription) });
  }
}
