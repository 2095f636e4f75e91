import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { LegObservation } from "#chains/port.ts"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { encodeOrder } from "#order/step.ts"
import type { EngineContext } from "../context.ts"
import { observeOrder } from "./observe-order.ts"

const [SOURCE, DESTINATION] = [parseAssetId("evm_chain:wbtc"), parseAssetId("bitcoin_testnet:btc")]
const OWED = 99_000n
const HOUR_MS = 3_600_000
const NOW = 100 * HOUR_MS

describe("what our own nodes show", () => {
  test("a payout that reached us completes the order, and nothing is alarmed", async () => {
    const seen = await look({ source: leg({ redeemed: true }), destination: leg({ initiated: true, paid: OWED }) })
    expect(seen).toMatchObject({ paid: true, alerts: [] })
  })

  test("a payout redeemed to somebody else is an alarm at the first look, and leaves the deposit refundable", async () => {
    const seen = await look({ source: leg({ height: 900n }), destination: leg({ initiated: true, paid: 0n }) })
    expect(codesOf(seen)).toEqual(["alarm.payout_short"])
    expect(seen).toMatchObject({ paid: false, refundable: true })
  })

  test("one payment cannot be shown for two orders", async () => {
    const other = order("other", { destinationRedeemed: { txid: "pay", height: 5n, final: true, at: 1 } })
    const scene = { source: leg({ redeemed: true }), destination: leg({ initiated: true, paid: OWED }) }
    expect(codesOf(await look(scene, [other]))).toEqual(["alarm.payout_short"])
    const both = { ...scene, destination: leg({ initiated: true, paid: 2n * OWED }) }
    expect(await look(both, [other])).toMatchObject({ paid: true, alerts: [] })
    // To another address it is another output, and none of this order's.
    const request = { ...other.request, destinationOwner: "somebody else" }
    expect(codesOf(await look(scene, [{ ...other, request }]))).toEqual([])
  })

  test("a source taken while the solver took its payout back is an alarm at the first look", async () => {
    const destination = { ...leg({ initiated: true }), refunded: { ...onChain("back"), paidUnits: 0n } }
    expect(codesOf(await look({ source: leg({ redeemed: true }), destination }))).toEqual(["alarm.source_redeemed"])
  })

  test("a source taken while the payout only waits is an alarm when it has waited too long", async () => {
    const scene = { source: leg({ redeemed: true }), destination: leg({ initiated: true }) }
    const taken = (at: number): OrderData["seen"]["sourceRedeemed"] => ({ txid: "take", height: 5n, final: true, at })
    expect(codesOf(await look(scene, [], { sourceRedeemed: taken(NOW - HOUR_MS) }))).toEqual([])
    expect(codesOf(await look(scene, [], { sourceRedeemed: taken(NOW - 4 * HOUR_MS) }))).toEqual([
      "alarm.source_redeemed",
    ])
  })

  test("three quarters of the lock over without a payout is an alarm ahead of the refund", async () => {
    expect(codesOf(await look({ source: leg({ height: 500n }), destination: leg({}) }))).toEqual([])
    const late = await look({ source: leg({ height: 750n }), destination: leg({}) })
    expect(codesOf(late)).toEqual(["alarm.refund_watch"])
    expect(late).toMatchObject({ refundable: false })
  })

  test("nothing at all of the source, by a node that has not come to the deposit's block, says nothing", async () => {
    const sourceInitiated = { txid: "in", height: 5n, final: true, at: 1 }
    const lookFrom = (height: bigint) =>
      look({ source: { ...leg({ height }), initiated: null }, destination: leg({}) }, [], { sourceInitiated })
    expect(await lookFrom(4n)).toMatchObject({ seen: { sourceInitiated } })
    await expect(lookFrom(5n)).rejects.toThrow("deposit.unsettled")
  })

  test("another amount of the same payout is believed where a contract pays, and cannot be on Bitcoin", async () => {
    const scene = { source: leg({ redeemed: true }), destination: leg({ initiated: true, paid: 98_000n }) }
    const receipt = { txid: "pay", units: OWED }
    const moved = async (family: string) => (await look(scene, [], {}, { family, receipt })).moved
    expect(await moved("evm")).toMatchObject({ receipt: { txid: "pay", units: 98_000n } })
    expect(await moved("bitcoin")).toMatchObject({ receipt })
  })
})

