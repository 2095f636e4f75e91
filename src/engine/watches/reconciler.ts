import { ACCOUNTS, RENT_PREFIX, WALLET_PREFIX } from "#books/accounts.ts"
import { closingRent, walletOf } from "#books/entries-of.ts"
import { isQuiet, judgeBalance } from "#books/judge-balance.ts"
import type { Pending } from "#books/pending.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { EntryKind, LedgerEntry } from "#domain/ledger.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { isFinal } from "#order/states.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger, ReconciliationRow } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { OrderRef, OrderStore } from "#ports/journal/orders.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import { withUrgency } from "#ports/urgency.ts"
import {
  type Clocked,
  type Configured,
  chainFor,
  type HasChains,
  type HasJournal,
  type HasPrices,
  type Leased,
  type Logged,
  type MarketContext,
  nativeIdOf,
  type Remembering,
  walletsOf,
} from "../context.ts"
import { sourceQuery } from "../orders/leg-queries.ts"
import { listFigures, refreshFigures } from "../orders/order-figures.ts"
import { sumOpening } from "../orders/pay/stored-opening.ts"
import { summarizeOrder } from "../orders/summarize-order.ts"
import { watchAccounts } from "./account-watch.ts"
import { forgetFault, noteFault } from "./part-faults.ts"

/** Compares the wallets of the books with the chains, to the unit, at an interval. */
export type Reconciler = {
  /**
   * Runs the first cycle immediately, then one each `everyMs`, until `signal` fires. Then it no
   * longer waits for a node.
   */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Runs one cycle now. */
  readonly reconcile: () => Promise<readonly ReconciliationRow[]>
  /** The assets whose balance could not be read at the last try. */
  readonly unread: () => readonly UnreadBalance[]
  /** Books the present difference of one asset, because an operator accepts it. */
  readonly accept: (asset: AssetId, as: "outside" | "unexplained") => Promise<AcceptAnswer>
}

/** `error`: of the last try; `sinceMs`: of the first one. */
export type UnreadBalance = {
  readonly asset: AssetId
  readonly sinceMs: number
  readonly error: AppError
}

type AcceptAnswer =
  | { readonly ok: true; readonly units: bigint }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/** The comparison's name among the parts that fail. */
const BOOKS = "comparison of books and chains"

type Running = {
  readonly cycle: typeof runCycle
  readonly rows: Promise<readonly ReconciliationRow[]>
}

type ReconcilerOptions = {
  readonly everyMs: number
  /** `pause`: the alarm pauses everything, and must be acknowledged before that ends. */
  readonly onDifference: "alert" | "pause"
}

/**
 * A node may be behind the one that showed a block, so missing units are compared again after this
 * time before an alarm.
 */
const RECHECK_MS = 30_000
/** A balance that cannot be read is a fault within a minute, long before the next cycle. */
const REREAD_MS = 10_000
const READ_TRIES = 3

export function createReconciler(
  context: HasJournal<FlagStore & Ledger & NoticeStore & OrderStore & SigningRecord> &
    Leased &
    Remembering &
    MarketContext,
  options: ReconcilerOptions,
): Reconciler {
  let stopped = false
  let running: Running | null = null
  const unread = new Map<AssetId, UnreadBalance>()
  const scope: Scope = { context, options, isStopped: () => stopped, unread }

  /** Joins a cycle over all assets; one over some of them is waited for. */
  async function once(cycle: typeof runCycle): Promise<readonly ReconciliationRow[]> {
    while (running !== null && running.cycle !== runCycle) await running.rows.catch(() => undefined)
    running ??= {
      cycle,
      rows: cycle(scope).finally(() => {
        running = null
      }),
    }
    return running.rows
  }
  const reconcile = (): Promise<readonly ReconciliationRow[]> => once(runCycle)

  async function runOne(cycle: typeof runCycle, signal: AbortSignal): Promise<void> {
    const done = withUrgency("background", () => once(cycle)).then(
      () => forgetFault(context, BOOKS),
      (error: unknown) => {
        if (stopped) return
        noteFault(context, BOOKS, error)
        context.log.error({ err: error }, "The books could not be compared with the chains")
      },
    )
    const left = new AbortController()
    await Promise.race([done, aborted(signal, left.signal)])
    left.abort()
  }

  return {
    reconcile,
    unread: () => [...unread.values()],
    accept: (asset, as) => acceptDifference(scope, asset, as),
    run: async (signal) => {
      signal.addEventListener("abort", () => {
        stopped = true
      })
      while (!signal.aborted) {
        await runOne(runCycle, signal)
        let leftMs = options.everyMs
        while (!signal.aborted && leftMs > 0) {
          const stepMs = unread.size === 0 ? leftMs : Math.min(REREAD_MS, leftMs)
          await context.clock.sleep(stepMs, signal)
          leftMs -= stepMs
          if (leftMs > 0 && !signal.aborted) await runOne(rereadUnread, signal)
        }
      }
    },
  }
}

