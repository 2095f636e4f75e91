import { cpSync, existsSync, rmSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { isPaused } from "#engine/watches/pause.ts"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Conduct } from "../../support/fake-service.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/*
 * A told secret pays, and a refund leaves at its height, although no read of the HTLC succeeds:
 * strangers may cause that.
 */

const ID = "order-1"
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }
const THIEVES: Partial<Conduct> = { redeems: false, takesBack: true, takesSource: false }

let world: World
let daemon: Daemon

type Blind = {
  readonly side: LegQuery["side"]
  readonly isBlind: () => boolean
  readonly how: Disposition | "silent"
}

/** Every read of one side fails, or never ends, and all other questions are answered. */
function blind({ side, isBlind, how }: Blind): (port: ChainPort) => ChainPort {
  return (port) => ({
    ...port,
    observeLeg: async (query) => {
      if (query.side !== side || !isBlind()) return port.observeLeg(query)
      if (how === "silent") return new Promise(() => undefined)
      throw new AppError({ code: "chain.too_long", disposition: how, message: "spam", details: {} })
    },
  })
}

/** From some moment on the chain answers nothing. */
function gone(chain: string, how: Disposition | "silent", isGone: () => boolean) {
  return (port: ChainPort): ChainPort => {
    if (port.chain !== chain) return port
    const fail = async (): Promise<never> => {
      if (how === "silent") return new Promise(() => undefined)
      throw failure(how, "test.gone")
    }
    const end =
      <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        isGone() ? fail() : call(...args)
    return {
      ...port,
      observeLeg: end(port.observeLeg),
      observeTransaction: end(port.observeTransaction),
      fetchHeight: end(port.fetchHeight),
      // A port ends its own plan and its own sending.
      planTransaction: async (...plan) => {
        if (isGone()) throw failure(how === "silent" ? "transient" : how, "test.gone")
        return port.planTransaction(...plan)
      },
      broadcastTransaction: async (...sent) => {
        if (isGone()) throw failure("transient", "test.gone")
        return port.broadcastTransaction(...sent)
      },
    }
  }
}

const alarms = (): { readonly code: string; readonly message: string }[] =>
  daemon.context.journal.listAlerts(99).map(({ reason }) => reason)
const isTold = (): boolean => daemon.context.journal.listSecretDecisions(ID).includes("reveal")
const submit = (from: AssetId = ETH, to: AssetId = ARB) =>
  daemon.engine.submit({ from, to, sourceUnits: 10_000n })
const lost = (): bigint =>
  2_000_000n -
  (world.evm.state().balances.get(ETH) ?? 0n) -
  (world.arbitrum.state().balances.get(ARB) ?? 0n)

const FAMILIES = [
  ["evm", ARB],
  ["solana", ARB],
  ["starknet", ARB],
] as const
const HOWS = ["hold", "transient", "uncertain", "silent"] as const

