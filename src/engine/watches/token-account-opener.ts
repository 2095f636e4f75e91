import { ACCOUNTS } from "#books/accounts.ts"
import type { AssetId, ChainId } from "#domain/asset.ts"
import type { LedgerEntry } from "#domain/ledger.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { MissingTokenAccount } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import {
  type Clocked,
  type Configured,
  type HasChains,
  type HasJournal,
  type HasPrices,
  type Logged,
  type MarketContext,
  nativeAssetOf,
  nativeIdOf,
  type Stoppable,
} from "../context.ts"
import { readFeePostings } from "../orders/book-fee.ts"
import {
  type Opening,
  openingKey,
  readOpening,
  writeOpening,
} from "../orders/pay/stored-opening.ts"
import { findStops } from "./pause.ts"
import type { Watch } from "./watch.ts"

/**
 * The time between two searches for missing accounts, and between two observations of a sent
 * transaction.
 */
const SEARCH_MS = 30_000
/** A wallet that had all of its accounts, and has no order in flight, is searched so rarely. */
const CALM_MS = 10 * 60_000
const OBSERVE_MS = 2_000
/** A transaction that failed on chain has cost its fee, so the next one waits. */
const AFTER_FAILURE_MS = 60 * 60_000

/**
 * Opens the token accounts that the wallets need to receive their assets. No order takes part.
 *
 * One transaction per chain at a time. The journal has the signed bytes before they are sent, and
 * keeps them until a final block holds them or until they can no longer land. A crash at any moment
 * therefore leads to the same bytes again, or to one later transaction that changes nothing if the
 * account exists.
 */
export function createTokenAccountOpener(
  context: HasJournal<FlagStore & Ledger & NoticeStore & OrderSums> & Stoppable & MarketContext,
): Watch {
  /** The time at which a chain was last seen with all accounts. */
  const wholeMs = new Map<ChainId, number>()
  return {
    name: "token accounts",
    everyMs: SEARCH_MS,
    spends: true,
    ports: () => context.chains.values(),
    ask: (port) => runRound(context, port, wholeMs),
  }
}

/**
 * A missing token account, and the reasons for which it is not opened now; without reasons the next
 * round opens it.
 */
type PlannedOpening = MissingTokenAccount & {
  readonly port: ChainPort
  readonly refused: readonly Reason[]
}

/** The token accounts that are missing now. Reads only. */
export async function listMissingTokenAccounts(
  context: HasJournal<FlagStore & OrderSums> &
    HasChains &
    Configured &
    Clocked &
    Logged &
    Stoppable,
): Promise<readonly PlannedOpening[]> {
  const ofChains = [...context.chains.values()].map(async (port): Promise<PlannedOpening[]> => {
    const missing = (await port.tokenAccounts?.findMissing()) ?? []
    if (missing.length === 0) return []
    const nativeUnits = await fetchNative(context, port)
    const blocks = findBlocks(context, port)
    return missing.map((one) => {
      return {
        ...one,
        port,
        refused: [...blocks, ...findShortage(context, port, one, nativeUnits)],
      }
    })
  })
  return (await Promise.all(ofChains)).flat()
}

/** Performs the next step for one chain. Returns the time to wait before the one after it. */
async function runRound(
  context: HasJournal<FlagStore & Ledger & NoticeStore & OrderSums> & Stoppable & MarketContext,
  port: ChainPort,
  wholeMs: Map<ChainId, number>,
): Promise<number> {
  const { journal, clock } = context
  const opening = readOpening(journal, port.chain)
  if (opening !== null) return followOpening(context, port, opening)
  const { tokenAccounts } = port
  if (tokenAccounts === undefined || findBlocks(context, port).length > 0) return SEARCH_MS
  const sinceMs = clock.now() - (wholeMs.get(port.chain) ?? Number.NEGATIVE_INFINITY)
  const isCalm = sinceMs >= 0 && sinceMs < CALM_MS
  if (isCalm && journal.countInFlight() === 0) return SEARCH_MS
  const found = await tokenAccounts.findMissing()
  if (found.length === 0) wholeMs.set(port.chain, clock.now())
  for (const missing of found) {
    const nativeUnits = await fetchNative(context, port)
    const shortage = findShortage(context, port, missing, nativeUnits)
    const plan =
      shortage.length > 0 ? { refused: shortage } : await tokenAccounts.plan(missing.asset)
    if ("refused" in plan) alertOnce(context, missing.asset, plan.refused)
    else if (await open(context, port, plan, { missing, nativeUnits })) return OBSERVE_MS
  }
  return SEARCH_MS
}

async function open(
  context: HasJournal<FlagStore & OrderSums> &
    HasChains &
    Configured &
    Clocked &
    Logged &
    Stoppable,
  port: ChainPort,
  plan: TransactionPlan,
  { missing, nativeUnits }: { missing: MissingTokenAccount; nativeUnits: bigint },
): Promise<boolean> {
  const { journal, log } = context
  const { asset, address } = missing
  if (findBlocks(context, port).length > 0) return false
  const transaction = await port.signTransaction(plan)
  // From here to the write everything is synchronous: no order can accept the same units in
  // between, and no pause can come first.
  const refused = [
    ...findBlocks(context, port),
    ...findShortage(context, port, missing, nativeUnits),
  ]
  if (refused.length > 0) return false
  const opening: Opening = { asset, transaction }
  writeOpening(journal, port.chain, opening)
  if (journal.readFlag(refusalFlag(asset)) !== null) journal.writeFlag(refusalFlag(asset), null)
  log.info(
    { asset, address, mostUnits: plan.maxFeeUnits, tx: transaction.txid },
    "Opens a token account",
  )
  await send(context, port, opening)
  return true
}

