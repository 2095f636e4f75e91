import { Transaction } from "bitcoinjs-lib"
import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { type ComparedReadings, compareReadings } from "../nodes/compare-readings.ts"
import type { Endpoint, Place } from "../nodes/endpoint.ts"
import { askAt, readReference } from "../nodes/reference.ts"
import { sumUnits } from "../spend/build.ts"
import { paysOnly, sumOutputs } from "../spend/raw-transaction.ts"
import { type Included, judgeDepth, type Observing } from "./observing.ts"
import { proveSpend } from "./prove-spend.ts"

/**
 * Reports the state of one of our signed transactions. If a reorganisation removes its block, the
 * transaction shows fewer confirmations, or `unseen` again. Throws only the errors of Esplora
 * reads, and only if no endpoint answers.
 *
 * `excluded` needs another transaction that spends one of our inputs and is signed by our own key:
 * Ballast fetches it and verifies the signature, because only our key can spend that input. An
 * endpoint's word for a spend is only a doubt.
 */
export async function observeTransaction(
  observing: Observing,
  ours: SignedTransaction,
): Promise<TransactionObservation> {
  const { status } = await observeClosely(observing, ours, stakeOf(ours))
  return status
}

/** The same, with the doubts that arose. `stakeUnits` decides how deep a final transaction is. */
export async function observeClosely(
  observing: Observing,
  ours: SignedTransaction,
  stakeUnits: bigint,
): Promise<{ readonly status: TransactionObservation; readonly doubts: readonly Reason[] }> {
  const { esplora } = observing
  // Read the heights first: a block between the reads then yields one confirmation too few, never
  // one too many.
  const reference = await readReference(esplora)
  const answers = await askAt(esplora, reference, (endpoint) =>
    readTransaction(observing, endpoint, ours),
  )
  const { height } = reference
  const compared = compareReadings(answers, {
    needed: esplora.needed,
    height,
    keyOf,
    describe: describeTransaction,
  })
  const unproven = answers.flatMap((answer) => (answer.ok ? answer.value.doubts : []))
  const all = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const { status, doubts } = await conclude(
    observing,
    ours,
    { ...compared, all },
    { height, units: stakeUnits },
  )
  return withDoubts(status, [...compared.doubts, ...unproven, ...doubts])
}

/** `isVoid`: it spends a coin of the wallet, and pays to ourselves alone. */
type Rival = { readonly txid: string; readonly place: Place | null; readonly isVoid: boolean }

/**
 * One endpoint's view. `known`: it has our transaction, in a block or not. `rival` is proven; only
 * its block is the endpoint's word.
 */
type TransactionReading = {
  readonly place: Place | null
  readonly known: boolean
  readonly rival: Rival | null
  readonly doubts: readonly Reason[]
}

async function readTransaction(
  { esplora, wallet }: Observing,
  endpoint: Endpoint,
  ours: SignedTransaction,
): Promise<TransactionReading> {
  const place = await endpoint.findPlace(ours.txid)
  if (place !== null) return { place, known: true, rival: null, doubts: [] }
  if ((await endpoint.findRaw(ours.txid)) !== null)
    return { place: null, known: true, rival: null, doubts: [] }
  const doubts: Reason[] = []
  const rivals: Rival[] = []
  for (const outpoint of ours.plan.resources) {
    const coin = parseOutpoint(outpoint)
    const txid = await endpoint.findSpender(coin)
    if (txid === ours.txid) return { place: null, known: true, rival: null, doubts: [] }
    if (txid === null) continue
    const proof = await proveSpend(esplora, endpoint, txid, coin)
    if ("unproven" in proof) doubts.push(unprovenSpender(endpoint, outpoint, txid, proof.unproven))
    else {
      // Our refunds and redemptions pay to ourselves too, by a leaf of the HTLC.
      const isVoid = proof.by === "key" && paysOnly(proof.transaction, wallet.script)
      rivals.push({ txid, place: await endpoint.findPlace(txid), isVoid })
    }
  }
  const [rival = null] = rivals.toSorted(lowestBlockFirst)
  return { place: null, known: false, rival, doubts }
}

/**
 * What counts up to a height: the blocks of our transaction or of its rival. The mempools of honest
 * nodes differ.
 */
