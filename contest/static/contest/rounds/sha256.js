// SHA-256 (FIPS 180-4) of bytes, or of a text in UTF-8, as lower-case hexadecimal. Browsers offer one only over https.

const ROUNDS = 64;
const primes = [];
for (let n = 2; primes.length < ROUNDS; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);

// The first 32 bits behind the point of a root.
const bits = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
const START = primes.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
const K = primes.map((prime) => bits(Math.cbrt(prime)));

export function sha256(input) {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const padded = new Uint8Array(((bytes.length + 8 >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  words.setUint32(padded.length - 4, bytes.length << 3);
  let state = START;
  for (let at = 0; at < padded.length; at += 64) state = block(state, words, at);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function block(state, words, at) {
  const w = [];
  for (let i = 0; i < ROUNDS; i += 1) w[i] = i < 16 ? words.getInt32(at + 4 * i) : expand(w, i);
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = h + big1 + ((e & f) ^ (~e & g)) + K[i] + w[i];
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = big0 + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [first + second | 0, a, b, c, d + first | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => word + state[i] | 0);
}

function expand(w, i) {
  const small0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
  const small1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
  return w[i - 16] + small0 + w[i - 7] + small1 | 0;
}

const turn = (word, by) => (word >>> by) | (word << (32 - by));