const isEqual = (a: string, b: string): boolean => a === b

type Observed = Extract<OrderEvent, { type: "order.observed" }>

async function look(
  scene: { source: LegObservation; destination: LegObservation },
  others: readonly OrderData[] = [],
  known: Partial<OrderData["seen"]> = {},
  { family: payer = "bitcoin", receipt = null }: { family?: string; receipt?: OrderData["receipt"] } = {},
): Promise<Omit<Observed, "at">> {
  const data = { ...order("this", known), receipt }
  const port = (asset: typeof SOURCE, family: string, observation: LegObservation) =>
    [
      chainOf(asset),
      { traits: familyNamed(family).traits, sameAddress: isEqual, observeLeg: async () => observation },
    ] as const
  const rows = others.map((other) => ({
    id: other.id,
    to: other.request.to,
    deposited: true,
    snapshot: encodeOrder({ state: "completed", data: other }),
  }))
  // CAST: the performer touches nothing else of the context.
  const context = {
    chains: new Map([port(SOURCE, "evm", scene.source), port(DESTINATION, payer, scene.destination)]),
    service: { fetchOrder: async () => serviceOrder },
    journal: { listOrders: () => rows },
    log: { warn: () => undefined },
  } as unknown as EngineContext
  const { event } = await observeOrder({
    context,
    data,
    repeated: false,
    stopped: false,
    begin: () => undefined,
    nowMs: NOW,
  })
  if (event.type !== "order.observed") throw new Error(event.type)
  return event
}

function codesOf({ alerts }: Pick<Observed, "alerts">): string[] {
  return alerts.map(({ code }) => code)
}

function onChain(txid: string) {
  return { txid, height: 5n, confirmations: 9, final: true }
}

function leg({ height = 10n, initiated = false, redeemed = false, paid }: LegScene): LegObservation {
  const redemption = paid === undefined ? (redeemed ? { paidUnits: null } : null) : { paidUnits: paid }
  return {
    height,
    initiated: initiated || redemption === null ? { ...onChain("in"), units: 100_000n } : null,
    redeemed:
      redemption === null ? null : { ...onChain(paid === undefined ? "take" : "pay"), ...redemption, secret: null },
    refunded: null,
    refundableAt: 900n,
  }
}
type LegScene = { height?: bigint; initiated?: boolean; redeemed?: boolean; paid?: bigint }

const claimed: ReportedLeg = {
  swapId: "id",
  chain: "evm_chain",
  asset: SOURCE,
  initiator: "us",
  redeemer: "solver",
  delegate: null,
  timelock: 600n,
  units: 100_000n,
  filledUnits: 0n,
  secretHash: "ab".repeat(32),
  secret: null,
  initiateTx: null,
  redeemTx: null,
  refundTx: null,
  instantRefundTx: null,
  requiredConfirmations: 1,
  currentConfirmations: 1,
}

const serviceOrder: ServiceOrder = {
  orderId: "cd".repeat(32),
  nonce: "1",
  version: null,
  source: claimed,
  destination: { ...claimed, asset: DESTINATION },
  deadlineMs: null,
  affiliateFees: [],
}

function order(id: string, seen: Partial<OrderData["seen"]>): OrderData {
  const request = {
    from: SOURCE,
    to: DESTINATION,
    sourceUnits: 100_000n,
    sourceOwner: "us",
    destinationOwner: "us too",
  }
  // CAST: what the performer reads of a policy and of a verified deposit.
  const policy = { reportPatienceMs: 3 * HOUR_MS, payoutToleranceUnits: 0n } as OrderPolicy
  const fresh = createOrderData({ id, rule: "manual", occurrence: null, request, policy, createdAt: 0, nonce: "1" })
  const deposit = {
    ...claimed,
    htlc: "htlc",
    timelock: 600n,
    isRefundableByUs: true,
    extras: {},
  } as unknown as VerifiedDeposit
  return {
    ...fresh,
    serviceOrder,
    deposit,
    created: { orderId: serviceOrder.orderId, depositRequest: { family: "bitcoin", to: "", units: 0n } },
    terms: { ...request, destinationUnits: OWED },
    sendUntilMs: NOW,
    gasless: { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false },
    seen: { ...fresh.seen, ...seen },
  }
}
