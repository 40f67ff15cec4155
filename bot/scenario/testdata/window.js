// The visible content of the browser table's page, and clicks on it: window_test.go injects this.
globalThis.story ??= (() => {
  const numbers = new WeakMap();
  let count = 0, changes = 0, last = "", hit;

  const number = (node) => numbers.get(node) ?? (numbers.set(node, `window ${++count}`), numbers.get(node));
  const seen = (node) => node.checkVisibility();
  const read = (node) => {
    const rows = node.querySelectorAll("tr, li, p");
    return (rows.length ? [...rows] : [node]).filter(seen).map((row) =>
      [...row.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(" ")).join("\n");
  };

  const dice = (board) => {
    const all = [...board.querySelectorAll(".dice .die")].filter(seen).map((die) => {
      const face = die.querySelectorAll(".pip").length;
      return die.classList.contains("kept") ? `(${face})` : `[${face}]`;
    });
    return all.length ? `  ${all.join(" ")}` : "";
  };

  // carries is what a button would carry on a platform whose messages have no dice to press: dice that are chosen in the
  // page alone, and the button that plays them, carry what picks and plays them there.
  const carries = (button) => {
    const { press, item } = button.dataset;
    const dice = button.closest(".board").querySelector(".dice [data-item]");
    if (!dice || item === undefined && !/:keep [01]+$/.test(press)) return press;
    const [table] = button.closest(".board").querySelector(".buttons [data-press]").dataset.press.match(/^(\d+:){3}/);
    return table + (item === undefined ? "!play" : `!pick ${item}`);
  };

  const asked = "button[data-press]:not(.more *), .dice button[data-item]"; // not what a page alone has below its board
  const pressable = (node) => [...node.querySelectorAll(asked)].filter(seen);

  const buttons = (board) => pressable(board).map((button) => ({
    Label: button.innerText.trim(), Data: carries(button),
    Picked: button.ariaPressed === "true" || button.className === "success",
  }));

  const message = (node, board = node) => ({
    ID: number(node), Alone: node !== board, Buttons: buttons(board),
    Text: [...board.children].flatMap((part) => (part.matches(".game") ? [...part.children] : [part])).map((part) => {
      if (part.matches(".buttons")) return "";
      return part.matches(".box") ? [...part.querySelectorAll(".rail"), null].map((rail) =>
        (rail ? read(rail) : dice(board))).join("\n") : read(part);
    }).filter(Boolean).join("\n"),
  });

  // boards are those of before, each unfolded, and those that stand there.
  const boards = () => {
    document.querySelectorAll(".old:not([open])").forEach((one) => { one.open = true; });
    const before = [...document.querySelectorAll(".old > .board")].reverse();
    return [...before, ...document.querySelectorAll("#entries > .board")];
  };

  const look = () => JSON.stringify({
    Feed: boards().map((node) => message(node)),
    Alone: [...document.querySelectorAll("#notes > .note")].map((node) => message(node, node.querySelector(".board"))),
    Toast: document.querySelector("#toasts .words")?.textContent ?? "",
  });

  // shot is what the page shows, behind a number that grows with every change.
  const shot = () => {
    const now = look();
    if (now !== last) changes++;
    last = now;
    return `${changes} ${now}`;
  };

  // once resolves with what look returns, as soon as that is something. It looks once for each picture that is drawn:
  // until then the change is not visible.
  const once = (find) => new Promise((done) => {
    let drawing = false;
    const again = () => {
      drawing = false;
      const found = find();
      if (found) watch.disconnect(), done(found);
    };
    const watch = new MutationObserver(() => {
      if (!drawing) requestAnimationFrame(() => setTimeout(again));
      drawing = true;
    });
    watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    again();
  });

  return {
    // changed is what the page shows as soon as that has another number.
    changed: (before) => once(() => {
      const now = shot();
      return changes !== before && now;
    }),
    // aim brings a button into the middle of the window and says where that is, null: no such button is seen. A click
    // that comes upon something else, as the page has moved, is kept from it.
    aim: (press) => {
      const button = pressable(document).filter((one) => carries(one) === press).at(-1);
      if (!button) return null;
      document.getElementById("toasts").replaceChildren();
      button.scrollIntoView({ block: "center", behavior: "instant" });
      document.addEventListener("click", (event) => {
        const target = event.target.closest("button");
        hit = target && carries(target) === press ? target.closest(".board") : null;
        if (!hit) event.stopImmediatePropagation(), event.preventDefault();
      }, { once: true, capture: true });
      const { x, y, width, height } = button.getBoundingClientRect();
      return { X: x + width / 2, Y: y + height / 2 };
    },
    // answered is what the page shows once the click has its answer, "" where it has missed.
    answered: () => once(() => (hit ? !hit.classList.contains("busy") && shot() : "missed")),
    // ready clears the way to the line for commands, and returns what the page shows then.
    ready: () => {
      document.getElementById("toasts").replaceChildren();
      const line = document.getElementById("text");
      if (!line.checkVisibility()) document.getElementById("slash").click();
      line.value = "";
      line.focus();
      return shot();
    },
  };
})();
