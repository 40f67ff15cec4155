// The steps of a review: from move to move, to the next mistake, and back to the table.

import { make, put } from "../js/dom.js";
import { icon } from "../js/icon.js";
import { say } from "../js/words.js";

/** createSteps creates the steps. go(index) is called for another move, play() to play or pause, close() to leave. */
export function createSteps({ go, play, close }) {
  const node = make("section", "stepper");
  node.setAttribute("aria-label", "Actions");
  const group = make("div", "seg");
  group.setAttribute("role", "group");
  group.ariaLabel = say("moves");
  const ways = [{ key: "move-first", shape: "first" }, { key: "move-back", shape: "prev" },
    { key: "move-forward", shape: "next" }, { key: "move-last", shape: "last" }].map(({ key, shape }) => {
    const button = make("button");
    button.ariaLabel = button.title = say(key);
    button.append(icon(shape));
    group.append(button);
    return button;
  });
  const where = make("p", "small quiet num");
  const keys = make("span", "keys-of", " · ← →");
  keys.ariaHidden = "true";
  where.append(make("span"), keys);
  const player = make("button", "plain");
  player.addEventListener("click", play);
  const back = make("button", "secondary back");
  back.append(icon("back"), make("span"));
  back.addEventListener("click", close);
  const primary = make("button", "primary");
  node.append(group, where, player, back, primary);
  const steps = { node, ways, where, player, back, primary, targets: [] };
  ways.forEach((button, i) => button.addEventListener("click", () => go(steps.targets[i])));
  primary.addEventListener("click", () => go(steps.mistake));
  return steps;
}

/** drawSteps draws the steps at the move with an index. ready: mistakes are known; plays: the game plays; yours: it is
 * the turn of a person at this browser. */
export function drawSteps(steps, { moves, index, ready, plays, yours }) {
  const last = moves.length - 1;
  steps.targets = [0, index - 1, index + 1, last];
  steps.ways.forEach((button, i) => { button.disabled = last < 0 || (i < 2 ? index === 0 : index === last); });
  put(steps.where.firstChild, last < 0 ? "" : say("review-at", { move: index + 1, moves: moves.length }));
  steps.where.hidden = steps.player.hidden = last < 0;
  put(steps.player, say(plays ? "replay-pause" : "replay-play"));
  put(steps.back.lastChild, say(yours ? "called" : "back-to-table"));
  steps.back.classList.toggle("calls", yours);
  const mistakes = moves.flatMap(({ cost }, i) => (cost ? [i] : []));
  steps.mistake = mistakes.find((i) => i > index) ?? mistakes[0];
  steps.primary.hidden = !ready;
  steps.primary.disabled = mistakes.length === 0 || mistakes.length === 1 && mistakes[0] === index;
  put(steps.primary, say(mistakes.length === 0 ? "review-flawless" : "review-next"));
}
