import { expect, test } from "vitest"
import { createMnemonic, isMnemonic } from "#chains/mnemonic.ts"

test("new words are 24 with a right checksum, and never the same", () => {
  const one = createMnemonic()
  const other = createMnemonic()
  expect([one.split(" ").length, isMnemonic(one), one === other]).toEqual([24, true, false])
})
