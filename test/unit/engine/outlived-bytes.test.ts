import { expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"
import { findLedgerFaults, walletUnits } from "../../support/check-ledger.ts"
import { ARB, createWorld, type Daemon, defaultSettings, ETH } from "../../support/fake-world.ts"

/*
 * On Solana no nonce makes two redemptions or refunds exclude each other. One that took too long is
 * planned again before its bytes are proven dead, so both may land: one of them fails, and both
 * cost their fees.
 */

const ID = "order-1"
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const settings = {
  ...defaultSettings({ stuckAfterMs: 10_000 }),
  ownSecrets: { keeper, modeOf: () => "own" as const, maxServiceSecret: null },
}

const LEGS = { redeem: [ETH, ARB], refund: [ARB, ETH] } as const satisfies Record<
  string,
  readonly [AssetId, AssetId]
>

/** One endpoint alone shows a refund in a block, which no block holds. */
const shownAlone = (port: ChainPort): ChainPort => ({
  ...port,
  observeTransaction: async (ours, stake) => {
    const honest = await port.observeTransaction(ours, stake)
    if (ours.plan.action !== "refund" || honest.status !== "unseen") return honest
    const place = { height: 1n, confirmations: 1, seen: false, final: false, feeUnits: 1n } as const
    return { status: "mined", ok: true, ...place, isAlone: true }
  },
})

/** The ids of the two transactions, once the second one has left and none is in a block yet. */
async function sendTwice(verb: keyof typeof LEGS) {
  const world = createWorld({ confirmations: 2, arbitrum: "solana" })
  const { service, arbitrum, fees } = world
  Object.assign(
    service.conduct,
    verb === "redeem"
      ? { redeems: false, takesBack: true, takesSource: true, destinationTimelock: 400n }
      : { fills: false, takesSource: false, sourceTimelock: 200n },
  )
  const start = (): Daemon => world.start({ settings, adaptPort: shownAlone })
  const daemon = start()
  const [from, to] = LEGS[verb]
  expect(await daemon.engine.submit({ from, to, sourceUnits: 10_000n })).toMatchObject({ ok: true })
  const sent = () => arbitrum.heard().filter(({ action }) => action.kind === verb)
  await world.run(() => sent().length > 0, 20 * MINUTE_MS)
  fees.set("arbitrum_sepolia", 180n)
  await world.run(() => sent().length > 1, 5 * MINUTE_MS)
  const [first, second] = sent()
  return { world, daemon, start, first: first?.txid ?? "", second: second?.txid ?? "" }
}

/** Runs to the order's end, and compares its fees with the chain. */
async function finish({ world }: Awaited<ReturnType<typeof sendTwice>>, daemon: Daemon) {
  const ends = ["completed", "refunded"]
  await world.run(() => ends.includes(daemon.state(ID)), 20 * MINUTE_MS)
  const { journal } = daemon.context
  const change = (world.arbitrum.state().balances.get(ARB) ?? 0n) - 1_000_000n
  expect(walletUnits(journal).get(ARB)).toBe(change)
  expect(findLedgerFaults(journal)).toEqual([])
  return (txid: string): boolean => journal.listEntries({ key: `fee:${txid}` }).length > 0
}

test.each(["redeem", "refund"] as const)(
  "books both fees of a %s that landed twice",
  async (verb) => {
    const sent = await sendTwice(verb)
    const { world, daemon, first, second } = sent
    world.fees.delete("arbitrum_sepolia")
    const hasFee = await finish(sent, daemon)
    const { txs } = world.arbitrum.state()
    expect([txs.get(first)?.ok, txs.get(second)?.ok]).toEqual([true, false])
    expect([hasFee(first), hasFee(second)]).toEqual([true, true])
  },
)

test.each(["redeem", "refund"] as const)("books one fee where the first %s dies", async (verb) => {
  const sent = await sendTwice(verb)
  const { world, daemon, first } = sent
  world.arbitrum.dropMempool()
  world.fees.delete("arbitrum_sepolia")
  const hasFee = await finish(sent, daemon)
  expect(world.arbitrum.state().txs.has(first)).toBe(false)
  expect(hasFee(first)).toBe(false)
  const landed = world.arbitrum.mined(verb)
  expect(landed.map(({ ok }) => ok)).toEqual([true])
  expect(landed.map(({ txid }) => hasFee(txid))).toEqual([true])
})

test.each(["redeem", "refund"] as const)(
  "books both fees of a %s after a restart",
  async (verb) => {
    const sent = await sendTwice(verb)
    const { world, daemon, start, first, second } = sent
    daemon.kill()
    world.fees.delete("arbitrum_sepolia")
    await world.pass(3_000)
    const hasFee = await finish(sent, start())
    expect([hasFee(first), hasFee(second)]).toEqual([true, true])
  },
)

/** The nodes call the first transaction expired, and it lands after all, before the second one. */
async function sendAfterFalseProof(verb: "redeem" | "refund" | "initiate") {
  const world = createWorld({ confirmations: 2, arbitrum: "solana" })
  const { service, arbitrum, fees } = world
  Object.assign(
    service.conduct,
    verb === "redeem"
      ? { redeems: false, takesBack: true, takesSource: true, destinationTimelock: 400n }
      : { fills: false, takesSource: false, sourceTimelock: 200n },
  )
  const sent = () => arbitrum.heard().filter(({ action }) => action.kind === verb)
  const falsely = (port: ChainPort): ChainPort => ({
    ...port,
    observeTransaction: async (ours, stake) => {
      const isFirst = ours.txid === sent()[0]?.txid && sent().length === 1
      if (isFirst && port.family === "solana")
        return { status: "excluded", by: "expired", final: true }
      return port.observeTransaction(ours, stake)
    },
  })
  const daemon = world.start({ settings, adaptPort: falsely })
  const [from, to] = LEGS[verb === "redeem" ? "redeem" : "refund"]
  await daemon.engine.submit({ from, to, sourceUnits: 10_000n })
  await world.run(() => sent().length > 0, 20 * MINUTE_MS)
  fees.set("arbitrum_sepolia", 180n)
  await world.run(() => sent().length > 1, 5 * MINUTE_MS)
  fees.delete("arbitrum_sepolia")
  const [first, second] = sent()
  return {
    world,
    daemon,
    start: () => daemon,
    first: first?.txid ?? "",
    second: second?.txid ?? "",
  }
}

test.each(["redeem", "refund", "initiate"] as const)(
  "books both fees of a transaction that nodes falsely called expired (%s)",
  async (verb) => {
    const sent = await sendAfterFalseProof(verb)
    const { world, daemon, first, second } = sent
    if (verb === "initiate") {
      // A final block had shown the opposite, so a person decides.
      await daemon.reach("held")
      expect(daemon.engine.operate(ID, "retry", "anna")).toMatchObject({ ok: true })
    }
    const hasFee = await finish(sent, daemon)
    const { txs } = world.arbitrum.state()
    expect([txs.get(first)?.ok, txs.get(second)?.ok]).toEqual([true, false])
    expect([hasFee(first), hasFee(second)]).toEqual([true, true])
  },
)
