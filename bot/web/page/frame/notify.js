// Calls as notifications of the system, for people who turn them on. They are shown while the page is hidden, and say
// only which page calls.

import { say } from "../js/words.js";

const wish = "knobel-notify";
const title = document.title;
const up = new Set();

/** worker resolves to the active service worker, if there is one: phones show notifications only by it. */
const worker = async () => (await navigator.serviceWorker.getRegistration())?.active;
const possible = () => "Notification" in globalThis && "serviceWorker" in navigator && Notification.permission !== "denied";
const wished = () => possible() && Notification.permission === "granted" && localStorage.getItem(wish) === "on";

/** offerNotices makes button turn notifications on and off. It hides the button if there can be none. */
export function offerNotices(button) {
  const show = () => {
    button.hidden = !possible();
    button.setAttribute("aria-pressed", String(wished()));
  };
  button.addEventListener("click", async () => {
    const on = !wished();
    if (on && Notification.permission === "default") await Notification.requestPermission();
    localStorage.setItem(wish, on && Notification.permission === "granted" ? "on" : "off");
    show();
  });
  show();
}

/** showNotices closes the notifications of ended calls and, while the page is hidden, shows those of new ones. */
export async function showNotices(calls) {
  if (!calls.length && !up.size) return;
  if (!possible() || !await worker()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const tag of [...up].filter((ref) => !calls.some((call) => call.ref === ref))) {
    up.delete(tag);
    for (const shown of await registration.getNotifications({ tag })) shown.close();
  }
  for (const { ref } of calls) {
    if (up.has(ref) || !document.hidden || !wished()) continue;
    up.add(ref);
    const icon = document.querySelector("link[rel=apple-touch-icon]").href;
    await registration.showNotification(title, { body: say("called"), tag: ref, icon, data: location.href });
  }
}
