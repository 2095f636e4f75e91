import { rmSync } from "node:fs"
import { expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { ServicePort } from "#ports/service.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/*
 * The journal is lost after our own secret was told, and `ballast recover` finds the order again.
 */

let world: World

const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

/** After `recover`, no leg can be read any more. */
let isBlind = false
const adaptPort = (port: ChainPort): ChainPort => ({
  ...port,
  observeLeg: async (query) => {
    if (isBlind) throw failure("transient", "chain.silent")
    return port.observeLeg(query)
  },
})
const start = (): Daemon => world.start({ settings: { ownSecrets }, adaptPort })

type Find = (fetch: () => Promise<ServiceOrder>) => ServicePort["findOrders"]
const findOne: Find = (fetch) => async () => [await fetch()]

/**
 * A service that ignores every filter and gives ten orders a page: it says of each order that it is
 * settled, and ours is the last one.
 */
const findLast =
  (count: number, tick = (): void => undefined): Find =>
  (fetch) =>
  async (owner, wanted) => {
    const ours = await fetch()
    if (owner !== ours.source.initiator) return []
    const settledOrder = (index: number): ServiceOrder => ({
      ...ours,
      orderId: `o${index}`,
      source: {
        ...ours.source,
        secretHash:
          index === count - 1 ? ours.source.secretHash : index.toString(16).padStart(64, "0"),
      },
      destination: { ...ours.destination, redeemTx: "ab".repeat(32) },
    })
    let leftOut = 0
    let isOpen = true
    for (let from = 0; from < count; from += 10) {
      const page = Array.from({ length: 10 }, (_, index) => settledOrder(from + index))
      tick()
      if (isOpen && wanted !== undefined) isOpen = await wanted.onSettled(page)
      else leftOut += page.length
    }
    wanted?.onLeftOut(leftOut)
    return []
  }

/** The secret of an order is told; the journal is gone, and the service lists the order. */
async function loseJournal(takesSource: boolean, findWith: Find = findOne): Promise<Daemon> {
  isBlind = false
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, takesBack: true, takesSource })
  let daemon = start()
  await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
  await world.run(() => world.service.reveals.length === 1, 600_000)
  const isTaken = () => [...world.evm.state().swaps.values()].some((swap) => swap.redeemed != null)
  if (takesSource) await world.run(isTaken, 600_000)
  const created = mustExist(daemon.order("order-1").data.created, "the created order")
  daemon.kill()
  for (const end of ["", "-wal", "-shm"]) rmSync(world.journalFile + end, { force: true })
  const known = world.services.get("main")
  if (known !== undefined) {
    const findOrders = findWith(async () => known.port.fetchOrder(created.orderId))
    world.services.set("main", { ...known, port: { ...known.port, findOrders } })
  }
  daemon = start()
  const { secretHash } = (await known?.port.fetchOrder(created.orderId))?.source ?? {}
  // The orders that a test invents have no deposit.
  const rebuildRequests = ({ source }: ServiceOrder) =>
    source.secretHash === secretHash ? [created.depositRequest] : []
  Object.assign(mustExist(daemon.context.chains.get(chainOf(ETH)), "a port"), { rebuildRequests })
  return daemon
}

test("an order whose secret the source chain shows is redeemed at once, although no leg can be read", async () => {
  const daemon = await loseJournal(true)
  const { orders } = await daemon.engine.recover(true)
  expect(orders).toMatchObject([{ status: "adopted", hasOwnSecret: true }])
  const id = orders[0]?.id ?? ""
  expect(daemon.order(id).data.ownSecret).toMatchObject({ isShown: true })
  isBlind = true
  await world.run(() => world.arbitrum.mined("redeem").length === 1, 60_000)
  isBlind = false
  await daemon.reach("completed", id, 600_000)
})

test("an order is not without a deposit because of one empty look at its contract", async () => {
  const daemon = await loseJournal(true)
  const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source")
  const { observeLeg } = port
  const nothing = { initiated: null, redeemed: null, refunded: null, refundableAt: null }
  Object.assign(port, {
    observeLeg: async (query: LegQuery) => {
      const leg = await observeLeg(query)
      return query.provesAbsence === true ? leg : { ...leg, ...nothing }
    },
  } satisfies Partial<ChainPort>)
  const { orders } = await daemon.engine.recover(false)
  expect(orders).toMatchObject([{ status: "found", hasOwnSecret: true }])
})

