import { describe, expect, test } from "vitest"
import { bookStep } from "#books/book-step.ts"
import { entriesOf, splitCost, type Wallets } from "#books/entries-of.ts"
import { pendingOf } from "#books/pending.ts"
import { createValuation } from "#books/valuation.ts"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { LedgerEntry } from "#domain/ledger.ts"
import type { OrderData } from "#order/data.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import {
  final,
  gaslessOut,
  landedTransaction,
  seenFunded,
  signed,
  withTransactions,
} from "../../support/order-steps.ts"

const { from, to } = SAMPLE.terms
const NATIVE = parseAssetId("base_sepolia:eth")
const WALLETS: Wallets = {
  assets: [],
  nativeOf: () => NATIVE,
  takesRefundFeeFromAmount: () => false,
  isOurs: (_asset, address) => address.endsWith("/wallet"),
}
const DEPOSIT = { ...landedTransaction("deposit", 7n), heldUnits: 3n }

function dataOf(over: Partial<OrderData> = {}): OrderData {
  return {
    ...withTransactions({ deposit: final("deposit") }),
    quote: SAMPLE.quote,
    mined: [DEPOSIT],
    ...over,
  }
}

/** The sum of each account's units, by `account asset`. */
function sums(entries: readonly LedgerEntry[]): Record<string, bigint> {
  const totals: Record<string, bigint> = {}
  for (const { account, asset, units } of entries.flatMap(({ postings }) => postings)) {
    const key = `${account.replace(":order-1", "")} ${asset}`
    totals[key] = (totals[key] ?? 0n) + units
  }
  return totals
}

const book = (over: Partial<OrderData> = {}, wallets = WALLETS) =>
  sums(entriesOf(dataOf(over), wallets))
const walletOf = (asset: AssetId) => `assets:wallet:${chainOf(asset)} ${asset}`

describe("the ledger of an order", () => {
  test("holds fee, rent and deposit of its own transaction", () => {
    expect(book()).toEqual({
      [walletOf(NATIVE)]: -10n,
      [`expenses:network:deposit ${NATIVE}`]: 7n,
      [`assets:rent ${NATIVE}`]: 3n,
      [walletOf(from)]: -10_000n,
      [`assets:in-transit ${from}`]: 10_000n,
    })
  })

  test("holds the fee of a transaction that failed, and no deposit", () => {
    expect(book({ mined: [{ ...DEPOSIT, ok: false }] })).toEqual({
      [walletOf(NATIVE)]: -7n,
      [`expenses:network:deposit ${NATIVE}`]: 7n,
    })
  })

  test(
    "holds the deposit of a relay, without a fee; a deposit that only the chain shows is not " +
      "ours",
    () => {
      const relayed = { mined: [], seen: seenFunded(true) }
      expect(book({ ...relayed, gasless: gaslessOut() })).toEqual({
        [walletOf(from)]: -10_000n,
        [`assets:in-transit ${from}`]: 10_000n,
      })
      expect(book(relayed)).toEqual({})
    },
  )

  test("books a fee that the refunded amount pays only with the refund", () => {
    const refund = landedTransaction("refund", 5n)
    const over = {
      mined: [refund],
      transactions: withTransactions({ refund: signed("refund") }).transactions,
      returned: { txid: refund.txid, units: 9_995n },
    }
    const fromAmount = { ...WALLETS, takesRefundFeeFromAmount: () => true }
    expect(book(over, fromAmount)).toEqual({
      [`assets:in-transit ${from}`]: -10_000n,
      [walletOf(from)]: 9_995n,
      [`expenses:network:refund ${from}`]: 5n,
    })
    expect(book(over)[`expenses:network:refund ${NATIVE}`]).toBe(5n)
  })

  test(
    "books a refund by another party as a cost of the swap, and after a payout as the solver's " +
      "loss",
    () => {
      const returned = { txid: "another", units: 9_990n }
      expect(book({ mined: [], returned })).toMatchObject({ [`expenses:swap ${from}`]: 10n })
      const both = book({ mined: [], returned, receipt: { txid: "p", units: 9_970n } })
      expect(both[`assets:in-transit ${from}`]).toBe(-10_000n)
    },
  )

  test("books a payout with its missing units, to our wallet or outside", () => {
    const receipt = { txid: "p", units: 9_960n }
    expect(book({ receipt })).toMatchObject({
      [walletOf(to)]: 9_960n,
      [`expenses:payout ${to}`]: 10n,
    })
    const outside = { receipt, terms: { ...SAMPLE.terms, destinationOwner: "somebody" } }
    expect(book(outside)).toMatchObject({ [`equity:outside ${to}`]: 9_960n })
    expect(book(outside)[walletOf(to)]).toBeUndefined()
  })

  test("gives back no more rent than was paid", () => {
    const rent = (units: bigint) =>
      book({ rentReturned: { txid: "r", units } })[`assets:rent ${NATIVE}`] ?? 0n
    expect([rent(2n), rent(3n), rent(99n)]).toEqual([1n, 0n, 0n])
  })
})

