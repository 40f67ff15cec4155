// Notifications are loaded when they are on, with the menu, and after a finished game, when the page may ask about them.

import { whenIdle, whenQuiet } from "../js/install.js";
import { load } from "../js/load.js";
import { path } from "../js/net.js";
import { areOn } from "../js/visited.js";

let part;
let calls = [];

/** offerNotices loads notifications for room when they are needed. people() returns the people at this browser. */
export function offerNotices(room, people) {
  const begin = () => {
    part ??= load("frame/notify").then((notify) => {
      notify.begin(room, people);
      notify.showNotices(calls);
      return notify;
    }).catch(() => { part = undefined; });
  };
  let waits = false;
  if (areOn(path(""))) whenIdle(begin);
  document.getElementById("menu").addEventListener("beforetoggle", begin);
  room.onShow((name) => name === "more" && begin());
  room.onChange(() => {
    if (waits || !room.message()?.record) return;
    waits = true;
    whenQuiet(begin);
  });
}

/** showNotices closes the notifications of ended calls, and shows those of new ones where that is wanted. */
export async function showNotices(shown) {
  calls = shown;
  (await part)?.showNotices(calls);
}
