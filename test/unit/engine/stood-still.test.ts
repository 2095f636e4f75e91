import { expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, type Daemon, WBTC, type World } from "../../support/fake-world.ts"

/*
 * A process may stand still between its last look at the clock and the call: it is frozen, or its
 * machine sleeps.
 */

const ID = "order-1"
const HOUR_MS = 3_600_000

let world: World
let daemon: Daemon

test.each([
  ["deposit-sending", "onchain"],
  ["approve-sending", "onchain"],
  ["gasless-submitting", "gasless"],
] as const)(
  "no deposit leaves after its window when the process stood still in %s",
  async (state, way) => {
    world = createWorld({ confirmations: 2 })
    let isFrozen = false
    const late: string[] = []
    const note = (what: string): void => {
      const { sendUntilMs } = daemon.order(ID).data
      if (world.clock.now() > mustExist(sendUntilMs, "the deposit window")) late.push(what)
    }
    const adaptPort = (port: ChainPort): ChainPort => ({
      ...port,
      broadcastTransaction: async (transaction) => {
        const { action } = transaction.plan
        // Later the allowance is set to zero, which is an approval too.
        if (
          action === "initiate" ||
          (action === "approve" && daemon.state(ID) === "approve-sending")
        )
          note(action)
        return port.broadcastTransaction(transaction)
      },
    })
    const adaptContext = (context: EngineContext): EngineContext => {
      const service = mustExist(context.services.get("main"), "the service")
      const submitSignature: typeof service.submitSignature = async (...given) => {
        note("signature")
        return service.submitSignature(...given)
      }
      return {
        ...context,
        services: new Map([["main", { ...service, submitSignature }]]),
        journal: {
          ...context.journal,
          durableHere: async () => {
            if (isFrozen || daemon.state(ID) !== state) return
            isFrozen = true
            world.clock.set(world.clock.now() + HOUR_MS)
          },
        },
      }
    }
    daemon = world.start({ policy: { way }, adaptPort, adaptContext })
    expect(await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: 10_000n })).toMatchObject(
      { ok: true },
    )
    await world.run(() => daemon.context.journal.countInFlight() === 0, 48 * HOUR_MS)
    expect([isFrozen, late]).toEqual([true, []])
  },
)