function findBlocks(
  context: HasJournal<FlagStore> & Configured & Clocked & Logged & Stoppable,
  { chain }: ChainPort,
): readonly Reason[] {
  return findStops(context, { rules: [], chain }, "no token account is opened")
}

/**
 * The minimum of the configuration must stay, and the fees and deposits that accepted orders still
 * need.
 */
function findShortage(
  context: HasJournal<OrderSums> & HasChains & Configured,
  { chain }: ChainPort,
  { asset, costUnits }: MissingTokenAccount,
  haveUnits: bigint,
): Reason[] {
  const { journal, settings } = context
  const native = nativeIdOf(context, chain)
  const ordersUnits = journal.sumReservedFees(chain, null) + journal.sumCommitted(native, null)
  const keepUnits = (settings.minNative.get(chain) ?? 0n) + ordersUnits
  if (haveUnits >= costUnits + keepUnits) return []
  const message =
    `The wallet on ${chain} cannot pay for its token account of ${asset}, because min_native ` +
    `and open orders need the rest; fund it with ${native}`
  const numbers = {
    haveUnits: `${haveUnits}`,
    costUnits: `${costUnits}`,
    keepUnits: `${keepUnits}`,
  }
  return [{ code: "token_account.unfunded", message, asset, ...numbers }]
}

async function fetchNative(context: HasChains & Configured, port: ChainPort): Promise<bigint> {
  const native = nativeAssetOf(context, port.chain)
  if (native !== null) return (await port.fetchBalance(native.id, new Set())).spendableUnits
  if (port.native) return port.native.fetchNativeBalance()
  const message = `The native balance on ${port.chain} cannot be read; make it a configured asset`
  throw new AppError({ code: "funds.unreadable", disposition: "hold", message })
}

/**
 * Raises an alert for each new reason; the journal remembers the last one until the account is
 * opened.
 */
function alertOnce(
  { journal, clock, log }: HasJournal<FlagStore & NoticeStore> & Clocked & Logged,
  asset: AssetId,
  reasons: readonly Reason[],
): void {
  const [reason] = reasons
  if (reason === undefined || journal.readFlag(refusalFlag(asset)) === reason.code) return
  journal.writeFlag(refusalFlag(asset), reason.code)
  journal.raiseAlert(clock.now(), reason)
  log.error({ asset, reasons }, "A token account cannot be opened, so no order can be paid to it")
}

async function followOpening(
  context: HasJournal<FlagStore & Ledger> & Stoppable & MarketContext,
  port: ChainPort,
  opening: Opening,
): Promise<number> {
  const { journal, log } = context
  const { asset, transaction } = opening
  const fields = { asset, tx: transaction.txid }
  const seen = await port.observeTransaction(transaction)
  if (seen.status === "unseen" && findBlocks(context, port).length === 0)
    await send(context, port, opening)
  if (seen.status === "excluded" && seen.final) {
    writeOpening(journal, port.chain, null)
    log.warn(
      fields,
      "The transaction that opens a token account can no longer land; a new one follows",
    )
  }
  if (seen.status !== "mined" || !seen.final) return OBSERVE_MS
  await book(context, port.chain, opening, seen)
  if (seen.ok) {
    log.info({ ...fields, costUnits: seen.feeUnits }, "A token account is open")
    return OBSERVE_MS
  }
  log.error(
    fields,
    "The transaction that opens a token account failed on chain; a new one follows in an hour",
  )
  return AFTER_FAILURE_MS
}

/**
 * Books fee and rent once, then ends the opening. After a crash between the two writes the entry is
 * already there.
 */
async function book(
  context: HasJournal<FlagStore & Ledger> & HasPrices & HasChains & Configured & Clocked,
  chain: ChainId,
  { asset, transaction }: Opening,
  { ok, feeUnits }: { ok: boolean; feeUnits: bigint },
): Promise<void> {
  const { journal, clock } = context
  const postings = await readFeePostings(context, chain, {
    account: ACCOUNTS.tokenAccount,
    feeUnits,
  })
  const { txid } = transaction
  const key = openingKey(txid)
  if (journal.listEntries({ key }).length === 0) {
    const note = ok ? `token account of ${asset}` : `token account of ${asset}, failed on chain`
    const entry: LedgerEntry = { key, kind: "fee", tx: txid, note, postings }
    journal.book({ reversedKeys: [], add: [entry] }, { orderId: null, atMs: clock.now() })
  }
  writeOpening(journal, chain, null)
}

/**
 * A failure proves nothing: the next round observes the transaction, and sends the same bytes again
 * if no node has them.
 */
async function send(
  { log }: Logged,
  port: ChainPort,
  { asset, transaction }: Opening,
): Promise<void> {
  try {
    await port.broadcastTransaction(transaction)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn(
      { asset, tx: transaction.txid, err: error },
      "No node confirms the transaction that opens a token account",
    )
  }
}

function refusalFlag(asset: AssetId): string {
  return `token-account/${asset}/refusal`
}
