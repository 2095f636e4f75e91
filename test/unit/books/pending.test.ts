import { describe, expect, test } from "vitest"
import type { Wallets } from "#books/entries-of.ts"
import { pendingOf } from "#books/pending.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import type { Order } from "#order/step.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import {
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
const NONE = { inUnits: 0n, outUnits: 0n }

/** The pending units of one order: the amounts that may still come in or go out. */
function pending(data: OrderData, asset: AssetId, state: Order["state"] = "funded"): object {
  return pendingOf([{ state, data }], WALLETS).get(asset) ?? NONE
}

/** A deposit that is signed and pays the amount; its fee is at most 1. */
function deposited(over: Partial<OrderData> = {}): OrderData {
  const track = signed("deposit")
  const spends = [{ asset: from, units: 10_000n }]
  const paying = {
    ...track,
    signed: track.signed.map((one) => ({ ...one, plan: { ...one.plan, spends } })),
  }
  return { ...withTransactions({ deposit: paying }), ...over }
}

const young = { ...landedTransaction("deposit", 7n), heldUnits: 3n, final: false }
const old = { ...young, final: true }
const event = { txid: "t", height: 5n, at: 0 }

describe("a deposit in a young block", () => {
  const data = deposited({ mined: [young] })

  test("may be gone again, and its HTLC may pay it back", () => {
    // The wallet may still lose amount and fee a second time, or get both back with a
    // reorganisation; the HTLC may refund the amount too.
    expect(pending(data, from)).toEqual({ inUnits: 20_000n, outUnits: 10_000n })
    expect(pending(data, NATIVE)).toEqual({ inUnits: 13n, outUnits: 1n })
    expect(pending(data, to)).toEqual({ inUnits: 9_970n, outUnits: 0n })
  })

  test("that failed put nothing into the HTLC", () => {
    const failed = deposited({ mined: [{ ...young, ok: false }] })
    expect(pending(failed, from)).toEqual({ inUnits: 0n, outUnits: 10_000n })
    expect(pending(failed, NATIVE)).toEqual({ inUnits: 10n, outUnits: 1n })
  })

  test("that is final is booked; only the HTLC's amount and rent may come back", () => {
    expect(pending(deposited({ mined: [old] }), from)).toEqual({ inUnits: 10_000n, outUnits: 0n })
    expect(pending(deposited({ mined: [old] }), NATIVE)).toEqual({ inUnits: 3n, outUnits: 0n })
  })
})

test("an approval in a young block moves its fee alone, also beside a deposit that failed", () => {
  const approval = { ...landedTransaction("approve", 5n), final: false }
  const approved = { ...withTransactions({ approve: signed("approve") }), mined: [approval] }
  expect([pending(approved, from), pending(approved, to)]).toEqual([NONE, NONE])
  expect(pending(approved, NATIVE)).toEqual({ inUnits: 5n, outUnits: 1n })
  const failed = { ...approved, mined: [approval, { ...old, ok: false }] }
  expect(pending(failed, from)).toEqual(NONE)
})

test("several orders add up", () => {
  const orders = [deposited(), deposited({ mined: [young] })].map((data) => ({
    state: "funded" as const,
    data,
  }))
  expect(pendingOf(orders, WALLETS).get(from)).toEqual({ inUnits: 20_000n, outUnits: 20_000n })
  expect(pendingOf(orders, WALLETS).get(to)).toEqual({ inUnits: 19_940n, outUnits: 0n })
})

describe("a deposit of a relay", () => {
  const out = { ...withTransactions({}), gasless: gaslessOut() }

  test("may go out at any time, unless it is disarmed or our own deposit took its place", () => {
    expect(pending({ ...out, seen: NOTHING_SEEN }, from)).toEqual({
      inUnits: 0n,
      outUnits: 10_000n,
    })
    expect(pending({ ...out, seen: NOTHING_SEEN }, from, "disarmed")).toEqual(NONE)
    expect(pending({ ...out, seen: NOTHING_SEEN, mined: [old] }, from)).toEqual({
      inUnits: 10_000n,
      outUnits: 0n,
    })
    for (const other of [{ ...old, ok: false }, landedTransaction("approve", 5n)]) {
      expect(pending({ ...out, seen: NOTHING_SEEN, mined: [other] }, from)).toEqual({
        inUnits: 0n,
        outUnits: 10_000n,
      })
    }
  })

  test("in a young block may be gone again, and its HTLC may pay it back", () => {
    expect(pending({ ...out, seen: seenFunded(false) }, from)).toEqual({
      inUnits: 20_000n,
      outUnits: 10_000n,
    })
    expect(pending({ ...out, seen: seenFunded(true) }, from)).toEqual({
      inUnits: 10_000n,
      outUnits: 0n,
    })
  })
})

