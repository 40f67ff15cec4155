// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) in plain JavaScript: pages without TLS have none from the browser.

const word = (n) => n >>> 0;
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** primes returns the first count prime numbers. */
function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p)) found.push(n);
  return found;
}

/** fraction returns the first 32 bits after the binary point of x. */
const fraction = (x) => word(Math.floor((x - Math.floor(x)) * 2 ** 32));

const rounds = primes(64).map((p) => fraction(Math.cbrt(p)));
const start = primes(8).map((p) => fraction(Math.sqrt(p)));

function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const out = new Uint8Array(length);
  out.set(bytes);
  out[bytes.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(length - 4, word(bytes.length * 8));
  return view;
}

/** mix returns the state after the 64-byte block of view that begins at the index at. */
function mix(state, view, at) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i];
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, word(d + first), c, b, a, word(first + second)];
  }
  return [a, b, c, d, e, f, g, h].map((x, i) => word(state[i] + x));
}

/** sha256 returns the SHA-256 of bytes. Both are Uint8Arrays. */
export function sha256(bytes) {
  const view = padded(bytes);
  let state = start;
  for (let at = 0; at < view.byteLength; at += 64) state = mix(state, view, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => out.setUint32(4 * i, x));
  return new Uint8Array(out.buffer);
}

/** hmac returns the HMAC-SHA256 of message with key. All are Uint8Arrays. */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = block.map((b) => b ^ 0x36);
  const outer = block.map((b) => b ^ 0x5c);
  return sha256(join(outer, sha256(join(inner, message))));
}

function join(a, b) {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** hex returns bytes in hexadecimal, in lower case. */
export function hex(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** unhex returns the bytes that text holds in lower-case hexadecimal, null if it holds anything else. */
export function unhex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
