import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type BurnMessage,
  decodeBurnMessage,
  encodeBurnMessage,
  type Hex,
  listAlteredFields,
  ZERO_WORD,
} from "#routes/cctp/message.ts"
import { LIVE_FIELDS, LIVE_MESSAGE } from "./live-mint.ts"

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`
const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf)
const numbers = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

const messages: fc.Arbitrary<BurnMessage> = fc.record({
  version: fc.constant(1),
  sourceDomain: numbers,
  destinationDomain: numbers,
  nonce: words,
  sender: words,
  recipient: words,
  destinationCaller: words,
  minFinalityThreshold: numbers,
  finalityThresholdExecuted: numbers,
  bodyVersion: fc.constant(1),
  burnToken: words,
  mintRecipient: words,
  amountUnits: units,
  messageSender: words,
  maxFeeUnits: units,
  feeExecutedUnits: units,
  expirationBlock: units,
  hookData: fc.uint8Array({ maxLength: 100 }).map(hexOf),
})

describe("a burn message", () => {
  test("of a live chain has the published fields, in both directions", () => {
    expect(decodeBurnMessage(LIVE_MESSAGE)).toEqual(LIVE_FIELDS)
    expect(encodeBurnMessage(LIVE_FIELDS)).toBe(LIVE_MESSAGE)
    expect(decodeBurnMessage(`0x${LIVE_MESSAGE.slice(2).toUpperCase()}`)).toEqual(LIVE_FIELDS)
  })

  test("keeps every field through bytes and back", () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(decodeBurnMessage(encodeBurnMessage(message))).toEqual(message)
      }),
    )
  })

  test("of another version, length or alphabet is none", () => {
    const first = (digits: string): string => `0x${digits}${LIVE_MESSAGE.slice(10)}`
    expect(decodeBurnMessage(first("00000001"))).not.toBeNull()
    expect(decodeBurnMessage(first("00000000"))).toBeNull()
    const body = `${LIVE_MESSAGE.slice(0, 2 + 148 * 2)}00000002${LIVE_MESSAGE.slice(2 + 152 * 2)}`
    expect(decodeBurnMessage(body)).toBeNull()
    expect(decodeBurnMessage(LIVE_MESSAGE.slice(0, -2))).toBeNull()
    expect(decodeBurnMessage(`${LIVE_MESSAGE}0`)).toBeNull()
    expect(decodeBurnMessage(`${LIVE_MESSAGE}zz`)).toBeNull()
    expect(decodeBurnMessage(`${LIVE_MESSAGE}${"00".repeat(8_192)}`)).toBeNull()
    for (const text of ["", "0x", "0", "PENDING"]) expect(decodeBurnMessage(text)).toBeNull()
  })
})

describe("an attested message", () => {
  const emitted: BurnMessage = {
    ...LIVE_FIELDS,
    nonce: ZERO_WORD,
    finalityThresholdExecuted: 0,
    feeExecutedUnits: 0n,
    expirationBlock: 0n,
  }

  test("may differ in the four fields that the attesters set", () => {
    expect(listAlteredFields(emitted, LIVE_FIELDS)).toEqual([])
  })

  test("may differ nowhere else: each altered byte has the name of its field", () => {
    const free = new Set<number>()
    for (const [from, length] of [
      [12, 32],
      [144, 4],
      [312, 32],
      [344, 32],
    ] as const)
      for (let at = from; at < from + length; at++) free.add(at)
    const bytes = Buffer.from(LIVE_MESSAGE.slice(2), "hex")
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ 0x40
      const message = decodeBurnMessage(`0x${altered.toString("hex")}`)
      // Another version is no message at all.
      const found = message === null ? ["version"] : listAlteredFields(emitted, message)
      expect([at, found.length]).toEqual([at, free.has(at) ? 0 : 1])
    }
  })

  test("may have no other hook", () => {
    expect(listAlteredFields(emitted, { ...LIVE_FIELDS, hookData: "0x00" })).toEqual(["hookData"])
  })
})
