import { describe, expect, test } from "vitest"
import { ACCOUNTS, WALLET_PREFIX } from "#books/accounts.ts"
import { readSwap, type Swap } from "#books/read-swap.ts"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { BookedEntry } from "#domain/ledger.ts"
import type { OrderData } from "#order/data.ts"
import type { Order } from "#order/step.ts"
import { SAMPLE } from "../../support/order-sample.ts"
import { funded, seenFunded } from "../../support/order-steps.ts"

const { from, to } = SAMPLE.terms
const NATIVE = parseAssetId("base_sepolia:eth")
const walletOf = (asset: AssetId): string => `${WALLET_PREFIX}${chainOf(asset)}`
const ID = SAMPLE.input.id

type Line = readonly [account: string, asset: AssetId, units: bigint, fiat?: bigint | null]

function entry(
  id: number,
  kind: BookedEntry["kind"],
  lines: readonly Line[],
  reverses: number | null = null,
) {
  const postings = lines.map(([account, asset, units, fiat = units]) => ({
    account,
    asset,
    units,
    fiat,
  }))
  return {
    id,
    atMs: 1,
    orderId: ID,
    key: `${kind}:${id}`,
    kind,
    tx: `tx-${id}`,
    note: null,
    reverses,
    postings,
  }
}

const deposit = entry(1, "deposit", [
  [walletOf(from), from, -10_000n],
  [ACCOUNTS.inTransit(ID), from, 10_000n],
])
const payout = entry(2, "payout", [
  [ACCOUNTS.inTransit(ID), from, -10_000n],
  [ACCOUNTS.swap, from, 20n],
  [ACCOUNTS.affiliate, from, 10n],
  [walletOf(to), to, 9_960n],
  [ACCOUNTS.payout, to, 10n],
])
const fees = [5n, 2n].map((units, index) =>
  entry(3 + index, "fee", [
    [walletOf(NATIVE), NATIVE, -units],
    [ACCOUNTS.network("deposit"), NATIVE, units],
  ]),
)

function read(
  entries: readonly BookedEntry[],
  over: Partial<OrderData> = {},
  state: Order["state"] = "completed",
): Swap {
  const data = { ...funded({}), quote: SAMPLE.quote, ...over }
  const nativeOf = (chain: string): AssetId => (chain === chainOf(to) ? to : NATIVE)
  return readSwap({ state, data }, 99, entries, nativeOf)
}

