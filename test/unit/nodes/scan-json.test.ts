import fc from "fast-check"
import { expect, test } from "vitest"
import { createJsonScan, GiantJson } from "#nodes/scan-json.ts"

const MEBIBYTE = 1024 * 1024

/** The text arrives in chunks of this size. Gives the bytes that were read before a refusal. */
function scan(text: string, most = 16 * MEBIBYTE, size = 65_536): number | null {
  const read = createJsonScan(most)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size)
    try {
      read(bytes.subarray(at, at + size))
    } catch (error) {
      expect(error).toBeInstanceOf(GiantJson)
      return at + size
    }
  return null
}

test.each([
  ["a hex quantity", `{"result":"0x${"f".repeat(15_000_000)}"}`, 5 * MEBIBYTE],
  ["a number", `{"result":${"9".repeat(15_000_000)}}`, 65_536],
  ["a deep list", `{"result":${"[".repeat(2_000_000)}`, 65_536],
  ["a list of small numbers", `{"result":[${"0,".repeat(7_000_000)}0]}`, MEBIBYTE],
  ["a list of long numbers", `{"result":[${`${"9".repeat(90)},`.repeat(160_000)}0]}`, MEBIBYTE],
  ["a list of small objects", `{"result":[${'{"a":"b"},'.repeat(1_500_000)}0]}`, MEBIBYTE],
  ["a list of empty texts", `{"result":[${'"",'.repeat(5_000_000)}0]}`, MEBIBYTE],
])("%s without end is refused while it arrives", (_name, text, before) => {
  expect(scan(text)).toBeLessThanOrEqual(before)
})

test("the bound of the bytes bounds the values too", () => {
  const text = `{"result":[${"0,".repeat(20_000)}0]}`
  expect(scan(text, 16 * MEBIBYTE)).toBeNull()
  expect(scan(text, MEBIBYTE)).not.toBeNull()
})

test("JSON of ordinary size passes, whatever its texts hold and however it is cut", () => {
  const chunks = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(fc.jsonValue(), chunks, (value, size) => {
      expect(scan(JSON.stringify(value), MEBIBYTE, size)).toBeNull()
    }),
  )
  const digits = { id: 1, result: [`"${"9".repeat(500)}\\`, "[".repeat(500), "1,".repeat(50_000)] }
  expect(scan(JSON.stringify(digits), MEBIBYTE, 7)).toBeNull()
  // The bytes of a raw transaction are no JSON.
  expect(scan("02".repeat(200_000), MEBIBYTE)).toBeNull()
})