describe("an order with a told secret", () => {
  test.each(FAMILIES.flatMap(([family, to]) => HOWS.map((how) => ({ family, to, how }))))(
    "redeems the payout although its HTLC cannot be read ($family, $how)",
    async ({ family, to, how }) => {
      world = createWorld({ confirmations: 2, arbitrum: family })
      Object.assign(world.service.conduct, THIEVES)
      const adaptPort = blind({ side: "destination", isBlind: isTold, how })
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
      expect(await submit(ETH, to)).toMatchObject({ ok: true })
      await world.run(() => world.arbitrum.mined("redeem").length > 0, 10 * MINUTE_MS)
      world.service.conduct.takesSource = true
      await world.pass(2 * MINUTE_MS)
      expect(lost()).toBeLessThan(200n)
      const [alarm] = alarms().filter(({ code }) => code === "alarm.leg_unreadable")
      expect(alarm?.message).toContain("cannot read its destination leg")
    },
  )

  test("redeems Bitcoin's payout although its HTLC cannot be read", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, THIEVES)
    const adaptPort = blind({ side: "destination", isBlind: isTold, how: "transient" })
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
    expect(await submit(ETH, BTC)).toMatchObject({ ok: true })
    await world.run(() => world.bitcoin.mined("redeem").length > 0, 10 * MINUTE_MS)
  })

  test.each(["hold", "transient", "silent"] as const)(
    "redeems it although both HTLCs cannot be read (%s)",
    async (how) => {
      world = createWorld({ confirmations: 2 })
      Object.assign(world.service.conduct, THIEVES)
      const both = (port: ChainPort): ChainPort =>
        blind({ side: "source", isBlind: isTold, how })(
          blind({ side: "destination", isBlind: isTold, how })(port),
        )
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort: both })
      await submit()
      await world.run(() => world.arbitrum.mined("redeem").length > 0, 10 * MINUTE_MS)
    },
  )

  test("goes on to redeem after a crash between the decision to tell it and its event", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, THIEVES)
    const adaptPort = blind({ side: "destination", isBlind: isTold, how: "hold" })
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
    await submit()
    await world.run(isTold)
    daemon.kill()
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
    await world.run(() => world.arbitrum.mined("redeem").length > 0, 10 * MINUTE_MS)
  })

  test.each(["pause", "continue"] as const)(
    "counts for on_alarm: %s while no block has the redemption",
    async (onAlarm) => {
      world = createWorld({ confirmations: 2 })
      Object.assign(world.service.conduct, THIEVES)
      const blinded = blind({ side: "destination", isBlind: isTold, how: "transient" })
      // No endpoint takes the redemption.
      const adaptPort = (port: ChainPort): ChainPort => ({
        ...blinded(port),
        broadcastTransaction: async (...sent) => {
          if (port.chain === chainOf(ARB) && isTold()) throw failure("transient")
          return port.broadcastTransaction(...sent)
        },
      })
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets, onAlarm }, adaptPort })
      await submit()
      await world.run(isTold)
      const toldAt = world.clock.now()
      await world.run(
        () => alarms().some(({ code }) => code === "alarm.leg_unreadable"),
        10 * MINUTE_MS,
      )
      expect(world.clock.now() - toldAt).toBeLessThanOrEqual(MINUTE_MS)
      expect(isPaused(daemon.context, "manual", ETH)).toBe(onAlarm === "pause")
    },
  )

  test("pauses nothing once a block has our redemption", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, THIEVES)
    const adaptPort = blind({ side: "destination", isBlind: isTold, how: "transient" })
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
    await submit()
    await world.run(
      () => alarms().some(({ code }) => code === "alarm.leg_unreadable"),
      10 * MINUTE_MS,
    )
    expect(world.arbitrum.mined("redeem")).toHaveLength(1)
    expect(isPaused(daemon.context, "manual", ETH)).toBe(false)
  })

  test("is redeemed at once when an operator asks", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, THIEVES)
    const adaptPort = blind({ side: "destination", isBlind: isTold, how: "transient" })
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
    await submit()
    await daemon.reach("revealed")
    const toldAt = world.clock.now()
    expect(daemon.engine.operate(ID, "redeem", "anna")).toMatchObject({ ok: true })
    await world.run(() => world.arbitrum.mined("redeem").length > 0)
    expect(world.clock.now() - toldAt).toBeLessThan(15_000)
  })
})