function keyOf({ place, rival }: TransactionReading, upTo: bigint): string {
  const ours = upToHeight(place, upTo)
  const theirs = upToHeight(rival?.place ?? null, upTo)
  if (ours !== null) return `mined ${ours.height} ${ours.blockHash}`
  return theirs === null
    ? "not in a block"
    : `excluded by ${rival?.txid} ${theirs.height} ${theirs.blockHash}`
}

function describeTransaction(sighting: TransactionReading): string {
  const heights = [sighting.place?.height, sighting.rival?.place?.height].flatMap(
    (height) => height ?? [],
  )
  return keyOf(sighting, heights[0] ?? 0n)
}

async function conclude(
  observing: Observing,
  ours: SignedTransaction,
  {
    agreed,
    split,
    values,
    all,
  }: ComparedReadings<TransactionReading> & { all: readonly TransactionReading[] },
  { height, units }: { readonly height: bigint; readonly units: bigint },
): Promise<{ status: TransactionObservation; doubts: readonly Reason[] }> {
  const at = { height, agreed, split, depths: observing.depthsOf(units) }
  const place = values
    .map((value) => upToHeight(value.place, height))
    .find((found) => found !== null)
  if (place) {
    const { depth, doubts } = await judgeDepth(observing, { txid: ours.txid, ...place }, at)
    const { revealable: _notAsked, ...shown } = depth
    // The plan states the exact fee of our own bytes, because the transaction id fixes inputs and
    // outputs.
    const feeUnits = ours.plan.maxFeeUnits
    const alone = agreed ? {} : { isAlone: true as const }
    return {
      status: { status: "mined", ok: true, height: place.height, ...shown, feeUnits, ...alone },
      doubts,
    }
  }
  const rival = values.map((value) => includedRival(value, height)).find((found) => found !== null)
  if (rival) {
    const { depth, doubts } = await judgeDepth(observing, rival, at)
    return { status: excludedBy(rival, depth.final), doubts }
  }
  // No two mempools are the same: one server that has the transaction, or a proven rival of it, is
  // enough.
  if (all.some(({ known }) => known)) return { status: { status: "pending" }, doubts: [] }
  const waiting = all.find((value) => value.rival !== null)?.rival
  if (waiting) return { status: excludedBy(waiting, false), doubts: [] }
  return { status: { status: "unseen" }, doubts: [] }
}

function includedRival(
  { rival }: TransactionReading,
  height: bigint,
): (Included & Pick<Rival, "isVoid">) | null {
  const place = upToHeight(rival?.place ?? null, height)
  return rival === null || place === null
    ? null
    : { txid: rival.txid, isVoid: rival.isVoid, ...place }
}

function excludedBy(
  { txid, isVoid }: Pick<Rival, "txid" | "isVoid">,
  final: boolean,
): TransactionObservation {
  return { status: "excluded", by: txid, final, ...(isVoid ? { isVoid: true } : {}) }
}

function upToHeight(place: Place | null, height: bigint): Place | null {
  return place === null || place.height > height ? null : place
}

function withDoubts(status: TransactionObservation, doubts: readonly Reason[]) {
  return { status: doubts.length === 0 ? status : { ...status, doubts }, doubts }
}

/**
 * The value at stake in satoshi: the deposit, or everything that a void or a refund returns to us.
 */
function stakeOf({ plan, raw }: SignedTransaction): bigint {
  if (plan.action === "initiate") return sumUnits(plan.spends)
  return sumOutputs(Transaction.fromHex(raw).outs)
}

function unprovenSpender(
  endpoint: Endpoint,
  outpoint: string,
  spender: string,
  why: string,
): Reason {
  return {
    code: "bitcoin.spender_unproven",
    message:
      "an endpoint names a transaction that spends our input, and that is not true; Ballast " +
      "does not believe it",
    endpoint: endpoint.host,
    outpoint,
    spender,
    why,
  }
}

function parseOutpoint(outpoint: string): { txid: string; vout: number } {
  return {
    txid: outpoint.slice(0, outpoint.indexOf(":")),
    vout: Number(outpoint.slice(outpoint.indexOf(":") + 1)),
  }
}

/** Lowest block first, the mempool last. */
function lowestBlockFirst(
  { place: a }: { readonly place: Place | null },
  { place: b }: { readonly place: Place | null },
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a.height === b.height ? 0 : a.height < b.height ? -1 : 1
}
