import { rmSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { ServiceOrder } from "#domain/leg.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Conduct } from "../../../support/fake-service.ts"
import type { Daemon } from "../../../support/fake-world.ts"
import {
  type Beside,
  begin,
  type Case,
  casesOf,
  expectNothingLost,
  ID,
  isBack,
  type Run,
  submit,
  underAttack,
} from "./attacked-order.ts"
import type { Attack } from "./attacks.ts"

/*
 * The journal is lost after a secret was told, and `ballast recover --adopt` runs every ten seconds
 * while each attack runs: right after the telling, and once the solver has taken the deposit.
 */

type Listing = {
  list: () => Promise<readonly ServiceOrder[]>
  requests: ReturnType<ChainPort["rebuildRequests"]>
}

/** Longer than any lock of these worlds. */
const LONG_SECONDS = 900
/** No chain shows the deposit or the payout, so nothing tells whether there is one. */
const BLIND = "no node answers a look at any HTLC"

async function loseJournal(
  one: Case,
  isTaken: boolean,
  conduct: Partial<Conduct>,
): Promise<[Run, Daemon]> {
  const listing: Listing = { list: async () => [], requests: [] }
  const beside: Beside = () => ({
    adaptContext: (context) => context,
    adaptPort: (port) => ({ ...port, rebuildRequests: () => listing.requests }),
  })
  const run = begin(one, beside)
  const { world, target } = run
  Object.assign(world.service.conduct, conduct)
  const { port, ...service } = mustExist(world.services.get("main"), "the service")
  const findOrders = async (owner: string) =>
    (await listing.list()).filter(({ source }) => source.initiator === owner)
  world.services.set("main", { ...service, port: { ...port, findOrders } })
  let daemon = await run.start()
  await submit(run, daemon)
  const isTold = () => daemon.context.journal.listSecretDecisions(ID).includes("reveal")
  await world.run(() => isTold() && target.isBegun())
  const { orderId, depositRequest } = mustExist(daemon.order(ID).data.created, "the created order")
  Object.assign(listing, {
    requests: [depositRequest],
    list: async () => [await port.fetchOrder(orderId)],
  })
  daemon.kill()
  for (const end of ["", "-wal", "-shm"]) rmSync(world.journalFile + end, { force: true })
  if (isTaken) await world.pass(8_000)
  daemon = await run.start()
  return [run, daemon]
}

/** Returns the findings of each recovery. */
async function recoverOften(
  one: Case,
  isTaken: boolean,
  conduct: Partial<Conduct> = {},
): Promise<[Run, readonly string[]]> {
  const [run, daemon] = await loseJournal(one, isTaken, conduct)
  const found: string[] = []
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => isBack(run) || run.target.dueSeconds() > LONG_SECONDS,
    (second) => {
      if (second % 10 !== 0) return
      void daemon.engine.recover(true).then(({ orders }) => {
        for (const { status, reasons } of orders)
          found.push([status, ...reasons.map(({ code }) => code)].join(" "))
      })
    },
  )
  return [run, found]
}

/** The attack ends so many seconds after the money is at risk. */
function forSeconds({ adaptPort, ...attack }: Attack, seconds: number): Attack {
  if (adaptPort === undefined) return attack
  return {
    ...attack,
    adaptPort: (target) => (port) => {
      const attacked = adaptPort(target)(port)
      const isOn = (): boolean => target.dueSeconds() < seconds
      return new Proxy(attacked, {
        get: (_, name) => Reflect.get(isOn() ? attacked : port, name),
      })
    },
  }
}

const CASES = casesOf("destination").map((one, index) => ({
  ...one,
  isTaken: (index + Math.floor(index / 4)) % 2 === 0,
}))

describe.each(CASES)("the journal is lost with $family while $name", ({ isTaken, ...one }) => {
  const isBlind = one.name === BLIND

  test(`its payout is ours after the recovery, deposit taken: ${isTaken}`, async () => {
    const [run, found] = await recoverOften(one, isTaken)
    if (isBlind) expect(found[0]).toMatch(/^unclear (read\.late|test\.transient|chain\.too_long)$/)
    else expectNothingLost(run)
    expect(found.filter((one) => one === "adopted").length).toBe(isBlind ? 0 : 1)
  })
})

/** The payout's lock is longer: what cannot be read at first can be read later. */
const BLIND_SECONDS = 120
const LONG_LOCK = { destinationTimelock: 400n }

describe.each(CASES.filter(({ name }) => name === BLIND))(
  "the journal is lost with $family while $name, for two minutes",
  ({ isTaken, ...one }) => {
    test(`its payout is ours after the recovery, deposit taken: ${isTaken}`, async () => {
      const attack = forSeconds(one.attack, BLIND_SECONDS)
      const [run, found] = await recoverOften({ ...one, attack }, isTaken, LONG_LOCK)
      expect(found[0]).toMatch(/^unclear (read\.late|test\.transient|chain\.too_long)$/)
      expect(found.filter((status) => status === "adopted")).toHaveLength(1)
      expectNothingLost(run)
    })
  },
)
