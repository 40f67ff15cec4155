// What changes a cookie is asked for one after the other: the server answers with
// the whole cookie, so that of two requests at once one would undo the other.

let last = Promise.resolve();

/** inTurn begins a request once those before it have their answers. */
export function inTurn(request) {
  const answer = last.then(request);
  last = answer.catch(() => {});
  return answer;
}
