// The page's sentences, by language and key. Those of its own language come with
// the page, others are fetched where a board needs them.

const own = document.documentElement.lang;
const texts = { [own]: JSON.parse(document.getElementById("words").textContent) };

/** loadWords fetches the sentences of languages that the page does not know yet. Where
 * that fails, its own are said. */
export async function loadWords(...langs) {
  await Promise.all(langs.filter((lang) => lang && !texts[lang]).map(async (lang) => {
    const answer = await fetch(new URL(`../words/${lang}.json`, import.meta.url)).catch(() => null);
    if (answer?.ok) texts[lang] = await answer.json();
  }));
}

/** say is the sentence of a key, in the page's language unless told otherwise. */
export function say(key, args = {}, lang = own) {
  const sentence = (texts[lang] ?? texts[own])[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? String(args[name]) : whole));
}
