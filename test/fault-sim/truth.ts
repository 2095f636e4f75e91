import { type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderRow } from "#journal/port.ts"
import { accountOf, hashOf, swapKey } from "../support/fake-chain.ts"
import type { FakeLedger, SwapState } from "../support/fake-ledger.ts"
import type { FakeOrder } from "../support/fake-service.ts"
import type { Configuration } from "./configuration.ts"
import type { Operator } from "./operator.ts"
import type { Schedule } from "./schedule.ts"
import type { Surroundings } from "./sim-world.ts"
import type { Swarm } from "./swarm.ts"
import type { Signature, Witness } from "./witness.ts"

/** What is so, by the ledgers and by what the witness saw: the ground that checkers stand on. */
export type Truth = {
  readonly world: Surroundings
  readonly swarm: Swarm
  readonly witness: Witness
  readonly operator: Operator
  readonly schedule: Schedule
  /** What the process was last told to go by. */
  readonly configuration: () => Configuration
  /** False where a planted bug writes rows that no machine made: then only the ledgers are asked. */
  readonly trustsRows: boolean
  readonly ledgerOf: (chain: string) => FakeLedger
  /** Deeper in the chain than anything that is undone. */
  readonly isDeep: (ledger: FakeLedger, txid: string) => boolean
  /** The chain proves that nothing more can come of it. */
  readonly isOver: (signature: Signature) => boolean
  readonly hasLanded: (signature: Signature) => boolean
  readonly deposits: () => Signature[]
  /** Orders whose deposit the relay made, from their typed data. */
  readonly isRelayed: (order: FakeOrder) => boolean
  readonly listSwaps: () => SwapState[]
  readonly rowOf: (order: FakeOrder) => OrderRow | undefined
  readonly sourceOf: (order: FakeOrder) => SwapState | undefined
  readonly destinationOf: (order: FakeOrder) => SwapState | undefined
}

export type TruthDeps = Pick<
  Truth,
  "world" | "swarm" | "witness" | "operator" | "schedule" | "configuration" | "trustsRows"
>

export function createTruth(deps: TruthDeps): Truth {
  const { world, swarm, witness } = deps

  const ledgerOf = (chain: string): FakeLedger => {
    // CAST: whatever is no chain of the world is not found.
    const found = world.ledgers.get(chain as ChainId)
    if (!found) throw new Error(`no ledger ${chain}`)
    return found
  }
  const isDeep = (ledger: FakeLedger, txid: string): boolean => {
    const mined = ledger.state().txs.get(txid)
    return mined !== undefined && Number(ledger.height() - mined.height) + 1 >= swarm.confirmations
  }

  function isOver(signature: Signature): boolean {
    const ledger = ledgerOf(signature.chain)
    const { used, txs } = ledger.state()
    const own = txs.get(signature.txid)
    if (own !== undefined) return isDeep(ledger, signature.txid) && (signature.purpose !== "deposit" || !own.ok)
    const settled = ledger.height() - BigInt(swarm.confirmations - 1)
    if (signature.expiresAt !== null && settled > signature.expiresAt) return true
    return signature.resources.some((resource) => isDeep(ledger, used.get(resource) ?? ""))
  }

  function rowOf(order: FakeOrder): OrderRow | undefined {
    // One reused secret may stand for several orders of the service: only the one whose answer was taken is ours.
    return [...witness.rows.values()].find(
      ({ snapshot, secretHash }) => secretHash === order.secretHash && snapshot.includes(order.orderId),
    )
  }
  function swapOf(asset: FakeOrder["from"], secretHash: string, by: (chain: ChainId) => string): SwapState | undefined {
    const chain = chainOf(asset)
    const ledger = world.ledgers.get(chain)
    if (ledger === undefined) return undefined
    return ledger.state().swaps.get(swapKey(ledger, chain, { secretHash, initiator: by(chain) }))
  }
  const sourceOf = (order: FakeOrder): SwapState | undefined => swapOf(order.from, order.secretHash, accountOf)

  return {
    ...deps,
    ledgerOf,
    isDeep,
    isOver,
    hasLanded: ({ chain, txid }) => ledgerOf(chain).state().txs.get(txid)?.ok === true,
    deposits: () => witness.signatures.filter(({ purpose }) => purpose === "deposit"),
    isRelayed: (order) => sourceOf(order)?.initiated.txid === hashOf(`relay ${order.orderId}`),
    listSwaps: () => [...world.ledgers.values()].flatMap((ledger) => [...ledger.state().swaps.values()]),
    rowOf,
    sourceOf,
    destinationOf: (order) => swapOf(order.to, order.secretHash, () => "solver"),
  }
}

/** Only a person moves it on. */
export function isResting(state: string): boolean {
  return state === "held" || state === "disarmed"
}