describe("a deposit without a payout", () => {
  test.each(["hold", "transient", "silent"] as const)(
    "is refunded at its height although its HTLC cannot be read (%s)",
    async (how) => {
      world = createWorld({ confirmations: 2 })
      Object.assign(world.service.conduct, {
        fills: false,
        takesSource: false,
        sourceTimelock: 200n,
      })
      let isBlind = false
      daemon = world.start({ adaptPort: blind({ side: "source", isBlind: () => isBlind, how }) })
      await submit()
      await daemon.reach("funded")
      isBlind = true
      const sinceMs = world.clock.now()
      await world.run(() => alarms().length > 0)
      expect(world.clock.now() - sinceMs).toBeLessThanOrEqual(MINUTE_MS)
      const [alarm] = alarms()
      expect(alarm).toMatchObject({ code: "alarm.leg_unreadable" })
      expect(alarm?.message).toMatch(/from height \d+.*`ballast refund order-1`/)
      // A chain that cannot be read stops what touches it, and nothing else: the pair waits, and
      // the treasury goes on.
      expect(isPaused(daemon.context, "manual", ETH)).toBe(false)
      await world.run(() => world.evm.mined("refund").length > 0, 10 * MINUTE_MS)
      expect(alarms().filter(({ message }) => message.includes("Ballast sends it itself"))).toEqual(
        [],
      )
    },
  )

  test("keeps new deposits of its pair from beginning, and of no other, while it cannot be read", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    let isBlind = false
    const adaptPort = blind({ side: "source", isBlind: () => isBlind, how: "transient" })
    daemon = world.start({ adaptPort, settings: { ...defaultSettings(), onAlarm: "continue" } })
    await submit()
    await daemon.reach("funded")
    isBlind = true
    await world.run(() => alarms().length > 0)
    await submit()
    await submit(ETH, BTC)
    await daemon.reach("funded", "order-3")
    expect(daemon.order("order-2").data.transactions.deposit).toMatchObject({
      plan: null,
      signed: [],
    })
    expect(daemon.order("order-2").data.reasons).toMatchObject([
      { code: "deposit.leg_unreadable", order: ID },
    ])
    isBlind = false
    await daemon.reach("funded", "order-2")
  })

  test("keeps them from beginning after a restart too, from its first moment", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    let isBlind = false
    const adaptPort = blind({ side: "source", isBlind: () => isBlind, how: "silent" })
    const settings = { ...defaultSettings(), onAlarm: "continue" } as const
    daemon = world.start({ adaptPort, settings })
    await submit()
    await daemon.reach("funded")
    isBlind = true
    await world.run(() => alarms().length > 0, 2 * MINUTE_MS)
    const [first] = daemon.order(ID).data.reasons
    const steps = (): unknown => daemon.context.journal.findOrder(ID)?.snapshot
    const before = steps()
    daemon.kill()
    daemon = world.start({ adaptPort, settings })
    await submit()
    await world.pass(30_000)
    expect(daemon.order("order-2").data.transactions.deposit.signed).toEqual([])
    // The alarm goes on: it neither ends nor begins again, so the order has no step.
    await world.pass(2 * MINUTE_MS)
    expect(daemon.order(ID).data.reasons).toEqual([first])
    expect(steps()).toBe(before)
  })
})

