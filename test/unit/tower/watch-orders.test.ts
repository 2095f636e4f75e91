import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf as chainNamed, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteLeg, RoutePort } from "#ports/route.ts"
import { rankNow, URGENCIES } from "#ports/urgency.ts"
import {
  type GuardedOrder,
  type TowerChain,
  type TowerReport,
  watchOrders,
} from "#tower/watch-orders.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

const SECRET = "5e".repeat(32)
const LOCK = mustExist(sampleData().serviceOrder, "an order").destination.timelock
const ON_CHAIN = {
  txid: "aa",
  height: 100n,
  confirmations: 9,
  seen: true,
  revealable: true,
  final: true,
}
/** A payout that is open and due. */
const DUE: LegObservation = {
  ...emptyLeg(100n + LOCK),
  initiated: { ...ON_CHAIN, units: 5n },
  refundableAt: 100n + LOCK + LOCK / 10n,
}
const REDEEMED: LegObservation = {
  ...DUE,
  redeemed: { ...ON_CHAIN, paidUnits: 5n, secret: SECRET },
}

test("a silent node delays the orders of its chain alone", async () => {
  const silent = portOf({ observeLeg: () => new Promise(() => undefined) })
  const alive = portOf({ observeLeg: async () => REDEEMED })
  const rounds = { count: 0 }
  const counting = portOf({
    observeLeg: async () => {
      rounds.count += 1
      return emptyLeg(1n)
    },
  })
  const orders = [orderOf("silent", silent), orderOf("alive", alive), orderOf("waiting", counting)]
  const told = await watch(orders, (reports) => reports.has("alive") && rounds.count > 5)
  expect(told.get("alive")).toMatchObject({ act: "end" })
  expect(told.get("silent")?.reasons.map(({ code }) => code)).toContain("read.late")
})

test("orders that are due at the same moment on one chain get different nonces", async () => {
  const signed: TransactionPlan[] = []
  const port = portOf({
    observeLeg: async () => DUE,
    nonces: { bindPlan: async (plan) => plan, takeNonce: async (plan) => plan },
    planTransaction: async (_request, reserved) => {
      // A node needs its time, so plans that do not wait for one another would take one nonce.
      await new Promise((resolve) => setTimeout(resolve, 2))
      const free = [1, 2, 3].find((nonce) => !reserved.has(`nonce:${nonce}`))
      // CAST: the tower reads no other field.
      return {
        action: "redeem",
        chain: CHAIN,
        digest: `${free}`,
        resources: [`nonce:${free}`],
      } as unknown as TransactionPlan
    },
    signTransaction: async (plan) => {
      signed.push(plan)
      return { plan, raw: "", txid: plan.digest }
    },
    broadcastTransaction: async () => undefined,
    observeTransaction: async () => ({ status: "pending" }),
  })
  const ids = ["one", "two", "three"]
  await watch(
    ids.map((id) => orderOf(id, port)),
    (told) => ids.every((id) => told.get(id)?.act === "redeem"),
  )
  expect(signed.map(({ resources }) => resources.join())).toEqual(["nonce:1", "nonce:2", "nonce:3"])
})

test("a redemption that takes its HTLC alone waits for no other, and asks before any look", async () => {
  const ranks: number[] = []
  const alive = sendingPort(DUE)
  const noted = portOf({
    ...alive,
    planTransaction: (...asked) => {
      ranks.push(rankNow())
      return alive.planTransaction(...asked)
    },
  })
  const silent = portOf({ ...alive, planTransaction: () => new Promise(() => undefined) })
  const orders = [orderOf("silent", silent), orderOf("next", noted)]
  await watch(orders, (told) => told.get("next")?.act === "redeem")
  expect(new Set(ranks)).toEqual(new Set([URGENCIES.indexOf("effect")]))
})

