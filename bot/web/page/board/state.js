// The state of a table, as its message shows it.

const stateOf = (message) => (message.people ?? []).map((p) => p.state);

/** running reports whether it is someone's turn on a board. */
export function running(message) {
  return stateOf(message).includes("to-move");
}

/** playing reports whether the game at a table is running. It is false for puzzles. */
export function playing(message) {
  return Boolean(message.table) && running(message);
}

/** over reports whether a board's game has ended: it has a record or, if it was ended early, all seats are out. */
export function over(message) {
  const states = stateOf(message);
  return Boolean(message.table && message.record) || (states.length > 0 && states.every((state) => state === "out"));
}

/** byPlace returns the people of a message by their places; those without one stay in their order, last. */
export const byPlace = ({ people = [] }) => [...people].sort((a, b) => (a.place ?? 99) - (b.place ?? 99));

/** openerOf returns the person with a seat who invites to the game of a lobby, undefined if there is none. */
export const openerOf = ({ people = [] }) => people.find(({ opener }) => opener);

/** lobby reports whether the game of a table has not begun. */
export const lobby = (message) => Boolean(message.table && (message.live || message.buttons?.length)) &&
  !over(message) && !playing(message);
