import { describe, expect, test } from "vitest"
import { isSameTxid, readHintedTxids, readReportedTxids, type TxidForm } from "./reported-txids.ts"

const DIGITS = "00ab".repeat(16)
const UPPER = DIGITS.toUpperCase()
const OTHER = "cd".repeat(32)
const FELT = DIGITS.slice(2)
const SIGNATURE =
  "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"

describe.each<[TxidForm, own: string, written: readonly string[]]>([
  ["hex", DIGITS, [DIGITS, UPPER, `0x${DIGITS}`, `0X${UPPER}`, `${DIGITS}:840000`, `0x${UPPER}:0`]],
  ["0x-hex", `0x${DIGITS}`, [DIGITS, UPPER, `0x${DIGITS}`, `0X${UPPER}`, FELT, `${UPPER}:12`]],
  ["felt", `0x${FELT}`, [DIGITS, UPPER, `0x${DIGITS}`, `0x${FELT}`, FELT, `0x${FELT}:12`]],
  ["base58", SIGNATURE, [SIGNATURE, `${SIGNATURE}:300000000`]],
])("a hash of the service on a chain with ids in %s", (form, own, written) => {
  test.each(written)("is read as our node writes it: %s", (text) => {
    expect(readReportedTxids(text, form)).toEqual([own])
    expect(readHintedTxids(` ${text} `, form)).toEqual([own])
    expect(isSameTxid(own, text.replace(/:\d+$/, ""))).toBe(true)
  })

  test("keeps its notation without the family, and is still known to be the same", () => {
    for (const text of written) {
      const [id = ""] = readReportedTxids(text, null)
      expect(isSameTxid(id, own), text).toBe(true)
    }
  })
})

test("several deposits with commas between them are several ids, each of them once", () => {
  const text = `${DIGITS}:1, 0x${UPPER}:2 ,${OTHER}:3,`
  expect(readReportedTxids(text, "hex")).toEqual([DIGITS, OTHER])
  expect(readReportedTxids(text, "0x-hex")).toEqual([`0x${DIGITS}`, `0x${OTHER}`])
  expect(readReportedTxids(`${SIGNATURE},${SIGNATURE.toLowerCase()}`, "base58")).toHaveLength(2)
})

test("no text names no transaction, and a text that is no id stays as it is", () => {
  for (const form of ["hex", "0x-hex", "felt", "base58", null] as const) {
    for (const text of [null, "", " ", ",", " , "])
      expect(readReportedTxids(text, form)).toEqual([])
    expect(readReportedTxids("not an id:7", form)).toEqual(["not an id:7"])
    if (form !== null) expect(readHintedTxids("not an id:7", form)).toEqual([])
  }
})

test("another transaction is not the same, and neither is another case of a base58 id", () => {
  expect(isSameTxid(DIGITS, OTHER)).toBe(false)
  expect(isSameTxid(DIGITS, `${DIGITS.slice(0, -1)}c`)).toBe(false)
  expect(isSameTxid(SIGNATURE, SIGNATURE.toLowerCase())).toBe(false)
})

test("a long list of hints asks for eight transactions at most", () => {
  const ids = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(64, "a"))
  expect(readHintedTxids(ids.join(","), "hex")).toEqual(ids.slice(0, 8))
})