describe("a swap in the books", () => {
  test("has its amounts, its costs and its transactions", () => {
    expect(read([deposit, payout, ...fees])).toMatchObject({
      sent: { asset: from, units: 10_000n, fiat: 10_000n },
      received: { asset: to, units: 9_960n, fiat: 9_960n },
      refunded: { units: 0n },
      swapCost: { asset: from, units: 20n },
      affiliateCost: { asset: from, units: 10n },
      payoutCost: { asset: to, units: 10n },
      networkFee: { asset: NATIVE, units: 7n, fiat: 7n },
      quoted: { sourceUnits: 10_000n, destinationUnits: 9_970n },
      depositTx: "tx-1",
      payoutTx: "tx-2",
      refundTx: null,
      feeTxs: ["tx-3", "tx-4"],
      isBooked: true,
    })
  })

  test("has the fee of our own redemption in the coin of the destination", () => {
    const redemption = entry(5, "fee", [
      [walletOf(to), to, -3n],
      [ACCOUNTS.network("redeem"), to, 3n],
    ])
    expect(read([deposit, payout, ...fees]).redeemFee).toBeNull()
    expect(read([deposit, payout, ...fees, redemption])).toMatchObject({
      networkFee: { asset: NATIVE, units: 7n },
      redeemFee: { asset: to, units: 3n, fiat: 3n },
      payoutCost: { units: 10n },
    })
  })

  test("counts as booked from its first entry", () => {
    expect([read([]).isBooked, read([deposit]).isBooked]).toEqual([false, true])
  })

  test("has no value where one part has none", () => {
    const unpriced = entry(5, "fee", [[ACCOUNTS.network("refund"), NATIVE, 1n, null]])
    expect(read([...fees, unpriced]).networkFee).toEqual({ asset: NATIVE, units: 8n, fiat: null })
  })

  test("that was refunded has the amount that came back, and the cost of a refund by another party", () => {
    const refund = entry(6, "refund", [
      [ACCOUNTS.inTransit(ID), from, -10_000n],
      [walletOf(from), from, 9_990n],
      [ACCOUNTS.swap, from, 10n],
    ])
    expect(read([deposit, refund], {}, "refunded")).toMatchObject({
      outcome: "refunded",
      refundTx: "tx-6",
      payoutTx: null,
      refunded: { units: 9_990n },
      swapCost: { units: 10n },
      received: { units: 0n },
    })
  })

  test("leaves out what was reversed, in its sums and its transactions", () => {
    const lines = payout.postings.map(({ account, asset, units }): Line => [account, asset, -units])
    const swap = read([deposit, payout, ...fees, entry(7, "payout", lines, 2)])
    expect(swap).toMatchObject({
      received: { units: 0n },
      swapCost: { units: 0n },
      payoutTx: null,
      depositTx: "tx-1",
    })
  })

  test("counts a payout to another wallet as received", () => {
    const outside = entry(8, "payout", [[ACCOUNTS.outside, to, 9_000n]])
    expect(read([outside]).received).toMatchObject({ units: 9_000n })
  })

  test("has its times and its outcome only once they are known", () => {
    const ended = read([])
    expect(ended).toMatchObject({
      outcome: "completed",
      state: "completed",
      endedAtMs: 99,
      isBooked: false,
    })
    const event = { txid: "p", height: 1n, final: true, at: 55 }
    const seen = { ...seenFunded(true), destinationRedeemed: event }
    const open = read([], { seen, receipt: null, quote: null, created: null }, "funded")
    expect(open).toMatchObject({
      outcome: null,
      state: "funded",
      endedAtMs: null,
      depositedAtMs: 0,
      paidAtMs: null,
      quoted: null,
      kind: null,
      solver: null,
      serviceOrderId: null,
    })
    // CAST: only the presence of the receipt is read.
    const receipt = { units: 1n } as unknown as NonNullable<OrderData["receipt"]>
    expect(read([], { seen, receipt })).toMatchObject({
      paidAtMs: 55,
      serviceOrderId: "aa",
      kind: "htlc",
      solver: "solver",
    })
  })
})

describe("the affiliate fees that an order earned", () => {
  const fee = { asset: to, address: "0xAbCd", feeBps: 10 }
  const record = { ...fee, address: "0xabCD", units: 5n }
  const others = [
    { ...record, address: "0x9999" },
    { ...record, asset: from },
  ]
  const event = (final: boolean) => ({ txid: "p", height: 1n, final, at: 55 })
  const base = funded({})

  function earned(over: Partial<OrderData>, fees: readonly (typeof fee)[] = [fee]): unknown {
    // CAST: only the records of the service's order are read.
    const serviceOrder = {
      affiliateFees: [record, ...others],
    } as unknown as OrderData["serviceOrder"]
    const policy = { ...base.policy, affiliateFees: fees }
    const seen = { ...seenFunded(true), destinationRedeemed: event(true) }
    return read([], { serviceOrder, policy, seen, ...over }).earned
  }

  test("are those that Ballast asked for, in any case of their letters", () => {
    expect(earned({})).toEqual([record])
    expect(earned({}, [fee, { ...fee, asset: from, address: "0x1" }])).toEqual([record])
    expect(earned({}, [])).toEqual([])
  })

  test("count once the redeem of the destination is final, and never without the service's order", () => {
    expect(earned({ seen: { ...seenFunded(true), destinationRedeemed: event(false) } })).toEqual([])
    expect(earned({ seen: seenFunded(true) })).toEqual([])
    expect(earned({ serviceOrder: null })).toEqual([])
  })
})

test("a swap has its service, and the part of a refund's fee that the amount paid", () => {
  const paid = entry(9, "refund", [
    [ACCOUNTS.network("refund"), NATIVE, 4n],
    [`${ACCOUNTS.inTransit(ID)}:x`, from, 1n],
  ])
  expect(read([...fees, paid], { service: "main" })).toMatchObject({
    service: "main",
    networkFee: { units: 11n },
  })
  const unseen = { seen: { ...seenFunded(true), sourceInitiated: null } }
  expect(read([], unseen)).toMatchObject({ depositedAtMs: null })
  const at = { txid: "d", height: 1n, final: true, at: 44 }
  expect(read([], { seen: { ...seenFunded(true), sourceInitiated: at } })).toMatchObject({
    depositedAtMs: 44,
  })
})
