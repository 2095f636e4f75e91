import { createHash } from "node:crypto"
import type { Transaction } from "bitcoinjs-lib"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery, OnChain } from "#ports/chain/htlc-reader.ts"
import { scriptOf } from "./address.ts"
import { MOST_EXACT, sortDeposits, sortOutputs } from "./legs/choose-output.ts"
import { txidsIn } from "./legs/hints.ts"
import { listWholeHistory } from "./legs/history.ts"
import { type Included, judgeDepth, type Observing } from "./legs/observing.ts"
import { noteFunding } from "./legs/outpoints.ts"
import { proveSpend } from "./legs/prove-spend.ts"
import { type ComparedReadings, compareReadings } from "./nodes/compare-readings.ts"
import type { Endpoint, Listed, Place } from "./nodes/endpoint.ts"
import { askAt, readReference } from "./nodes/reference.ts"
import { sumUnits } from "./spend/build.ts"
import { outputsTo, txidOf } from "./spend/raw-transaction.ts"
import { outpointOf } from "./wallet.ts"

/**
 * Reports the state of one HTLC of an order. Only confirmed transactions count. `query.fromHeight`
 * has no effect here, because Esplora indexes by address. Heights are blocks, amounts satoshi.
 *
 * Amounts and receivers come from raw transactions whose ids Ballast recomputes, and a spend counts
 * only with a valid signature of the HTLC's keys. Only their blocks, and the absence of a spend,
 * are the endpoints' word; for those, enough endpoints must agree.
 */
export async function observeLeg(observing: Observing, query: LegQuery): Promise<LegObservation> {
  const { esplora } = observing
  const reference = await readReference(esplora)
  const { height } = reference
  const answers = await askAt(esplora, reference, (endpoint) =>
    readLeg(observing, endpoint, query, height),
  )
  const compared = compareReadings(answers, {
    needed: esplora.needed,
    height,
    keyOf,
    describe: describeLeg,
  })
  const unproven = answers.flatMap((answer) => (answer.ok ? answer.value.doubts : []))
  return conclude(observing, query, compared, { height, unproven })
}

/**
 * The facts of one endpoint up to the agreed height. The first of `fundings` represents the HTLC.
 */
type LegReading = {
  readonly fundings: readonly Funding[]
  readonly spend: Spend | null
  readonly doubts: readonly Reason[]
}

type Funding = Included & { readonly vout: number; readonly units: bigint }
type Spend = Included & { readonly transaction: Transaction; readonly secret: string | null }

async function readLeg(
  observing: Observing,
  endpoint: Endpoint,
  query: LegQuery,
  height: bigint,
): Promise<LegReading> {
  const newest = await readNewest(observing, endpoint, query)
  const hinted = await readHintedFundings(observing, endpoint, query, newest.history)
  const isKnown = hinted.some(({ units }) => units === query.units)
  if (newest.failure !== null && !isKnown) throw newest.failure
  // An output of the order's amount that is proven already needs no older page.
  const isEnough = isKnown || newest.history.isWhole
  const history = isEnough ? newest.history : await listHistory(observing, endpoint, query, false)
  const known = new Set(hinted.map(({ txid }) => txid))
  const listed = await readFundings(observing, endpoint, query, history, known)
  const found = distinct([...hinted, ...listed]).filter((funding) => funding.height <= height)
  // The payment may be among those that the endpoint has not listed: that is no absence.
  const hasMore = history.entries.size > 0 && !history.isWhole
  if (hasMore && !found.some(({ units }) => units === query.units))
    throw historyLong(endpoint, query)
  const isOurs = query.side === "source"
  const fundings = isOurs
    ? await sortDeposits(observing, found, query.units, endpoint)
    : sortOutputs(found, query.units)
  if (query.htlc === null) {
    const { spend, doubts } = await readHintedRedeem(observing, endpoint, query)
    return { fundings, spend: upTo(spend, height), doubts }
  }
  return chooseFunding(observing, { endpoint, query, history, height }, fundings)
}

function upTo(spend: Spend | null, height: bigint): Spend | null {
  return spend !== null && spend.height <= height ? spend : null
}

type Choosing = {
  readonly endpoint: Endpoint
  readonly query: LegQuery
  readonly history: History
  readonly height: bigint
}

/**
 * The one output that stands for the HTLC, first in the list, and its spend. Where several have
 * exactly the amount, one that was redeemed with the secret comes first, then an unspent one: a
 * redemption of ours takes that one too, so another one's end is none of the order's.
 */