test("the cost of a swap is divided between service and affiliates, and neither share exceeds it", () => {
  const split = (affiliateBps: number) => splitCost(dataOf({ affiliateBps }))
  expect(split(0)).toEqual({ swapUnits: 30n, affiliateUnits: 0n })
  expect(split(10)).toEqual({ swapUnits: 20n, affiliateUnits: 10n })
  expect(split(100)).toEqual({ swapUnits: 0n, affiliateUnits: 30n })
})

test("no values, no cost: without a quote, terms or prices all units stay part of the exchange", () => {
  const none = { swapUnits: 0n, affiliateUnits: 0n }
  const valued = (sourceFiat: bigint | null, destinationFiat: bigint | null): object =>
    splitCost(dataOf({ affiliateBps: 10, quote: { ...SAMPLE.quote, sourceFiat, destinationFiat } }))
  expect(valued(null, 1n)).toEqual(none)
  expect(valued(1n, null)).toEqual(none)
  expect(valued(0n, 0n)).toEqual(none)
  expect(splitCost(dataOf({ affiliateBps: 10, quote: null }))).toEqual(none)
  expect(splitCost(dataOf({ affiliateBps: 10, terms: null }))).toEqual(none)
  expect(valued(1n, 1n)).toEqual(none)
  // A quote that gains costs less than nothing, and affiliates got no part of that.
  expect(valued(10_000n, 10_001n)).toEqual({ swapUnits: -1n, affiliateUnits: 0n })
  expect(valued(10_000n, 9_999n)).toEqual({ swapUnits: 0n, affiliateUnits: 1n })
  const large = { ...SAMPLE.terms, sourceUnits: 10_000_000n }
  expect(splitCost(dataOf({ affiliateBps: 10, terms: large }))).toEqual({
    swapUnits: 20_000n,
    affiliateUnits: 10_000n,
  })
})

