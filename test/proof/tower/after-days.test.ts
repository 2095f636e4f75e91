import { describe, expect, test } from "vitest"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { deriveOwnSecret, textOf } from "#engine/orders/pay/own-secret.ts"
import { payoutWorth } from "#engine/orders/pay/payout-worth.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import { decodeOrder } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type GuardedOrder, watchOrders } from "#tower/watch-orders.ts"
import { createFakeChain, FEE, MAX_FEE } from "../../support/fake-chain.ts"
import { ARB, ASSETS, createWorld, ETH, type World } from "../../support/fake-world.ts"

/*
 * A daemon that dies at any write and never comes back, a service and a solver that keep what they
 * can, and a watchtower that runs only now and then. Locks take minutes here, so an hour stands for
 * days.
 */

const UNITS = 10_000n
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

let world: World

describe.each(["evm", "solana"] as const)("beside a dead daemon with payouts on %s", (arbitrum) => {
  test.each(Array.from({ length: 30 }, (_, index) => index + 1))(
    "that died after write %i",
    async (at) => {
      world = createWorld({ confirmations: 2, arbitrum })
      Object.assign(world.service.conduct, { redeems: false, takesBack: true })
      const daemon = world.start({ settings: { ownSecrets }, dies: { at, when: "after" } })
      await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: UNITS }).catch(() => null)
      await world.run(() => !daemon.isAlive() || isBack(), 90 * MINUTE_MS)
      daemon.kill()
      const order = readFile()
      if (order !== null) {
        const sent = { before: false }
        await runTower(guarded(order, sent), 5_000)
        await untilLockEnds()
        // Killed and started again in the middle of its work.
        for (const forMs of [1_500, 1_500, 4_000]) await runTower(guarded(order, sent), forMs)
        await world.pass(90 * MINUTE_MS)
        for (const forMs of [1_500, 60_000]) await runTower(guarded(order, sent), forMs)
      }
      expect(lost()).toBeLessThan(300n)
    },
  )
})

test.each(["evm", "starknet", "solana"] as const)(
  "pays fifty times the usual fee at the end of the lock on %s, when the daemon is dead",
  async (arbitrum) => {
    world = createWorld({ confirmations: 2, arbitrum })
    Object.assign(world.service.conduct, { redeems: false, takesBack: true })
    const daemon = world.start({ settings: { ownSecrets } })
    await daemon.accept(ETH, ARB)
    await world.run(
      () => daemon.context.journal.listSecretDecisions("order-1").includes("reveal"),
      90 * MINUTE_MS,
    )
    daemon.kill()
    world.fees.set(chainOf(ARB), 50n * FEE)
    await untilLockEnds()
    await runTower(guarded(mustExist(readFile(), "the order"), { before: false }), MINUTE_MS)
    expect(world.arbitrum.mined("redeem")).toMatchObject([{ fee: 50n * FEE, ok: true }])
    expect(50n * FEE).toBeGreaterThan(MAX_FEE)
  },
)

/** Three tenths of the payout's lock are left. */
async function untilLockEnds(): Promise<void> {
  const [payout] = world.arbitrum.state().swaps.values()
  if (payout === undefined) return
  const height = payout.initiated.height + (payout.timelock * 7n) / 10n
  await world.run(() => world.arbitrum.height() >= height)
}

const lost = (): bigint => {
  const left =
    (world.evm.state().balances.get(ETH) ?? 0n) + (world.arbitrum.state().balances.get(ARB) ?? 0n)
  return 2_000_000n - left
}
/** The order has ended well without the tower. */
const isBack = (): boolean =>
  [...world.arbitrum.state().swaps.values()].some(({ redeemed }) => redeemed !== null)

type Data = GuardedOrder["data"]

/**
 * What a rescue file would hold: the order as the journal has it, and the secret once the journal
 * has decided to tell it.
 */
function readFile(): { readonly data: Data; readonly secret: string | null } | null {
  const journal = openJournal(world.journalFile)
  try {
    const row = journal.findOrder("order-1")
    const data = row === null ? null : decodeOrder(row.snapshot).data
    if (data === null || data.deposit === null) return null
    const isDecided = journal.listSecretDecisions(data.id).includes("reveal")
    const secret = isDecided ? deriveOwnSecret(ownSecrets, data) : null
    return { data, secret: secret === null ? null : textOf(secret) }
  } finally {
    journal.close()
  }
}

function guarded(
  { data, secret }: NonNullable<ReturnType<typeof readFile>>,
  sent: { before: boolean },
): GuardedOrder {
  const [source, destination] = [portOf(ETH), portOf(ARB)].map((port) => ({
    port,
    canSend: true,
    stuckAfterMs: 2_000,
  }))
  const asset = ASSETS.find(({ id }) => id === data.request.to)
  return {
    data,
    secret,
    redemptions: [],
    worthUnits: payoutWorth(data, asset, portOf(ARB).traits.nativeCoin),
    memory: { hasSent: () => sent.before, noteSent: () => Object.assign(sent, { before: true }) },
    source: mustExist(source, "the source"),
    destination: mustExist(destination, "the destination"),
  }
}

function portOf(asset: AssetId): ChainPort {
  const chain: ChainId = chainOf(asset)
  const ledger = asset === ETH ? world.evm : world.arbitrum
  const fee = (): bigint => world.fees.get(chain) ?? FEE
  return createFakeChain({
    chain,
    ledger,
    assets: ASSETS,
    confirmations: 2,
    signatures: world.signatures,
    fee,
  })
}

async function runTower(order: GuardedOrder, forMs: number): Promise<void> {
  const stopping = new AbortController()
  const { clock } = world
  const running = watchOrders({
    clock,
    everyMs: 1_000,
    signal: stopping.signal,
    endsAlone: false,
    tell: () => undefined,
    listOrders: async () => [order],
  })
  await world.pass(forMs)
  stopping.abort()
  await running.catch(() => undefined)
}