async function chooseFunding(
  observing: Observing,
  { endpoint, query, history, height }: Choosing,
  fundings: readonly Funding[],
): Promise<LegReading> {
  const exact = fundings.filter(({ units }) => units === query.units).slice(0, MOST_EXACT)
  const doubts: Reason[] = []
  const ends: { readonly funding: Funding | undefined; readonly spend: Spend | null }[] = []
  for (const funding of exact.length > 0 ? exact : [fundings[0]]) {
    const spent = await readSpend(observing, endpoint, funding, history)
    doubts.push(...spent.doubts)
    ends.push({ funding, spend: upTo(spent.spend, height) })
  }
  const chosen =
    ends.find(({ spend }) => spend !== null && isRedeem(query, spend)) ??
    (query.side === "source" ? ends[0] : (ends.find(({ spend }) => spend === null) ?? ends[0]))
  const { funding, spend = null } = chosen ?? {}
  const sorted =
    funding === undefined ? fundings : [funding, ...fundings.filter((other) => other !== funding)]
  // A secret is told only for one output of the whole amount, which Ballast can redeem; payments of
  // strangers beside it change nothing.
  const counted =
    query.isExact === true
      ? sorted.filter(({ units }) => units === query.units).slice(0, 1)
      : sorted
  return { fundings: counted, spend, doubts }
}

/** The transactions of the HTLC's address, in one endpoint's list. */
type History = { readonly entries: ReadonlyMap<string, Listed>; readonly isWhole: boolean }

const NO_HISTORY: History = { entries: new Map(), isWhole: false }