/**
 * `isStopped` turns true while reads are under way; the journal may be closed then, so no write
 * follows.
 */
type Scope = {
  readonly context: HasJournal<FlagStore & Ledger & NoticeStore & OrderStore & SigningRecord> &
    Leased &
    Remembering &
    MarketContext
  readonly options: ReconcilerOptions
  readonly isStopped: () => boolean
  readonly unread: Map<AssetId, UnreadBalance>
}

async function runCycle(scope: Scope): Promise<readonly ReconciliationRow[]> {
  const { context, isStopped } = scope
  await followRents(context, isStopped)
  await watchAccounts(context, isStopped)
  return isStopped() ? [] : compareAndTell(scope, listAssets(context))
}

/** The next cycle would come too late for an alarm. */
function rereadUnread(scope: Scope): Promise<readonly ReconciliationRow[]> {
  const known = new Set(listAssets(scope.context))
  for (const asset of scope.unread.keys()) if (!known.has(asset)) scope.unread.delete(asset)
  return compareAndTell(scope, [...scope.unread.keys()])
}

async function compareAndTell(
  scope: Scope,
  assets: readonly AssetId[],
): Promise<readonly ReconciliationRow[]> {
  const { context, options, isStopped } = scope
  const suspects = await compareAll(scope, assets)
  if (suspects.length > 0 && !isStopped()) {
    await context.clock.sleep(Math.min(RECHECK_MS, options.everyMs))
    if (isStopped()) return []
    const again = await compareAll(
      scope,
      suspects.map(({ asset }) => asset),
    )
    const confirmed = again.filter(({ asset, difference }) =>
      suspects.some((one) => one.asset === asset && one.difference === difference),
    )
    for (const comparison of confirmed) if (!isStopped()) raiseAlarm(scope, comparison)
  }
  return isStopped() ? [] : context.journal.listReconciliations()
}

/** The assets of which units are missing. */
async function compareAll(scope: Scope, assets: readonly AssetId[]): Promise<Comparison[]> {
  const results = await Promise.all(assets.map((asset) => compare(scope, asset)))
  return results.filter((result) => result !== null)
}

/**
 * Compares one asset and books every difference that needs no operator. Returns a difference that
 * does: missing units.
 */
async function compare(scope: Scope, asset: AssetId): Promise<Comparison | null> {
  const { context, isStopped } = scope
  const price = await readPrice(context, asset)
  const reading = await readConsistently(scope, asset)
  // From here on this function is synchronous, so it books exactly the state that it compared.
  if (isStopped()) return null
  const known = findReconciliation(context, asset)
  if (reading === "unreadable" || reading === "moving") {
    save(context, known, { asset, state: reading === "moving" ? "unsettled" : reading })
    return null
  }
  const { ledgerUnits, chainUnits, pending } = reading
  const difference = chainUnits - ledgerUnits
  const shown = { asset, ledgerUnits, chainUnits }
  if (!isOpened(context, asset)) {
    if (!isQuiet(pending)) return save(context, known, { ...shown, state: "unsettled" })
    bookDifference(context, { asset, difference, kind: "opening", price })
    return save(context, known, { ...shown, ledgerUnits: chainUnits, state: "agrees" })
  }
  const verdict = judgeBalance(ledgerUnits, chainUnits, pending)
  if (verdict === "surplus" && isSeenBefore(known, difference)) {
    bookDifference(context, { asset, difference, kind: "outside", price })
    return save(context, known, { ...shown, ledgerUnits: chainUnits, state: "agrees" })
  }
  if (verdict !== "missing") return save(context, known, { ...shown, state: verdict })
  // A second comparison precedes the alarm; until then the stored state stays.
  if (known?.alarmedUnits === difference) save(context, known, { ...shown, state: "difference" })
  return { asset, difference, ledgerUnits, chainUnits, price }
}

