import { DatabaseSync } from "node:sqlite"
import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { encodeOrder } from "#order/step.ts"
import type { UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { lostUnits } from "../../support/money.ts"
import { plantSnapshot } from "../../support/plant-snapshot.ts"

/* The data of the order has lost a replaced deposit, and knows only its number (`replans`). */

const ID = "order-1"
const UNITS = 10_000n

let world: World
let daemon: Daemon
let asked: UnfundedQuery[]
beforeEach(() => {
  asked = []
  world = createWorld({ confirmations: 2 })
  daemon = start()
})

function start(): Daemon {
  const adaptPort = (port: ChainPort): ChainPort => ({
    ...port,
    proveUnfunded: async (query) => {
      asked.push(query)
      return port.proveUnfunded(query)
    },
  })
  return world.start({ adaptPort })
}

/** The order signed a deposit that no node has; only the signing record still has it. */
async function replaceDeposit(state: "deposit-planning" | "held"): Promise<string> {
  world.faults.inject("base.broadcastTransaction", { hang: true })
  await daemon.accept()
  await daemon.reach("deposit-sending")
  const { data } = daemon.order(ID)
  const { deposit } = data.transactions
  daemon.kill()
  const track = { ...deposit, plan: null, signed: [] }
  const order = {
    state,
    data: {
      ...data,
      earlierSigned: [],
      replans: 1,
      transactions: { ...data.transactions, deposit: track },
    },
  }
  const work = { kind: "planTransaction", purpose: "deposit" }
  const db = new DatabaseSync(world.journalFile)
  plantSnapshot(db, ID, encodeOrder(order))
  db.prepare("update orders set state = ? where id = ?").run(state, ID)
  db.prepare("update orders set work = ?, work_due = 0 where id = ?").run(
    JSON.stringify(state === "held" ? { kind: "observeOrder" } : work),
    ID,
  )
  db.exec(
    "update signing_record set plan = plan where false; insert into settled_signatures " +
      "select seq from signing_record",
  )
  db.close()
  return deposit.signed[0]?.txid ?? ""
}

describe("an order whose data lost a replaced deposit", () => {
  test("does not end before that deposit is proven impossible", async () => {
    const txid = await replaceDeposit("deposit-planning")
    world.clock.set(world.clock.now() + 11 * 60_000)
    daemon = start()
    await daemon.reach("proving-unfunded")
    await world.pass(60_000)
    expect(daemon.state(ID)).toBe("proving-unfunded")
    expect(asked.at(-1)?.signed.map((one) => one.txid)).toContain(txid)
  })

  test("is watched when that deposit lands after all", async () => {
    await replaceDeposit("held")
    daemon = start()
    const [row] = daemon.context.journal
      .listEvents(ID)
      .filter(({ type }) => type === "transaction.signed")
    const { transaction } = JSON.parse(row?.body ?? "{}")
    await daemon.context.chains.get(chainOf(ETH))?.broadcastTransaction(transaction)
    await daemon.reach("completed")
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("is not started anew by a retry, and an abandoned one is proven unfunded first", async () => {
    await replaceDeposit("held")
    daemon = start()
    expect(daemon.engine.operate(ID, "abandon", "anna")).toEqual({
      ok: true,
      state: "proving-unfunded",
    })
    await world.pass(60_000)
    expect(daemon.state(ID)).toBe("proving-unfunded")
  })
})
