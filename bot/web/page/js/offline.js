// The page that stands where there is no connection: once the server answers again, it makes room for what was asked for.

const each = 3000; // milliseconds from one try to the next

/** look asks quietly whether the server is there; the worker lets the question through. */
async function look() {
  if (document.hidden || location.pathname === "/offline") return; // there nothing else was asked for
  const answer = await fetch("/offline", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, each);
