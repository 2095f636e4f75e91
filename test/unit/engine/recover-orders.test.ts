import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { createMemory } from "#engine/memory.ts"
import { recoverOrders } from "#engine/restore/recover.ts"
import { silentLogger } from "#lib/log.ts"
import { decodeOrder } from "#order/step.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { WantedOrders } from "#ports/service.ts"
import { failure } from "../../support/faults.ts"
import { SAMPLE } from "../../support/order-sample.ts"
import { emptyLeg } from "../../support/sample-job.ts"

const { from, to, sourceOwner, destinationOwner } = SAMPLE.input.request
const NOW = 1_000_000
const HASH = SAMPLE.order.source.secretHash
const on = (txid: string, final = true) => {
  return { txid, height: 5n, confirmations: 9, seen: true, revealable: true, final }
}
const FUNDED = { initiated: { ...on("in"), units: 10_000n } }
const leg = (over: object): LegObservation => ({ ...emptyLeg(100n), ...over }) as LegObservation
const OPEN = leg(FUNDED)
const PAID = { initiated: { ...on("pay"), units: SAMPLE.order.destination.units } }
const paid = (over: object): LegObservation => leg({ initiated: { ...PAID.initiated, ...over } })
const TAKEN = leg({ ...FUNDED, redeemed: { ...on("take"), paidUnits: null, secret: null } })

type Scene = {
  readonly source?: LegObservation | Error
  readonly destination?: LegObservation | Error
  readonly listed?: readonly ServiceOrder[] | null | Error
  readonly find?: (wanted: WantedOrders) => Promise<readonly ServiceOrder[]>
  readonly isKnown?: boolean
  readonly assets?: readonly AssetId[]
  readonly keeps?: string | null
  readonly requests?: number
  readonly decoded?: Partial<DecodedDeposit>
  readonly heights?: { source?: bigint; destination?: bigint }
  readonly extras?: object
  readonly tick?: () => number
  /** No leg with this secret hash is ever answered. */
  readonly silent?: string
}

