// The page that stands where there is no connection, or where the server has to pass: once the server answers again, it
// makes room for what was asked for.

const each = 3000; // milliseconds from one try to the next

const later = [429, 502, 503, 504];

/** look asks quietly whether the server answers; the worker lets the question through. */
async function look() {
  if (document.hidden || location.pathname === "/offline") return; // there nothing else was asked for
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer && !later.includes(answer.status)) location.reload();
}

addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, each);
