// The text that a button sends.

/** whatOf returns the action in a press (the text of a button): "!undo", "shut 9+2". */
export function whatOf(press) {
  return (press ?? "").split(":").slice(3).join(":");
}

/** isMove reports whether an action is a move of the game. */
export const isMove = (what) => Boolean(what) && !/^[!/]/.test(what);

/** pressOf returns the press for an action of the table itself, such as "!unhouse", on the board of a message. */
export function pressOf({ buttons = [], table, turn }, what) {
  const like = buttons.flat().map(({ press }) => press).find((press) => /^\d+:\d+:\d+:!/.test(press));
  return `${like ? like.split(":").slice(0, 3).join(":") : `1:${table}:${turn}`}:${what}`;
}
