import { cpSync, existsSync, rmSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FakeLedger } from "../../support/fake-ledger.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { withCapability } from "../../support/wrap-port.ts"

/*
 * A journal that was restored from a backup of a moment before the secret was told. The service
 * knows the secret, its solver takes nothing until the payout's lock is over, and no chain shows
 * that the secret has left (ADR 30).
 */

const ID = "order-1"
const HOUR_MS = 60 * 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

let world: World
let daemon: Daemon

function start(adaptPort?: (port: ChainPort) => ChainPort): void {
  const settings = { ...defaultSettings(), ownSecrets }
  daemon = world.start({ settings, ...(adaptPort === undefined ? {} : { adaptPort }) })
}

const withFee = (port: ChainPort): ChainPort =>
  withCapability(port, "outputs", { estimatePayoutFee: async () => 20n })
const decisions = (): readonly string[] => daemon.context.journal.listSecretDecisions(ID)
const END_STATES = ["completed", "refunded", "held"]
const reachEnd = (): Promise<void> =>
  world.run(() => END_STATES.includes(daemon.state(ID)), 2 * HOUR_MS)
/** The payout's chain comes to this part of the lock, in percent. */
async function passLock(ledger: FakeLedger, percent: bigint): Promise<void> {
  const [payout] = ledger.state().swaps.values()
  const until = (payout?.initiated.height ?? 0n) + ((payout?.timelock ?? 0n) * percent) / 100n
  await world.run(() => ledger.height() >= until, HOUR_MS)
}

const FAMILIES = ["evm", "solana", "starknet"] as const
type AccountFamily = (typeof FAMILIES)[number]
const FILES = ["", "-wal", "-shm"]

function copyJournal(from: string, to: string): void {
  for (const end of FILES) {
    rmSync(to + end, { force: true })
    if (existsSync(from + end)) cpSync(from + end, to + end)
  }
}

describe("a journal from before the secret was told", () => {
  /** Tells the secret, forgets it, and comes back when this part of the payout's lock is over. */
  async function forget(percent: bigint, arbitrum: AccountFamily = "evm"): Promise<void> {
    world = createWorld({ confirmations: 2, arbitrum })
    const thieves = { redeems: false, takesBack: true, takesSource: false }
    Object.assign(world.service.conduct, thieves)
    start()
    await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
    await daemon.reach("deposit-confirming")
    daemon.kill()
    copyJournal(world.journalFile, `${world.journalFile}.old`)
    start()
    await world.run(() => world.service.reveals.length === 1 && daemon.state(ID) === "revealed")
    daemon.kill()
    copyJournal(`${world.journalFile}.old`, world.journalFile)
    await passLock(world.arbitrum, percent)
    // From now on the solver takes the deposit as soon as its payout is back.
    world.service.conduct.takesSource = true
    start()
  }

  test.each(
    FAMILIES.flatMap((family) => [55n, 70n].map((percent) => [family, `${percent}`] as const)),
  )("redeems its payout on %s with %s % of its lock over", async (family, percent) => {
    await forget(BigInt(percent), family)
    await reachEnd()
    expect(daemon.state(ID)).toBe("completed")
    expect(decisions()).toEqual(["reveal"])
    expect(world.arbitrum.mined("redeem")).toHaveLength(1)
    // The second process tells it by its redemption alone.
    expect(world.service.reveals).toHaveLength(1)
  })

  test("withholds where the solver's refund could win", async () => {
    await forget(80n)
    await world.run(() => decisions().length > 0)
    expect(decisions()).toEqual(["withhold"])
    expect(world.service.reveals).toHaveLength(1)
  })

  test.each([
    ["shows nothing, as a pruned one", { initiated: null, redeemed: null }],
    ["is contradicted by another", { agreed: false, redeemed: null }],
  ])("decides nothing by a source node that %s", async (_, shown) => {
    await forget(80n)
    daemon.kill()
    const isTaken = (): boolean =>
      [...world.evm.state().swaps.values()].some((swap) => swap.redeemed)
    await world.run(isTaken, HOUR_MS)
    let isHidden = true
    start((port) => ({
      ...port,
      observeLeg: async (query) => {
        const leg = await port.observeLeg(query)
        if (!isHidden || query.side !== "source") return leg
        const isDeciding = daemon.state(ID) === "revealing"
        return isDeciding ? { ...leg, ...shown } : { ...leg, redeemed: null }
      },
    }))
    await world.run(
      () => daemon.reasons().includes("secret.source_unread") || decisions().length > 0,
    )
    expect(decisions()).toEqual([])
    isHidden = false
    await world.run(() => decisions().length > 0)
    expect(decisions()).toEqual(["reveal"])
  })

  test("waits for gas, and withholds once too little time is left", async () => {
    await forget(60n)
    daemon.kill()
    let hasGas = false
    const poor = (port: ChainPort): ChainPort =>
      withCapability(port, "native", {
        fetchNativeBalance: async () => (hasGas ? 1_000_000_000n : 0n),
      })
    start(poor)
    await world.run(() => daemon.reasons().includes("secret.no_gas"))
    expect(decisions()).toEqual([])
    hasGas = true
    await reachEnd()
    expect(daemon.state(ID)).toBe("completed")
  })
})

describe("a payout that comes late", () => {
  test("is left to the solver by a process that has seen it come", async () => {
    world = createWorld({ confirmations: 2 })
    // The node shows nothing of the payout until more than half of its lock is over.
    const lateFrom = (port: ChainPort): ChainPort => ({
      ...port,
      observeLeg: async (query) => {
        const leg = await port.observeLeg(query)
        const [payout] = world.arbitrum.state().swaps.values()
        const isLate = (payout?.initiated.height ?? 0n) + 60n <= world.arbitrum.height()
        if (query.side === "source" || isLate) return leg
        return { ...leg, initiated: null, refundableAt: null }
      },
    })
    start(lateFrom)
    await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
    await reachEnd()
    expect(daemon.state(ID)).toBe("refunded")
    expect(decisions()).toEqual(["withhold"])
    expect(world.service.reveals).toEqual([])
    expect(world.arbitrum.mined("redeem")).toEqual([])
  })

  test("on Bitcoin is redeemed by a process that may not be the first to tell", async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { redeems: false, takesBack: true })
    const extras = { destinationExtras: { delegate: "de".repeat(32) } }
    const withKey = (port: ChainPort): ChainPort => ({ ...withFee(port), ...extras })
    const broadcastTransaction = async (): Promise<never> => Promise.reject(failure("transient"))
    const deaf = (port: ChainPort): ChainPort =>
      port.family === "bitcoin" ? { ...withKey(port), broadcastTransaction } : withKey(port)
    start(deaf)
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await daemon.reach("deposit-confirming")
    daemon.kill()
    copyJournal(world.journalFile, `${world.journalFile}.old`)
    start(deaf)
    await daemon.reach("redeem-sending", ID, 2 * HOUR_MS)
    daemon.kill()
    copyJournal(`${world.journalFile}.old`, world.journalFile)
    await passLock(world.bitcoin, 60n)
    start(withKey)
    await reachEnd()
    expect(daemon.state(ID)).toBe("completed")
    expect(world.bitcoin.mined("redeem")).toHaveLength(1)
  })
})