describe.each([
  ["fails", () => Promise.reject(unreachable())],
  ["stays silent", () => new Promise<never>(() => undefined)],
])("a chain that %s", (_name, observeLeg) => {
  const dead = portOf({ observeLeg })

  test("keeps no redemption back where it is the source", async () => {
    const order = { ...orderOf("paid", sendingPort(DUE)), source: chainOf(dead) }
    const told = await watch([order], (reports) => reports.get("paid")?.act === "redeem")
    expect(told.get("paid")).toMatchObject({ act: "redeem", txid: "redeem" })
  })

  test("keeps no refund back where it is the destination", async () => {
    const lock = mustExist(sampleData().deposit, "a deposit").timelock
    const over: LegObservation = {
      ...emptyLeg(100n + lock),
      initiated: { ...ON_CHAIN, units: 5n },
      refundableAt: 100n,
    }
    const order = { ...orderOf("back", dead), source: chainOf(sendingPort(over)), secret: null }
    const told = await watch([order], (reports) => reports.get("back")?.act === "refund")
    expect(told.get("back")).toMatchObject({ act: "refund", txid: "refund" })
  })
})

test("names the chain that cannot be read, beside what the order waits for", async () => {
  const dead = portOf({ observeLeg: () => Promise.reject(unreachable()) })
  const order = { ...orderOf("early", portOf({ observeLeg: async () => emptyLeg(1n) })) }
  const blind = { ...order, source: chainOf(dead) }
  const told = await watch([blind], (reports) => reports.has("early"))
  const codes = told.get("early")?.reasons.map(({ code }) => code)
  expect(codes).toEqual(["evm.unreachable", "tower.unproven"])
})

describe("a payout that a voucher takes", () => {
  const DAY_MS = 24 * 3_600_000
  const VOUCHER = { kind: "cctp", nonce: "7", fields: {} }
  const QUOTE = {
    kind: "cctp",
    sourceUnits: 5n,
    destinationUnits: 5n,
    sourceFiat: null,
    destinationFiat: null,
    solverId: "fast",
    estimatedSeconds: 20,
    worstSeconds: 3_600,
  }

  /** A burn of so long ago. The voucher is in the rescue file, or the route's service has it. */
  function burnt(ageMs: number, has: { voucher?: typeof VOUCHER; given: boolean }): GuardedOrder {
    // CAST: the tower calls no other method of the leg and the route.
    const leg = {
      checkVoucher: async () => [],
      checkPayout: async () => [],
      planRedemption: async () => ({
        action: "redeem",
        chain: CHAIN,
        digest: "mint",
        resources: [],
      }),
    } as unknown as RouteLeg
    const readVoucher: RoutePort["readVoucher"] = async () =>
      has.given ? { status: "ready", voucher: VOUCHER } : Promise.reject(unreachable())
    const route = { kind: "cctp", readVoucher } as unknown as RoutePort
    const legs = { routeLegs: new Map([["cctp", leg]]) }
    const deposited = { ...emptyLeg(9n), initiated: { ...ON_CHAIN, units: 5n } }
    const { ownSecret: _, ...order } = orderOf("burnt", sendingPort(emptyLeg(9n))).data
    const { deposit, seen } = order
    const { from, to } = order.request
    const sourceInitiated = { txid: "aa", height: 1n, final: true, at: -ageMs }
    const data = {
      ...order,
      ownSecret: null,
      serviceOrder: null,
      deposit: { ...mustExist(deposit, "a deposit"), kind: "cctp" },
      quote: { ...QUOTE, from, to },
      seen: { ...seen, sourceInitiated },
      ...(has.voucher === undefined ? {} : { voucher: has.voucher }),
    }
    const guarded = orderOf("burnt", sendingPort(emptyLeg(9n)))
    const source = chainOf({
      ...sendingPort(deposited),
      ...legs,
      chain: chainNamed(data.request.from),
    })
    const destination = chainOf({
      ...guarded.destination.port,
      ...legs,
      chain: chainNamed(data.request.to),
    })
    return { ...guarded, data, secret: null, route, source, destination }
  }

  test.each([
    ["in the file", { voucher: VOUCHER, given: false }],
    ["of the route's service", { given: true }],
  ])("is taken once the daemon had its time, with a voucher %s", async (_name, has) => {
    const told = await watch(
      [burnt(DAY_MS, has)],
      (reports) => reports.get("burnt")?.act === "redeem",
    )
    expect(told.get("burnt")).toMatchObject({ act: "redeem", txid: "mint" })
  })

  test("is taken from the file while the source chain cannot be read", async () => {
    const order = burnt(DAY_MS, { voucher: VOUCHER, given: false })
    const port = { ...order.source.port, observeLeg: () => Promise.reject(unreachable()) }
    const told = await watch([{ ...order, source: chainOf(port) }], (reports) =>
      reports.has("burnt"),
    )
    expect(told.get("burnt")).toMatchObject({ act: "redeem", txid: "mint" })
  })

  test.each([
    ["has time", 3_600_000, { given: true }, "tower.not_due"],
    ["has no voucher", DAY_MS, { given: false }, "evm.unreachable"],
  ])("waits while the daemon %s", async (_name, ageMs, has, code) => {
    const told = await watch([burnt(ageMs, has)], (reports) => reports.has("burnt"))
    expect(told.get("burnt")?.reasons.map((reason) => reason.code)).toContain(code)
  })
})

