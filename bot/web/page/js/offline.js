// The page that is shown without a connection, or while the server is unavailable. Once the server answers again, it
// reloads, which shows the requested page.

const each = 3000; // milliseconds from one try to the next

const later = [429, 502, 503, 504];

/** look reloads the page if the server answers again. The service worker does not handle HEAD requests. */
async function look() {
  if (document.hidden || location.pathname === "/offline") return; // at /offline, no other page was requested
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer && !later.includes(answer.status)) location.reload();
}

addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, each);
