import { rmSync } from "node:fs"
import { afterEach, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/*
 * The journal is lost after our own secret was told, and `ballast recover` finds the order again.
 */

let world: World
afterEach(() => world.close())

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

/** The secret of an order is told; the journal is gone, and the service lists the order. */
async function loseJournal(takesSource: boolean): Promise<Daemon> {
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
    const findOrders = async () => [await known.port.fetchOrder(created.orderId)]
    world.services.set("main", { ...known, port: { ...known.port, findOrders } })
  }
  daemon = start()
  const rebuildRequests = () => [created.depositRequest]
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
  await world.run(() => daemon.state(id) === "completed", 600_000)
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

test("an operator's redemption is not refused after the recovery", async () => {
  const daemon = await loseJournal(true)
  const [order] = (await daemon.engine.recover(true)).orders
  expect(daemon.engine.operate(order?.id ?? "", "redeem", "anna")).toMatchObject({ ok: true })
  await world.run(() => daemon.state(order?.id ?? "") === "completed", 600_000)
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
  await world.run(() => daemon.state(id) === "completed", 600_000)
})