/** The newest page, or the failure to read it. */
async function readNewest(
  observing: Observing,
  endpoint: Endpoint,
  query: LegQuery,
): Promise<{ readonly history: History; readonly failure: AppError | null }> {
  try {
    return { history: await listHistory(observing, endpoint, query, true), failure: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { history: NO_HISTORY, failure: error }
  }
}

/**
 * The service reports the address, and it becomes part of a URL path: ask only for a valid address
 * of this network.
 */
async function listHistory(
  { wallet }: Observing,
  endpoint: Endpoint,
  { htlc }: LegQuery,
  isNewestOnly: boolean,
): Promise<History> {
  if (htlc === null || scriptOf(htlc, wallet.network) === null) return NO_HISTORY
  const { entries, isWhole } = await listWholeHistory(endpoint, htlc, isNewestOnly ? 1 : undefined)
  return { entries: new Map(entries.map((entry) => [entry.txid, entry])), isWhole }
}

/** Only confirmed transactions count, and the list has just shown this one without a block. */
function isListedUnconfirmed({ entries }: History, txid: string): boolean {
  return entries.get(txid)?.height === null
}

/**
 * The outputs in transactions that an earlier observation or the service names. They are advice:
 * one that cannot be read counts for nothing, and the list of the address decides.
 */
async function readHintedFundings(
  observing: Observing,
  endpoint: Endpoint,
  { htlc, hints }: LegQuery,
  history: History,
): Promise<readonly Funding[]> {
  if (htlc === null) return []
  const named = new Set([...(observing.outpoints?.get(htlc) ?? []), ...txidsIn(hints.initiateTx)])
  const fundings: Funding[] = []
  for (const txid of named) {
    if (isListedUnconfirmed(history, txid)) continue
    const place = history.entries.get(txid)?.place ?? null
    try {
      fundings.push(...(await readOutputs(observing, endpoint, { htlc, txid, place })))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return fundings
}

/**
 * Finds the outputs that fund the HTLC. Those with the order's amount are all read; of other
 * payments, which strangers can make, only the largest.
 */
async function readFundings(
  observing: Observing,
  endpoint: Endpoint,
  { htlc, units, isExact }: LegQuery,
  history: History,
  known: ReadonlySet<string>,
): Promise<readonly Funding[]> {
  if (htlc === null) return []
  const isNew = ({ txid }: Listed): boolean =>
    !isListedUnconfirmed(history, txid) && !known.has(txid)
  const listed = [...history.entries.values()].filter(isNew)
  const paid = (entry: Listed): readonly bigint[] | null =>
    entry.pays?.flatMap((output) =>
      output.address === htlc.toLowerCase() ? [output.units] : [],
    ) ?? null
  const isExactly = (entry: Listed): boolean => paid(entry)?.includes(units) ?? true
  const others = listed.filter((entry) => !isExactly(entry) && paid(entry)?.length !== 0)
  const largest = others
    .toSorted((a, b) => byBig(mostOf(paid(b)), mostOf(paid(a))))
    .slice(0, MOST_OTHERS)
  const fundings: Funding[] = []
  for (const { txid, place = null } of [...listed.filter(isExactly), ...(isExact ? [] : largest)])
    fundings.push(...(await readOutputs(observing, endpoint, { htlc, txid, place })))
  return fundings
}

const MOST_OTHERS = 50

function mostOf(units: readonly bigint[] | null): bigint {
  return (units ?? []).reduce((most, each) => (each > most ? each : most), 0n)
}

async function readOutputs(
  { esplora, wallet }: Observing,
  endpoint: Endpoint,
  named: { readonly htlc: string; readonly txid: string; readonly place: Place | null },
): Promise<readonly Funding[]> {
  const { htlc, txid } = named
  const script = scriptOf(htlc, wallet.network)
  const transaction = script === null ? null : await esplora.findRaw(txid, endpoint)
  const outputs = script === null || transaction === null ? [] : outputsTo(transaction, script)
  const place = outputs.length === 0 ? null : await endpoint.findPlace(txid, named.place)
  return place === null ? [] : outputs.map((output) => ({ txid, ...place, ...output }))
}

function distinct(fundings: readonly Funding[]): readonly Funding[] {
  return [...new Map(fundings.map((funding) => [outpointOf(funding), funding])).values()]
}

function historyLong({ host }: Endpoint, { htlc }: LegQuery): AppError {
  return new AppError({
    code: "bitcoin.history_long",
    disposition: "transient",
    message:
      "the HTLC's address has more transactions than Ballast reads, and the payment is not " +
      "among those; " +
      "this shows no absence. Open the address in an explorer",
    details: { endpoint: host, address: htlc },
  })
}

type Spent = { readonly spend: Spend | null; readonly doubts: readonly Reason[] }

const NO_SPEND: Spent = { spend: null, doubts: [] }

async function readSpend(
  { esplora }: Observing,
  endpoint: Endpoint,
  funding: Funding | undefined,
  history: History,
): Promise<Spent> {
  const txid = funding === undefined ? null : await findSpender(endpoint, funding, history)
  if (funding === undefined || txid === null || isListedUnconfirmed(history, txid)) return NO_SPEND
  const proof = await proveSpend(esplora, endpoint, txid, funding)
  if ("unproven" in proof)
    return {
      spend: null,
      doubts: [unprovenSpend(endpoint, outpointOf(funding), txid, proof.unproven)],
    }
  const place = await endpoint.findPlace(txid, history.entries.get(txid)?.place)
  if (place === null) return NO_SPEND
  return {
    spend: { txid, ...place, transaction: proof.transaction, secret: proof.secret },
    doubts: [],
  }
}

/**
 * The transaction that spends the funding. A whole list of the address with all inputs names it,
 * since it spends a coin of the address; otherwise the server is asked. Both are the word of the
 * same endpoint: a spender is proven by its bytes, and about its absence the endpoints must agree.
 */
async function findSpender(
  endpoint: Endpoint,
  { txid, vout }: Funding,
  { entries, isWhole }: History,
): Promise<string | null> {
  const listed = [...entries.values()]
  const isNamed = entries.has(txid) && isWhole && listed.every(({ spends }) => spends != null)
  if (!isNamed) return endpoint.findSpender({ txid, vout })
  const isSpender = ({ spends }: Listed): boolean =>
    spends?.some((coin) => coin.txid === txid && coin.vout === vout) === true
  return listed.find(isSpender)?.txid ?? null
}

/**
 * If the HTLC itself is unknown, a reported redeem of the destination counts only if it opens an
 * HTLC with the preimage.
 *
 * A known HTLC never uses this hint: the service knows the secret and could show it in any
 * transaction, while the HTLC is still unspent.
 */
async function readHintedRedeem(
  { esplora }: Observing,
  endpoint: Endpoint,
  query: LegQuery,
): Promise<Spent> {
  const [txid] = txidsIn(query.hints.redeemTx)
  if (txid === undefined || query.side === "source") return NO_SPEND
  const place = await endpoint.findPlace(txid)
  const transaction = place === null ? null : await esplora.findRaw(txid, endpoint)
  if (place === null || transaction === null) return NO_SPEND
  for (const { hash, index, witness } of transaction.ins) {
    // Only a witness that mentions our hash is worth the reads of a proof.
    if (!witness.some((item) => Buffer.from(item).includes(Buffer.from(query.secretHash, "hex"))))
      continue
    const proof = await proveSpend(esplora, endpoint, txid, { txid: txidOf(hash), vout: index })
    if ("unproven" in proof || proof.secret === null || !opens(proof.secret, query.secretHash))
      continue
    return { spend: { txid, ...place, transaction, secret: proof.secret }, doubts: [] }
  }
  return NO_SPEND
}

function keyOf({ fundings, spend }: LegReading, upTo: bigint): string {
  const parts = [...fundings, ...(spend === null ? [] : [{ ...spend, vout: "spend" }])]
  return parts
    .filter(({ height }) => height <= upTo)
    .map(({ txid, vout, height, blockHash }) => `${txid}:${vout} ${height} ${blockHash}`)
    .join()
}

function describeLeg({ fundings: [funding], spend }: LegReading): string {
  const paid =
    funding === undefined ? "no funding" : `funded by ${funding.txid} in block ${funding.height}`
  return spend === null
    ? `${paid}, unspent`
    : `${paid}, spent by ${spend.txid} in block ${spend.height}`
}

/**
 * Of facts that contradict each other, the fullest one serves to watch: it shows a funding and a
 * spend that are proven but for their blocks.
 */
async function conclude(
  observing: Observing,
  query: LegQuery,
  { agreed, split, values, doubts }: ComparedReadings<LegReading>,
  { height, unproven }: { readonly height: bigint; readonly unproven: readonly Reason[] },
): Promise<LegObservation> {
  const { fundings = [], spend = null } =
    values.find((value) => value.spend !== null) ??
    values.find((value) => value.fundings.length > 0) ??
    {}
  const [funding] = fundings
  if (funding?.units === query.units) noteFunding(observing.outpoints, query.htlc, funding.txid)
  const at = { height, agreed, split, depths: observing.depthsOf(query.units) }
  const initiated = funding === undefined ? null : await judge(observing, funding, at)
  const spent = spend === null ? null : await judge(observing, spend, at)
  const all = [...doubts, ...unproven, ...(initiated?.doubts ?? []), ...(spent?.doubts ?? [])]
  return {
    height,
    agreed,
    ...(all.length === 0 ? {} : { doubts: all }),
    initiated: initiated === null ? null : { ...initiated.shown, units: sumUnits(fundings) },
    ...describeSpend(observing, query, spend, spent?.shown ?? null),
    refundableAt:
      funding === undefined || query.timelock === null ? null : funding.height + query.timelock,
  }
}

async function judge(
  observing: Observing,
  included: Included,
  at: Parameters<typeof judgeDepth>[2],
): Promise<{ readonly shown: OnChain; readonly doubts: readonly Reason[] }> {
  const { depth, doubts } = await judgeDepth(observing, included, at)
  return { shown: { txid: included.txid, height: included.height, ...depth }, doubts }
}

function describeSpend(
  observing: Observing,
  query: LegQuery,
  spend: Spend | null,
  shown: OnChain | null,
): Pick<LegObservation, "redeemed" | "refunded"> {
  if (spend === null || shown === null) return { redeemed: null, refunded: null }
  const paid = { ...shown, paidUnits: paidTo(observing, query, spend) }
  return isRedeem(query, spend)
    ? { redeemed: { ...paid, secret: spend.secret }, refunded: null }
    : { redeemed: null, refunded: paid }
}

/**
 * A redeem carries a preimage of the order's own secret hash. Every other spend takes the coins
 * back.
 */
function isRedeem({ secretHash }: LegQuery, spend: Spend): boolean {
  return spend.secret !== null && opens(spend.secret, secretHash)
}

function paidTo({ wallet }: Observing, { owner }: LegQuery, { transaction }: Spend): bigint {
  const script = scriptOf(owner, wallet.network)
  return script === null ? 0n : sumUnits(outputsTo(transaction, script))
}

function unprovenSpend(endpoint: Endpoint, outpoint: string, spender: string, why: string): Reason {
  return {
    code: "bitcoin.spender_unproven",
    message:
      "an endpoint names a transaction that spends the HTLC, and that is not true; Ballast " +
      "does not believe it",
    endpoint: endpoint.host,
    outpoint,
    spender,
    why,
  }
}

/** The script accepts a preimage of any length, so only the hash identifies the secret. */
function opens(secret: string, secretHash: string): boolean {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
}

function byBig(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1
}
