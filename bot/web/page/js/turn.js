// Requests that change a cookie, one after the other: each answer sets the whole cookie, so of two simultaneous
// requests one would undo the other.

let last = Promise.resolve();

/** inTurn calls request when all earlier requests have their answers, and resolves to its answer. */
export function inTurn(request) {
  const answer = last.then(request);
  last = answer.catch(() => {});
  return answer;
}
