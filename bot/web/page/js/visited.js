// The rooms that this browser has been in, and the game that was opened last: kept in this browser
// and nowhere else.

const roomsKey = "knobel-rooms";
const gameKey = "knobel-game";
const maxRooms = 20;
const address = /^\/r\/[A-Za-z2-7]{26}$/;

/** isRoom reports whether a path is that of a room. */
export function isRoom(path) {
  return address.test(path ?? "");
}

/** kept reads what a key holds: nothing where it is not readable, as where storage is forbidden. */
function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is full or forbidden: the page does without.
  }
}

/** visited are the rooms, the last one first: {path, host, mine, others, seen}. */
export function visited() {
  const rooms = kept(roomsKey);
  return Array.isArray(rooms) ? rooms.filter((room) => isRoom(room?.path)) : [];
}

/** visit notes that this browser is in a room, who hosts it and who else is there; others that were met stay noted,
 * but for whoever was shown out. */
export function visit(path, { host = "", mine = false, others = [], out = [] }) {
  if (!isRoom(path)) return;
  const rooms = visited();
  const before = rooms.find((room) => room.path === path)?.others ?? [];
  const met = [...new Set([...others, ...before.filter((name) => !out.includes(name))])].filter((name) => name !== host).slice(0, 5);
  const room = { path, host, mine, others: met, seen: Date.now() };
  keep(roomsKey, [room, ...rooms.filter((other) => other.path !== path)].slice(0, maxRooms));
}

/** forgetRoom removes a room from the list. */
export function forgetRoom(path) {
  keep(roomsKey, visited().filter((room) => room.path !== path));
}

/** moveRoom notes that a room has another address. */
export function moveRoom(from, to) {
  keep(roomsKey, visited().map((room) => (room.path === from ? { ...room, path: to } : room)));
}

/** lastGame is the command that opened a table last in this browser, "" before the first. */
export function lastGame() {
  const command = kept(gameKey);
  return typeof command === "string" ? command : "";
}

/** openedGame notes the command that opened a table. */
export function openedGame(command) {
  keep(gameKey, command);
}
