// The possible actions on a board: the primary button, choices of equal worth, and quieter buttons.

import { openerOf, over, running } from "./state.js";
import { isMove, whatOf } from "./press.js";
import { embedded } from "../js/dom.js";
import { say } from "../js/words.js";

/** planOf returns the viewer's actions on a board, by place: hint (a sentence, wrong if it is a refusal), primary
 * (one button; without a press it is disabled), chips, ways (secondary and plain buttons), side (plain buttons below
 * the first), and signs (whether reactions are offered). who describes the visitor's people: see whoIsOn in room.js. */
export function planOf(message, choice, who) {
  const plan = { hint: "", wrong: false, primary: null, chips: [], ways: [], side: [], signs: false, links: [] };
  const buttons = (message.buttons ?? []).flat();
  if (over(message)) planEnd(plan, message, buttons);
  else if (!running(message)) planLobby(plan, message, buttons, who);
  else if (who.mover === undefined) planOthers(plan, message, buttons);
  else planTurn(plan, message, buttons, choice);
  if (who.actor && (plan.primary?.press || plan.chips.length)) {
    plan.hint = [say("act-for", { name: who.actor }, message.lang), plan.hint].filter(Boolean).join(": ");
  }
  return plan;
}

const find = (buttons, what) => buttons.find(({ press }) => what.test(whatOf(press)));
const without = (buttons, ...some) => buttons.filter((button) => !some.includes(button));

/** spaced returns a label with its sums set apart: "6 + 2". */
const spaced = (label) => (/^\d+(\s*\+\s*\d+)*$/.test(label) ? label.replace(/\s*\+\s*/g, " + ") : label);

/** planTurn plans the turn of a person at this browser. */
function planTurn(plan, message, buttons, choice) {
  const { lang, pick, dice = [] } = message;
  const vote = find(buttons, /^!vote yes/) ?? find(buttons, /^!vote/); // the game goes on until enough have voted
  const question = !vote && planQuestion(plan, message, buttons);
  plan.side = buttons.filter((button) => button === vote || /^(!undo|\/hint)$/.test(whatOf(button.press)));
  if (question) return;
  const onDice = new Set(dice.map((die) => die.press));
  const moves = buttons.filter(({ press }) => isMove(whatOf(press)) && !onDice.has(press));
  plan.hint = choice.told || message.guide || (message.sheet ? message.lines?.[0] : "") || "";
  plan.wrong = choice.wrong;
  if (choice.cell) planCell(plan, message, choice);
  else if (pick?.kind === "tiles") planTiles(plan, message, moves, choice);
  else if (pick?.kind === "dice") planDice(plan, message, moves, choice);
  else planMoves(plan, message, moves);
  plan.ways.push(...others(buttons, moves, plan, message));
  if (choice.any()) plan.side.push({ label: say("choice-clear", {}, lang), clears: true });
}

/** others returns the buttons that neither move nor are shown elsewhere. */
function others(buttons, moves, plan, message) {
  return buttons.filter((button) => {
    const what = whatOf(button.press);
    if (moves.includes(button) || plan.side.includes(button) || /^!(pick |vote |play$|more$|undo$)/.test(what)) return false;
    return !/^!show/.test(what) || !message.sheet;
  });
}

/** planCell plans the choice of a cell of the sheet. */
function planCell(plan, { sheet, lang }, choice) {
  const { label, press } = choice.marked;
  const row = sheet.rows.find(({ cells }) => cells.some((cell) => cell.press === press));
  const points = label.match(/[+−-]?\d+\*?$/)?.[0];
  if (whatOf(press).startsWith("strike")) plan.primary = { label: say("cell-strike", { row: row.label }, lang), press };
  else if (points && row && whatOf(press).startsWith("write")) {
    plan.primary = { label: say("cell-score", { points, row: row.label }, lang), press };
  } else plan.primary = { label, press };
}

/** planTiles plans the choice of tiles that make a sum. */
function planTiles(plan, message, moves, choice) {
  const { lang, pick } = message;
  const ways = pick.choices;
  const presses = new Set(ways.map(({ press }) => press));
  plan.chips = [...ways.map(({ label, press }) => ({ label: spaced(label), press })),
    ...moves.filter(({ press }) => !presses.has(press)).map(asChip)];
  plan.hint ||= pick.goal ? say("tiles-tap", { goal: pick.goal }, lang) : say("tiles-tap-any", {}, lang);
  const [whole] = choice.whole();
  const only = choice.chosen.size === 0 && plan.chips.length === 1 ? plan.chips[0] : undefined;
  if (only) plan.primary = { label: closing(only.label, lang), press: only.press };
  else if (whole && choice.chosen.size) plan.primary = { label: closing(spaced(whole.label), lang), press: whole.press };
  else plan.primary = { label: say("close-these", { tiles: [...choice.numbersChosen(), "…"].join(" + ") }, lang) };
}

/** closing returns the words for closing tiles, or a label that is more than their numbers. */
const closing = (label, lang) => (/^[\d+ ]+$/.test(label) ? say("close-these", { tiles: label }, lang) : label);

