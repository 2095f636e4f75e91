import { describe, expect, test } from "vitest"
import { encodeHeader, parseHeader } from "#chains/bitcoin/proof/block-header.ts"
import {
  hasWork,
  nextBits,
  readTarget,
  workOf,
  writeTarget,
} from "#chains/bitcoin/proof/difficulty.ts"
import { extendChain, headerAt, heightOf, MAIN_RULES } from "#chains/bitcoin/proof/header-chain.ts"
import { mustExist } from "#lib/assert.ts"
import { chainBefore, headerOf, MAIN } from "../../../../chains/bitcoin/proof/main-network.ts"

const later = (rows: readonly { raw: string }[], count = 1) => rows.slice(count).map(headerOf)
const rules = { rules: MAIN_RULES, nowMs: Date.UTC(2026, 0, 1) }

describe("headers of the main network", () => {
  test("have the hashes that explorers show", () => {
    const rows = [...MAIN.acrossRetarget.headers, ...MAIN.fork.headers, MAIN.fork.stale]
    expect(rows.map((row) => headerOf(row).hash)).toEqual(rows.map(({ hash }) => hash))
    expect(rows.length).toBeGreaterThan(30)
  })

  test("are built again from the fields of an Esplora answer", () => {
    const [row] = MAIN.acrossRetarget.headers
    const { previous, merkleRoot, time, bits, raw } = headerOf(mustExist(row, "a header"))
    const bytes = Buffer.from(raw, "hex")
    const fields = {
      version: bytes.readInt32LE(0),
      nonce: bytes.readUInt32LE(76),
      previous,
      merkleRoot,
      time,
      bits,
    }
    expect(parseHeader(encodeHeader(fields))?.hash).toBe(row?.hash)
  })

  test("give the next target at nine retargets", () => {
    expect(MAIN.retargets).toHaveLength(9)
    for (const { first, last, next } of MAIN.retargets) {
      expect(nextBits(headerOf(first), headerOf(last), MAIN_RULES.limit)).toBe(headerOf(next).bits)
    }
  })

  test("extend a chain across a retarget", () => {
    const { headers } = MAIN.acrossRetarget
    const extended = extendChain(chainBefore(MAIN.acrossRetarget), 554_391, later(headers), rules)
    expect("chain" in extended && heightOf(extended.chain)).toBe(554_408)
    expect("chain" in extended && headerAt(extended.chain, 554_400)?.hash).toBe(
      headers.find(({ height }) => height === 554_400)?.hash,
    )
    expect("chain" in extended && extended.chain.work).toBe(
      later(headers).reduce((sum, { bits }) => sum + workOf(readTarget(bits) ?? 0n), 0n),
    )
  })

  test("replace a stale block only with more work", () => {
    const { headers, stale } = MAIN.fork
    const upTo = headers.filter(({ height }) => height < stale.height)
    const before = extendChain(chainBefore(MAIN.fork), 437_467, later(upTo), rules)
    if (!("chain" in before)) throw new Error(`refused: ${before.refused}`)
    const onStale = extendChain(before.chain, stale.height, [headerOf(stale)], rules)
    if (!("chain" in onStale)) throw new Error(`refused: ${onStale.refused}`)
    const winners = headers.filter(({ height }) => height >= stale.height).map(headerOf)
    expect(extendChain(onStale.chain, stale.height, winners.slice(0, 1), rules)).toMatchObject({
      refused: "lighter",
    })
    const replaced = extendChain(onStale.chain, stale.height, winners, rules)
    expect("chain" in replaced && heightOf(replaced.chain)).toBe(437_479)
    expect("chain" in replaced && headerAt(replaced.chain, stale.height)?.hash).not.toBe(stale.hash)
  })

  test("are refused with a gap, from the future, and at another target", () => {
    const { headers } = MAIN.acrossRetarget
    const chain = chainBefore(MAIN.acrossRetarget)
    expect(extendChain(chain, 554_392, later(headers, 2), rules)).toMatchObject({ refused: "gap" })
    expect(extendChain(chain, 554_391, later(headers, 2), rules)).toMatchObject({
      refused: "link",
      height: 554_391,
    })
    const early = {
      rules: MAIN_RULES,
      nowMs: (headerOf(mustExist(headers[1], "a header")).time - 7_201) * 1000,
    }
    expect(extendChain(chain, 554_391, later(headers), early)).toMatchObject({ refused: "time" })
    const untilRetarget = { rules: { ...MAIN_RULES, retargets: false }, nowMs: rules.nowMs }
    expect(extendChain(chain, 554_391, later(headers), untilRetarget)).toMatchObject({
      refused: "bits",
      height: 554_400,
    })
  })
})

test("compact targets are read and written as Bitcoin Core does", () => {
  expect(readTarget(0x1d00ffff)).toBe(0xffffn << 208n)
  expect(writeTarget(MAIN_RULES.limit)).toBe(0x1d00ffff)
  expect(writeTarget(0x80n << 8n)).toBe(0x03008000)
  expect(readTarget(0x01123456)).toBe(0x12n)
  expect(readTarget(0x04923456)).toBeNull()
  expect(readTarget(0)).toBeNull()
  expect(readTarget(0xff123456)).toBeNull()
  expect(hasWork("0".repeat(64), 0)).toBe(false)
})

test("a header at or before the median time of the eleven before it is refused", () => {
  const rules = { limit: (1n << 255n) - 1n, retargets: false }
  const next = (previous: string, time: number) => {
    const fields = { version: 4, previous, merkleRoot: "0".repeat(64), time, bits: 0x207fffff }
    for (let nonce = 0; ; nonce++) {
      const header = mustExist(parseHeader(encodeHeader({ ...fields, nonce })), "80 bytes")
      if (hasWork(header.hash, header.bits)) return header
    }
  }
  const headers = [next("0".repeat(64), 1_000)]
  for (let count = 1; count < 11; count++)
    headers.push(next(mustExist(headers.at(-1), "a header").hash, 1_000 + count))
  const chain = { base: 0, headers, work: 0n }
  const { hash } = mustExist(headers.at(-1), "a header")
  const extend = (time: number) =>
    extendChain(chain, 11, [next(hash, time)], { rules, nowMs: 10_000_000 })
  expect(extend(1_005)).toMatchObject({ refused: "time" })
  expect("chain" in extend(1_006)).toBe(true)
})
