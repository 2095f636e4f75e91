import { type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Burnt, Minted } from "../../support/fake-burns.ts"
import { accountOf, hashOf, swapKey } from "../../support/fake-chain.ts"
import { type FakeLedger, STRANGER, type SwapState } from "../../support/fake-ledger.ts"
import type { FakeOrder } from "../../support/fake-service.ts"
import type { Adversary } from "./adversary/adversary.ts"
import type { Configuration } from "./configuration.ts"
import { depthsOn, type FaultProfile } from "./fault-profile.ts"
import type { Issuer } from "./issuer.ts"
import type { Operator } from "./operator.ts"
import type { Schedule } from "./schedule.ts"
import type { Signature, SignatureRecorder } from "./signature-recorder.ts"
import type { SimulatedWorld } from "./simulated-world.ts"

/** The state of the world by its ledgers and by the recorder. Every checker is based on it. */
export type GroundTruth = {
  readonly world: SimulatedWorld
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  readonly operator: Operator
  readonly schedule: Schedule
  /** The configuration of the process that runs now. */
  readonly configuration: () => Configuration
  /** False if a planted bug rewrites rows: then checkers use the ledgers only. */
  readonly trustsRows: boolean
  /** Nothing in the run lies: networks, nodes, chains and machines only fail. */
  readonly isHonest: boolean
  /** The process runs, and its disk takes writes. */
  readonly isAble: () => boolean
  /** The present call leaves without the log, because PostgreSQL is silent. */
  readonly isCallAlone: () => boolean
  /** Only in runs with a spending adversary. */
  readonly adversary: Adversary | null
  /** Only in runs with a route that burns and mints. */
  readonly issuer: Issuer | null
  readonly ledgerOf: (chain: string) => FakeLedger
  /** Mined so deep that no reorganisation undoes it. */
  readonly isDeep: (ledger: FakeLedger, txid: string) => boolean
  /** The chain proves that this signature can have no further effect. */
  readonly isOver: (signature: Signature) => boolean
  readonly hasLanded: (signature: Signature) => boolean
  readonly deposits: () => Signature[]
  /** The relay made the deposit of this order, with our signed typed data. */
  readonly isRelayed: (order: FakeOrder) => boolean
  readonly listSwaps: () => SwapState[]
  readonly rowOf: (order: FakeOrder) => OrderRow | undefined
  readonly sourceOf: (order: FakeOrder) => SwapState | undefined
  readonly destinationOf: (order: FakeOrder) => SwapState | undefined
  /** The burns on the source chain that name this order, and the mints on the other that do. */
  readonly burnsOf: (row: OrderRow) => readonly (Burnt & { readonly txid: string })[]
  readonly mintsOf: (row: OrderRow) => readonly Minted[]
}

export type GroundTruthDeps = Pick<
  GroundTruth,
  | "world"
  | "profile"
  | "recorder"
  | "operator"
  | "schedule"
  | "configuration"
  | "trustsRows"
  | "isHonest"
  | "isAble"
  | "isCallAlone"
  | "adversary"
  | "issuer"
>

export function createGroundTruth(deps: GroundTruthDeps): GroundTruth {
  const { world, profile, recorder } = deps

  const ledgerOf = (chain: string): FakeLedger => {
    // CAST: an unknown chain is not found.
    const found = world.ledgers.get(chain as ChainId)
    if (!found) throw new Error(`no ledger ${chain}`)
    return found
  }
  const endings = new Map(
    [...world.ledgers].map(([chain, ledger]) => [ledger, depthsOn(profile, chain).ending]),
  )
  const endingOf = (ledger: FakeLedger): number => endings.get(ledger) ?? profile.confirmations
  const isDeep = (ledger: FakeLedger, txid: string): boolean => {
    const mined = ledger.state().txs.get(txid)
    return mined !== undefined && Number(ledger.height() - mined.height) + 1 >= endingOf(ledger)
  }

  function isOver(signature: Signature): boolean {
    const ledger = ledgerOf(signature.chain)
    const { used, txs } = ledger.state()
    const own = txs.get(signature.txid)
    if (own !== undefined)
      return isDeep(ledger, signature.txid) && (signature.purpose !== "deposit" || !own.ok)
    const settled = ledger.height() - BigInt(endingOf(ledger) - 1)
    if (signature.expiresAt !== null && settled > signature.expiresAt) return true
    return signature.resources.some((resource) => isDeep(ledger, used.get(resource) ?? ""))
  }

  function rowOf(order: FakeOrder): OrderRow | undefined {
    // Several orders of the service can share a reused secret; ours is the one that the daemon
    // stored.
    return recorder
      .listBySecret(order.secretHash)
      .find(({ snapshot }) => snapshot.includes(order.orderId))
  }
  function swapOf(
    asset: FakeOrder["from"],
    secretHash: string,
    by: (chain: ChainId) => string,
  ): SwapState | undefined {
    const chain = chainOf(asset)
    const ledger = world.ledgers.get(chain)
    if (ledger === undefined) return undefined
    return ledger.state().swaps.get(swapKey(ledger, chain, { secretHash, initiator: by(chain) }))
  }
  const sourceOf = (order: FakeOrder): SwapState | undefined =>
    swapOf(order.from, order.secretHash, accountOf)

  return {
    ...deps,
    ledgerOf,
    isDeep,
    isOver,
    hasLanded: ({ chain, txid }) => ledgerOf(chain).state().txs.get(txid)?.ok === true,
    deposits: () => recorder.signatures.filter(({ purpose }) => purpose === "deposit"),
    isRelayed: (order) => sourceOf(order)?.initiated.txid === hashOf(`relay ${order.orderId}`),
    listSwaps: () =>
      [...world.ledgers.values()].flatMap((ledger) =>
        [...ledger.state().swaps.values()].filter(({ key }) => key !== STRANGER),
      ),
    rowOf,
    sourceOf,
    destinationOf: (order) => swapOf(order.to, order.secretHash, () => "solver"),
    burnsOf: ({ from, secretHash }) =>
      [...ledgerOf(chainOf(from)).state().burns]
        .filter(([, { dealKey }]) => dealKey === secretHash)
        .map(([txid, burnt]) => ({ ...burnt, txid })),
    mintsOf: ({ to, secretHash }) =>
      [...ledgerOf(chainOf(to)).state().mints.values()].filter(
        ({ burn }) => burn.dealKey === secretHash,
      ),
  }
}

/** Only an operator continues an order in this state. */
export function isResting(state: string): boolean {
  return state === "held" || state === "disarmed"
}
