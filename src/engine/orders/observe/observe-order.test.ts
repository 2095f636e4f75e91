import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { AppError } from "#lib/app-error.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { encodeOrder } from "#order/step.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { EngineContext } from "../../context.ts"
import { createMemory } from "../../memory.ts"
import { observeOrder } from "./observe-order.ts"

const SOURCE = parseAssetId("evm_chain:wbtc")
const DESTINATION = parseAssetId("bitcoin_testnet:btc")
const OWED = 99_000n
const HOUR_MS = 3_600_000
const NOW = 100 * HOUR_MS
const UNREAD = new AppError({ code: "evm.unreachable", disposition: "transient", message: "gone" })

describe("an observation by our own nodes", () => {
  test("completes the order without an alarm when the payout reached us", async () => {
    const seen = await observe({
      source: leg({ redeemed: true }),
      destination: leg({ initiated: true, paid: OWED }),
    })
    expect(seen).toMatchObject({ paid: true, alerts: [] })
  })

  test("does not believe a payout before it is final, however deep it is seen", async () => {
    const young = (seen: boolean): LegObservation => {
      const { redeemed, ...paid } = leg({ initiated: true, paid: OWED })
      return { ...paid, redeemed: redeemed && { ...redeemed, seen, final: false } }
    }
    const source = leg({ redeemed: true })
    expect(await observe({ source, destination: young(true) })).toMatchObject({
      paid: false,
      settling: true,
    })
    expect(await observe({ source, destination: young(false) })).toMatchObject({
      paid: false,
      settling: false,
    })
  })

  test("does not believe a refund before it is final, however deep it is seen", async () => {
    const refunded = { ...onChain("back"), paidUnits: 100_000n, seen: true, final: false }
    const source = { ...leg({ initiated: true }), refunded }
    expect(await observe({ source, destination: leg({}) })).toMatchObject({
      refunded: false,
      settling: true,
    })
  })

  test("agrees only where the endpoints of both chains agree, and tells the doubts of each", async () => {
    const doubts = [{ code: "chain.disagreement", message: "a.example: open; b.example: closed" }]
    const agreed = leg({ initiated: true })
    const split = { ...leg({ initiated: true }), agreed: false, doubts }
    expect(await observe({ source: agreed, destination: agreed })).toMatchObject({
      agreed: true,
      alerts: [],
    })
    expect(await observe({ source: split, destination: agreed })).toMatchObject({
      agreed: false,
      alerts: doubts,
    })
    expect(await observe({ source: agreed, destination: split })).toMatchObject({
      agreed: false,
      alerts: doubts,
    })
  })

  test.each([
    ["its deposit's block and the verified lock", null, 606n],
    ["what an observation has shown", 700n, 700n],
  ] as const)("knows by %s when an unread deposit can come back", async (_name, known, due) => {
    const sourceInitiated = { ...onChain("in"), at: 1 }
    const refundableAt = async (head: bigint) => {
      const seen = { sourceInitiated, refundableAtHeight: known }
      return (await observe({ source: null, destination: leg({}) }, [], seen, { head })).refundable
    }
    expect([await refundableAt(due - 1n), await refundableAt(due)]).toEqual([false, true])
  })

  test.each([
    ["is gone by the chain's state", {}, true, { secret: "told", shown: true }, false],
    ["is still there", {}, false, {}, false],
    ["was never final", { final: false }, true, {}, false],
    ["is gone, and was told", {}, true, { secret: undefined, shown: undefined }, true],
  ] as const)(
    "an own secret of an unread deposit that %s is a secret accordingly",
    async (_name, initiated, isClosed, expected, isTold) => {
      const sourceInitiated = { ...onChain("in"), at: 1, ...initiated }
      const told = isTold ? { status: "revealed", revealedAt: NOW } : { status: "unknown" }
      const ownSecret = { nonce: "1", hash: "ab".repeat(32), revealedAt: null, isTold, ...told }
      const { secret, shown } = await observe(
        { source: null, destination: leg({ initiated: true }) },
        [],
        { sourceInitiated },
        // CAST: an order's own secret that no journal has told.
        { isClosed, ownSecret: ownSecret as OrderData["ownSecret"] },
      )
      const kept = { secret: "reveal", shown: undefined }
      expect({ secret, shown }).toEqual("secret" in expected ? expected : kept)
    },
  )

  test.each([
    [true, true],
    [false, false],
  ])("an unread payout may still come while a block has our redemption: %s", async (ok, mayLag) => {
    const past = { height: 1n, sinceHeightMs: 0, readAt: 1 }
    const known = { payoutWait: { ...past, waitedMs: 4 * HOUR_MS } }
    const { transactions } = order("this", {})
    const block = { txid: "ours", height: 5n, seen: true, final: true }
    const redeem = { ...transactions.redeem, mined: block }
    const landed = { ...block, purpose: "redeem", ok, feeUnits: 1n, heldUnits: 0n } as const
    const scene = { source: leg({ redeemed: true }), destination: null }
    const over = { transactions: { ...transactions, redeem }, mined: [landed] }
    expect(await observe(scene, [], known, over)).toMatchObject({ mayLag })
  })

  test("asks for the leg that was verified, whatever the service says after the deposit", async () => {
    const verified = serviceOrder.destination
    const queries = [] as LegQuery[]
    const destination = {
      ...verified,
      swapId: "other",
      redeemer: "other",
      secretHash: "00".repeat(32),
      initiator: "x",
    }
    const source = {
      ...serviceOrder.source,
      secretHash: "00".repeat(32),
      timelock: 1n,
      redeemTx: "hint",
    }
    const lie = { ...serviceOrder, source, destination }
    await observe({ source: leg({}), destination: leg({}) }, [], {}, { queries, reportedNow: lie })
    const [{ secretHash, timelock, hints } = {}, paid] = queries
    expect({ secretHash, timelock }).toEqual({ secretHash: verified.secretHash, timelock: 600n })
    expect(hints?.redeemTx).toBe("hint")
    expect(paid).toMatchObject({
      htlc: verified.swapId,
      redeemer: verified.redeemer,
      secretHash: verified.secretHash,
    })
  })

  test("allows a refund from its block on, and not before", async () => {
    const refundableAt = async (height: bigint) =>
      (await observe({ source: leg({ height, initiated: true }), destination: leg({}) })).refundable
    expect([await refundableAt(899n), await refundableAt(900n)]).toEqual([false, true])
  })

  test("believes neither a payout nor a refund without agreement", async () => {
    const source = {
      ...leg({ initiated: true }),
      refunded: { ...onChain("back"), paidUnits: 1n },
      agreed: false,
    }
    const destination = { ...leg({ initiated: true, paid: OWED }), agreed: false }
    const seen = await observe({ source, destination })
    expect(seen).toMatchObject({ agreed: false, paid: false, refunded: false, settling: false })
  })

  test("books neither a payout nor a refund that only a leg without agreement shows", async () => {
    const refunded = { ...onChain("back"), final: false, paidUnits: 1n }
    const source = { ...leg({ initiated: true }), refunded, agreed: false }
    const destination = { ...leg({ initiated: true, paid: OWED }), agreed: false }
    expect((await observe({ source, destination })).moved).toMatchObject({
      receipt: null,
      returned: null,
    })
    expect(
      (await observe({ source: { ...source, agreed: true }, destination })).moved,
    ).toMatchObject({
      receipt: null,
      returned: { txid: "back", units: 1n },
    })
  })

  test("concludes no lapse without agreement, and shows the doubts of the endpoints as alerts", async () => {
    const late = { sendUntilMs: NOW - HOUR_MS }
    const source = leg({ initiated: true })
    const unfilled = { ...leg({}), initiated: null }
    expect(await observe({ source, destination: unfilled }, [], {}, late)).toMatchObject({
      lapsed: true,
    })
    const doubts = [{ code: "chain.disagreement", message: "a.example: none; b.example: funded" }]
    const split = await observe(
      { source, destination: { ...unfilled, agreed: false, doubts } },
      [],
      {},
      late,
    )
    expect(split.lapsed).toBe(false)
    expect(split.alerts).toContainEqual(doubts[0])
  })

  test("concludes a lapse by an answer that proves the absence, and by no other one", async () => {
    const late = { sendUntilMs: NOW - HOUR_MS }
    const scene = { source: leg({ initiated: true }), destination: { ...leg({}), initiated: null } }
    const queries: LegQuery[] = []
    await observe(scene, [], {}, { ...late, queries })
    expect(queries.map(({ side, provesAbsence }) => [side, provesAbsence])).toEqual([
      ["source", undefined],
      ["destination", undefined],
      ["destination", true],
    ])
    const found = await observe(scene, [], {}, { ...late, proven: leg({ initiated: true }) })
    expect(found).toMatchObject({ lapsed: false, seen: { destinationInitiated: { txid: "in" } } })
  })

  test("keeps a known fact against an answer without agreement", async () => {
    const sourceRedeemed = { txid: "take", height: 5n, final: true, at: 1 }
    const source = { ...leg({ initiated: true }), agreed: false }
    const { seen } = await observe({ source, destination: leg({ initiated: true }) }, [], {
      sourceRedeemed,
    })
    expect(seen.sourceRedeemed).toEqual(sourceRedeemed)
  })

  test("raises an alarm with the numbers when a final payout is gone", async () => {
    const destinationRedeemed = { txid: "pay", height: 5n, final: true, at: 1 }
    const seen = await observe({ source: leg({ initiated: true }), destination: leg({}) }, [], {
      destinationRedeemed,
    })
    expect(seen).toMatchObject({ paid: false, seen: { destinationRedeemed: null } })
    expect(seen.alerts).toContainEqual(
      expect.objectContaining({
        code: "chain.final_fact_gone",
        what: "payout",
        txid: "pay",
        height: "5",
      }),
    )
    // A node below the payout's block proves nothing.
    const behind = { ...leg({}), height: 4n }
    const unproven = await observe({ source: leg({ initiated: true }), destination: behind }, [], {
      destinationRedeemed,
    })
    expect(codesOf(unproven)).not.toContain("chain.final_fact_gone")
  })

  test("raises no alarm for an empty destination that may have been read before the redemption", async () => {
    const scene = { source: leg({ redeemed: true }), destination: { ...leg({}), initiated: null } }
    const taken = (at: number): OrderData["seen"]["sourceRedeemed"] => ({
      txid: "take",
      height: 5n,
      final: true,
      at,
    })
    expect(codesOf(await observe(scene))).toEqual([])
    expect(codesOf(await observe(scene, [], { sourceRedeemed: taken(NOW - 9_999) }))).toEqual([])
    expect(codesOf(await observe(scene, [], { sourceRedeemed: taken(NOW - 10_000) }))).toEqual([
      "alarm.source_redeemed",
    ])
  })

  test("waits with the alarm for exactly the patience of the destination's family", async () => {
    const scene = { source: leg({ redeemed: true }), destination: leg({ initiated: true }) }
    const taken = (at: number): OrderData["seen"]["sourceRedeemed"] => ({
      txid: "take",
      height: 5n,
      final: true,
      at,
    })
    expect(codesOf(await observe(scene, [], { sourceRedeemed: taken(NOW - 3 * HOUR_MS) }))).toEqual(
      [],
    )
    expect(
      codesOf(await observe(scene, [], { sourceRedeemed: taken(NOW - 3 * HOUR_MS - 1) })),
    ).toEqual(["alarm.source_redeemed"])
  })

  test(
    "raises an alarm at once when the payout went to another address, and leaves the deposit " +
      "refundable",
    async () => {
      const seen = await observe({
        source: leg({ height: 900n }),
        destination: leg({ initiated: true, paid: 0n }),
      })
      expect(codesOf(seen)).toEqual(["alarm.payout_short"])
      expect(seen).toMatchObject({ paid: false, refundable: true })
    },
  )

  test("does not count one payment for two orders", async () => {
    const other = order("other", {
      destinationRedeemed: { txid: "pay", height: 5n, final: true, at: 1 },
    })
    const scene = {
      source: leg({ redeemed: true }),
      destination: leg({ initiated: true, paid: OWED }),
    }
    expect(codesOf(await observe(scene, [other]))).toEqual(["alarm.payout_short"])
    const both = { ...scene, destination: leg({ initiated: true, paid: 2n * OWED }) }
    expect(await observe(both, [other])).toMatchObject({ paid: true, alerts: [] })
    // A payment to another address is another output, and does not belong to this order.
    const request = { ...other.request, destinationOwner: "another wallet" }
    expect(codesOf(await observe(scene, [{ ...other, request }]))).toEqual([])
  })

  test("raises an alarm at once when the solver redeemed the source and refunded its payout", async () => {
    const destination = {
      ...leg({ initiated: true }),
      refunded: { ...onChain("back"), paidUnits: 0n },
    }
    expect(codesOf(await observe({ source: leg({ redeemed: true }), destination }))).toEqual([
      "alarm.source_redeemed",
    ])
  })

  test(
    "raises an alarm for a refund that brought nothing back, and does not count the order as " +
      "refunded",
    async () => {
      const refundedWith = (paidUnits: bigint | null) => {
        const source = { ...leg({ initiated: true }), refunded: { ...onChain("back"), paidUnits } }
        return observe({ source, destination: leg({}) })
      }
      const empty = await refundedWith(0n)
      expect(codesOf(empty)).toEqual(["alarm.refund_short"])
      expect(empty).toMatchObject({ refunded: false, moved: { returned: null } })
      for (const units of [100_000n, 99_000n, null]) {
        expect(await refundedWith(units)).toMatchObject({ refunded: true, alerts: [] })
      }
    },
  )

  test("raises an alarm when the source is redeemed and the payout waits for too long", async () => {
    const scene = { source: leg({ redeemed: true }), destination: leg({ initiated: true }) }
    const taken = (at: number): OrderData["seen"]["sourceRedeemed"] => ({
      txid: "take",
      height: 5n,
      final: true,
      at,
    })
    expect(codesOf(await observe(scene, [], { sourceRedeemed: taken(NOW - HOUR_MS) }))).toEqual([])
    expect(codesOf(await observe(scene, [], { sourceRedeemed: taken(NOW - 4 * HOUR_MS) }))).toEqual(
      ["alarm.source_redeemed"],
    )
  })

  test("raises an alarm ahead of the refund after three quarters of the lock without a payout", async () => {
    expect(codesOf(await observe({ source: leg({ height: 500n }), destination: leg({}) }))).toEqual(
      [],
    )
    const late = await observe({ source: leg({ height: 750n }), destination: leg({}) })
    expect(codesOf(late)).toEqual(["alarm.refund_watch"])
    expect(late).toMatchObject({ refundable: false })
  })

  test("proves nothing about the source by a node below the deposit's block", async () => {
    const sourceInitiated = { txid: "in", height: 5n, final: true, at: 1 }
    const observeFrom = (height: bigint) =>
      observe({ source: { ...leg({ height }), initiated: null }, destination: leg({}) }, [], {
        sourceInitiated,
      })
    expect(await observeFrom(4n)).toMatchObject({ seen: { sourceInitiated } })
    await expect(observeFrom(5n)).rejects.toThrow("deposit.unsettled")
  })

  test("accepts a changed amount of the same payout from a contract, and not on Bitcoin", async () => {
    const scene = {
      source: leg({ redeemed: true }),
      destination: leg({ initiated: true, paid: 98_000n }),
    }
    const receipt = { txid: "pay", units: OWED }
    const transferredBy = async (family: string) =>
      (await observe(scene, [], {}, { family, receipt })).moved
    expect(await transferredBy("evm")).toMatchObject({ receipt: { txid: "pay", units: 98_000n } })
    expect(await transferredBy("bitcoin")).toMatchObject({ receipt })
  })
})

