// The service worker, if the browser has one: beyond this computer it requires TLS. It is registered after everything
// that people wait for.

const { serviceWorker } = navigator;

/** whenIdle calls begin when the page is idle, at the latest after five seconds. */
export function whenIdle(begin) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(begin, { timeout: 5000 });
  else setTimeout(begin, 2000);
}

const quiet = 2000; // milliseconds

/** whenQuiet calls begin after two seconds without a press: actions of people come first. */
export function whenQuiet(begin) {
  let timer;
  const signs = ["click", "keydown"];
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      signs.forEach((sign) => removeEventListener(sign, wait, true));
      begin();
    }, quiet);
  };
  signs.forEach((sign) => addEventListener(sign, wait, true));
  wait();
}

/** keepShell registers the worker, which caches the page's files. Its address contains the language, so that the
 * offline page has the same language. */
export function keepShell() {
  if (!serviceWorker) return;
  whenIdle(() => {
    serviceWorker.register(`/worker.js?lang=${document.documentElement.lang}`, { updateViaCache: "none" })
      .catch(() => {}); // the page works without it
  });
}
