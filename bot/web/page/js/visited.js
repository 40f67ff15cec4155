// The rooms that this browser has visited, and the game that it opened last. Both are stored only in the browser.

const roomsKey = "knobel-rooms";
const gameKey = "knobel-game";
const maxRooms = 20;
const address = /^\/r\/[A-Za-z2-7]{26}$/;

/** isRoom reports whether a path is that of a room. */
export function isRoom(path) {
  return address.test(path ?? "");
}

/** kept returns the stored value of a key, null if there is none or it cannot be read. */
function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** keep stores a value under a key, if the browser allows it. */
function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the page works without it.
  }
}

/** visited returns the rooms, the last one first: {path, host, mine, others, seen}. */
export function visited() {
  const rooms = kept(roomsKey);
  return Array.isArray(rooms) ? rooms.filter((room) => isRoom(room?.path)) : [];
}

/** visit stores a visit to a room: its host, whether that is this visitor (mine), and the other people there. People
 * met earlier stay stored, except removed ones (out). */
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

const noticesKey = "knobel-notify";

/** areOn reports whether notifications are on in the room at a path. */
export function areOn(path) {
  try {
    return localStorage.getItem(noticesKey + path) === "on";
  } catch {
    return false; // storage is forbidden
  }
}

/** moveRoom changes the path of a room in the list, where notifications stay on. */
export function moveRoom(from, to) {
  if (areOn(from)) localStorage.setItem(noticesKey + to, "on");
  keep(roomsKey, visited().map((room) => (room.path === from ? { ...room, path: to } : room)));
}

/** lastGame returns the command that last opened a table, "" if there is none. */
export function lastGame() {
  const command = kept(gameKey);
  return typeof command === "string" ? command : "";
}

/** openedGame stores the command that has opened a table. */
export function openedGame(command) {
  keep(gameKey, command);
}
