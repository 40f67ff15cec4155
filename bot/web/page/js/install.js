// The service worker, where the browser has one for pages like this: beyond this
// computer it wants TLS. It comes after everything that people wait for.

const { serviceWorker } = navigator;

/** whenIdle does something once the page has nothing else to do, and after a while in any case. */
export function whenIdle(begin) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(begin, { timeout: 5000 });
  else setTimeout(begin, 2000);
}

/** keepShell has the page's own files kept. The language is part of the address, so
 * that the page for when there is no connection follows it. */
export function keepShell() {
  if (!serviceWorker) return;
  whenIdle(() => {
    serviceWorker.register(`/worker.js?lang=${document.documentElement.lang}`, { updateViaCache: "none" })
      .catch(() => {}); // the page is all there without it
  });
}