describe("the alarm", () => {
  test.each(["hold", "transient", "silent"] as const)(
    "comes within a minute while a relay may have deposited (%s)",
    async (how) => {
      world = createWorld({ confirmations: 2 })
      world.service.conduct.relays = false
      let isBlind = false
      const adaptPort = blind({ side: "source", isBlind: () => isBlind, how })
      daemon = world.start({ policy: { way: "gasless" }, adaptPort })
      await submit(WBTC, BTC)
      await daemon.reach("gasless-confirming")
      isBlind = true
      const sinceMs = world.clock.now()
      await world.run(
        () => alarms().some(({ code }) => code === "alarm.leg_unreadable"),
        10 * MINUTE_MS,
      )
      expect(world.clock.now() - sinceMs).toBeLessThanOrEqual(MINUTE_MS)
      expect(
        alarms()
          .map(({ message }) => message)
          .join(),
      ).toContain("cannot read its source leg")
      isBlind = false
      world.service.conduct.relays = true
      await daemon.reach("completed")
    },
  )

  test.each(["transient", "silent"] as const)(
    "comes in time although each process lives for half a minute (%s)",
    async (how) => {
      world = createWorld({ confirmations: 2 })
      Object.assign(world.service.conduct, { fills: false, takesSource: false })
      let isBlind = false
      const adaptPort = blind({ side: "source", isBlind: () => isBlind, how })
      daemon = world.start({ adaptPort })
      await submit()
      await daemon.reach("funded")
      isBlind = true
      for (let life = 0; life < 4; life++) {
        await world.pass(30_000)
        daemon.kill()
        daemon = world.start({ adaptPort })
      }
      expect(alarms()).toMatchObject([{ code: "alarm.leg_unreadable" }])
    },
  )

  const SENT = ["deposit", "refund", "redeem"] as const
  test.each(SENT.flatMap((kind) => HOWS.map((how) => ({ kind, how }))))(
    "comes within a minute while our $kind is on its way and its chain gives no answer ($how)",
    async ({ kind, how }) => {
      world = createWorld({ confirmations: 2 })
      const conduct = { fills: false, takesSource: false, sourceTimelock: 200n }
      Object.assign(world.service.conduct, kind === "redeem" ? THIEVES : conduct)
      let isGone = false
      const adaptPort = gone(chainOf(kind === "redeem" ? ARB : ETH), how, () => isGone)
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
      await submit()
      await world.run(
        () => daemon.order(ID).data.transactions[kind].sentAt !== null,
        10 * MINUTE_MS,
      )
      isGone = true
      const sinceMs = world.clock.now()
      const unread = () => alarms().filter(({ code }) => code === "alarm.leg_unreadable")
      await world.run(() => unread().length > 0, 10 * MINUTE_MS)
      expect(world.clock.now() - sinceMs).toBeLessThanOrEqual(MINUTE_MS)
      const side = kind === "redeem" ? "destination" : "source"
      expect(unread()[0]?.message).toContain(`cannot read its ${side} leg`)
      isGone = false
      await world.run(() => daemon.order(ID).data.transactions[kind].mined !== null)
      const state = { deposit: "refunded", refund: "refunded", redeem: "completed" }[kind]
      await daemon.reach(state)
    },
  )

  test.each(HOWS.flatMap((how) => (["refund", "redeem"] as const).map((kind) => ({ kind, how }))))(
    "comes within a minute while no $kind can be planned, because its chain gives no answer ($how)",
    async ({ kind, how }) => {
      world = createWorld({ confirmations: 2 })
      const conduct = { fills: false, takesSource: false, sourceTimelock: 200n }
      Object.assign(world.service.conduct, kind === "redeem" ? THIEVES : conduct)
      let sinceMs: number | null = null
      const isGone = (): boolean => {
        if (daemon.context.journal.findOrder(ID)?.state === `${kind}-planning`)
          sinceMs ??= world.clock.now()
        return sinceMs !== null
      }
      const adaptPort = gone(chainOf(kind === "redeem" ? ARB : ETH), how, isGone)
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
      await submit()
      const unread = () => alarms().filter(({ code }) => code === "alarm.leg_unreadable")
      await world.run(() => unread().length > 0, 10 * MINUTE_MS)
      expect(daemon.order(ID).data.transactions[kind].sentAt).toBeNull()
      expect(world.clock.now() - (sinceMs ?? 0)).toBeLessThanOrEqual(MINUTE_MS)
    },
  )

  test("is raised for the second leg too", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, THIEVES)
    let isSourceBlind = false
    const blindSource = blind({ side: "source", isBlind: () => isSourceBlind, how: "transient" })
    const blindPayout = blind({ side: "destination", isBlind: isTold, how: "transient" })
    const adaptPort = (port: ChainPort): ChainPort => blindPayout(blindSource(port))
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
    await submit()
    await world.run(isTold)
    const unread = (side: string) =>
      alarms().filter(
        ({ code, message }) =>
          code === "alarm.leg_unreadable" && message.includes(`its ${side} leg`),
      )
    await world.run(() => unread("destination").length > 0, 10 * MINUTE_MS)
    isSourceBlind = true
    await world.run(() => unread("source").length > 0, 2 * MINUTE_MS)
    expect([unread("source").length, unread("destination").length]).toEqual([1, 1])
  })
})

