import { expect, test } from "vitest"
import { readDecidedBalance } from "#engine/rules/tick/decided-balances.ts"
import { encodeJson } from "#lib/json.ts"
import { BTC, ETH } from "../../../support/fake-world.ts"

const balance = (spendableUnits: bigint) => ({ readable: true, spendableUnits })
const inputs = (...assets: readonly object[]): string => encodeJson({ view: { assets } })

type Row = { readonly inputs: number | null; readonly atMs: number }

/** The decisions of a rule, newest first, and what they read. */
function read(rows: readonly Row[], texts: Readonly<Record<number, string>>, rule = "rule") {
  const asked: unknown[] = []
  const journal = {
    listDecisions: (query: unknown) => {
      asked.push(query)
      return rows
    },
    findInputs: (id: number) => texts[id] ?? null,
  }
  // CAST: nothing else of a decision is read.
  const own = journal as unknown as Parameters<typeof readDecidedBalance>[0]
  return { found: readDecidedBalance(own, rule, ETH), asked }
}

test.each<[string, readonly Row[], Readonly<Record<number, string>>, bigint | null]>([
  ["without a decision", [], {}, null],
  ["without one from balances", [{ inputs: null, atMs: 9 }], {}, null],
  ["whose inputs are gone", [{ inputs: 1, atMs: 9 }], {}, null],
  [
    "of another asset",
    [{ inputs: 1, atMs: 9 }],
    { 1: inputs({ id: BTC, balance: balance(4n) }) },
    null,
  ],
  [
    "that was not readable",
    [{ inputs: 1, atMs: 9 }],
    { 1: inputs({ id: ETH, balance: { readable: false } }) },
    null,
  ],
  [
    "of the newest decision from balances",
    [
      { inputs: null, atMs: 12 },
      { inputs: 2, atMs: 9 },
      { inputs: 1, atMs: 3 },
    ],
    {
      1: inputs({ id: ETH, balance: balance(1n) }),
      2: inputs({ id: BTC, balance: balance(4n) }, { id: ETH, balance: balance(5n) }),
    },
    5n,
  ],
])("the balance that a rule decided with, %s", (_name, rows, texts, units) => {
  const { found, asked } = read(rows, texts)
  expect(found).toEqual(units === null ? null : { units, atMs: 9 })
  expect(asked).toEqual([{ rule: "rule", limit: 5 }])
})
