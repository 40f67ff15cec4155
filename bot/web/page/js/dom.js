// Small words for building the page. Text from people only ever becomes text.

/** make creates an element with a class and a text. */
export function make(tag, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}

let ids = 0;

/** idOf is the id of an element, made where it has none. */
export function idOf(node) {
  node.id ||= `named-${++ids}`;
  return node.id;
}

/** unseen is text for those who listen. */
export function unseen(text) {
  return make("span", "unseen", text);
}

/** put sets a text only where it differs, so that nothing is announced twice. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** fit makes a parent have exactly count children, made where they lack. */
export function fit(parent, count, create) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(create(parent.children.length));
  return Array.from(parent.children);
}

/** moveFocus gives a node the focus by itself: what comes late takes it from nobody who types by then. */
export function moveFocus(node) {
  if (!document.activeElement?.matches("input, textarea, select")) node?.focus({ preventScroll: true });
}

/** svg creates a drawing from shapes: [name, attributes, text]. */
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

/** calm says whether movement is not wanted. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
