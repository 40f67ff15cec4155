// Who of this browser acts when a button is pressed.

import { whatOf } from "./bar.js";

/** acting returns the number of the person who presses: of people, the numbers of those at this browser, the chosen
 * one or, where that one has nothing to press there, the first who has. whose tells, by presses, whose they are. */
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
  if (what.startsWith("!leave") && sit.length > 1) return chosen; // who is to get up has to be chosen
  return first(what.startsWith("!") ? sit : []);
}
