// Storage of the browser, which some clients forbid to pages in a frame.

/** storage replaces storage that is forbidden by one that lasts as long as the page. */
export function storage() {
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      globalThis[name].getItem("");
    } catch {
      const kept = new Map();
      Object.defineProperty(globalThis, name, { value: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => kept.set(key, String(value)),
        removeItem: (key) => kept.delete(key),
      } });
    }
  }
}
