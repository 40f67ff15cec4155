// Verification of a record, whose dice are rolled again by the scheme knobel-dice-1. It needs only the record.

import { hex, hmac, sha256, unhex } from "./sha256.js";

const scheme = "knobel-dice-1";
const encoder = new TextEncoder();

/** throwDie returns the face of die n (from 0) of a table. seed is in bytes, entropies are the texts of all seats. */
export function throwDie(seed, table, entropies, n, sides) {
  const limit = 256 - (256 % sides);
  const message = [scheme, table, ...entropies, n];
  for (let c = 0; ; c++) {
    const bytes = hmac(seed, encoder.encode([...message, c].join("\n")));
    const found = bytes.find((b) => b < limit);
    if (found !== undefined) return 1 + (found % sides);
  }
}

/** sidesOf returns the number of faces of a record's dice. */
function sidesOf(record) {
  const [, sides] = /^\d+d(\d+)$/.exec(record.rules?.dice ?? "") ?? [];
  return sides ? Number(sides) : 6;
}

/** lack returns the name of the first missing or invalid part of a record, "" if there is none. */
function lack(record) {
  if (typeof record !== "object" || record === null || record.record !== 1) return "record";
  if (typeof record.table !== "string") return "table";
  if (!Array.isArray(record.seats) || record.seats.some((s) => typeof s?.entropy !== "string")) return "seats";
  if (typeof record.dice?.seed !== "string" || typeof record.dice?.commitment !== "string") return "dice";
  const plays = (m) => typeof m?.move === "string" && Number.isInteger(m.seat) && record.seats[m.seat]
    && (m.dice === undefined || Array.isArray(m.dice));
  if (!Array.isArray(record.moves) || !record.moves.every(plays)) return "moves";
  return "";
}

/** verify returns the faults of a record, each a sentence's key and arguments, the numbers of its dice and moves, and
 * whether its seed matches the commitment (sealed). */
export function verify(record) {
  const faults = [];
  const part = lack(record);
  if (part) return { faults: [{ key: "fair-bad-record", args: { reason: part } }], dice: 0, moves: 0, sealed: false };
  if (record.dice.scheme !== scheme) {
    return { faults: [{ key: "fair-bad-scheme", args: { scheme: String(record.dice.scheme) } }], dice: 0, moves: 0,
      sealed: false };
  }
  const seed = unhex(record.dice.seed);
  if (!seed || seed.length !== 32) {
    return { faults: [{ key: "fair-bad-record", args: { reason: "seed" } }], dice: 0, moves: 0, sealed: false };
  }
  const found = hex(sha256(seed));
  const sealed = found === record.dice.commitment;
  if (!sealed) faults.push({ key: "fair-bad-commitment", args: { found, written: record.dice.commitment } });
  const dice = verifyDice(record, seed, faults);
  verifyPool(record, faults);
  verifyOut(record, faults);
  return { faults, dice, moves: record.moves.length, sealed };
}

/** verifyDice adds the faults of the dice to faults and returns the number of dice. */
function verifyDice(record, seed, faults) {
  const entropies = record.seats.map((s) => s.entropy);
  const sides = sidesOf(record);
  let n = 0;
  record.moves.forEach(({ seat, move, dice = [] }, i) => {
    const place = { move: i + 1, spelling: move, name: record.seats[seat].name ?? seat + 1 };
    const wanted = /^throw (\d+)$/.exec(move)?.[1];
    if (wanted !== undefined && Number(wanted) !== dice.length) {
      faults.push({ key: "fair-bad-count", args: { ...place, found: dice.length, wanted } });
    }
    for (const written of dice) {
      if (!Number.isInteger(written) || written < 1 || written > sides) {
        faults.push({ key: "fair-bad-face", args: { ...place, die: n + 1, written, sides } });
      } else {
        const thrown = throwDie(seed, record.table, entropies, n, sides);
        if (thrown !== written) faults.push({ key: "fair-bad-die", args: { ...place, die: n + 1, thrown, written } });
      }
      n++;
    }
  });
  return n;
}

/** wonBy returns the amount that a seat has won, negative if lost, from the pool or from the other seats. */
const wonBy = (row) => row?.pool ?? row?.settlement;

/** verifyPool adds a fault unless all winnings and losses add up to the amount that the box has paid in or out. */
function verifyPool(record, faults) {
  const result = Array.isArray(record.result) ? record.result : [];
  const amounts = result.map(wonBy).filter(Number.isInteger);
  if (amounts.length === 0) return;
  const found = amounts.reduce((sum, amount) => sum + amount, 0);
  const wanted = (record.box?.in ?? 0) - (record.box?.out ?? 0);
  if (found !== wanted) faults.push({ key: "fair-bad-pool", args: { found, wanted } });
}

/** verifyOut adds a fault for each seat that was out, unless all its later moves (at least one) were automatic, it has
 * lost, and all seats that stayed are placed before it. */
function verifyOut(record, faults) {
  const rows = Array.isArray(record.result) ? record.result : [];
  record.seats.forEach(({ out }, seat) => {
    if (out === undefined) return;
    const later = Number.isInteger(out) && out >= 0 ? record.moves.slice(out).filter((move) => move.seat === seat) : [];
    const played = later.length > 0 && later.every((move) => move.auto === true);
    const row = rows[seat];
    const lost = wonBy(row) < 0 && rows.every((other, i) => record.seats[i]?.out !== undefined ||
      other?.place < row.place);
    if (!played || !lost) faults.push({ key: "fair-bad-out",
      args: { seat: record.seats[seat].name ?? seat + 1, after: String(out) } });
  });
}
