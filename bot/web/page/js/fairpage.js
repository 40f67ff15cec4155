// The page that verifies records: pasted ones, those in a file, or that of a finished table of this room.

import "./look.js";
import { make } from "./dom.js";
import { verify } from "./fair.js";
import { patient } from "./net.js";
import { say } from "./words.js";

const form = document.getElementById("fair");
const text = document.getElementById("record");
const file = document.getElementById("file");
const verdict = document.getElementById("verdict");

/** check verifies each line as a record and shows the verdicts. */
function check() {
  const lines = text.value.split("\n").filter((line) => line.trim());
  verdict.replaceChildren(...lines.slice(0, 1000).map(judge));
}

/** judge verifies a line and returns the element with the verdict. */
function judge(line) {
  let record;
  try {
    record = JSON.parse(line);
  } catch (error) {
    return shown("", [say("fair-bad-json", { reason: error.message })], []);
  }
  const { faults, dice, moves, sealed } = verify(record);
  const names = Array.isArray(record?.seats) ? record.seats.map((s) => s?.name ?? "?").join(", ") : "";
  const title = names ? say("fair-table", { table: record.table, names }) : "";
  if (faults.length === 0) return shown(title, [], [say("fair-ok", { dice, moves })]);
  return shown(title, faults.slice(0, 20).map(({ key, args }) => say(key, args)), sealed ? [say("fair-part-ok")] : []);
}

function shown(title, faults, fine) {
  const node = make("section", faults.length ? "judged wrong" : "judged right");
  if (title) {
    const head = make("h2", "", title);
    head.dir = "auto";
    node.append(head);
  }
  if (faults.length) node.append(make("p", "sum", `✕ ${say("fair-wrong")}`));
  const list = make("ul");
  list.append(...faults.map((t) => make("li", "", t)), ...fine.map((t) => make("li", "", `✓ ${t}`)));
  node.append(list);
  return node;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
file.addEventListener("change", async () => {
  if (!file.files[0]) return;
  text.value = await file.files[0].text();
  check();
});

const table = new URLSearchParams(location.search).get("table");
if (table) {
  const answer = await patient(`/record?table=${encodeURIComponent(table)}`,
    () => verdict.replaceChildren(make("p", "", say("wait"))));
  if (answer?.ok) {
    text.value = await answer.text();
    check();
  } else {
    verdict.replaceChildren(shown("", [say("fair-over")], []));
  }
}
document.body.dataset.ready = "yes";