const isEqual = (a: string, b: string): boolean => a === b

type Observed = Extract<OrderEvent, { type: "order.observed" }>

/** `reportedNow`: the present answer of the service. The queries of the legs go to `queries`. */
type Surroundings = Partial<OrderData> & {
  readonly family?: string
  readonly queries?: LegQuery[]
  readonly reportedNow?: ServiceOrder
  /** The answer where absence must be proven, if another one. */
  readonly proven?: LegObservation
  /** By the state of the source's HTLC. */
  readonly isClosed?: boolean
  /** The height of both chains, for those whose leg cannot be read. */
  readonly head?: bigint
}

async function observe(
  scene: { source: LegObservation | null; destination: LegObservation | null },
  others: readonly OrderData[] = [],
  known: Partial<OrderData["seen"]> = {},
  {
    family: payer = "bitcoin",
    queries = [],
    reportedNow = serviceOrder,
    proven,
    isClosed = false,
    head = 0n,
    ...over
  }: Surroundings = {},
): Promise<Omit<Observed, "at">> {
  const data = { ...order("this", known), ...over }
  const port = (asset: typeof SOURCE, family: string, observation: LegObservation | null) =>
    [
      chainOf(asset),
      {
        traits: familyNamed(family).traits,
        sameAddress: isEqual,
        fetchHeight: async () => head,
        capRedeemFee: () => null,
        closing: { isClosed: async () => isClosed },
        observeLeg: async (query: LegQuery) => {
          queries.push(query)
          if (observation === null) throw UNREAD
          return query.provesAbsence === true ? (proven ?? observation) : observation
        },
      },
    ] as const
  const rows = others.map((other) => ({
    id: other.id,
    to: other.request.to,
    deposited: true,
    snapshot: encodeOrder({ state: "completed", data: other }),
  }))
  // CAST: the performer uses only this part of the context.
  const context = {
    chains: new Map([
      port(SOURCE, "evm", scene.source),
      port(DESTINATION, payer, scene.destination),
    ]),
    services: new Map([["main", { fetchOrder: async () => reportedNow }]]),
    settings: { assets: new Map() },
    journal: { listPaidBy: () => rows, readFlag: () => null, listSecretDecisions: () => [] },
    log: { warn: () => undefined },
    clock: { now: () => NOW, sleep: () => new Promise(() => undefined) },
    memory: createMemory(),
  } as unknown as EngineContext
  const { event } = await observeOrder({
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs: NOW,
  })
  if (event.type !== "order.observed") throw new Error(event.type)
  return event
}

