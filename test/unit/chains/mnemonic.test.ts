import { expect, test } from "vitest"
import { createMnemonic, isMnemonic, readMnemonic } from "#chains/mnemonic.ts"

test("new words are 24 with a right checksum, and never the same", () => {
  const one = createMnemonic()
  const other = createMnemonic()
  expect([one.split(" ").length, isMnemonic(one), one === other]).toEqual([24, true, false])
})

test("words give one seed, whatever stands between them", () => {
  const about = `${"abandon ".repeat(11)}about`
  const seed = "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1"
  for (const text of [about, about.replaceAll(" ", "   ")]) {
    const read = readMnemonic(`bip39 3 ${text}`)
    expect(read?.index).toBe(3)
    expect(Buffer.from(read?.seed ?? []).toString("hex")).toMatch(`${seed}`)
  }
  expect(readMnemonic(`bip39 3 ${about} about`)).toBeNull()
})
