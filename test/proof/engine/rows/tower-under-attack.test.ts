import { describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { payoutOf } from "#engine/orders/leg-queries.ts"
import { deriveOwnSecret, textOf } from "#engine/orders/pay/own-secret.ts"
import { payoutWorth } from "#engine/orders/pay/payout-worth.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type GuardedOrder, type TowerChain, watchOrders } from "#tower/watch-orders.ts"
import { createFakeChain, FEE } from "../../../support/fake-chain.ts"
import { ASSETS, BTC, type Daemon, ETH } from "../../../support/fake-world.ts"
import {
  begin,
  type Case,
  casesOf,
  expectNothingLost,
  ID,
  isBack,
  isOver,
  ownSecrets,
  type Run,
  SIDES,
  submit,
  underAttack,
  withKey,
} from "./attacked-order.ts"
import type { Target } from "./attacks.ts"

/*
 * The machine of the daemon is lost right after a secret was told, or with a deposit that stays
 * unfilled, and a watchtower has the rescue file. Each attack runs against the tower's own nodes,
 * and those that end begin when the tower acts.
 */

const EVERY_MS = 5_000
const STUCK_MS = 10_000
const MOST_SIGNED = 8

/** Two fifths of the payout's lock are left, or the deposit's lock is over by a fiftieth. */
function isTowerDue(side: Case["side"]): (target: Target) => boolean {
  return ({ source, destination }) => {
    const ledger = side === "source" ? source : destination
    const [swap] = ledger.state().swaps.values()
    if (swap === undefined) return false
    const passed = ledger.height() - swap.initiated.height
    return side === "source"
      ? (passed - swap.timelock) * 50n >= swap.timelock
      : passed * 5n > swap.timelock * 3n
  }
}

function towerPort({ world }: Run, asset: AssetId, family: Case["family"]): ChainPort {
  const chain = chainOf(asset)
  const ledger = asset === BTC ? world.bitcoin : asset === ETH ? world.evm : world.arbitrum
  const own = asset === BTC || asset === ETH || family === "bitcoin" ? {} : { family }
  const fee = (): bigint => world.fees.get(chain) ?? FEE
  const { signatures } = world
  return withKey(
    createFakeChain({ chain, ledger, assets: ASSETS, confirmations: 2, signatures, fee, ...own }),
  )
}

/** The redemption at rising fees, which only the wallet's key signs on Bitcoin. */
async function signRising(
  port: ChainPort,
  { data, secret }: Pick<GuardedOrder, "data" | "secret">,
): Promise<GuardedOrder["redemptions"]> {
  if (port.family !== "bitcoin" || secret === null) return []
  const payout = payoutOf(data, port.traits)
  const { asset, units } = payout
  const first = await port.planTransaction({ action: "redeem", asset, payout, secret }, new Set())
  if ("refused" in first) throw new Error(first.refused[0]?.message)
  const stake = { left: 0n, timelock: 1n, worthUnits: units }
  const plans = [first]
  let next = await port.planBump(first, stake)
  while (next !== null && plans.length < MOST_SIGNED) {
    plans.push(next)
    next = await port.planBump(next, stake)
  }
  return Promise.all(plans.map((plan) => port.signTransaction(plan)))
}

/** The order as its rescue file holds it: the journal's text, its secret and signed redemptions. */
async function openFile(run: Run, { family, attack }: Case, daemon: Daemon): Promise<GuardedOrder> {
  const { target } = run
  const order = daemon.order(ID)
  const isTold = daemon.context.journal.listSecretDecisions(ID).includes("reveal")
  const found = isTold ? deriveOwnSecret(ownSecrets, order.data) : null
  const secret = found === null ? null : textOf(found)
  const plain = towerPort(run, target.to, family)
  const redemptions = await signRising(plain, { data: order.data, secret })
  const text = encodeJson({ order: encodeOrder(order), secret, redemptions })
  // CAST: written just before.
  const file = decodeJson(text) as {
    readonly order: string
    readonly secret: string | null
    readonly redemptions: GuardedOrder["redemptions"]
  }
  const attacked = attack.adaptPort?.(target) ?? ((port: ChainPort) => port)
  const chain = (asset: AssetId): TowerChain => ({
    port: attacked(towerPort(run, asset, family)),
    canSend: asset !== BTC,
    stuckAfterMs: STUCK_MS,
  })
  const { data } = decodeOrder(file.order)
  const paid = ASSETS.find(({ id }) => id === target.to)
  const sent = { before: false }
  return {
    data,
    secret: file.secret,
    redemptions: file.redemptions,
    worthUnits: payoutWorth(data, paid, plain.traits.nativeCoin),
    memory: { hasSent: () => sent.before, noteSent: () => Object.assign(sent, { before: true }) },
    source: chain(target.from),
    destination: chain(target.to),
  }
}

/** The secret is told; on Bitcoin, where our own redemption tells it, the decision is enough. */
function isReady({ side, family }: Case, daemon: Daemon): boolean {
  const { state, data } = daemon.order(ID)
  if (side === "source") return state === "funded"
  return data.ownSecret?.status === "revealed" && (family === "bitcoin" || data.ownSecret.isTold)
}

/** Returns the codes that the tower told. */
async function loseMachine(one: Case): Promise<[Run, Daemon, ReadonlySet<string>]> {
  const run = begin(one, undefined, isTowerDue(one.side))
  const { world, target } = run
  const daemon = await run.start()
  await submit(run, daemon)
  await world.run(() => target.isBegun() && isReady(one, daemon))
  const guarded = await openFile(run, one, daemon)
  daemon.kill()
  const told = new Set<string>()
  const stopping = new AbortController()
  const tower = watchOrders({
    clock: world.clock,
    everyMs: EVERY_MS,
    signal: stopping.signal,
    listOrders: async () => [guarded],
    endsAlone: false,
    tell: (_, { reasons }) => {
      for (const { code } of reasons) told.add(code)
    },
  })
  const isKept = one.side === "source" && one.family === "bitcoin"
  const until = () => isBack(run) || (isKept && told.has("tower.no_key"))
  await underAttack(run, one.attack, () => daemon, until)
  stopping.abort()
  await Promise.race([tower, world.pass(EVERY_MS)])
  return [run, daemon, told]
}

/** For a payout that is never proven the tower tells no secret that may still be ours: it waits. */
const UNPROVEN = [
  "strangers fill the history of its HTLC",
  "its node refuses every look",
  "no node answers a look at any HTLC",
  "one node shows the HTLC as paid",
  "one node shows it as refunded",
]
const isUntold = ({ side, family, attack: { name } }: Case): boolean =>
  side === "destination" && family === "bitcoin" && UNPROVEN.includes(name)
const CASES = SIDES.flatMap(casesOf).filter((one) => one.attack.isPaused !== true && !isUntold(one))

describe.each(CASES)("$side leg on $family while $name", (one) => {
  test("a watchtower with the rescue file brings the money back", async () => {
    const [run, , told] = await loseMachine(one)
    if (one.side === "source" && one.family === "bitcoin") {
      // Only the wallet's own key refunds there, and the tower says so.
      expect([...told]).toContain("tower.no_key")
      const daemon = await run.start()
      await underAttack(
        run,
        one.attack,
        () => daemon,
        () => isOver(run, daemon),
      )
    }
    expectNothingLost(run)
  })
})
