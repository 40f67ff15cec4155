// The service worker: it caches the page's own files, and the page that is shown without a connection. It caches
// nothing of a room, neither pages nor answers. The server puts two constants before this file: version, which changes
// with the files, and kept, the paths that are needed offline.

addEventListener("install", (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(kept)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const older = (await caches.keys()).filter((name) => name !== version);
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

// A press on a notification shows the page that it came from.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const to = event.notification.data;
    const open = await clients.matchAll({ type: "window" });
    const shown = open.find(({ url }) => url === to);
    await (shown ? shown.focus() : clients.openWindow(to));
  })());
});
