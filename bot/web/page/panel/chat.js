// The line in which people write to all in the room, with the reactions at its left.

import { embedded, make } from "../js/dom.js";
import { icon } from "../js/icon.js";
import { tell } from "../js/net.js";
import { say } from "../js/words.js";
import { signButtons } from "../frame/signs.js";

/** createChat creates the line in a container. as() returns the number of the person who writes, react(sign) gives a
 * reaction, and sent() is called when a line is sent. */
export function createChat(container, { as, react, sent }) {
  const form = make("form", "chat");
  form.autocomplete = "off";
  const smile = named("plain", "smile", say("react"));
  const text = make("input", "field");
  text.ariaLabel = say("chat-line");
  text.placeholder = say("chat-hint");
  text.maxLength = 280;
  text.enterKeyHint = "send";
  const send = named("secondary", "send", say("send"));
  send.type = "submit";
  const signs = make("div", "menu reacts");
  signs.popover = "auto";
  signs.setAttribute("role", "group");
  signs.ariaLabel = say("react");
  signs.append(...signButtons((sign) => {
    signs.hidePopover();
    react(sign);
  }));
  smile.setAttribute("aria-haspopup", "true");
  smile.popoverTargetElement = signs;
  form.append(smile, ...embedded ? [] : [text, send], signs); // people write to each other in the chat
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    write(text, as(), sent);
  });
  container.append(form);
}

/** write sends the text in the field; if it is refused, it stays there. */
async function write(field, as, sent) {
  const text = field.value.trim();
  if (!text) return;
  field.value = "";
  sent();
  if (!await tell("/say", { as, text }) && !field.value) field.value = text;
}

function named(rank, drawing, name) {
  const button = make("button", rank);
  button.ariaLabel = button.title = name;
  button.append(icon(drawing));
  return button;
}
