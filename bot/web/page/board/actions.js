// The part of a board where everything is done: a hint, choices, and the button of rank one, always at the same places.

import { planOf } from "./plan.js";
import { isMove, whatOf } from "./press.js";
import { fit, make, narrow } from "../js/dom.js";
import { icon } from "../js/icon.js";
import { dress } from "../js/icons.js";
import { path } from "../js/net.js";
import { say } from "../js/words.js";
import { signButtons } from "../frame/signs.js";

/** createActions creates the empty part. doors are functions behind buttons of the page itself: game() opens the
 * gallery, share() shares the result, and give(sign) a reaction. */
export function createActions(doors) {
  const node = make("section", "act");
  node.setAttribute("aria-label", "Actions");
  const hint = make("p", "hint");
  const ways = make("div", "offers");
  const chips = make("div", "chips");
  chips.setAttribute("role", "group");
  const rest = make("div", "rest");
  const signs = make("div", "signs");
  signs.setAttribute("role", "group");
  signs.append(...signButtons(doors.give));
  ways.append(chips, rest, signs);
  const go = make("div", "go");
  const primary = make("div", "first");
  const side = make("div", "row");
  go.append(primary, side);
  node.append(hint, ways, go);
  return { node, hint, ways, chips, rest, signs, go, primary, side, doors, page: 0 };
}

/** drawActions draws the viewer's actions on a board. */
export function drawActions(parts, message, choice, who) {
  const { lang } = message;
  const plan = planOf(message, choice, who);
  const held = parts.node.contains(document.activeElement) ? document.activeElement : null;
  const before = held?.dataset.press;
  const key = `${message.table} ${message.turn}`;
  if (parts.key !== key) Object.assign(parts, { key, page: 0 });
  dress(parts.hint, plan.hint);
  parts.hint.classList.toggle("bad", plan.wrong);
  drawChips(parts, plan.chips, lang);
  drawRest(parts, plan, message);
  parts.signs.hidden = !plan.signs;
  parts.signs.setAttribute("aria-label", say("react", {}, lang));
  const [first] = fit(parts.primary, plan.primary ? 1 : 0, createButton);
  if (first) {
    drawButton(first, plan.primary, "primary");
    first.disabled = !plan.primary.press;
  }
  fit(parts.side, plan.side.length, createButton).forEach((button, i) => drawSide(button, plan.side[i]));
  parts.plan = plan;
  const moved = held && (held.disabled || !parts.node.contains(held) || held.dataset.press !== before);
  if (moved && isMove(whatOf(before))) focusNext(parts);
}

/** focusNext moves the focus to the next action: the primary button, else the first choice. */
export function focusNext(parts) {
  const cells = parts.node.closest(".board")?.querySelector(".pencil");
  const next = mainOf(parts) ?? parts.chips.querySelector("button");
  if (!next) cells?.scrollIntoView({ block: "center", behavior: "instant" });
  (next ?? cells)?.focus({ preventScroll: true });
}

/** drawChips draws choices of equal worth in at most two rows; further ones are behind the last chip. */
function drawChips(parts, chips, lang) {
  const wide = chips.some(({ label }) => label.length > (/^[\d+ ]+$/.test(label) ? 16 : 11));
  const most = narrow.matches || wide ? (wide ? 6 : 8) : 12;
  parts.chips.classList.toggle("wide", wide);
  parts.chips.hidden = chips.length === 0;
  parts.chips.setAttribute("aria-label", say("choices", {}, lang));
  const each = chips.length > most ? most - 1 : most;
  const pages = Math.ceil(chips.length / each);
  parts.page %= Math.max(pages, 1);
  const shown = chips.slice(parts.page * each, (parts.page + 1) * each);
  if (pages > 1) shown.push({ label: `+${chips.length - shown.length}`, pages: true });
  fit(parts.chips, shown.length, createButton).forEach((button, i) => {
    const { bad, label, pages: turns } = shown[i];
    drawButton(button, shown[i], `chip${bad ? " bad" : ""}${label.length > 9 && !wide ? " small" : ""}`);
    button.ariaLabel = turns ? say("choices-more", {}, lang) : null;
    button.onclick = turns ? () => {
      parts.page++;
      drawChips(parts, chips, lang);
    } : null;
  });
}

/** drawRest draws secondary and plain buttons, and those of the page itself. */
function drawRest(parts, { ways, links }, message) {
  const all = [...ways];
  const { lang } = message;
  const opens = {
    game: { label: say(message.record || !message.live ? "new-game" : "change-game", {}, lang), style: "secondary",
      click: () => parts.doors.game() },
    share: { label: say("share-result", {}, lang), style: "plain", click: () => parts.doors.share(message) },
    fair: { label: say("check-dice", {}, lang), style: "plain", href: path(`/fair?table=${message.record}`) },
  };
  for (const link of links) {
    const quiet = all.findIndex(({ style }) => style === "plain");
    if (link === "game") all.splice(quiet < 0 ? all.length : quiet, 0, opens.game);
    else all.push(opens[link]);
  }
  parts.rest.hidden = all.length === 0;
  const tags = all.map(({ href }) => (href ? "A" : "BUTTON"));
  if (Array.from(parts.rest.children, ({ tagName }) => tagName).join() !== tags.join()) {
    parts.rest.replaceChildren(...tags.map((tag) => (tag === "A" ? make("a") : createButton())));
  }
  Array.from(parts.rest.children).forEach((button, i) => {
    const { style, click, href } = all[i];
    drawButton(button, all[i], style === "plain" ? "plain" : "secondary");
    button.onclick = click ?? null;
    if (!href) return;
    button.href = href;
    button.prepend(icon("lock"));
    button.said = undefined;
  });
}

function drawSide(button, one) {
  drawButton(button, one, one.clears ? "plain clear" : "plain");
  if (whatOf(one.press) !== "!undo") return;
  button.said = undefined; // the label is drawn again below
  button.replaceChildren(icon("undo"), one.label.replace(/^↶ ?/, ""));
}

function drawButton(button, { label, press }, style) {
  dress(button, label.replace(/^[▶↻] ?/, ""));
  if (press) button.dataset.press = press;
  else delete button.dataset.press;
  button.className = style;
}

const createButton = () => make("button");

/** mainOf returns the button that Enter and space press: the one of rank one, else the only chip; undefined if there is
 * none. */
export function mainOf({ primary, chips }) {
  const first = primary.querySelector("button:enabled");
  if (first) return first;
  const all = chips.hidden ? [] : chips.querySelectorAll("button");
  return all.length === 1 ? all[0] : undefined;
}

/** undoOf returns the button that undoes the last choice, undefined if there is none. */
export function undoOf({ side }) {
  return Array.from(side.children).find(({ dataset }) => whatOf(dataset.press) === "!undo");
}
