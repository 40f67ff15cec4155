// The person at this browser that a pressed button acts for.

import { whatOf } from "../board/press.js";

/** acting returns the number of the person that press acts for: chosen or, if chosen may not, the first here who may.
 * people are the numbers of all people at this browser; whose, those who may press, by press. */
export function acting(press, { message = {}, mine = {}, whose = {} } = {}, people, chosen) {
  const what = whatOf(press);
  const own = (message.people ?? []).filter(({ seat }) => mine[seat] !== undefined);
  const numbers = (some) => some.map(({ seat }) => mine[seat]);
  const first = (some) => some.length === 0 || some.includes(chosen) ? chosen : some[0];
  const sit = numbers(own.filter(({ reserved }) => !reserved));
  if (/^!(join|take)\b/.test(what)) return first(people.filter((number) => !sit.includes(number)));
  if (whose[press]) return first(whose[press]);
  const movers = numbers(own.filter(({ state }) => state === "to-move"));
  if (movers.length > 0) return first(movers);
  if (what.startsWith("!leave") && sit.length > 1) return chosen; // the person who leaves has to be chosen
  return first(what.startsWith("!") ? sit : []);
}
