import { type ChainId, chainOf } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { deriveOwnSecret, textOf } from "#engine/orders/pay/own-secret.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import { decodeOrder } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type GuardedOrder, type TowerChain, watchOrders } from "#tower/watch-orders.ts"
import { createFakeChain, hashOf } from "../../../support/fake-chain.ts"
import type { FakeLedger, LedgerTx } from "../../../support/fake-ledger.ts"
import { failure } from "../../../support/faults.ts"
import { depthsOn, type FaultProfile } from "../fault-profile.ts"
import { OWN_SECRETS } from "../own-secrets.ts"
import type { ProcessHost } from "../process-host.ts"
import type { SignatureRecorder } from "../signature-recorder.ts"
import { ASSETS } from "../simulated-assets.ts"
import type { SimulatedWorld } from "../simulated-world.ts"
import type { Adversary } from "./adversary.ts"
import { familyOf } from "./fee-market.ts"

/**
 * The daemon's machine is lost for a whole lock, once in some runs; a watchtower has the files of
 * the told orders.
 */
export type TowerRun = { readonly turn: () => void; readonly stop: () => void }

type Deps = {
  readonly world: SimulatedWorld
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  readonly adversary: Adversary
  readonly host: Pick<ProcessHost, "live">
}

/**
 * Of the payout's lock, so that the daemon comes back too late. The tower begins when two fifths
 * are left.
 */
const LOST_FOR = 1.1
const EVERY_MS = 5_000

export function createTowerRun({ world, profile, recorder, adversary, host }: Deps): TowerRun {
  const { clock, service } = world
  const stopping = new AbortController()
  let isOver = !adversary.losesMachine

  /** With own secrets each order has the secret that the journal's key gives. */
  function listTold(): readonly OrderData[] {
    const told = new Set(service.reveals.map(({ orderId }) => orderId))
    const rows = service.orders.filter(({ orderId, isOwn }) => isOwn === true && told.has(orderId))
    return rows.flatMap(({ secretHash, orderId }) =>
      recorder
        .listBySecret(secretHash)
        .flatMap(({ snapshot }) =>
          snapshot.includes(orderId) ? [decodeOrder(snapshot).data] : [],
        ),
    )
  }

  /** The tower's own account sends, which the ledger does not model: its fees are not ours. */
  function towerPort(chain: ChainId, ledger: FakeLedger, isDead: boolean): ChainPort {
    const { seen, ending } = depthsOn(profile, chain)
    const port = createFakeChain({
      chain,
      ledger,
      assets: ASSETS,
      confirmations: ending,
      seenDepth: seen,
      signatures: [],
      family: familyOf(chain),
    })
    const sign: ChainPort["signTransaction"] = async (plan) => {
      const foreign = asForeign(plan)
      const raw = `tower ${foreign.unsigned}`
      adversary.tower.txids.add(hashOf(raw))
      return { plan: foreign, raw, txid: hashOf(raw) }
    }
    const observeLeg: ChainPort["observeLeg"] = async (query) => {
      if (isDead) throw failure("transient", "rpc.down")
      return port.observeLeg(query)
    }
    return { ...port, observeLeg, signTransaction: sign, planBump: async () => null }
  }

  function guard(data: OrderData): readonly GuardedOrder[] {
    const chainAt = (chain: ChainId, isDead: boolean): readonly TowerChain[] => {
      const ledger = world.ledgers.get(chain)
      return ledger === undefined
        ? []
        : [{ port: towerPort(chain, ledger, isDead), canSend: true, stuckAfterMs: 60_000 }]
    }
    const [source] = chainAt(chainOf(data.request.from), true)
    const [destination] = chainAt(chainOf(data.request.to), false)
    const secret = deriveOwnSecret(OWN_SECRETS, data)
    if (source === undefined || destination === undefined || secret === null) return []
    const memory = { hasSent: () => false, noteSent: () => undefined }
    return [
      {
        data,
        secret: textOf(secret),
        worthUnits: null,
        redemptions: [],
        memory,
        source,
        destination,
      },
    ]
  }

  function loseMachine(told: readonly OrderData[], timelock: bigint): void {
    isOver = true
    const orders = told.flatMap(guard)
    for (const { data } of orders) adversary.tower.guarded.add(data.id)
    host.live()?.die("machine off")
    adversary.process.restsUntilMs = clock.now() + Number(timelock) * LOST_FOR * 1_000
    adversary.noteMeans("a lost machine")
    world.log.add("process", "is lost", `a tower guards ${orders.length} orders`)
    const tower = {
      clock,
      everyMs: EVERY_MS,
      signal: stopping.signal,
      listOrders: async () => orders,
      endsAlone: true,
    }
    void watchOrders({ ...tower, tell: (id, { act }) => world.log.add("tower", act, id) })
  }

  /**
   * A redemption that only our key makes (Bitcoin) told the secret itself, and its payout is open.
   * The tower would keep such redemptions signed, which this one cannot: without them the loss of
   * the machine is that of the deposit (THREATS.md).
   */
  function isToldAlone(told: readonly OrderData[]): boolean {
    const guarded = new Set(told.map(({ id }) => id))
    const alone = recorder.signatures.filter(
      ({ orderId, call }) => call === "redeem" && !guarded.has(orderId),
    )
    return alone.some(({ orderId, chain }) => {
      const hash = recorder.rows.get(orderId)?.secretHash
      const swaps = world.ledgers.get(chain)?.state().swaps.values() ?? []
      return [...swaps].some(
        (swap) =>
          swap.secretHash === hash &&
          swap.payer === "solver" &&
          swap.redeemed === null &&
          swap.refunded === null,
      )
    })
  }

  return {
    turn: () => {
      if (isOver) return
      const told = listTold()
      if (isToldAlone(told)) return
      const last = told.find(
        ({ ownSecret }) => ownSecret != null && adversary.isLossOf(ownSecret.hash),
      )
      if (last !== undefined) loseMachine(told, last.serviceOrder?.destination.timelock ?? 0n)
    },
    stop: () => stopping.abort(),
  }
}

function asForeign(plan: TransactionPlan): TransactionPlan {
  // CAST: written by the fake chain.
  const { own: _, expiresAt: __, ...draft } = decodeJson(plan.unsigned) as LedgerTx
  const unsigned = encodeJson({ ...draft, fee: 0n, resources: [] })
  return { ...plan, unsigned, digest: hashOf(unsigned), resources: [] }
}
