import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { bookStep } from "#books/book-step.ts"
import type { Wallets } from "#books/entries-of.ts"
import { type Asset, type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { createOrderData, type MinedTransaction, type OrderData, type TransactionPurpose } from "#order/data.ts"
import { findLedgerFaults, walletUnits } from "../support/check-ledger.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../support/order-sample.ts"

const NATIVE = parseAssetId("base_sepolia:eth")
const { from: FROM, to: TO, sourceUnits } = SAMPLE.terms
const KINDS = ["approve", "deposit", "void", "refund", "revoke"] as const

/** What an order may come to know, in any order and as often as one likes: blocks show things, and take them back. */
const knowledge = fc.record({
  mined: fc.uniqueArray(minedTransactions(), { selector: ({ purpose }) => purpose, maxLength: 5 }),
  gasless: fc.boolean(),
  relayed: fc.boolean(),
  receipt: fc.option(fc.bigInt(0n, SAMPLE.terms.destinationUnits)),
  returned: fc.option(fc.bigInt(0n, sourceUnits)),
  rentReturned: fc.option(fc.bigInt(0n, 3_000_000n)),
  destinationFiat: fc.option(fc.bigInt(0n, 20_000_000_000n)),
  nativePrice: fc.option(fc.bigInt(1n, 10n ** 10n)),
  affiliateBps: fc.integer({ min: 0, max: 500 }),
  ours: fc.boolean(),
})
type Knowledge = typeof knowledge extends fc.Arbitrary<infer T> ? T : never

describe("the books of an order that learns and unlearns", () => {
  test("balance after every step, say what the wallet has, and are even when nothing is known any more", () => {
    fc.assert(
      fc.property(
        fc.array(knowledge, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        fc.boolean(),
        (events, ...world) => {
          const journal = openJournal(":memory:")
          const house = houseOf(...world)
          const blank = createOrderData(SAMPLE.input)
          let data = blank
          for (const next of [...events.map((known) => learn(blank, known)), blank]) {
            journal.book(bookStep(data, next, house), { orderId: null, atMs: 1 })
            data = next
            expect(findLedgerFaults(journal)).toEqual([])
            expectWallets(walletUnits(journal), data, world)
          }
          expect(journal.listAccounts("")).toEqual([])
          journal.close()
        },
      ),
      { numRuns: 100, seed: 11 },
    )
  })

  test("do not move when nothing new is known", () => {
    fc.assert(
      fc.property(knowledge, (known) => {
        const data = learn(createOrderData(SAMPLE.input), known)
        // Equal, and not the same: as after a restart.
        expect(bookStep(data, structuredClone(data), houseOf(false, false))).toEqual({ takeBack: [], add: [] })
      }),
      { numRuns: 200, seed: 12 },
    )
  })
})

/** Told once more, in another way: what left and what came, by what is known. */
function expectWallets(
  booked: ReadonlyMap<AssetId, bigint>,
  data: OrderData,
  [sameCoin, fromAmount]: WorldChoice,
): void {
  const expected = new Map<AssetId, bigint>()
  const add = (asset: AssetId, units: bigint): void => void expected.set(asset, (expected.get(asset) ?? 0n) + units)
  const native = sameCoin ? FROM : NATIVE
  const deposit = data.mined.find(({ purpose, ok }) => purpose === "deposit" && ok)
  for (const { purpose, feeUnits } of data.mined) {
    if (purpose !== "refund" || !fromAmount) add(native, -feeUnits)
  }
  if (deposit) add(native, -deposit.heldUnits)
  if (deposit || (data.gasless !== null && data.seen.sourceInitiated !== null)) add(FROM, -sourceUnits)
  add(FROM, data.returned?.units ?? 0n)
  const [lent, back] = [deposit?.heldUnits ?? 0n, data.rentReturned?.units ?? 0n]
  add(native, back < lent ? back : lent)
  add(TO, data.receipt?.units ?? 0n)
  for (const asset of [FROM, TO, NATIVE]) expect(booked.get(asset) ?? 0n, asset).toBe(expected.get(asset) ?? 0n)
}

function learn(blank: OrderData, known: Knowledge): OrderData {
  const { destinationFiat, nativePrice } = known
  const moved = (txid: string, units: bigint | null) => (units === null ? null : { txid, units })
  const transaction = { ...sampleTransaction(samplePlan("refund", 0)), txid: "back" }
  return {
    ...blank,
    quote: { ...SAMPLE.quote, destinationFiat },
    terms: SAMPLE.terms,
    deposit: SAMPLE.deposit,
    prices: { from: null, to: null, native: nativePrice },
    affiliateBps: known.affiliateBps,
    mined: known.mined,
    transactions: known.ours
      ? { ...blank.transactions, refund: { ...blank.transactions.refund, signed: [transaction] } }
      : blank.transactions,
    gasless: known.gasless ? { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false } : null,
    seen: {
      ...blank.seen,
      sourceInitiated: known.relayed ? { txid: "relay", height: 1n, final: true, at: 1 } : null,
    },
    receipt: moved("paid", known.receipt),
    returned: moved("back", known.returned),
    rentReturned: moved("back", known.rentReturned),
  }
}

function minedTransactions(): fc.Arbitrary<MinedTransaction> {
  const parts = fc.record({
    purpose: fc.constantFrom<TransactionPurpose>(...KINDS),
    attempt: fc.nat({ max: 2 }),
    ok: fc.boolean(),
    height: fc.constant(1n),
    final: fc.boolean(),
    feeUnits: fc.bigInt(0n, 10n ** 15n),
    heldUnits: fc.bigInt(0n, 2_000_000n),
  })
  return parts.map(({ attempt, ...transaction }) => ({ ...transaction, txid: `${transaction.purpose} ${attempt}` }))
}

/** `sameCoin`: the chain takes its fees in the sold asset. `fromAmount`: it takes a refund's fee out of the refunded amount. */
type WorldChoice = [sameCoin: boolean, fromAmount: boolean]

function houseOf(...[sameCoin, fromAmount]: WorldChoice): Wallets {
  const asset = (id: AssetId, token: string | null): Asset => ({ id, chain: chainOf(id), decimals: 8, token, htlc: [] })
  const assets = [asset(FROM, sameCoin ? null : "0xtoken"), asset(TO, null)]
  return {
    assets: sameCoin ? assets : [...assets, asset(NATIVE, null)],
    nativeOf: (chain) => (chain === chainOf(TO) ? TO : sameCoin ? FROM : NATIVE),
    takesRefundFeeFromAmount: () => fromAmount,
    isOurs: () => true,
  }
}