/** A long life: `npm run campaign -- recovery`. */
const SETTLED = Number(process.env["BALLAST_RECOVERED"] ?? 3_000)

test("a deposit behind thousands of orders that the service calls settled is found", {
  timeout: 60_000 + SETTLED * 10,
}, async () => {
  const daemon = await loseJournal(true, findLast(SETTLED))
  const { orders, leftOut } = await daemon.engine.recover(true)
  expect(leftOut).toBe(0)
  // The newest are listed, and of the others those with money.
  expect(orders).toHaveLength(501)
  const found = orders.filter(({ status }) => status !== "unfunded")
  expect(found).toMatchObject([{ status: "adopted", orderId: `o${SETTLED - 1}` }])
  await daemon.reach("completed", found[0]?.id ?? "", 600_000)
})

test("an order that is over is compared once, so that the next run goes on behind it", async () => {
  let daemon = await loseJournal(true)
  const [order] = (await daemon.engine.recover(true)).orders
  await daemon.reach("completed", order?.id ?? "", 600_000)
  const { rebuildRequests } = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source")
  daemon.kill()
  for (const end of ["", "-wal", "-shm"]) rmSync(world.journalFile + end, { force: true })
  daemon = start()
  const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source")
  Object.assign(port, { rebuildRequests })
  await world.pass(60_000)
  expect((await daemon.engine.recover(false)).orders).toMatchObject([{ status: "over" }])
  expect(await daemon.engine.recover(false)).toEqual({ orders: [], unread: [], leftOut: 0 })
})

test("after twenty minutes the other settled orders wait for the next run", async () => {
  let isSlow = true
  const daemon = await loseJournal(
    true,
    findLast(200, () => {
      if (isSlow) world.clock.set(world.clock.now() + 2 * 60_000)
    }),
  )
  expect(await daemon.engine.recover(false)).toMatchObject({ leftOut: 100 })
  isSlow = false
  const { orders, leftOut } = await daemon.engine.recover(false)
  expect([orders.at(-1)?.status, leftOut]).toEqual(["found", 0])
})

test("an operator's redemption is not refused after the recovery", async () => {
  const daemon = await loseJournal(true)
  const [order] = (await daemon.engine.recover(true)).orders
  expect(daemon.engine.operate(order?.id ?? "", "redeem", "anna")).toMatchObject({ ok: true })
  await daemon.reach("completed", order?.id ?? "", 600_000)
  expect(world.arbitrum.mined("redeem")).toHaveLength(1)
})

test("without a sign on the chains the secret counts as ours, and is told by a new proof", async () => {
  const daemon = await loseJournal(false)
  const [order] = (await daemon.engine.recover(true)).orders
  const id = order?.id ?? ""
  expect(daemon.order(id).data.ownSecret).toMatchObject({ status: "unknown" })
  expect(daemon.engine.operate(id, "redeem", "anna")).toMatchObject({
    ok: false,
    reasons: [{ code: "secret.unrevealed" }],
  })
  await daemon.reach("completed", id, 600_000)
})

test("a source that stays silent for good keeps no open payout of our secret back", async () => {
  const daemon = await loseJournal(false)
  const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source")
  const { observeLeg, fetchHeight } = port
  const silent = () => new Promise<never>(() => undefined)
  Object.assign(port, { observeLeg: silent, fetchHeight: silent })
  const recovery = daemon.engine.recover(true)
  const isRedeemed = () => world.arbitrum.mined("redeem").some(({ ok }) => ok)
  await world.run(isRedeemed, 90_000)
  const [order] = (await recovery).orders
  expect(order).toMatchObject({ status: "adopted", hasOwnSecret: true })
  expect(daemon.alerts()).toContain("alarm.leg_unreadable")
  Object.assign(port, { observeLeg, fetchHeight })
  await daemon.reach("completed", order?.id ?? "", 30 * 60_000)
})

test("two recoveries at the same time adopt an order once", async () => {
  const { engine, context } = await loseJournal(true)
  const both = await Promise.all([engine.recover(true), engine.recover(true)])
  expect(both.flatMap(({ orders }) => orders.map(({ status }) => status))).toEqual(["adopted"])
  expect(context.journal.listOrders({ limit: 9 })).toHaveLength(1)
})
