// Loading parts of the page when they are needed: each has a script, and all share one style sheet.

let styles;

/** load resolves to the module of a part, such as "panel/log", once its styles are loaded, too. */
export async function load(part) {
  styles ??= loadStyles();
  const [module] = await Promise.all([import(new URL(`../${part}.js`, import.meta.url).href), styles]);
  return module;
}

/** loadStyles adds the style sheet of all these parts. If it does not arrive, the parts are shown without it. */
function loadStyles() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("../later.css", import.meta.url).href;
  return new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", () => {
      styles = undefined; // the next part tries again
      done();
    });
    document.head.append(link);
  });
}