function raiseAlarm({ context, options }: Scope, comparison: Comparison): void {
  const { asset, difference, ledgerUnits, chainUnits, price } = comparison
  const known = findReconciliation(context, asset)
  // The owner of a watched wallet may take from it.
  if (chainFor(context, asset).isWatchOnly === true) {
    bookDifference(context, { asset, difference, kind: "outside", price })
    save(context, known, { asset, ledgerUnits: chainUnits, chainUnits, state: "agrees" })
    return
  }
  if (known?.alarmedUnits === difference) return
  const lossFiat = fiatOf(context, asset, -difference, price)
  const worth = lossFiat === null ? "" : `, worth ${formatUnits(lossFiat, FIAT_DECIMALS)} usd`
  const reason = {
    code: "books.difference",
    message:
      `The wallet holds ${-difference} units of ${asset} less than the books say${worth}, and ` +
      "no order in flight explains it",
    asset,
    ledgerUnits: ledgerUnits.toString(),
    chainUnits: chainUnits.toString(),
    differenceUnits: difference.toString(),
  }
  save(context, known, {
    asset,
    ledgerUnits,
    chainUnits,
    state: "difference",
    alarmedUnits: difference,
  })
  context.journal.raiseAlert(context.clock.now(), reason, options.onDifference)
  context.log.error({ reason }, "The books and the chain differ: an operator must find out why")
}

async function acceptDifference(
  scope: Scope,
  asset: AssetId,
  as: "outside" | "unexplained",
): Promise<AcceptAnswer> {
  const { context, isStopped } = scope
  const price = await readPrice(context, asset)
  const reading = await readConsistently(scope, asset)
  if (reading === "unreadable" || reading === "moving" || isStopped()) {
    const message = `${asset} could not be read, or its books keep changing; try again`
    return { ok: false, reasons: [{ code: "books.unreadable", message, asset }] }
  }
  const difference = reading.chainUnits - reading.ledgerUnits
  if (difference === 0n) {
    const message = `The books of ${asset} agree with the chain; there is nothing to accept`
    return { ok: false, reasons: [{ code: "books.agrees", message, asset }] }
  }
  bookDifference(context, { asset, difference, kind: as, price })
  const { chainUnits } = reading
  const known = findReconciliation(context, asset)
  save(context, known, { asset, ledgerUnits: chainUnits, chainUnits, state: "agrees" })
  context.log.warn(
    { asset, units: difference, as },
    "An operator accepted a difference of the books",
  )
  return { ok: true, units: difference }
}

function findReconciliation(
  { journal }: HasJournal<Ledger>,
  asset: AssetId,
): ReconciliationRow | null {
  return journal.listReconciliations().find((row) => row.asset === asset) ?? null
}

/** An asset of which the wallet holds less than the books say. */
type Comparison = {
  readonly asset: AssetId
  readonly difference: bigint
  readonly ledgerUnits: bigint
  readonly chainUnits: bigint
  /** Of one whole coin, in fiat units; `null` without a reference price. */
  readonly price: bigint | null
}

type Reading = {
  readonly ledgerUnits: bigint
  readonly chainUnits: bigint
  readonly pending: Pending
}

/**
 * Reads the ledger before and after the chain. If the ledger changed in between, it does not belong
 * to the chain's balance.
 */
async function readConsistently(
  scope: Scope,
  asset: AssetId,
): Promise<Reading | "unreadable" | "moving"> {
  const { context, isStopped } = scope
  for (let attempt = 0; attempt < READ_TRIES && !isStopped(); attempt++) {
    await refreshFigures(context)
    if (isStopped()) break
    const before = readLedgerSide(context, asset)
    const chainUnits = await readChainSide(scope, asset)
    if (isStopped()) break
    const after = readLedgerSide(context, asset)
    if (chainUnits === null || before === null || after === null) return "unreadable"
    const { ledgerUnits, pending } = after
    const { inUnits, outUnits } = pending
    const same = before.pending.inUnits === inUnits && before.pending.outUnits === outUnits
    if (same && before.ledgerUnits === ledgerUnits) return { ledgerUnits, chainUnits, pending }
  }
  return "moving"
}

