import { beforeEach, describe, expect, test } from "vitest"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { lostUnits } from "../../support/money.ts"

const ID = "order-1"
const UNITS = 10_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start()
})

/** Long enough that a pause meets each of them running. */
const SLOW = [
  "service.fetchOrder",
  "service.submitSignature",
  "base.findMissingApproval",
  "base.planTransaction",
  "base.signTransaction",
  "base.signTypedData",
  "base.broadcastTransaction",
]

const submit = (from = ETH, to = BTC) => daemon.engine.submit({ from, to, sourceUnits: UNITS })
const sent = (): number =>
  world.faults.countCalls("base.broadcastTransaction") +
  world.faults.countCalls("service.submitSignature")

describe("a pause", () => {
  test.each(["onchain", "gasless"] as const)(
    "at any moment of an order (%s) stops all signing and sending once it answers, and " +
      "leaves no money stuck",
    async (way) => {
      // Each slow call lasts longer than a step, so a pause comes during every one of them.
      for (let ms = 0; ms < 12_000; ms += 600) {
        world.close()
        world = createWorld()
        daemon = world.start({ policy: { way } })
        for (const method of SLOW) world.faults.inject(method, { delayMs: 700 }, 1_000)
        void submit(WBTC)
        await world.pass(ms)
        let answered = false
        void daemon.engine.pause({ kind: "all" }).then(() => {
          answered = true
        })
        await world.run(() => answered)
        const signed = world.signatures.length
        const out = sent()
        await world.pass(10_000)
        expect([world.signatures.length, sent()], `${ms} ms`).toEqual([signed, out])
        daemon.engine.resume({ kind: "all" })
        const { journal } = daemon.context
        await world.run(() => journal.countInFlight() === 0)
        expect(lostUnits(world, WBTC)).toBe(journal.findOrder(ID) === null ? 0n : UNITS)
      }
    },
  )
})
