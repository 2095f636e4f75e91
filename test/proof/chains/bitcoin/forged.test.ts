import { Transaction } from "bitcoinjs-lib"
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type BlockHeader,
  fromDisplay,
  HEADER_BYTES,
  parseHeader,
} from "#chains/bitcoin/proof/block-header.ts"
import { hasWork } from "#chains/bitcoin/proof/difficulty.ts"
import { extendChain, MAIN_RULES } from "#chains/bitcoin/proof/header-chain.ts"
import { provesInclusion } from "#chains/bitcoin/proof/merkle-proof.ts"
import { mustExist } from "#lib/assert.ts"
import { chainBefore, headerOf, MAIN } from "../../../chains/bitcoin/proof/main-network.ts"

/* Ten thousand forged headers and as many forged Merkle paths. None is accepted. */

const RUNS = 10_000
const nowMs = Date.UTC(2026, 0, 1)
const run = MAIN.acrossRetarget
const base = chainBefore(run)
const real = run.headers.slice(1).map(headerOf)
const REGTEST_BITS = 0x207fffff

function read(raw: Buffer): BlockHeader {
  return mustExist(parseHeader(raw), "80 bytes")
}

/** Tries nonces until the header has the work of its own target. Only an easy target is reached. */
function mine(raw: Buffer): BlockHeader {
  for (let nonce = 0; nonce < 200; nonce++) {
    raw.writeUInt32LE(nonce, 76)
    const header = read(raw)
    if (hasWork(header.hash, header.bits)) return header
  }
  return read(raw)
}

/** One byte of one real header is another; the headers before it stay real. */
const flipped = fc
  .tuple(fc.nat(real.length - 1), fc.nat(HEADER_BYTES - 1), fc.integer({ min: 1, max: 255 }))
  .map(([at, byte, mask]) => {
    const raw = Buffer.from(mustExist(real[at], "a header").raw, "hex")
    raw[byte] = (raw[byte] ?? 0) ^ mask
    return [...real.slice(0, at), read(raw)]
  })

/** A chain of new headers that follow the real ones, each with the work of an easy target. */
const mined = fc
  .tuple(
    fc.nat(real.length - 1),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(REGTEST_BITS, 0x207ffffe),
    fc.nat(),
  )
  .map(([at, count, bits, salt]) => {
    const headers = real.slice(0, at)
    for (let next = 0; next < count; next++) {
      const raw = Buffer.alloc(HEADER_BYTES, salt & 0xff)
      const before = headers.at(-1) ?? mustExist(base.headers.at(-1), "a header")
      raw.writeInt32LE(0x20000000, 0)
      fromDisplay(before.hash).copy(raw, 4)
      raw.writeUInt32LE(before.time + 600, 68)
      raw.writeUInt32LE(bits, 72)
      headers.push(mine(raw))
    }
    return headers
  })

/** The right target and link, without the work. */
const workless = fc
  .tuple(
    fc.nat(real.length - 1),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.nat(0xffff_ffff),
  )
  .map(([at, root, nonce]) => {
    const raw = Buffer.from(mustExist(real[at], "a header").raw, "hex")
    Buffer.from(root).copy(raw, 36)
    raw.writeUInt32LE(nonce, 76)
    return [...real.slice(0, at), read(raw)]
  })

/** Real headers in another order, or with one left out. */
const disordered = fc
  .tuple(fc.nat(real.length - 1), fc.nat(real.length - 2))
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => {
    const headers = [...real]
    const [taken] = headers.splice(a, 1)
    headers.splice(b, 0, mustExist(taken, "a header"))
    return headers
  })

test("ten thousand forged headers: none is accepted", () => {
  const accepted: unknown[] = []
  let tried = 0
  fc.assert(
    fc.property(fc.oneof(flipped, mined, workless, disordered), (headers) => {
      tried += 1
      const extended = extendChain(base, 554_391, headers, { rules: MAIN_RULES, nowMs })
      if ("chain" in extended) accepted.push(headers.map(({ raw }) => raw))
    }),
    { numRuns: RUNS, seed: 14 },
  )
  expect(tried).toBe(RUNS)
  expect(accepted).toEqual([])
  // The check can pass: the real headers are accepted.
  expect("chain" in extendChain(base, 554_391, real, { rules: MAIN_RULES, nowMs })).toBe(true)
})

const inclusion = mustExist(MAIN.inclusions[0], "an inclusion")
const { merkleRoot } = headerOf({ raw: inclusion.header })
type Forgery = { txid: string; raw: string; position: number; siblings: readonly string[] }
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString("hex"))
const path = fc.record({ siblings: fc.array(hash, { maxLength: 20 }), position: fc.nat(2 ** 20) })

const forgedPaths: fc.Arbitrary<Forgery> = fc.oneof(
  // Another path for the real transaction.
  path.map((other) => ({ ...inclusion, ...other })),
  // The real path with another position, or with one sibling replaced, dropped or repeated.
  fc
    .nat(2 ** 20)
    .filter((position) => position !== inclusion.position)
    .map((position) => ({ ...inclusion, position })),
  fc.tuple(fc.nat(inclusion.siblings.length - 1), hash).map(([at, sibling]) => ({
    ...inclusion,
    siblings: inclusion.siblings.with(at, sibling),
  })),
  fc
    .nat(inclusion.siblings.length - 1)
    .map((at) => ({ ...inclusion, siblings: inclusion.siblings.toSpliced(at, 1) })),
  fc.nat(inclusion.siblings.length - 1).map((at) => ({
    ...inclusion,
    siblings: inclusion.siblings.toSpliced(at, 0, inclusion.siblings[at] ?? ""),
  })),
  // Another transaction under the real path: one byte differs, and the txid is recomputed or not.
  fc
    .tuple(fc.nat(inclusion.raw.length / 2 - 1), fc.integer({ min: 1, max: 255 }), hash)
    .map(([at, mask, txid]) => {
      const raw = Buffer.from(inclusion.raw, "hex")
      raw[at] = (raw[at] ?? 0) ^ mask
      return {
        ...inclusion,
        raw: raw.toString("hex"),
        txid: mask % 2 === 0 ? txid : inclusion.txid,
      }
    }),
  // An inner hash of the real tree, presented as a transaction.
  fc.nat(inclusion.siblings.length - 1).map((at) => ({
    ...inclusion,
    txid: inclusion.siblings[at] ?? "",
    position: inclusion.position >> at,
    siblings: inclusion.siblings.slice(at),
  })),
)

test("ten thousand forged Merkle paths: none is accepted", () => {
  const accepted: Forgery[] = []
  let tried = 0
  fc.assert(
    fc.property(forgedPaths, (forgery) => {
      tried += 1
      const transaction = parse(forgery.raw)
      if (transaction !== null && provesInclusion(forgery.txid, transaction, forgery, merkleRoot))
        accepted.push(forgery)
    }),
    { numRuns: RUNS, seed: 14 },
  )
  expect(tried).toBe(RUNS)
  expect(accepted).toEqual([])
  expect(
    provesInclusion(inclusion.txid, Transaction.fromHex(inclusion.raw), inclusion, merkleRoot),
  ).toBe(true)
})

/** Most changed bytes are still a transaction; the others prove nothing. */
function parse(raw: string): Transaction | null {
  try {
    return Transaction.fromHex(raw)
  } catch {
    return null
  }
}
