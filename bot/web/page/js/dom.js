// Helpers that build the page. Text from people is inserted only as text, never as HTML.

/** make creates an element with a class and a text. A button sends no form. */
export function make(tag, className = "", text = "") {
  const node = document.createElement(tag);
  if (tag === "button") node.type = "button";
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}

let ids = 0;

/** idOf returns the id of an element. If it has none, it gets one. */
export function idOf(node) {
  node.id ||= `named-${++ids}`;
  return node.id;
}

/** unseen returns an element whose text only screen readers read. */
export function unseen(text) {
  return make("span", "unseen", text);
}

/** put sets the text of a node if it differs, so that screen readers announce nothing twice. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** swap replaces the children of a node. The focus stays on the element with the same data-key. */
export function swap(node, ...children) {
  const key = node.contains(document.activeElement) && document.activeElement.dataset.key;
  node.replaceChildren(...children);
  if (key) node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** fit makes parent have exactly count children and returns them. create(index) creates a missing one. */
export function fit(parent, count, create) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(create(parent.children.length));
  return Array.from(parent.children);
}

/** moveFocus focuses a node unless a person is typing in a field. */
export function moveFocus(node) {
  if (!document.activeElement?.matches("input, textarea, select")) node?.focus({ preventScroll: true });
}

/** svg returns a drawing of shapes, each [name, attributes, text]; box is its viewBox. */
export function svg(box, shapes) {
  const space = "http://www.w3.org/2000/svg";
  const root = document.createElementNS(space, "svg");
  root.setAttribute("viewBox", box);
  root.setAttribute("aria-hidden", "true");
  for (const [name, attributes, text] of shapes) {
    const shape = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    if (text) shape.textContent = text;
    root.append(shape);
  }
  return root;
}

/** narrow matches if the panel is a separate view, below the table's width. */
export const narrow = matchMedia("(max-width: 1023px)");

/** embedded is the name of the platform whose client embeds the page, "" if it is in a window of its own. */
export const embedded = document.documentElement.dataset.door ?? "";

/** calm reports whether the person has asked for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
