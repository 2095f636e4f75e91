import fc from "fast-check"
import { expect, it } from "vitest"
import { base58 } from "./base58.ts"

it("reads and writes the examples of the base 58 draft (draft-msporny-base58)", () => {
  const examples = [
    ["48656c6c6f20576f726c6421", "2NEpo7TZRRrLZSi2U"],
    ["0000287fb4cd", "11233QC4"],
    ["", ""],
  ] as const
  for (const [hex, text] of examples) {
    expect(base58.encode(Buffer.from(hex, "hex"))).toBe(text)
    expect(base58.decode(text)?.toString("hex")).toBe(hex)
  }
})

it("reads back whatever it wrote", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(base58.decode(base58.encode(bytes))).toEqual(Buffer.from(bytes))
    }),
  )
})

it("knows nothing of the letters that are easily mistaken", () => {
  for (const text of ["0", "O", "I", "l", "abc+", " 2"]) expect(base58.decode(text)).toBeNull()
})
