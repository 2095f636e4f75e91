import { beforeEach, describe, expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { settle } from "../../support/manual-clock.ts"
import { lostUnits } from "../../support/money.ts"

const ID = "order-1"
const UNITS = 10_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start()
})

const submit = (from = ETH, to = BTC) => daemon.engine.submit({ from, to, sourceUnits: UNITS })
const sent = (): number =>
  world.faults.countCalls("base.broadcastTransaction") +
  world.faults.countCalls("service.submitSignature")

describe("a pause", () => {
  test("answers only after a running send has ended", async () => {
    world.faults.inject("base.broadcastTransaction", { delayMs: 5_000 })
    await submit()
    await world.run(() => sent() === 1)
    let answered = false
    const pausing = daemon.engine.pause({ kind: "all" }).then(() => {
      answered = true
    })
    await world.pass(4_000)
    expect(answered).toBe(false)
    await world.pass(2_000)
    await pausing
  })

  test("lets orders with a sent deposit continue", async () => {
    world.autoMine = false
    await submit()
    await daemon.reach("deposit-confirming")
    await daemon.engine.pause({ kind: "all" })
    world.autoMine = true
    await daemon.reach("completed")
  })

  test("still observes a first send that is uncertain, and sends nothing again", async () => {
    world.faults.inject("base.observeTransaction", { before: failure("transient") })
    world.faults.inject("base.broadcastTransaction", { after: failure("uncertain") })
    await submit()
    await world.run(() => sent() === 1)
    await daemon.engine.pause({ kind: "all" })
    await daemon.reach("completed", ID, 60_000)
    expect(sent()).toBe(1)
  })

  test("still observes that the relay used a signature from before", async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "gasless" } })
    world.service.conduct.relays = false
    await submit(WBTC)
    await daemon.reach("gasless-confirming")
    await daemon.engine.pause({ kind: "all" })
    const out = sent()
    await world.pass(30_000)
    world.service.conduct.relays = true
    await daemon.reach("completed", ID, 60_000)
    expect(sent()).toBe(out)
  })

  test("still observes a stuck deposit, and signs no fee bump", async () => {
    world.autoMine = false
    await submit()
    await daemon.reach("deposit-confirming")
    await daemon.engine.pause({ kind: "all" })
    await world.pass(60_000)
    expect(world.signatures).toHaveLength(1)
    world.autoMine = true
    await daemon.reach("completed", ID, 60_000)
  })

  test("does not send a fee bump that was signed before it, and sends it afterwards", async () => {
    world.autoMine = false
    await submit()
    await daemon.reach("deposit-confirming")
    world.faults.inject("base.signTransaction", { delayMs: 2_000 })
    await daemon.reach("deposit-signing", ID, 120_000)
    world.faults.inject("base.observeTransaction", { before: failure("transient") }, 1)
    await daemon.reach("deposit-sending")
    expect([world.signatures.length, sent()]).toEqual([2, 1])
    await daemon.engine.pause({ kind: "all" })
    await world.pass(60_000)
    expect(sent()).toBe(1)
    daemon.engine.resume({ kind: "all" })
    await world.run(() => sent() === 2)
    world.autoMine = true
    await daemon.reach("completed", ID, 60_000)
  })

  test("outlives the process, and refuses requests until an operator lifts it", async () => {
    await daemon.engine.pause({ kind: "all" })
    daemon.kill()
    daemon = world.start()
    expect(await submit()).toMatchObject({ ok: false, reasons: [{ code: "paused" }] })
    daemon.engine.resume({ kind: "all" })
    expect(await submit()).toMatchObject({ ok: true })
  })

  test("in the middle of a request refuses it", async () => {
    world.faults.inject("service.fetchQuotes", { delayMs: 1_000 })
    const answer = submit()
    await settle()
    await daemon.engine.pause({ kind: "all" })
    await world.pass(2_000)
    expect(await answer).toMatchObject({ ok: false, reasons: [{ code: "paused" }] })
  })

  test("of one chain does not affect other chains", async () => {
    await daemon.engine.pause({ kind: "chain", chain: toChainId("base_sepolia") })
    expect(await submit(ETH)).toMatchObject({ ok: false })
    expect(await submit(BTC, WBTC)).toMatchObject({ ok: true })
    await daemon.reach("completed")
  })
})

describe("work that cannot be recorded or read", () => {
  test("is repeated only after a pause", async () => {
    await submit()
    daemon.kill()
    const broken = world.start()
    const { journal } = broken.context
    const real = journal.findOrder
    Object.assign(journal, {
      findOrder: () => {
        throw new Error("disk I/O error")
      },
    })
    await world.pass(60_000)
    Object.assign(journal, { findOrder: real })
    await world.run(() => broken.state(ID) === "completed")
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })
})
