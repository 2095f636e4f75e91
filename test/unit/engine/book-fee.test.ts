import { describe, expect, test } from "vitest"
import { walletOf } from "#books/entries-of.ts"
import { chainOf } from "#domain/asset.ts"
import { feeKey } from "#domain/ledger.ts"
import { bookFee, isFeeBooked } from "#engine/orders/book-fee.ts"
import { ASSETS, ETH } from "../../support/fake-world.ts"

type Entry = { readonly id: number; readonly reverses: number | null }

function scene(entries: readonly Entry[] = [], price: bigint | null = null, assets = ASSETS) {
  const booked: unknown[] = []
  const asked: unknown[] = []
  const context = {
    journal: {
      listEntries: (query: object) => {
        asked.push(query)
        return entries
      },
      book: (...of: readonly unknown[]) => void booked.push(of),
    },
    prices: { fetchPrice: async () => (price === null ? null : { fiat: price, sources: 1 }) },
    chains: new Map([[chainOf(ETH), { traits: { nativeCoin: { token: null } } }]]),
    settings: { assets: new Map(assets.map((asset) => [asset.id, asset])) },
    clock: { now: () => 7, sleep: () => new Promise(() => undefined) },
  }
  // CAST: a fee is booked with these parts alone.
  return { context: context as unknown as Parameters<typeof bookFee>[0], booked, asked }
}

const FEE = {
  txid: "x",
  purpose: "void",
  feeUnits: 30n,
  note: "a fill",
  orderId: "order-1",
} as const
const book = (of: ReturnType<typeof scene>, over: object = {}, isStopped = () => false) =>
  bookFee(of.context, chainOf(ETH), { ...FEE, ...over }, isStopped)

describe("the fee of a transaction", () => {
  test.each<[string, boolean, readonly Entry[]]>([
    ["without an entry", false, []],
    ["with one", true, [{ id: 1, reverses: null }]],
    [
      "with one that is reversed",
      false,
      [
        { id: 1, reverses: null },
        { id: 2, reverses: 1 },
      ],
    ],
    [
      "with one after a reversed one",
      true,
      [
        { id: 1, reverses: null },
        { id: 2, reverses: 1 },
        { id: 3, reverses: null },
      ],
    ],
  ])("%s is booked: %s", (_name, expected, entries) => {
    const { context, asked } = scene(entries)
    expect(isFeeBooked(context, "x")).toBe(expected)
    expect(asked).toEqual([{ key: feeKey("x") }])
  })

  test.each<[string, bigint | null, typeof ASSETS, bigint | null]>([
    ["at the price of the coin", 5n * 10n ** 8n, ASSETS, 150n],
    ["without a price", null, ASSETS, null],
    ["of a coin that is no asset", 5n, [], null],
  ])("is paid by the wallet: %s", async (_name, price, assets, fiat) => {
    const of = scene([], price, assets)
    await book(of)
    const asset = assets.length > 0 ? ETH : `${chainOf(ETH)}:native`
    const postings = [
      { account: walletOf(ETH), asset, units: -30n, fiat: fiat === null ? null : -fiat },
      { account: "expenses:network:void", asset, units: 30n, fiat },
    ]
    const entry = { key: feeKey("x"), kind: "fee", tx: "x", note: "a fill", postings }
    expect(of.booked).toEqual([
      [
        { reversedKeys: [], add: [entry] },
        { orderId: "order-1", atMs: 7 },
      ],
    ])
  })

  test("is booked once, never after the end of the process, and not where there is none", async () => {
    const known = scene([{ id: 1, reverses: null }])
    await book(known)
    const none = scene()
    await book(none, { feeUnits: 0n })
    await book(none, {}, () => true)
    expect([known.booked, none.booked]).toEqual([[], []])
  })
})