test("an unexpected error ends the watch", async () => {
  const broken = portOf({ observeLeg: () => Promise.reject(new TypeError("a defect")) })
  await expect(watch([orderOf("broken", broken)], () => false)).rejects.toThrow("a defect")
})

const CHAIN = toChainId("arbitrum_sepolia")

function portOf(methods: Partial<ChainPort>): ChainPort {
  // CAST: the tower calls no other method.
  const fetchHeight = () => Promise.reject(unreachable())
  return { chain: CHAIN, traits: familyNamed("evm").traits, fetchHeight, ...methods } as ChainPort
}

/** Plans, signs and sends at once; every transaction is named after its action. */
function sendingPort(leg: LegObservation): ChainPort {
  return portOf({
    observeLeg: async () => leg,
    planTransaction: async ({ action }) =>
      // CAST: the tower reads no other field.
      ({ action, chain: CHAIN, digest: action, resources: [] }) as unknown as TransactionPlan,
    signTransaction: async (plan) => ({ plan, raw: "", txid: plan.digest }),
    broadcastTransaction: async () => undefined,
    observeTransaction: async () => ({ status: "pending" }),
  })
}

function chainOf(port: ChainPort): TowerChain {
  return { port, canSend: true, stuckAfterMs: 60_000 }
}

function unreachable(): AppError {
  return new AppError({ code: "evm.unreachable", disposition: "transient", message: "no answer" })
}

function orderOf(id: string, port: ChainPort): GuardedOrder {
  const ownSecret = {
    nonce: "7",
    hash: "ab",
    status: "revealed",
    revealedAt: 1,
    isTold: true,
  } as const
  const quiet = portOf({ observeLeg: async () => emptyLeg(1n) })
  const [source, destination] = [quiet, port].map((one) => ({
    port: one,
    canSend: true,
    stuckAfterMs: 60_000,
  }))
  return {
    data: { ...sampleData(), id, ownSecret },
    secret: SECRET,
    worthUnits: null,
    redemptions: [],
    memory: { hasSent: () => false, noteSent: () => undefined },
    source: mustExist(source, "a chain"),
    destination: mustExist(destination, "a chain"),
  }
}

/** Watches until `isEnough`. Throws after a second. */
async function watch(
  orders: readonly GuardedOrder[],
  isEnough: (told: ReadonlyMap<string, TowerReport>) => boolean,
): Promise<ReadonlyMap<string, TowerReport>> {
  const stopping = new AbortController()
  const told = new Map<string, TowerReport>()
  const timer = setTimeout(() => stopping.abort(), 1_000)
  const clock = {
    now: () => 0,
    sleep: async () => {
      await new Promise((resolve) => setTimeout(resolve, 3))
      if (isEnough(told)) stopping.abort("enough")
    },
  }
  const tell = (order: string, report: TowerReport): void => void told.set(order, report)
  const listOrders = async () => orders
  const running = watchOrders({
    clock,
    everyMs: 1,
    signal: stopping.signal,
    endsAlone: false,
    listOrders,
    tell,
  })
  const stopped = new Promise((resolve) => stopping.signal.addEventListener("abort", resolve))
  await Promise.race([running, stopped]).finally(() => clearTimeout(timer))
  if (stopping.signal.reason !== "enough")
    throw new Error(`not enough within a second: ${[...told.keys()].join()}`)
  return told
}