function codesOf({ alerts }: Pick<Observed, "alerts">): string[] {
  return alerts.map(({ code }) => code)
}

function onChain(txid: string) {
  return { txid, height: 5n, confirmations: 9, seen: true, revealable: true, final: true }
}

function leg({
  height = 10n,
  initiated = false,
  redeemed = false,
  paid,
}: LegScene): LegObservation {
  const redemption =
    paid === undefined ? (redeemed ? { paidUnits: null } : null) : { paidUnits: paid }
  return {
    height,
    agreed: true,
    initiated: initiated || redemption === null ? { ...onChain("in"), units: 100_000n } : null,
    redeemed:
      redemption === null
        ? null
        : { ...onChain(paid === undefined ? "take" : "pay"), ...redemption, secret: null },
    refunded: null,
    refundableAt: 900n,
  }
}
type LegScene = { height?: bigint; initiated?: boolean; redeemed?: boolean; paid?: bigint }

const reported: ReportedLeg = {
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
  source: reported,
  destination: { ...reported, asset: DESTINATION },
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
  // CAST: the performer reads only these fields of a policy and of a verified deposit.
  const policy = { reportPatienceMs: 3 * HOUR_MS } as OrderPolicy
  const fresh = createOrderData({
    id,
    rule: "manual",
    occurrence: null,
    request,
    policy,
    createdAt: 0,
    nonce: "1",
  })
  const deposit = {
    ...reported,
    htlc: "htlc",
    timelock: 600n,
    isRefundableByUs: true,
    extras: {},
  } as unknown as VerifiedDeposit
  return {
    ...fresh,
    service: "main",
    serviceOrder,
    deposit,
    created: {
      orderId: serviceOrder.orderId,
      depositRequest: { family: "bitcoin", to: "", units: 0n },
    },
    terms: { ...request, destinationUnits: OWED },
    sendUntilMs: NOW,
    gasless: { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false },
    seen: { ...fresh.seen, ...seen },
  }
}