function scene(given: Scene) {
  const { listed = [SAMPLE.order], keeps = null, heights = {}, requests = 1 } = given
  const written: OrderRow[] = []
  const decisions: object[] = []
  const queries: LegQuery[] = []
  const asked: string[] = []
  const now = given.tick ?? (() => NOW)
  const clock = { now, sleep: () => new Promise<void>(() => undefined) }
  const port = (asset: AssetId, account: string, answer: LegObservation | Error, at: bigint) => ({
    chain: chainOf(asset),
    account,
    traits: familyNamed("evm").traits,
    sourceExtras: {},
    destinationExtras: given.extras ?? {},
    sameAddress: (a: string, b: string) => a === b,
    isAddress: () => true,
    fetchHeight: async () => {
      asked.push(chainOf(asset))
      return at
    },
    rebuildRequests: () => Array.from({ length: requests }, () => SAMPLE.created.depositRequest),
    decodeDeposit: (_request: unknown, { source }: ServiceOrder) => {
      return { ...SAMPLE.deposit, secretHash: source.secretHash, ...given.decoded }
    },
    observeLeg: async (query: LegQuery) => {
      queries.push(query)
      if (query.secretHash === given.silent) return new Promise<never>(() => undefined)
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  const ports = [
    port(from, sourceOwner, given.source ?? OPEN, heights.source ?? 5_000n),
    port(to, destinationOwner, given.destination ?? leg({}), heights.destination ?? 5_000n),
  ]
  const owners: string[] = []
  const findOrders = async (owner: string, wanted: WantedOrders) => {
    owners.push(owner)
    if (given.find !== undefined) return owner === sourceOwner ? given.find(wanted) : []
    if (listed instanceof Error) throw listed
    return owner === sourceOwner ? listed : listed === null ? null : []
  }
  const memory = createMemory()
  let ids = 0
  const context = {
    chains: new Map(ports.map((one) => [one.chain, one as unknown as ChainPort])),
    services: new Map([["main", { findOrders }]]),
    journal: {
      isSecretHashKnown: (hash: string) => given.isKnown === true && hash === HASH,
      openOrder: (row: OrderRow) => void written.push(row),
      decideSecret: (row: object) => void decisions.push(row),
      readFlag: () => null,
      durable: async () => undefined,
      countEndings: () => ({ completed: 0, refunded: 0 }),
    },
    settings: {
      assets: new Map((given.assets ?? [from, to]).map((id) => [id, { id }])),
      policyFor: () => SAMPLE.input.policy,
      destinationFor: () => destinationOwner,
      limits: { windows: [] },
      affiliateFees: [],
      rules: [],
      ...(keeps === null ? {} : { ownSecrets: { keeper: { hashOf: () => keeps } } }),
    },
    memory,
    clock,
    log: silentLogger,
    newOrderId: () => `order-${++ids}`,
    newNonce: () => "fresh",
    // CAST: only these parts are used.
  } as unknown as Parameters<typeof recoverOrders>[0]
  return { context, written, decisions, queries, asked, owners, memory }
}

async function recover(given: Scene, adopt = false) {
  const made = scene(given)
  const found = await recoverOrders(made.context, adopt)
  return { ...made, ...found, first: found.orders[0] }
}
const statusOf = async (given: Scene): Promise<unknown> => (await recover(given)).first?.status

const order = (over: Partial<ServiceOrder["source"]>, id = "aa"): ServiceOrder => {
  const secretHash = over.secretHash ?? HASH
  return {
    ...SAMPLE.order,
    orderId: id,
    source: { ...SAMPLE.order.source, ...over },
    destination: { ...SAMPLE.order.destination, secretHash },
  }
}

describe("an order of a service that the journal does not know", () => {
  test("is found by its deposit, with its service and pair", async () => {
    const { orders, unread, leftOut, owners } = await recover({})
    const shared = { service: "main", orderId: "aa", from, to, hasOwnSecret: false }
    expect(orders).toEqual([{ ...shared, status: "found", id: null, reasons: [] }])
    expect([unread, leftOut, owners]).toEqual([[], 0, [sourceOwner, destinationOwner]])
  })

  test.each<[string, unknown, Scene]>([
    ["with a deposit", "found", {}],
    ["with an empty contract", "unfunded", { source: leg({}) }],
    ["with an empty contract of one endpoint alone", "unclear", { source: leg({ agreed: false }) }],
    ["with a young deposit", "unclear", { source: leg({ initiated: on("in", false) }) }],
    [
      "with a deposit of one endpoint alone",
      "unclear",
      { source: leg({ ...FUNDED, agreed: false }) },
    ],
    ["with a final refund", "over", { source: leg({ ...FUNDED, refunded: on("back") }) }],
    ["with a young refund", "found", { source: leg({ ...FUNDED, refunded: on("back", false) }) }],
    ["taken, without a payout", "found", { source: TAKEN }],
    ["taken, with a payout", "over", { source: TAKEN, destination: leg({ redeemed: on("pay") }) }],
    [
      "taken, with a young payout",
      "found",
      { source: TAKEN, destination: leg({ redeemed: on("pay", false) }) },
    ],
    [
      "taken a moment ago, with a payout",
      "found",
      {
        source: leg({ ...FUNDED, redeemed: on("take", false) }),
        destination: leg({ redeemed: on("pay") }),
      },
    ],
    [
      "whose payout cannot be read",
      "unclear",
      { source: TAKEN, destination: failure("transient") },
    ],
    ["that cannot be read", "unclear", { source: failure("transient") }],
    ["of other terms", "unclear", { decoded: { units: 1n } }],
    ["for no contract of ours", "unfunded", { requests: 0 }],
    ["from an unknown asset", "unclear", { assets: [to] }],
    ["to an unknown asset", "unclear", { assets: [from] }],
    ["of the journal", undefined, { isKnown: true }],
    ["from a chain without a wallet", undefined, { listed: [order({ chain: "other" })] }],
  ])("%s is %s", async (_what, status, given) => {
    expect(await statusOf(given)).toBe(status)
  })

  test.each<[string, string, Scene]>([
    ["an unread chain", "test.transient", { source: failure("transient") }],
    ["a mistake of ours", "recover.unread", { source: new Error("x") }],
    ["a young deposit", "recover.young", { source: leg({ initiated: on("in", false) }) }],
    ["an unknown asset", "recover.unknown_asset", { assets: [to] }],
    ["other terms", "verify.deposit_amount", { decoded: { units: 1n } }],
  ])("names %s", async (_what, code, given) => {
    const { first } = await recover(given)
    expect(first?.reasons[0]?.code).toBe(code)
  })

  test("is looked for from three of its locks ago, in an answer that proves an absence", async () => {
    const { queries, written } = await recover(
      { heights: { source: 1_801n, destination: 300n } },
      true,
    )
    expect(queries[0]).toMatchObject({ side: "source", provesAbsence: true, fromHeight: 1n })
    const data = decodeOrder(written[0]?.snapshot ?? "").data
    expect(data.fromHeights).toEqual({ source: 1n, destination: 0n })
    const early = await recover({ heights: { source: 1_799n } }, true)
    expect(early.queries[0]?.fromHeight).toBe(0n)
  })

  test("asks each chain for its height once in a run", async () => {
    const listed = [1, 2, 3].map((n) => order({ secretHash: `${n}`.repeat(64) }, `o${n}`))
    const { asked } = await recover({ listed, decoded: {} })
    expect(asked.sort()).toEqual([chainOf(from), chainOf(to)].sort())
  })

  test("of which all contracts but one have other terms is unfunded where that one is empty", async () => {
    expect(await statusOf({ source: leg({}), requests: 2 })).toBe("unfunded")
    expect(await statusOf({ decoded: { units: 1n }, requests: 2 })).toBe("unclear")
  })
})

describe("a found order is adopted", () => {
  test("as one that waits for its payout, and not before it is asked for", async () => {
    const { first, written } = await recover({}, true)
    expect(first).toMatchObject({ status: "adopted", id: "order-1", reasons: [] })
    expect(written).toHaveLength(1)
    expect((await recover({})).written).toEqual([])
    const { state, data } = decodeOrder(written[0]?.snapshot ?? "")
    expect(state).toBe("funded")
    expect(data).toMatchObject({
      rule: "recovered",
      nonce: SAMPLE.order.nonce,
      service: "main",
      sendUntilMs: 0,
      terms: SAMPLE.terms,
      quote: { sourceUnits: 10_000n, destinationUnits: 9_970n, solverId: "" },
      seen: { sourceInitiated: { txid: "in", at: NOW }, sourceRedeemed: null },
    })
  })

  test("with the redemption of its source, where a chain shows it", async () => {
    const { written, decisions } = await recover({ source: TAKEN }, true)
    const { state, data } = decodeOrder(written[0]?.snapshot ?? "")
    expect([state, data.seen.sourceRedeemed?.txid]).toEqual(["funded", "take"])
    expect(decisions).toEqual([])
  })

  test("with our secret as told, once the source is taken", async () => {
    const { written, decisions, first } = await recover({ source: TAKEN, keeps: HASH }, true)
    expect(first?.hasOwnSecret).toBe(true)
    const { state, data } = decodeOrder(written[0]?.snapshot ?? "")
    expect(state).toBe("revealed")
    expect(data.ownSecret).toMatchObject({
      hash: HASH,
      nonce: SAMPLE.order.nonce,
      status: "revealed",
      isTold: true,
      isShown: true,
      revealedAt: NOW,
    })
    expect(decisions).toEqual([
      { orderId: data.id, decision: "reveal", secretHash: HASH, atMs: NOW },
    ])
  })

  test.each<[string, string, Partial<Scene>]>([
    ["an open payout", "adopted", {}],
    ["an open payout that is young", "adopted", { destination: paid({ ...on("pay", false) }) }],
    ["a payout of one endpoint alone", "unclear", { destination: leg({ ...PAID, agreed: false }) }],
    ["another amount", "unclear", { destination: paid({ units: 9_969n }) }],
    ["no payout", "unclear", { destination: leg({}) }],
    ["a redeemed payout", "unclear", { destination: leg({ ...PAID, redeemed: on("our") }) }],
    ["a returned payout", "unclear", { destination: leg({ ...PAID, refunded: on("their") }) }],
    ["an unread payout", "unclear", { destination: failure("transient") }],
    ["a payout of the service's secret", "unclear", { keeps: null }],
  ])("although its source is unread, by %s: %s", async (_what, status, given) => {
    const unread = { source: failure("transient"), destination: leg(PAID), keeps: HASH }
    const { written, first, decisions, queries } = await recover({ ...unread, ...given }, true)
    expect([first?.status, written.length, decisions]).toEqual([
      status,
      status === "adopted" ? 1 : 0,
      [],
    ])
    if (status !== "adopted") return
    expect(queries.at(-1)).toMatchObject({ side: "destination", isExact: true })
    const { state, data } = decodeOrder(written[0]?.snapshot ?? "")
    expect([state, data.ownSecret?.status, data.seen.sourceInitiated]).toEqual([
      "funded",
      "unknown",
      null,
    ])
    expect(data.seen.destinationInitiated).toMatchObject({ txid: "pay", at: NOW })
  })

  test("although another one's chain is silent", async () => {
    const listed = [order({ secretHash: "1".repeat(64) }, "silent"), SAMPLE.order]
    const { context, written } = scene({ listed, silent: "1".repeat(64) })
    void recoverOrders(context, true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(written).toHaveLength(1)
  })

  test("with our secret as unknown, while the source is open", async () => {
    const { written, decisions } = await recover({ keeps: HASH }, true)
    const { state, data } = decodeOrder(written[0]?.snapshot ?? "")
    expect([state, data.ownSecret?.status]).toEqual(["funded", "unknown"])
    expect(decisions).toEqual([])
  })

  test("with the service's secret, where the key gives another hash", async () => {
    const { written, first } = await recover({ keeps: "other" }, true)
    expect(first?.hasOwnSecret).toBe(false)
    expect(decodeOrder(written[0]?.snapshot ?? "").data.ownSecret).toBeNull()
  })

  test("unless our key's payout names another delegate", async () => {
    const extras = { delegate: "cd".repeat(32) }
    expect(await statusOf({ keeps: HASH, extras })).toBe("unclear")
    expect(await statusOf({ extras })).toBe("found")
  })

  test("whatever progress the service reports", async () => {
    const told = order({ initiateTx: "0x1", filledUnits: 10_000n, currentConfirmations: 9 })
    const destination = { ...told.destination, redeemTx: "0x2", secret: "00" }
    expect(await statusOf({ listed: [{ ...told, destination }] })).toBe("found")
  })
})

describe("an order that is over", () => {
  const over = { source: leg({ ...FUNDED, refunded: on("back") }) }
  test("is not compared again by the next run of the process", async () => {
    const made = scene(over)
    expect((await recoverOrders(made.context, false)).orders).toHaveLength(1)
    expect((await recoverOrders(made.context, false)).orders).toEqual([])
    expect(made.queries).toHaveLength(1)
  })

  test("is compared again while it was only found", async () => {
    const made = scene({})
    await recoverOrders(made.context, false)
    await recoverOrders(made.context, false)
    expect(made.queries).toHaveLength(2)
  })
})

describe("the pages of settled orders", () => {
  const page = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      order({ secretHash: (n + 1).toString(16).padStart(64, "0") }, `o${n}`),
    )
  const paged =
    (pages: readonly (readonly ServiceOrder[])[], goesOn: boolean[]) =>
    async ({ onSettled, onLeftOut }: WantedOrders) => {
      for (const one of pages) goesOn.push(await onSettled(one))
      onLeftOut(7)
      return [SAMPLE.order]
    }

  test("are listed up to five hundred, and all that have money", async () => {
    const found = await recover({ find: paged([page(501)], []), source: leg({}) })
    expect(found.orders).toHaveLength(501)
    expect(found.leftOut).toBe(7)
    const open = await recover({ find: paged([page(501)], []) })
    expect(open.orders).toHaveLength(502)
  })

  test("are asked for within twenty minutes", async () => {
    let nowMs = NOW
    const goesOn: boolean[] = []
    const find = async ({ onSettled }: WantedOrders) => {
      for (const ms of [20 * 60_000 - 1, 1, 1]) {
        nowMs += ms
        goesOn.push(await onSettled([]))
      }
      return []
    }
    await recover({ find, tick: () => nowMs })
    expect(goesOn).toEqual([true, false, false])
  })
})

describe("a service without a list", () => {
  test.each<[string, null | Error, string]>([
    ["gives none", null, "recover.no_list"],
    ["does not answer", failure("transient", "service.silent"), "service.silent"],
    ["meets a mistake of ours", new Error("x"), "recover.unread"],
  ])("that %s is named for each of its chains", async (_what, listed, code) => {
    const { unread, orders } = await recover({ listed })
    expect(orders).toEqual([])
    expect(unread.map(({ service, chain, reasons }) => [service, chain, reasons[0]?.code])).toEqual(
      [
        ["main", chainOf(from), code],
        ["main", chainOf(to), code],
      ],
    )
  })
})