describe("the entries of an order", () => {
  const find = (kind: string, over: Partial<OrderData> = {}, wallets = WALLETS) =>
    entriesOf(dataOf(over), wallets).find((entry) => entry.kind === kind)
  const REDEEM = landedTransaction("redeem", 5n)
  const COIN = parseAssetId("bitcoin_testnet:btc")

  test("say which transaction they are of, and what is special about it", () => {
    expect(find("fee")).toMatchObject({ tx: DEPOSIT.txid, note: "deposit" })
    expect(find("fee", { mined: [{ ...DEPOSIT, ok: false }] })).toMatchObject({
      note: "deposit, failed on chain",
    })
    expect(find("deposit")).toMatchObject({ key: `deposit:${DEPOSIT.txid}`, note: null })
    const relayed = { mined: [], seen: seenFunded(true), gasless: gaslessOut() }
    expect(find("deposit", relayed)).toMatchObject({ note: "relayed" })
    const refund = landedTransaction("refund", 5n)
    const transactions = withTransactions({ refund: signed("refund", 0, 1) }).transactions
    const returned = { txid: refund.txid, units: 9_995n }
    expect(find("refund", { transactions, returned })).toMatchObject({ note: null })
    expect(find("refund", { returned })).toMatchObject({ note: "sent by another party" })
  })

  test("take a fee in the coin of the chain that the transaction is on", () => {
    const wallets = {
      ...WALLETS,
      nativeOf: (chain: string) => (chain === chainOf(to) ? COIN : NATIVE),
    }
    expect(find("fee", { mined: [REDEEM] }, wallets)?.postings.map(({ asset }) => asset)).toEqual([
      COIN,
      COIN,
    ])
    expect(find("fee", {}, wallets)?.postings.map(({ asset }) => asset)).toEqual([NATIVE, NATIVE])
  })

  test("leave out the fees that an HTLC's amount pays, and fees of nothing, but no other fee", () => {
    const wallets = { ...WALLETS, takesRefundFeeFromAmount: () => true }
    const fee = (purpose: "redeem" | "refund" | "deposit", units = 5n): unknown =>
      find("fee", { mined: [landedTransaction(purpose, units)] }, wallets)
    expect([fee("redeem"), fee("refund"), fee("deposit", 0n)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(fee("deposit", 1n)).toMatchObject({ note: "deposit" })
  })

  test("divide a payout between transit, costs, exchange and wallet, without empty postings", () => {
    const receipt = { txid: "p", units: 9_960n }
    const entry = find("payout", { receipt, affiliateBps: 10 })
    expect(
      entry?.postings.map(({ account, asset, units }) => [
        account.split(":").slice(0, 2).join(":"),
        asset,
        units,
      ]),
    )
      // In the order in which the units move.
      .toEqual([
        ["assets:in-transit", from, -10_000n],
        ["expenses:swap", from, 20n],
        ["expenses:affiliate", from, 10n],
        ["equity:exchange", from, 9_970n],
        ["equity:exchange", to, -9_970n],
        ["expenses:payout", to, 10n],
        ["assets:wallet", to, 9_960n],
      ])
    const full = find("payout", { receipt: { txid: "p", units: 9_970n } })
    expect(full?.postings.map(({ units }) => units)).toEqual([
      -10_000n,
      30n,
      9_970n,
      -9_970n,
      9_970n,
    ])
    expect(find("payout", { receipt, terms: null })).toBeUndefined()
  })

  test("take a refund's missing units from its sender, without empty postings", () => {
    const postings = find("refund", { returned: { txid: "r", units: 10_000n } })?.postings
    expect(postings?.map(({ units }) => units)).toEqual([-10_000n, 10_000n])
  })

  test("book rent only from a deposit that landed and paid it", () => {
    const rentReturned = { txid: "r", units: 5n }
    const rent = (mined: OrderData["mined"], returned = rentReturned): unknown => {
      return find("rent", { mined, rentReturned: returned })?.postings.map(({ units }) => units)
    }
    expect(rent([DEPOSIT])).toEqual([-3n, 3n])
    expect(rent([])).toBeUndefined()
    expect(rent([{ ...DEPOSIT, ok: false }])).toBeUndefined()
    expect(rent([{ ...landedTransaction("approve", 1n), heldUnits: 9n }])).toBeUndefined()
    expect(rent([DEPOSIT], { txid: "r", units: 0n })).toBeUndefined()
    expect(rent([DEPOSIT], { txid: "r", units: 1n })).toEqual([-1n, 1n])
    expect(rent([{ ...landedTransaction("approve", 1n), heldUnits: 9n }, DEPOSIT])).toEqual([
      -3n,
      3n,
    ])
  })

  test("value the chain's coin by its price and its own decimals", () => {
    // CAST: only id and decimals are read.
    const coin = { id: NATIVE, decimals: 1 } as unknown as Wallets["assets"][number]
    const other = { ...coin, id: COIN, decimals: 0 }
    const prices = { from: null, to: null, native: 50n }
    const fiat = (assets: Wallets["assets"]): unknown =>
      find("fee", { prices }, { ...WALLETS, assets })?.postings.map((posting) => posting.fiat)
    expect(fiat([other, coin])).toEqual([-35n, 35n])
    expect(fiat([other])).toEqual([null, null])
  })
})

describe("a step of the books", () => {
  test("reverses what changed or vanished, and adds what is new", () => {
    const before = dataOf()
    const after = dataOf({ mined: [{ ...DEPOSIT, feeUnits: 8n }] })
    const { txid } = DEPOSIT
    expect(bookStep(before, before, WALLETS)).toEqual({ reversedKeys: [], add: [] })
    expect(bookStep(before, after, WALLETS)).toMatchObject({
      reversedKeys: [`fee:${txid}`],
      add: [{ key: `fee:${txid}` }],
    })
    const gone = bookStep(before, dataOf({ mined: [] }), WALLETS)
    expect(gone).toEqual({ reversedKeys: [`fee:${txid}`, `deposit:${txid}`], add: [] })
    const rent = bookStep(before, { ...before, rentReturned: { txid: "r", units: 3n } }, WALLETS)
    expect(rent.add.map(({ key }) => key)).toEqual(["rent:r"])
  })

  test("books a relay's deposit that the chain alone shows, and a refund that turns out to be ours", () => {
    const relayed = dataOf({ mined: [], gasless: gaslessOut() })
    const shown = bookStep(relayed, { ...relayed, seen: seenFunded(true) }, WALLETS)
    expect(shown).toMatchObject({ reversedKeys: [], add: [{ kind: "deposit", note: "relayed" }] })
    const { txid } = landedTransaction("refund", 5n)
    const foreign = dataOf({ mined: [], returned: { txid, units: 9_995n } })
    const { transactions } = withTransactions({ refund: signed("refund") })
    const ours = bookStep(foreign, { ...foreign, transactions }, WALLETS)
    expect(ours).toMatchObject({ reversedKeys: [`refund:${txid}`], add: [{ note: null }] })
    const mined = bookStep(relayed, { ...relayed, mined: [DEPOSIT] }, WALLETS)
    expect(mined.add.map(({ kind }) => kind)).toEqual(["fee", "deposit"])
  })
})

describe("the pending units", () => {
  const pending = (data: OrderData, asset: AssetId) =>
    pendingOf([{ state: "funded", data }], WALLETS).get(asset)
  const plain = withTransactions({})

  test("of a signed deposit are its amount and the highest of its fees, until it is final", () => {
    const [first, second] = signed("deposit", 0, 1).signed
    const bumped = [first, second].flatMap((one, index) =>
      one
        ? [
            {
              ...one,
              plan: {
                ...one.plan,
                maxFeeUnits: index === 0 ? 9n : 4n,
                spends: [{ asset: from, units: 10_000n }],
              },
            },
          ]
        : [],
    )
    // CAST: only the number of the spends is read.
    const track = {
      ...signed("deposit"),
      signed: bumped,
    } as unknown as OrderData["transactions"]["deposit"]
    const data = withTransactions({ deposit: track })
    expect(pending(data, NATIVE)).toEqual({ inUnits: 0n, outUnits: 9n })
    expect(pending(data, from)).toEqual({ inUnits: 0n, outUnits: 10_000n })
    expect(pending(data, to)).toEqual({ inUnits: 9_970n, outUnits: 0n })
    expect(pending(dataOf(), NATIVE)?.outUnits ?? 0n).toBe(0n)
  })

  test("of a relay's deposit are its amount, until the chain shows it as final", () => {
    const out = { ...plain, gasless: gaslessOut() }
    expect(pending({ ...out, seen: NOTHING_SEEN }, from)).toEqual({
      inUnits: 0n,
      outUnits: 10_000n,
    })
    expect(pending({ ...out, seen: seenFunded(true) }, from)).toEqual({
      inUnits: 10_000n,
      outUnits: 0n,
    })
  })

  test(
    "include the deposit until its redemption is final, because one endpoint alone can show " +
      "another",
    () => {
      const redeemed = (final: boolean) => ({ txid: "r", height: 6n, final, at: 0 })
      const watched = (final: boolean) =>
        dataOf({ seen: { ...seenFunded(true), sourceRedeemed: redeemed(final) } })
      expect(pending(watched(false), from)?.inUnits).toBe(10_000n)
      expect(pending(watched(true), from)?.inUnits ?? 0n).toBe(0n)
    },
  )

  test("of a payout to another wallet are none", () => {
    const outside = { ...dataOf(), terms: { ...SAMPLE.terms, destinationOwner: "somebody" } }
    expect([pending(dataOf(), to)?.inUnits, pending(outside, to)]).toEqual([9_970n, undefined])
  })
})

test("each asset has the value of its own side of the quote, and an unknown value is not zero", () => {
  const data = { quote: SAMPLE.quote, prices: { from: null, to: null, native: null } }
  const { post } = createValuation(data, NATIVE, () => 18)
  expect(post("a", from, 1_000n).fiat).toBe(1_000_000_000n)
  expect(post("a", to, 997n).fiat).toBe(997_000_000n)
  expect(post("a", NATIVE, 1n).fiat).toBeNull()
  const priced = createValuation(
    { ...data, prices: { from: 3n, to: 5n, native: 7n } },
    NATIVE,
    () => 0,
  )
  expect(priced.post("a", NATIVE, 2n).fiat).toBe(14n)
  expect(priced.post("a", parseAssetId("base:usdt"), 2n).fiat).toBeNull()
})