describe("an older journal", () => {
  const start = (more = {}): Daemon =>
    world.start({ settings: { ...defaultSettings(), ownSecrets }, ...more })
  const copy = (from: string, to: string): void => {
    for (const end of ["", "-wal", "-shm"]) {
      rmSync(to + end, { force: true })
      if (existsSync(from + end)) cpSync(from + end, to + end)
    }
  }

  /** The proof of the payout fails, so the order stays in the state `revealing` for some tries. */
  const withoutProof = (port: ChainPort): ChainPort => ({
    ...port,
    observeLeg: async (query) => {
      if (query.isExact === true) throw failure("transient", "chain.silent")
      return port.observeLeg(query)
    },
  })

  const CASES = [
    ["the source shows the secret", true, 60, "none"],
    ["the source shows the secret, and the payout cannot be read", true, 40, "destination"],
    ["the service shows the secret, and the source cannot be read", false, 60, "source"],
  ] as const
  test.each(
    ["deposit-confirming", "revealing"].flatMap((state) =>
      CASES.map((one) => [state, ...one] as const),
    ),
  )("of the state %s withholds nothing when %s", async (state, _, takesSource, percent, unread) => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { ...THIEVES, takesSource, takesBack: takesSource })
    daemon = start({ adaptPort: withoutProof })
    await submit()
    await daemon.reach(state)
    daemon.kill()
    copy(world.journalFile, `${world.journalFile}.old`)
    daemon = start()
    await daemon.reach("revealed")
    daemon.kill()
    copy(`${world.journalFile}.old`, world.journalFile)
    const [payout] = [...world.arbitrum.state().swaps.values()]
    const until =
      (payout?.initiated.height ?? 0n) + ((payout?.timelock ?? 0n) * BigInt(percent)) / 100n
    await world.run(() => world.arbitrum.height() >= until)
    const [told] = world.service.reveals
    const isBlind = (): boolean => true
    const adaptPort =
      unread === "none" ? {} : { adaptPort: blind({ side: unread, isBlind, how: "transient" }) }
    daemon = start({
      ...adaptPort,
      ...(takesSource
        ? {}
        : {
            adaptContext: (context: Daemon["context"]) => showSecret(context, told?.secret ?? ""),
          }),
    })
    await world.run(() => world.arbitrum.mined("redeem").length > 0, 10 * MINUTE_MS)
    expect(daemon.context.journal.listSecretDecisions(ID)).toEqual(["reveal"])
    expect(daemon.order(ID).data.ownSecret).toMatchObject({
      status: "revealed",
      ...(state === "revealing" ? { isTold: true } : { isShown: true }),
    })
  })

  /** The service reports the secret that it was told. */
  function showSecret(context: Daemon["context"], secret: string): Daemon["context"] {
    const services = [...context.services].map(([name, port]) => {
      const fetchOrder: typeof port.fetchOrder = async (id) => {
        const order = await port.fetchOrder(id)
        return { ...order, source: { ...order.source, secret } }
      }
      return [name, { ...port, fetchOrder }] as const
    })
    return { ...context, services: new Map(services) }
  }
})

describe("a destination node that takes five calls a second", () => {
  /** Each look is thirty calls. They wait for their turn, also where the engine waits no longer. */
  function limited(port: ChainPort): ChainPort {
    if (port.chain !== chainOf(ARB)) return port
    let freeAtMs = 0
    const paced =
      <Args extends readonly unknown[], Result>(
        calls: number,
        read: (...args: Args) => Promise<Result>,
      ) =>
      async (...args: Args): Promise<Result> => {
        freeAtMs = Math.max(freeAtMs, world.clock.now()) + calls * 200
        await world.clock.sleep(freeAtMs - world.clock.now())
        return read(...args)
      }
    return {
      ...port,
      observeLeg: paced(30, port.observeLeg),
      observeTransaction: paced(2, port.observeTransaction),
      fetchHeight: paced(1, port.fetchHeight),
      estimateRedeemFee: paced(2, port.estimateRedeemFee),
      planTransaction: paced(4, port.planTransaction),
      broadcastTransaction: paced(1, port.broadcastTransaction),
    }
  }

  test.each(FAMILIES)(
    "carries orders to their end, and redeems told payouts (%s)",
    async (family, to) => {
      world = createWorld({ confirmations: 2, arbitrum: family })
      Object.assign(world.service.conduct, THIEVES)
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort: limited })
      const ids = ["order-1", "order-2"]
      for (const _ of ids) await submit(ETH, to)
      await world.run(() => ids.every((id) => daemon.state(id) === "completed"), 60 * MINUTE_MS)
      expect(lost()).toBeLessThan(400n)
    },
  )
})
