import type { ChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { Clock } from "#lib/clock.ts"
import { decodeJson } from "#lib/json.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Occurrence } from "#ports/journal/decisions.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { SignatureClaim } from "#ports/signing-record.ts"
import type { LedgerAction } from "../../support/fake-ledger.ts"

/**
 * Of a signature whose claim is not in the log: a leader without PostgreSQL closed a nonce, and
 * only its own journal says for which order.
 */
export const UNKNOWN_ORDER = "unknown order"

/** One signature that the key really made. */
export type Signature = {
  readonly orderId: string
  readonly purpose: string
  /**
   * The call of the transaction: a redemption or refund that takes an earlier nonce has the purpose
   * of a fill.
   */
  readonly call: LedgerAction["kind"]
  readonly chain: ChainId
  readonly digest: string
  readonly txid: string
  readonly resources: readonly string[]
  readonly expiresAt: bigint | null
  readonly units: bigint
  readonly asset: string
  readonly attempt: number
  readonly feeUnits: bigint
  readonly atMs: number
  /**
   * When the journal first got its claim. After a crash the key signs a claimed plan again, so that
   * it can be voided.
   */
  readonly registeredMs: number
  /** True time, which the daemon's clock may not show. */
  readonly trueMs: number
}

/** The payment of a signed deposit or of signed typed data. */
export type Paid = {
  readonly asset: string
  readonly units: bigint
  readonly secretHash: string
  /** `null`: a burn has none. */
  readonly timelock: bigint | null
}

export type Times = { readonly machineMs: number; readonly trueMs: number }

/** Called for each recorded event. */
export type RecorderHooks = {
  readonly onOpened: (row: OrderRow) => void
  readonly onSigned: (signature: Signature, earlier: readonly Signature[]) => void
  /**
   * The journal gets the claim of a signature; the answer reports what was wrong, once the claim is
   * on disk. The key signs right after it, and a pause in between only stops the sending.
   */
  readonly judgeRegistered: (orderId: string, purpose: string) => () => void
  readonly onDeposit: (orderId: string, paid: Paid) => void
}

/** How a scheduled occurrence was settled: with an order, or with a decision against one. */
export type Settled = Pick<Occurrence, "rule" | "atMs"> & {
  readonly settledAtMs: number
  readonly orderId: string | null
  readonly decision: string
}

/**
 * Records every signature that the key makes and every write of the journal, independently of the
 * engine's own view.
 */
export type SignatureRecorder = {
  readonly signatures: readonly Signature[]
  /** Secret hashes of the orders with signed typed data. */
  readonly typedData: ReadonlySet<string>
  readonly opened: ReadonlyMap<string, OrderRow>
  readonly rows: ReadonlyMap<string, OrderRow>
  /** The rows with this secret hash, the order that was opened first before all others. */
  readonly listBySecret: (secretHash: string) => readonly OrderRow[]
  /** The true time at which each order was opened. */
  readonly openedAtMs: ReadonlyMap<string, number>
  /** Every settlement of an occurrence; a repeated one is listed again. */
  readonly settled: readonly Settled[]
  /** When each flag was first written. */
  readonly flagged: ReadonlyMap<string, number>
  /** `clock` is the one of the machine that signs. */
  readonly watchChain: (chain: ChainPort, clock: Clock) => ChainPort
  /**
   * The times of a write, by the clock of the machine that makes it. Its group may reach the disk
   * after a jump of the clock.
   */
  readonly readTimes: (clock: Clock) => Times
  readonly onOpen: (row: OrderRow, occurrence: Occurrence | null, at: Times) => void
  readonly onSettle: (occurrence: Occurrence, decision: string, at: Times) => void
  readonly onFlag: (key: string, at: Times) => void
  readonly onCommit: (step: StepRow) => void
  /** Judges a claim at its write, and reports it when it is on disk. */
  readonly judgeRegistration: (signature: SignatureClaim) => () => void
  readonly onRegister: (signature: SignatureClaim, at: Times) => void
}

export function createSignatureRecorder(
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
  hooks: RecorderHooks,
): SignatureRecorder {
  const signatures: Signature[] = []
  const typedData = new Set<string>()
  const opened = new Map<string, OrderRow>()
  const rows = new Map<string, OrderRow>()
  const openedAtMs = new Map<string, number>()
  const registered = new Map<string, SignatureClaim>()
  const registeredMs = new Map<string, number>()
  const settled: Settled[] = []
  const flagged = new Map<string, number>()
  const settle = (
    { rule, atMs }: Occurrence,
    how: Pick<Settled, "orderId" | "decision">,
    { machineMs }: Times,
  ): void => {
    settled.push({ rule, atMs, settledAtMs: machineMs, ...how })
  }
  /** The places in which orders were opened, and the orders that ever had a secret hash. */
  const places = new Map<string, number>()
  const idsBySecret = new Map<string, Set<string>>()
  const keep = (row: OrderRow): void => {
    if (!places.has(row.id)) places.set(row.id, places.size)
    rows.set(row.id, row)
    if (row.secretHash === null) return
    const ids = idsBySecret.get(row.secretHash) ?? new Set()
    idsBySecret.set(row.secretHash, ids.add(row.id))
  }
  const listBySecret = (secretHash: string): readonly OrderRow[] => {
    const found: OrderRow[] = []
    for (const id of idsBySecret.get(secretHash) ?? []) {
      const row = rows.get(id)
      if (row?.secretHash === secretHash) found.push(row)
    }
    if (found.length < 2) return found
    return found.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  }
  const bySecret = (secretHash: string): string | undefined => listBySecret(secretHash)[0]?.id

  function record(plan: TransactionPlan, txid: string, atMs: number): void {
    // CAST: written by the fake chain.
    const { action, fee } = decodeJson(plan.unsigned) as { action: LedgerAction; fee: bigint }
    const known = registered.get(`${plan.chain}/${plan.digest}`)
    const swap = paidBy(action)
    const orderId =
      (swap === null ? undefined : bySecret(swap.secretHash)) ?? known?.orderId ?? UNKNOWN_ORDER
    const purpose = swap === null ? (known?.purpose ?? plan.action) : "deposit"
    if (
      signatures.some(
        (old) => old.txid === txid && old.orderId === orderId && old.purpose === purpose,
      )
    )
      return
    const { chain, digest, attempt } = plan
    const firstMs = registeredMs.get(`${chain}/${digest}`) ?? atMs
    const times = { attempt, feeUnits: fee, atMs, registeredMs: firstMs, trueMs: clock.now() }
    const units = swap?.units ?? 0n
    const asset = swap?.asset ?? ""
    const { resources, expiresAtHeight: expiresAt } = plan
    const signature = {
      orderId,
      purpose,
      call: action.kind,
      chain,
      digest,
      txid,
      resources,
      expiresAt,
      units,
      asset,
      ...times,
    }
    const earlier = [...signatures]
    signatures.push(signature)
    hooks.onSigned(signature, earlier)
    if (swap !== null) hooks.onDeposit(orderId, swap)
  }

  return {
    signatures,
    openedAtMs,
    typedData,
    opened,
    rows,
    listBySecret,
    watchChain: (chain, { now }) => ({
      ...chain,
      signTransaction: async (plan) => {
        const transaction = await chain.signTransaction(plan)
        record(plan, transaction.txid, now())
        return transaction
      },
      signTypedData: async (deposit) => {
        const signed = await chain.signTypedData(deposit)
        const { asset, units, secretHash, timelock } = deposit
        const orderId = bySecret(secretHash) ?? UNKNOWN_ORDER
        typedData.add(secretHash)
        hooks.onDeposit(orderId, { asset: asset ?? "none of ours", units, secretHash, timelock })
        return signed
      },
    }),
    settled,
    flagged,
    readTimes: ({ now }) => ({ machineMs: now(), trueMs: clock.now() }),
    onOpen: (row, occurrence, at) => {
      if (occurrence !== null) settle(occurrence, { orderId: row.id, decision: "" }, at)
      opened.set(row.id, row)
      openedAtMs.set(row.id, at.trueMs)
      keep(row)
      hooks.onOpened(row)
    },
    onSettle: (occurrence, decision, at) => settle(occurrence, { orderId: null, decision }, at),
    onFlag: (key, at) => {
      if (!flagged.has(key)) flagged.set(key, at.machineMs)
    },
    onCommit: ({ order }) => {
      // The row as the journal stored it, which a planted bug may have changed.
      keep(journal.findOrder(order.id) ?? order)
    },
    onRegister: (signature, at) => {
      const name = `${signature.chain}/${signature.digest}`
      registered.set(name, signature)
      if (!registeredMs.has(name)) registeredMs.set(name, at.machineMs)
    },
    judgeRegistration: ({ orderId, purpose }) => hooks.judgeRegistered(orderId, purpose),
  }
}

/** What a transaction deposits; `null` for any other one. */
function paidBy(action: LedgerAction): Paid | null {
  if (action.kind === "initiate") return action.swap
  if (action.kind !== "burn") return null
  const { asset, units, dealKey } = action.burn
  return { asset, units, secretHash: dealKey, timelock: null }
}
