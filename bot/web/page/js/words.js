// The page's sentences, by language and key.

let texts = {};
let own = document.documentElement.lang;

/** loadWords fetches the sentences once. */
export async function loadWords() {
  const answer = await fetch("/static/words.json");
  texts = await answer.json();
}

/** say is the sentence of a key, in the page's language unless told otherwise. */
export function say(key, args = {}, lang = own) {
  const sentence = (texts[lang] ?? texts[own] ?? {})[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? String(args[name]) : whole));
}