/** planDice plans the choice of dice to keep: the first way to play them is the button of rank one. */
function planDice(plan, message, moves, choice) {
  const cells = cellPresses(message);
  const whole = choice.whole();
  const wanted = choice.wanted && !cells.has(choice.wanted.press) ? [choice.wanted] : [];
  const [first, ...rest] = [...wanted, ...whole];
  if (first) plan.primary = { label: first.label, press: first.press };
  else plan.primary = { label: say("dice-pick", {}, message.lang) };
  plan.ways = rest.map(asSecondary);
  plan.chips = moves.filter(({ press }) => !cells.has(press) && !message.pick.choices.some((one) => one.press === press))
    .map(asChip);
}

/** planMoves plans the moves of a turn in which nothing is picked. */
function planMoves(plan, message, moves) {
  const cells = cellPresses(message);
  const free = moves.filter(({ press }) => !cells.has(press));
  const first = free.find(({ style }) => style === "primary" || style === "success") ?? free[0];
  if (first) plan.primary = first;
  else if (cells.size) plan.primary = { label: say("cell-pick", {}, message.lang) };
  plan.chips = without(free, first).map(asChip);
  plan.signs = plan.chips.length <= 6 && !message.sheet;
}

/** cellPresses returns the presses of the cells of a sheet that can be filled now. */
function cellPresses({ sheet }) {
  return new Set((sheet?.rows ?? []).flatMap(({ cells }) => cells.map(({ press }) => press)).filter(Boolean));
}

/** planQuestion plans the answers to a question whether to end the game, and reports whether there is one. The last, to
 * play on, is the button of rank one: Enter presses it. */
function planQuestion(plan, message, buttons) {
  const answers = buttons.filter(({ press }) => /^!(vote|end) /.test(whatOf(press)));
  if (answers.length < 2) return false;
  plan.hint = (message.lines ?? []).at(-1) ?? "";
  plan.primary = answers.at(-1);
  plan.ways = answers.slice(0, -1).map(asSecondary);
  return true;
}

/** planOthers plans the turn of another player. */
function planOthers(plan, message, buttons) {
  plan.side = buttons.filter(({ press }) => /^!undo$/.test(whatOf(press)));
  if (planQuestion(plan, message, buttons)) return;
  const back = find(buttons, /^!(back|stay)$/);
  if (back) plan.primary = back;
  plan.ways = without(buttons, back, ...plan.side).filter(({ press }) => !/^!show/.test(whatOf(press))).map(asSecondary);
  const mover = message.people?.find(({ state }) => state === "to-move");
  plan.hint = mover && !mover.house ? say("cheer-on", { name: mover.name }, message.lang) : "";
  plan.signs = true;
}

/** planLobby plans a table whose game has not begun. */
function planLobby(plan, message, buttons, who) {
  const { lang, people = [] } = message;
  const [start, agree, join, leave] = [/^!start$/, /^!agree$/, /^!join$/, /^!leave$/].map((what) => find(buttons, what));
  const asked = people.filter(({ asked: must, seat }) => must && who.mine[seat] === undefined);
  plan.hint = (agree ? "" : message.guide) || asText(message.lines);
  if (agree) plan.primary = agree;
  else if (start && asked.length) plan.primary = { label: waiting(asked, lang) };
  else if (start) plan.primary = start;
  else if (join) plan.primary = join;
  else if (people.length) plan.primary = { label: waiting(asked.length ? asked : [openerOf(message) ?? people[0]], lang) };
  if (plan.primary !== join && join) plan.ways.push(asSecondary(join));
  if (!leave || find(buttons, /^!page\b/)) plan.links.push("game"); // guests with a seat have to leave first
  if (leave) plan.ways.push({ ...leave, style: agree ? "secondary" : "plain" });
  const shown = /^!(start|agree|join|leave|page|house|unhouse|show)\b/;
  plan.ways.push(...buttons.filter(({ press }) => !shown.test(whatOf(press))).map(asSecondary));
}

const asText = (lines = []) => lines.join(" ");
const waiting = (people, lang) => say("waiting-for", { name: people.map(({ name }) => name).join(", ") }, lang);

/** planEnd plans the board of a game that is over. */
function planEnd(plan, message, buttons) {
  const rematch = find(buttons, /^!rematch$/);
  const review = find(buttons, /^\/review\b/);
  const fair = message.record ? find(buttons, /^\/fair$/) : undefined;
  plan.primary = rematch ?? null;
  if (review) plan.ways.push({ ...review, style: "secondary" });
  plan.links.push("game");
  plan.ways.push(...without(buttons, rematch, review, fair).map((button) => ({ ...button, style: "plain" })));
  if (message.record && !embedded) plan.links.push("fair");
  else if (fair) plan.ways.push({ ...fair, style: "plain" });
  if (navigator.share && message.record && !embedded) plan.links.push("share");
}

const asChip = (button) => ({ ...button, label: spaced(button.label), bad: button.style === "danger" });
const asSecondary = (button) => ({ ...button, style: "secondary" });
