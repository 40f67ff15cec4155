// Notifications, for people who turn them on. By Web Push, the server notifies browsers in which the room is not
// visible, also after the page was closed. In a browser without a push service, a hidden page notifies of calls itself.

import { whenQuiet } from "../js/install.js";
import { path, post, problemOf, request } from "../js/net.js";
import { say } from "../js/words.js";
import { sure } from "./sure.js";
import { toast } from "./toast.js";

const wish = `knobel-notify${path("")}`; // "on" if notifications are on in this room
const answered = `knobel-asked${path("")}`; // set once the person was asked, or told what an iPhone needs
const rooms = "knobel-push"; // the cache in which the worker finds rooms by their ids
const unserved = [404, 405]; // answers of a server without pushes
const title = document.title;
const up = new Set(); // the calls of which this page has notified itself
const button = document.getElementById("notify");
let pushes = null; // what the server says about pushes to this browser, null if unknown
let calls = []; // the calls that are shown
let here = ""; // the numbers of the people at this browser
let over; // the last finished table
let changes = Promise.resolve(); // of the subscription, one after the other

/** worker resolves to the registration of the service worker, undefined if there is none: phones show notifications only
 * by it. */
const worker = async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.active && registration;
};
const possible = () => isSecureContext && "PushManager" in globalThis && "Notification" in globalThis
  && "serviceWorker" in navigator && Notification.permission !== "denied";
const wished = () => possible() && Notification.permission === "granted" && localStorage.getItem(wish) === "on";
// iPhones and iPads notify only of pages on the home screen.
const needsHomeScreen = () => isSecureContext && navigator.standalone === false && !("PushManager" in globalThis);

/** begin makes the button turn notifications on and off. It hides the button if there can be none. After some games of
 * room it asks the person once. people() returns the people at this browser. */
export function begin(room, people) {
  button.addEventListener("click", () => (wished() ? turnOff() : turnOn()));
  draw();
  here = numbersOf(people());
  over = room.message()?.record;
  if (wished() || !localStorage.getItem(answered)) look();
  document.addEventListener("visibilitychange", tidy);
  room.onChange(() => {
    noticeEnd(room.message()?.record);
    renew(numbersOf(people()));
  });
}

const numbersOf = (people) => people.map(({ n }) => n).join();

function draw() {
  button.hidden = !possible();
  button.setAttribute("aria-pressed", String(wished()));
}

/** look asks the server about pushes to this browser, and then the person, if it is time. If they are on, it renews the
 * subscription; if they were turned off on another device, they are off here, too. */
async function look() {
  if (!possible() && !needsHomeScreen()) return;
  const answer = await request("/push").catch(() => null);
  if (!answer?.ok) return;
  pushes = await answer.json();
  const undecided = possible() && Notification.permission === "granted" && localStorage.getItem(wish) === null;
  if (undecided && await known()) await turnOn(); // the room has a new address
  else if (wished() && await known()) {
    if (pushes.on) await subscribe();
    else await turnOff();
  }
  if (pushes.asks && !wished() && !localStorage.getItem(answered)) whenQuiet(ask);
  tidy();
}

/** known resolves to whether this browser has subscribed to the room. */
const known = async () => Boolean(await (await caches.open(rooms)).match(`/push/${pushes.id}`));

/** ask asks the person once about notifications or, on an iPhone, says how to get them. */
async function ask() {
  if (localStorage.getItem(answered)) return;
  localStorage.setItem(answered, "yes");
  const home = needsHomeScreen();
  const yes = await sure(say(home ? "push-home" : "push-ask"), say(home ? "close" : "push-yes"));
  if (yes && !home) await turnOn();
}

async function turnOn() {
  if (Notification.permission === "default") await Notification.requestPermission();
  if (Notification.permission === "granted") {
    localStorage.setItem(wish, "on");
    localStorage.setItem(answered, "yes");
    await subscribe();
  }
  draw();
}

function turnOff() {
  localStorage.setItem(wish, "off");
  draw();
  return inTurn(async () => {
    const answer = await request("/push", { method: "DELETE" }).catch(() => null);
    if (answer && unserved.includes(answer.status)) return;
    if (!answer?.ok) {
      localStorage.setItem(wish, "on"); // they still come
      draw();
      toast(await problemOf(answer), true);
      return;
    }
    pushes = await answer.json();
    const cache = await caches.open(rooms);
    await cache.delete(`/push/${pushes.id}`);
    if (!(await cache.keys()).length) await (await subscription())?.unsubscribe();
  });
}

/** inTurn makes a change of the subscription after the earlier ones have ended. If there is no push service or no
 * connection, it fails: the next page tries again. */
function inTurn(change) {
  changes = changes.then(change).catch(() => {});
  return changes;
}

/** subscription resolves to what this browser has subscribed to, null for nothing. */
const subscription = async () => (await worker())?.pushManager.getSubscription() ?? null;

/** subscribe subscribes to pushes of this room. Without a push service it does nothing: the page notifies itself. */
async function subscribe() {
  const registration = await navigator.serviceWorker.ready;
  await inTurn(async () => {
    if (!wished()) return;
    pushes ??= await (await request("/push")).json();
    const old = await subscription();
    if (old && keyOf(old) !== pushes.key) await old.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: pushes.key };
    const answer = await post("/push", await registration.pushManager.subscribe(options));
    if (!answer.ok) {
      toast(await problemOf(answer), true);
      return;
    }
    pushes = await answer.json();
    await (await caches.open(rooms)).put(`/push/${pushes.id}`, new Response(path("")));
  });
}

/** keyOf returns the server's key of a subscription, as the server writes it. */
function keyOf({ options }) {
  return btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** renew subscribes again if the people at this browser, by their numbers, are others than before. */
async function renew(numbers) {
  if (here === numbers) return;
  here = numbers;
  if (pushes?.on && wished() && await known()) await subscribe();
}

/** noticeEnd asks the server again after a game has ended at this page. */
function noticeEnd(record) {
  if (over === record) return;
  over = record;
  if (over && !localStorage.getItem(answered)) whenQuiet(look);
}

/** tidy has the worker close the notifications of turns that are over. */
async function tidy() {
  if (!pushes?.on) return;
  const keep = calls.map(({ as }) => `${pushes.id}:${as}`);
  (await worker())?.active.postMessage({ id: pushes.id, keep, visible: !document.hidden });
}

/** showNotices closes the notifications of ended calls. While the page is hidden and gets no pushes, it shows those of
 * new ones. */
export async function showNotices(shown) {
  calls = shown;
  tidy();
  if (!calls.length && !up.size) return;
  const registration = possible() && await worker();
  if (!registration) return;
  for (const tag of [...up].filter((ref) => !calls.some((call) => call.ref === ref))) {
    up.delete(tag);
    for (const one of await registration.getNotifications({ tag })) one.close();
  }
  for (const { ref } of calls) {
    if (up.has(ref) || !document.hidden || !wished() || pushes?.on && await known()) continue;
    up.add(ref);
    const icon = document.querySelector("link[rel=apple-touch-icon]").href;
    await registration.showNotification(title, { body: say("called"), tag: ref, icon, data: location.pathname });
  }
}
