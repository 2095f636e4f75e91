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
  /** The first order of the service that is the one of this row. */
  readonly orderOf: (rowId: string) => FakeOrder | undefined
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

  // Several orders of the service can share a reused secret; ours is the one that the daemon
  // stored.
  const namesOrder = createNameCheck()
  const rowOf = (order: FakeOrder): OrderRow | undefined =>
    recorder.listBySecret(order.secretHash).find((row) => namesOrder(row, order.orderId))
  const burnsIn = indexOnce(listBurns)
  const mintsIn = indexOnce(listMints)
  const listWithSecret = indexBySecret(world.service.orders)
  function placeOf(
    asset: FakeOrder["from"],
    secretHash: string,
    by: (chain: ChainId) => string,
  ): Place {
    const chain = chainOf(asset)
    const ledger = ledgerOf(chain)
    return { ledger, key: swapKey(ledger, chain, { secretHash, initiator: by(chain) }) }
  }
  /** The checkers ask for the same swaps after every turn. */
  const places = new WeakMap<FakeOrder, Places>()
  function placesOf(order: FakeOrder): Places {
    const { from, to, secretHash, orderId } = order
    const known = places.get(order) ?? {
      source: placeOf(from, secretHash, accountOf),
      destination: placeOf(to, secretHash, () => "solver"),
      relay: hashOf(`relay ${orderId}`),
    }
    places.set(order, known)
    return known
  }
  const sourceOf = (order: FakeOrder): SwapState | undefined => swapAt(placesOf(order).source)

  return {
    ...deps,
    ledgerOf,
    isDeep,
    isOver,
    hasLanded: ({ chain, txid }) => ledgerOf(chain).state().txs.get(txid)?.ok === true,
    deposits: () => recorder.signatures.filter(({ purpose }) => purpose === "deposit"),
    isRelayed: (order) => sourceOf(order)?.initiated.txid === placesOf(order).relay,
    listSwaps: () =>
      [...world.ledgers.values()].flatMap((ledger) =>
        [...ledger.state().swaps.values()].filter(({ key }) => key !== STRANGER),
      ),
    rowOf,
    orderOf: (rowId) =>
      listWithSecret(recorder.rows.get(rowId)?.secretHash ?? "").find(
        (order) => rowOf(order)?.id === rowId,
      ),
    sourceOf,
    destinationOf: (order) => swapAt(placesOf(order).destination),
    burnsOf: ({ from, secretHash }) =>
      burnsIn(ledgerOf(chainOf(from)).state().burns).get(secretHash ?? "") ?? [],
    mintsOf: ({ to, secretHash }) =>
      mintsIn(ledgerOf(chainOf(to)).state().mints).get(secretHash ?? "") ?? [],
  }
}

/** Where an order's swap is, and the transaction with which a relay deposits for it. */
type Place = { readonly ledger: FakeLedger; readonly key: string }
type Places = { readonly source: Place; readonly destination: Place; readonly relay: string }

function swapAt({ ledger, key }: Place): SwapState | undefined {
  return ledger.state().swaps.get(key)
}

/** The orders with a secret hash, in the order of the growing list. */
function indexBySecret(orders: readonly FakeOrder[]): (secretHash: string) => readonly FakeOrder[] {
  const bySecret = new Map<string, FakeOrder[]>()
  let read = 0
  return (secretHash) => {
    for (const order of orders.slice(read)) {
      const alike = bySecret.get(order.secretHash) ?? []
      alike.push(order)
      bySecret.set(order.secretHash, alike)
    }
    read = orders.length
    return bySecret.get(secretHash) ?? []
  }
}

type Burns = ReadonlyMap<string, Burnt>
type Mints = ReadonlyMap<string, Minted>

function listBurns(burns: Burns): [string, Burnt & { readonly txid: string }][] {
  return [...burns].map(([txid, burnt]) => [burnt.dealKey, { ...burnt, txid }])
}

function listMints(mints: Mints): [string, Minted][] {
  return [...mints.values()].map((minted) => [minted.burn.dealKey, minted])
}

/** The parts of a table of a ledger by their order, made once: later blocks have another table. */
function indexOnce<Table extends object, Part>(
  list: (table: Table) => readonly (readonly [dealKey: string, Part])[],
): (table: Table) => ReadonlyMap<string, readonly Part[]> {
  const known = new WeakMap<Table, ReadonlyMap<string, readonly Part[]>>()
  return (table) => {
    const found = known.get(table) ?? group(list(table))
    known.set(table, found)
    return found
  }
}

function group<Part>(
  entries: readonly (readonly [string, Part])[],
): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>()
  for (const [key, part] of entries) {
    const parts = groups.get(key) ?? []
    parts.push(part)
    groups.set(key, parts)
  }
  return groups
}

/** Whether the text of a row names an order of the service. Rows never change in place. */
function createNameCheck(): (row: OrderRow, orderId: string) => boolean {
  const last = new Map<string, { readonly row: OrderRow; readonly isNamed: boolean }>()
  return (row, orderId) => {
    const known = last.get(orderId)
    if (known?.row === row) return known.isNamed
    const isNamed = row.snapshot.includes(orderId)
    last.set(orderId, { row, isNamed })
    return isNamed
  }
}

/**
 * The signatures whose fee no order books: those that fill a gap in the nonces, and a refund or
 * redemption of an order that has ended without its deposit.
 */
export function listFills({
  signatures,
  rows,
}: Pick<SignatureRecorder, "signatures" | "rows">): readonly Signature[] {
  return signatures.filter(({ orderId, purpose }) => {
    if (purpose !== "refund" && purpose !== "redeem") return purpose.startsWith("fill/")
    const outcome = rows.get(orderId)?.outcome
    return outcome === "rejected" || outcome === "abandoned"
  })
}

/** Only an operator continues an order in this state. */
export function isResting(state: string): boolean {
  return state === "held" || state === "disarmed"
}