describe("the units in the HTLC", () => {
  const data = deposited({ mined: [old] })

  test("do not come back once their redemption is final", () => {
    const redeemed = (final: boolean) => ({
      ...seenFunded(true),
      sourceRedeemed: { ...event, final },
    })
    expect(pending({ ...data, seen: redeemed(false) }, from)).toEqual({
      inUnits: 10_000n,
      outUnits: 0n,
    })
    expect(pending({ ...data, seen: redeemed(true) }, from)).toEqual(NONE)
    expect(pending({ ...data, seen: redeemed(true) }, NATIVE)).toEqual({
      inUnits: 3n,
      outUnits: 0n,
    })
  })

  test("that came back may be gone again until the refund is final", () => {
    const returned = { txid: "r", units: 9_990n }
    const refunded = (final: boolean) => ({
      ...seenFunded(true),
      sourceRefunded: { ...event, final },
    })
    expect(pending({ ...data, returned, seen: refunded(false) }, from)).toEqual({
      inUnits: 0n,
      outUnits: 9_990n,
    })
    expect(pending({ ...data, returned, seen: refunded(true) }, from)).toEqual(NONE)
    expect(pending({ ...data, returned, seen: seenFunded(true) }, from)).toEqual({
      inUnits: 0n,
      outUnits: 9_990n,
    })
  })
})

describe("a payout", () => {
  const data = deposited({ mined: [old] })
  const paid = (final: boolean) => ({
    ...seenFunded(true),
    destinationRedeemed: { ...event, final },
  })
  const receipt = { txid: "p", units: 9_960n, ours: true } as unknown as NonNullable<
    OrderData["receipt"]
  > // CAST: only the units are read.

  test("comes as promised until it is booked, and may be gone again until it is final", () => {
    expect(pending(data, to)).toEqual({ inUnits: 9_970n, outUnits: 0n })
    expect(pending({ ...data, receipt, seen: paid(false) }, to)).toEqual({
      inUnits: 10n,
      outUnits: 9_960n,
    })
    expect(pending({ ...data, receipt, seen: paid(true) }, to)).toEqual(NONE)
  })

  test("is expected only once something was signed that pays for it", () => {
    expect(pending(withTransactions({}), to)).toEqual(NONE)
    expect(pending({ ...withTransactions({}), gasless: gaslessOut() }, to)).toEqual({
      inUnits: 9_970n,
      outUnits: 0n,
    })
    expect(pending({ ...data, terms: null }, to)).toEqual(NONE)
  })

  test(
    "may still come while another deposit is planned, because the service may have paid for " +
      "the one before",
    () => {
      const [deposit] = signed("deposit").signed
      if (!deposit) throw new Error("not signed")
      const replanned = {
        ...withTransactions({}),
        earlierSigned: [{ ...deposit, purpose: "deposit" as const }],
      }
      expect(pending(replanned, to, "deposit-planning")).toEqual({ inUnits: 9_970n, outUnits: 0n })
    },
  )
})

describe("a transaction", () => {
  const COIN = parseAssetId("bitcoin_testnet:btc")
  const byChain = {
    ...WALLETS,
    nativeOf: (chain: string) => (to.startsWith(chain) ? COIN : NATIVE),
  }
  const fee = (data: OrderData, asset: AssetId): unknown =>
    pendingOf([{ state: "funded", data }], byChain).get(asset)?.outUnits

  test("that may land costs the coin of its own chain", () => {
    const redeem = withTransactions({ redeem: signed("redeem") })
    expect([fee(redeem, COIN), fee(redeem, NATIVE)]).toEqual([1n, undefined])
    expect([fee(deposited(), COIN), fee(deposited(), NATIVE)]).toEqual([0n, 1n])
  })

  test("that nobody signed moves nothing", () => {
    expect([...pendingOf([{ state: "funded", data: withTransactions({}) }], WALLETS)]).toEqual([])
  })

  test("is settled by any of its attempts, and spends the amount if any attempt does", () => {
    const [first, second] = signed("deposit", 0, 1).signed
    if (!first || !second) throw new Error("not signed")
    const spends = [{ asset: from, units: 10_000n }]
    const attempts = [first, { ...second, plan: { ...second.plan, spends } }]
    const track = { ...signed("deposit"), signed: attempts }
    expect(pending(withTransactions({ deposit: track }), from)).toEqual({
      inUnits: 0n,
      outUnits: 10_000n,
    })
    const landed = {
      ...withTransactions({ deposit: track }),
      mined: [{ ...old, txid: second.txid }],
    }
    expect(pending(landed, from)).toEqual({ inUnits: 10_000n, outUnits: 0n })
  })
})

test("a deposit that the chain alone shows is not ours, and a relay's deposit has no rent", () => {
  expect(pending({ ...withTransactions({}), seen: seenFunded(true) }, from)).toEqual(NONE)
  const relayed = { ...withTransactions({}), gasless: gaslessOut(), seen: seenFunded(true) }
  expect(pending(relayed, NATIVE)).toEqual(NONE)
})

test("a full payout in a young block can only be gone again, also before its redemption is seen", () => {
  // CAST: only the units are read.
  const receipt = { txid: "p", units: 9_970n } as unknown as NonNullable<OrderData["receipt"]>
  const data = deposited({ mined: [old], receipt, seen: seenFunded(true) })
  expect(pending(data, to)).toEqual({ inUnits: 0n, outUnits: 9_970n })
})