/** A damaged order makes only the books of its own chains unreadable. */
function concerns({ from, to }: OrderRef, asset: AssetId): boolean {
  return [from, to].some((id) => chainOf(id) === chainOf(asset))
}

/** `null` with a damaged order: its units under way are unknown. */
function readLedgerSide(
  context: HasJournal<FlagStore & Ledger & OrderStore> & HasChains & Configured & Remembering,
  asset: AssetId,
): Omit<Reading, "chainUnits"> | null {
  const { journal } = context
  const { refs, figures } = listFigures(context)
  let inUnits = 0n
  let outUnits = 0n
  for (let index = 0; index < refs.length; index++) {
    if (!concerns(mustExist(refs[index], "a ref of the list"), asset)) continue
    const known = figures[index] ?? null
    if (known === null) return null
    const pending = known.pending.find((one) => one.asset === asset)
    inUnits += pending?.inUnits ?? 0n
    outUnits += pending?.outUnits ?? 0n
  }
  const openingUnits =
    asset === nativeIdOf(context, chainOf(asset)) ? sumOpening(journal, chainOf(asset)) : 0n
  const ids = new Set(refs.map(({ id }) => id))
  // An order that has ended may still receive its rent.
  const rents = journal
    .listAccounts(RENT_PREFIX)
    .filter((row) => row.asset === asset && !ids.has(orderOf(row.account)))
  const account = walletOf(asset)
  const wallet = journal
    .listAccounts(account)
    .find((row) => row.account === account && row.asset === asset)
  return {
    ledgerUnits: wallet?.units ?? 0n,
    pending: {
      inUnits: rents.reduce((sum, { units }) => sum + units, inUnits),
      outUnits: outUnits + openingUnits,
    },
  }
}

async function readChainSide({ context, unread }: Scope, asset: AssetId): Promise<bigint | null> {
  try {
    const chain = chainFor(context, asset)
    const units = context.settings.assets.has(asset)
      ? (await chain.fetchBalance(asset, new Set())).units
      : ((await chain.native?.fetchNativeBalance()) ?? null)
    unread.delete(asset)
    return units
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { sinceMs } = unread.get(asset) ?? { sinceMs: context.clock.now() }
    unread.set(asset, { asset, sinceMs, error })
    context.log.warn(
      { asset, err: error },
      "A balance could not be compared with the books; it is tried again",
    )
    return null
  }
}

/** The configured assets and each chain's own coin, in which the wallet pays network fees. */
function listAssets(context: HasJournal<Ledger> & HasChains & Configured): readonly AssetId[] {
  const { settings, chains, journal } = context
  const natives = [...chains.values()]
    .filter((chain) => chain.native !== undefined)
    .map(({ chain }) => nativeIdOf(context, chain))
  const booked = journal.listAccounts(WALLET_PREFIX).map(({ asset }) => asset)
  return [...new Set([...settings.assets.keys(), ...natives, ...booked])].filter((asset) =>
    chains.has(chainOf(asset)),
  )
}

/**
 * Books the rent that a chain returns when the solver closes an HTLC account, possibly after the
 * order has ended.
 */
async function followRents(
  context: HasJournal<Ledger & OrderStore> & HasChains & Configured & Clocked & Logged,
  isStopped: () => boolean,
): Promise<void> {
  for (const { account } of context.journal.listAccounts(RENT_PREFIX)) {
    if (isStopped()) return
    const row = context.journal.findOrder(orderOf(account))
    if (row === null || !isFinal(row.state)) continue
    const order = decodeOrNull(row.snapshot)
    const chain = context.chains.get(chainOf(row.from))
    if (chain === undefined || order === null) continue
    const closed = await findClosing(chain, context, order.data)
    if (closed === null || isStopped()) continue
    const add = closingRent(order.data, walletsOf(context), closed)
    const summarize = summarizeOrder(context, order, row.updatedAtMs)
    context.journal.book(
      { reversedKeys: [], add },
      { orderId: row.id, atMs: context.clock.now(), summarize },
    )
  }
}

