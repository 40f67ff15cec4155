// The page's sentences, by language and key. Those in the page's language come with it. Others are fetched when a board
// needs them.

const own = document.documentElement.lang;
const texts = { [own]: JSON.parse(document.getElementById("words").textContent) };

/** loadWords fetches the missing sentences of languages. If that fails, those in the page's language are used. */
export async function loadWords(...langs) {
  await Promise.all(langs.filter((lang) => lang && !texts[lang]).map(async (lang) => {
    const answer = await fetch(new URL(`../words/${lang}.json`, import.meta.url)).catch(() => null);
    if (answer?.ok) texts[lang] = await answer.json();
  }));
}

/** say returns the sentence of a key, in the page's language by default, with args in place of its {names}. */
export function say(key, args = {}, lang = own) {
  const sentence = (texts[lang] ?? texts[own])[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? String(args[name]) : whole));
}
