import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { bookStep } from "#books/book-step.ts"
import type { Wallets } from "#books/entries-of.ts"
import { type Asset, type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import {
  createOrderData,
  type MinedTransaction,
  type OrderData,
  type TransactionPurpose,
} from "#order/data.ts"
import { findLedgerFaults, walletUnits } from "../../support/check-ledger.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"

const NATIVE = parseAssetId("base_sepolia:eth")
const { from: FROM, to: TO, sourceUnits } = SAMPLE.terms
const KINDS = ["approve", "deposit", "void", "refund", "revoke"] as const

/**
 * Any observations of an order: blocks can show each of them and a reorganisation can remove it
 * again.
 */
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
/**
 * `sameCoin`: the chain takes its fees in the sold asset. `feeFromAmount`: it takes a refund's fee
 * out of the refunded amount.
 */
const worldChoice = fc.record({ sameCoin: fc.boolean(), feeFromAmount: fc.boolean() })
type WorldChoice = { readonly sameCoin: boolean; readonly feeFromAmount: boolean }
type Knowledge = typeof knowledge extends fc.Arbitrary<infer T> ? T : never

describe("the books of an order with appearing and vanishing observations", () => {
  test("balance after every step, match the wallet, and are empty without observations", () => {
    fc.assert(
      fc.property(
        fc.array(knowledge, { minLength: 1, maxLength: 8 }),
        worldChoice,
        (events, choice) => {
          const journal = openJournal(":memory:")
          const wallets = walletsOf(choice)
          const blank = createOrderData(SAMPLE.input)
          let data = blank
          for (const next of [...events.map((known) => learn(blank, known)), blank]) {
            journal.book(bookStep(data, next, wallets), { orderId: null, atMs: 1 })
            data = next
            expect(findLedgerFaults(journal)).toEqual([])
            expectWallets(walletUnits(journal), data, choice)
          }
          expect(journal.listAccounts("")).toEqual([])
          journal.close()
        },
      ),
      { numRuns: 100, seed: 11 },
    )
  })

  test("do not change without a new observation", () => {
    fc.assert(
      fc.property(knowledge, (known) => {
        const data = learn(createOrderData(SAMPLE.input), known)
        // Equal but not identical data, as after a restart.
        const wallets = walletsOf({ sameCoin: false, feeFromAmount: false })
        expect(bookStep(data, structuredClone(data), wallets)).toEqual({
          reversedKeys: [],
          add: [],
        })
      }),
      { numRuns: 200, seed: 12 },
    )
  })
})

/** Compares the books with an independent sum over the observations. */
function expectWallets(
  booked: ReadonlyMap<AssetId, bigint>,
  data: OrderData,
  choice: WorldChoice,
): void {
  const expected = new Map<AssetId, bigint>()
  const changes = [...swapChanges(data), ...networkChanges(data, choice)]
  for (const [asset, units] of changes) expected.set(asset, (expected.get(asset) ?? 0n) + units)
  for (const asset of [FROM, TO, NATIVE])
    expect(booked.get(asset) ?? 0n, asset).toBe(expected.get(asset) ?? 0n)
}

type Change = readonly [asset: AssetId, units: bigint]

/** Deposit, refund and payout. */
function swapChanges(data: OrderData): Change[] {
  const isDeposited =
    minedDeposit(data) !== undefined ||
    (data.gasless !== null && data.seen.sourceInitiated !== null)
  return [
    [FROM, isDeposited ? -sourceUnits : 0n],
    [FROM, data.returned?.units ?? 0n],
    [TO, data.receipt?.units ?? 0n],
  ]
}

/** Network fees and rent. */
function networkChanges(data: OrderData, { sameCoin, feeFromAmount }: WorldChoice): Change[] {
  const native = sameCoin ? FROM : NATIVE
  const fees = data.mined.filter(({ purpose }) => purpose !== "refund" || !feeFromAmount)
  const rentUnits = minedDeposit(data)?.heldUnits ?? 0n
  const returnedUnits = data.rentReturned?.units ?? 0n
  return [
    ...fees.map(({ feeUnits }): Change => [native, -feeUnits]),
    [native, -rentUnits],
    [native, returnedUnits < rentUnits ? returnedUnits : rentUnits],
  ]
}

function minedDeposit({ mined }: OrderData): MinedTransaction | undefined {
  return mined.find(({ purpose, ok }) => purpose === "deposit" && ok)
}

function learn(blank: OrderData, known: Knowledge): OrderData {
  const { destinationFiat, nativePrice } = known
  const received = (txid: string, units: bigint | null) => (units === null ? null : { txid, units })
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
    gasless: known.gasless
      ? { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false }
      : null,
    seen: {
      ...blank.seen,
      sourceInitiated: known.relayed ? { txid: "relay", height: 1n, final: true, at: 1 } : null,
    },
    receipt: received("paid", known.receipt),
    returned: received("back", known.returned),
    rentReturned: received("back", known.rentReturned),
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
  return parts.map(({ attempt, ...transaction }) => ({
    ...transaction,
    txid: `${transaction.purpose} ${attempt}`,
  }))
}

function walletsOf({ sameCoin, feeFromAmount }: WorldChoice): Wallets {
  const asset = (id: AssetId, token: string | null): Asset => ({
    id,
    chain: chainOf(id),
    decimals: 8,
    token,
    htlc: [],
  })
  const assets = [asset(FROM, sameCoin ? null : "0xtoken"), asset(TO, null)]
  return {
    assets: sameCoin ? assets : [...assets, asset(NATIVE, null)],
    nativeOf: (chain) => (chain === chainOf(TO) ? TO : sameCoin ? FROM : NATIVE),
    takesRefundFeeFromAmount: () => feeFromAmount,
    isOurs: () => true,
  }
}