async function findClosing(
  chain: ChainPort,
  { log }: Logged,
  data: Parameters<typeof sourceQuery>[0],
): Promise<{ txid: string; units: bigint } | null> {
  try {
    const { redeemed, refunded } = await chain.observeLeg(sourceQuery(data))
    const closing = refunded ?? redeemed
    if (closing?.final !== true || closing.releasedUnits === undefined) return null
    return { txid: closing.txid, units: closing.releasedUnits }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ order: data.id, err: error }, "The rent of a closed HTLC could not be read")
    return null
  }
}

function orderOf(account: string): string {
  return account.slice(RENT_PREFIX.length)
}

function isOpened({ journal }: HasJournal<Ledger>, asset: AssetId): boolean {
  return journal.listEntries({ key: `opening:${asset}` }).length > 0
}

/**
 * The same surplus twice in a row without orders in flight: no transaction of ours is late, so the
 * units came from outside.
 */
function isSeenBefore(known: ReconciliationRow | null, difference: bigint): boolean {
  const { ledgerUnits, chainUnits } = known ?? { ledgerUnits: null, chainUnits: null }
  return (
    known?.state === "surplus" &&
    ledgerUnits !== null &&
    chainUnits !== null &&
    chainUnits - ledgerUnits === difference
  )
}

function bookDifference(
  context: HasJournal<Ledger> & Configured & Clocked & Logged,
  found: {
    asset: AssetId
    difference: bigint
    kind: Extract<EntryKind, "opening" | "outside" | "unexplained">
    price: bigint | null
  },
): void {
  const { asset, difference, kind, price } = found
  const atMs = context.clock.now()
  const fiat = fiatOf(context, asset, difference, price)
  const postings = [
    { account: walletOf(asset), asset, units: difference, fiat },
    { account: ACCOUNTS[kind], asset, units: -difference, fiat: fiat === null ? null : -fiat },
  ].filter(({ units }) => units !== 0n)
  const key = kind === "opening" ? `opening:${asset}` : `${kind}:${asset}:${atMs}`
  const entry: LedgerEntry = { key, kind, tx: null, note: null, postings }
  context.journal.book({ reversedKeys: [], add: [entry] }, { orderId: null, atMs })
  context.log.info(
    { asset, units: difference, kind },
    "Booked a difference between balance and books",
  )
}

function fiatOf(
  { settings }: Configured,
  asset: AssetId,
  units: bigint,
  price: bigint | null,
): bigint | null {
  const decimals = settings.assets.get(asset)?.decimals
  return price === null || decimals === undefined ? null : (units * price) / 10n ** BigInt(decimals)
}

async function readPrice({ prices }: HasPrices, asset: AssetId): Promise<bigint | null> {
  try {
    return (await prices.fetchPrice(asset))?.fiat ?? null
  } catch (error) {
    // Without a price the books get the units, and their value stays unknown.
    if (error instanceof AppError && error.disposition === "transient") return null
    throw error
  }
}

/**
 * Stores a reconciliation; fields without a new value keep the known one. Returns `null`, so that
 * callers can end with it.
 */
function save(
  { journal, clock }: HasJournal<Ledger> & Clocked,
  known: ReconciliationRow | null,
  fresh: Pick<ReconciliationRow, "asset" | "state"> & Partial<ReconciliationRow>,
): null {
  const atMs = clock.now()
  journal.saveReconciliation({
    ledgerUnits: known?.ledgerUnits ?? null,
    chainUnits: known?.chainUnits ?? null,
    alarmedUnits:
      fresh.state === "agrees" || fresh.state === "surplus" ? null : (known?.alarmedUnits ?? null),
    ...fresh,
    atMs,
    sinceMs: known?.state === fresh.state ? known.sinceMs : atMs,
  })
  return null
}

/** Resolves when the signal is aborted; `left` ends the wait without a trace. */
function aborted(signal: AbortSignal, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: left })
  })
}
