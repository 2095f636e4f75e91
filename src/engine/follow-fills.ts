import { ACCOUNTS } from "#books/accounts.ts"
import { walletOf } from "#books/entries-of.ts"
import type { ChainPort } from "#chains/port.ts"
import type { LedgerEntry } from "#domain/ledger.ts"
import type { SignatureRow } from "#journal/signing-record.ts"
import { type EngineContext, nativeIdOf } from "./context.ts"
import { readReferencePrice } from "./tick/view-prices.ts"

/** The purpose of a signature that fills a gap begins with it; the nonce follows. */
export const FILL = "fill/"

/** Books the fee of each fill that a block shows, and settles the fill when its block, or its rival's, is final. No order does so. */
export async function followFills(context: EngineContext, port: ChainPort): Promise<void> {
  const { journal, clock } = context
  const fills = journal.listUnsettled(port.chain, port.account).filter(({ purpose }) => purpose.startsWith(FILL))
  for (const { orderId, purpose, plan, txid, raw } of fills) {
    if (plan === null || txid === null || raw === null) continue
    const seen = await port.observeTransaction({ plan, txid, raw })
    const key = `fee:${txid}`
    const isBooked = isStanding(context, key)
    if (seen.status === "mined" && !isBooked) {
      await bookFee(context, port, { orderId, txid, key, feeUnits: seen.feeUnits })
    } else if (seen.status !== "mined" && isBooked) {
      journal.book({ reversedKeys: [key], add: [] }, { orderId, atMs: clock.now() })
    }
    const isOver = (seen.status === "mined" || seen.status === "excluded") && seen.final
    if (isOver) journal.settleSignatures(orderId, purpose)
  }
}

type Fee = Pick<SignatureRow, "orderId"> & {
  readonly txid: string
  readonly key: string
  readonly feeUnits: bigint
}

async function bookFee(context: EngineContext, { chain }: ChainPort, fee: Fee): Promise<void> {
  const { journal, clock, settings } = context
  const { orderId, txid, key, feeUnits } = fee
  const native = nativeIdOf(context, chain)
  const price = await readReferencePrice(context, native)
  const decimals = settings.assets.get(native)?.decimals
  const isPriced = price !== null && "fiat" in price && decimals !== undefined
  const fiat = isPriced ? (feeUnits * price.fiat) / 10n ** BigInt(decimals) : null
  // The order's own void may have the same bytes, and booked them while the price was read.
  if (feeUnits === 0n || isStanding(context, key)) return
  const postings = [
    { account: walletOf(native), asset: native, units: -feeUnits, fiat: fiat === null ? null : -fiat },
    { account: ACCOUNTS.network("void"), asset: native, units: feeUnits, fiat },
  ]
  const entry: LedgerEntry = { key, kind: "fee", tx: txid, note: "fills a gap in the nonces", postings }
  journal.book({ reversedKeys: [], add: [entry] }, { orderId, atMs: clock.now() })
}

/** An entry with this key is booked, and no later entry reverses it. */
function isStanding({ journal }: EngineContext, key: string): boolean {
  const entries = journal.listEntries({ key })
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  return entries.some(({ id, reverses }) => reverses === null && !reversed.has(id))
}
