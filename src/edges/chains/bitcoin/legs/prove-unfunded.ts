import type { Reason } from "#domain/reason.ts"
import type { UnfundedProof, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import { sameBytes, scriptOf } from "../address.ts"
import { compareReadings } from "../nodes/compare-readings.ts"
import type { Endpoint } from "../nodes/endpoint.ts"
import { askAt, readReference } from "../nodes/reference.ts"
import { outputsTo, txidOf } from "../spend/raw-transaction.ts"
import { listWholeHistory } from "./history.ts"
import { observeClosely } from "./observe-transaction.ts"
import type { Observing } from "./observing.ts"

/**
 * Proves that no deposit of the order is at its HTLC address, was there, or can still get there:
 * enough endpoints show that nothing of ours ever paid the address, in blocks or mempool, and each
 * signed deposit has a final rival that is signed by our own key and spends one of its inputs.
 */
export async function proveUnfunded(
  observing: Observing,
  query: UnfundedQuery,
): Promise<UnfundedProof> {
  const { esplora, wallet } = observing
  const script = query.htlc === null ? null : scriptOf(query.htlc, wallet.network)
  if (query.htlc === null || script === null) return unsure([noAddress()])
  const asked: Asked = { ...query, address: query.htlc, script }
  const reference = await readReference(esplora)
  const { height } = reference
  const answers = await askAt(esplora, reference, (endpoint) =>
    readPayments(observing, endpoint, asked),
  )
  const { agreed, values, doubts } = compareReadings(answers, {
    needed: esplora.needed,
    height,
    keyOf,
    describe,
  })
  const [payments] = values
  if (!agreed || payments === undefined) return unsure(doubts)
  if (isPaid(payments, height)) return { status: "funded" }
  if (isWaiting(payments, height)) return unsure([pendingDeposit()])
  if (!payments.isWhole) return unsure([longHistory()])
  return proveRivals(observing, query, height)
}

type Asked = UnfundedQuery & { readonly address: string; readonly script: Uint8Array }

/**
 * The payments that may be the order's deposit, by one endpoint: the lowest block with one, and
 * whether one waits in the mempool.
 */
type Payments = {
  readonly since: bigint | null
  readonly isWaiting: boolean
  readonly isWhole: boolean
}

async function readPayments(
  observing: Observing,
  endpoint: Endpoint,
  asked: Asked,
): Promise<Payments> {
  const { entries, isWhole } = await listWholeHistory(endpoint, asked.address, MOST_PAGES)
  const heights: (bigint | null)[] = []
  for (const { txid, height } of entries)
    if (await mayBeDeposit(observing, endpoint, asked, txid)) heights.push(height)
  const [since = null] = heights
    .flatMap((height) => height ?? [])
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return { since, isWaiting: heights.includes(null), isWhole }
}

/** Each transaction of them is read with its inputs, and no money waits for this proof. */
const MOST_PAGES = 8

function isPaid({ since }: Payments, upTo: bigint): boolean {
  return since !== null && since <= upTo
}

/** A payment in a newer block waits. */
function isWaiting(payments: Payments, upTo: bigint): boolean {
  return payments.isWaiting || (payments.since !== null && payments.since > upTo)
}

function keyOf(payments: Payments, upTo: bigint): string {
  return `${isPaid(payments, upTo)} ${isWaiting(payments, upTo)} ${payments.isWhole}`
}

function describe({ since, isWaiting: waits }: Payments): string {
  if (since !== null) return `paid in block ${since}`
  return waits ? "a payment waits in the mempool" : "never paid"
}

/**
 * A stranger can send a little to any address, and must not keep an order open by it. A payment
 * counts if we signed it, if it spends our coins, or if it is as large as the deposit. A listed
 * transaction whose bytes no endpoint has counts, too.
 */
async function mayBeDeposit(
  { esplora, wallet }: Observing,
  endpoint: Endpoint,
  { signed, units, script }: Asked,
  txid: string,
): Promise<boolean> {
  if (signed.some((ours) => ours.txid === txid)) return true
  const transaction = await esplora.findRaw(txid, endpoint)
  if (transaction === null) return true
  const outputs = outputsTo(transaction, script)
  if (outputs.length === 0) return false
  if (outputs.some((output) => output.units >= units)) return true
  for (const { hash, index } of transaction.ins) {
    const spent = (await esplora.findRaw(txidOf(hash), endpoint))?.outs[index]
    if (spent === undefined || sameBytes(spent.script, wallet.script)) return true
  }
  return false
}

async function proveRivals(
  observing: Observing,
  query: UnfundedQuery,
  height: bigint,
): Promise<UnfundedProof> {
  const rivals = new Set<string>()
  const reasons: Reason[] = []
  for (const ours of query.signed.filter(({ plan }) => plan.action === "initiate")) {
    const { status, doubts } = await observeClosely(observing, ours, query.units)
    if (status.status === "mined")
      return status.final ? { status: "funded" } : unsure([pendingDeposit()])
    if (status.status === "excluded" && status.final) rivals.add(status.by)
    else reasons.push(...doubts, openDeposit(ours.txid, status.status))
  }
  return reasons.length > 0 ? unsure(reasons) : { status: "unfunded", height, rivals: [...rivals] }
}

function unsure(reasons: readonly Reason[]): UnfundedProof {
  return { status: "unsure", reasons }
}

function noAddress(): Reason {
  return {
    code: "bitcoin.htlc_unknown",
    message: "the order has no deposit address of this network to read",
  }
}

function pendingDeposit(): Reason {
  return {
    code: "bitcoin.deposit_pending",
    message:
      "a deposit to the HTLC waits for a block, or for more blocks, so it can still be the order's",
  }
}

function longHistory(): Reason {
  return {
    code: "bitcoin.history_long",
    message: "the HTLC's address has more transactions than Ballast reads; open it in an explorer",
  }
}

function openDeposit(txid: string, status: string): Reason {
  return {
    code: "bitcoin.deposit_open",
    message:
      "no transaction of ours that spends an input of this signed deposit is final yet, so " +
      "it can still confirm",
    txid,
    status,
  }
}
