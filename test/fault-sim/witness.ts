import type { ChainPort } from "#chains/port.ts"
import type { ChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { Occurrence, OrderRow, SignatureClaim, StepRow } from "#journal/port.ts"
import { decodeJson } from "#lib/json.ts"
import type { LedgerAction } from "../support/fake-ledger.ts"
import type { Surroundings } from "./sim-world.ts"

/** One signature that the key really made. */
export type Signature = {
  readonly orderId: string
  readonly purpose: string
  readonly chain: ChainId
  readonly digest: string
  readonly txid: string
  readonly resources: readonly string[]
  readonly expiresAt: bigint | null
  readonly units: bigint
  readonly asset: string
  readonly atMs: number
}

/** What a signed deposit, or signed typed data, pays. */
export type Paid = {
  readonly asset: string
  readonly units: bigint
  readonly secretHash: string
  readonly timelock: bigint
}

/** Who hears of what passes. */
export type WitnessHooks = {
  readonly onOpened: (row: OrderRow) => void
  readonly onSigned: (signature: Signature, earlier: readonly Signature[]) => void
  readonly onTypedData: (orderId: string) => void
  readonly onDeposit: (orderId: string, paid: Paid) => void
}

/** The end of a scheduled occurrence: an order, or the reasons for none. */
export type Settled = Pick<Occurrence, "rule" | "atMs"> & {
  readonly settledAtMs: number
  readonly orderId: string | null
  readonly decision: string
}

/** Stands beside the key and the journal and writes down what passes, whatever the engine believes of it. */
export type Witness = {
  readonly signatures: readonly Signature[]
  /** Secret hashes of orders whose typed data was signed. */
  readonly typedData: ReadonlySet<string>
  readonly opened: ReadonlyMap<string, OrderRow>
  readonly rows: ReadonlyMap<string, OrderRow>
  /** How each occurrence ended, as often as it did. */
  readonly settled: readonly Settled[]
  /** When each flag was first written. */
  readonly flagged: ReadonlyMap<string, number>
  readonly watchChain: (chain: ChainPort) => ChainPort
  readonly onOpen: (row: OrderRow, occurrence: Occurrence | null) => void
  readonly onSettle: (occurrence: Occurrence, decision: string) => void
  readonly onFlag: (key: string) => void
  readonly onCommit: (step: StepRow) => void
  readonly onClaim: (claim: SignatureClaim) => void
}

export function createWitness({ journal, daemonClock: { now } }: Surroundings, hooks: WitnessHooks): Witness {
  const signatures: Signature[] = []
  const typedData = new Set<string>()
  const opened = new Map<string, OrderRow>()
  const rows = new Map<string, OrderRow>()
  const claimed = new Map<string, SignatureClaim>()
  const settled: Settled[] = []
  const flagged = new Map<string, number>()
  const settle = ({ rule, atMs }: Occurrence, orderId: string | null, decision: string): void => {
    settled.push({ rule, atMs, settledAtMs: now(), orderId, decision })
  }
  const bySecret = (secretHash: string): string | undefined =>
    [...rows.values()].find((row) => row.secretHash === secretHash)?.id

  function record(plan: TransactionPlan, txid: string): void {
    // CAST: written by the fake chain.
    const { action } = decodeJson(plan.unsigned) as { action: LedgerAction }
    const claim = claimed.get(`${plan.chain}/${plan.digest}`)
    const swap = action.kind === "initiate" ? action.swap : null
    const orderId = (swap === null ? undefined : bySecret(swap.secretHash)) ?? claim?.orderId ?? "nobody"
    const purpose = swap === null ? (claim?.purpose ?? plan.action) : "deposit"
    if (signatures.some((known) => known.txid === txid && known.orderId === orderId && known.purpose === purpose))
      return
    const { chain, digest } = plan
    const [units, asset] = [swap?.units ?? 0n, swap?.asset ?? ""]
    const { resources, expiresAtHeight: expiresAt } = plan
    const signature = { orderId, purpose, chain, digest, txid, resources, expiresAt, units, asset, atMs: now() }
    const earlier = [...signatures]
    signatures.push(signature)
    hooks.onSigned(signature, earlier)
    if (swap !== null) hooks.onDeposit(orderId, swap)
  }

  return {
    signatures,
    typedData,
    opened,
    rows,
    watchChain: (chain) => ({
      ...chain,
      signTransaction: async (plan) => {
        const transaction = await chain.signTransaction(plan)
        record(plan, transaction.txid)
        return transaction
      },
      signTypedData: async (deposit) => {
        const signed = await chain.signTypedData(deposit)
        const { asset, units, secretHash, timelock } = deposit
        const orderId = bySecret(secretHash) ?? "nobody"
        if (!typedData.has(secretHash)) hooks.onTypedData(orderId)
        typedData.add(secretHash)
        hooks.onDeposit(orderId, { asset: asset ?? "none of ours", units, secretHash, timelock })
        return signed
      },
    }),
    settled,
    flagged,
    onOpen: (row, occurrence) => {
      if (occurrence !== null) settle(occurrence, row.id, "")
      opened.set(row.id, row)
      rows.set(row.id, row)
      hooks.onOpened(row)
    },
    onSettle: (occurrence, decision) => settle(occurrence, null, decision),
    onFlag: (key) => {
      if (!flagged.has(key)) flagged.set(key, now())
    },
    onCommit: ({ order }) => {
      // What the journal says now, not what it was handed.
      rows.set(order.id, journal.findOrder(order.id) ?? order)
    },
    onClaim: (claim) => {
      const row = rows.get(claim.orderId)
      const chain = row?.from.split(":")[0] ?? ""
      claimed.set(`${chain}/${claim.digest}`, claim)
    },
  }
}
