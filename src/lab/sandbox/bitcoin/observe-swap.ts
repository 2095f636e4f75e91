import { mustExist } from "#lib/assert.ts"
import type { ObservedTransaction, SwapObservation } from "../local-chain.ts"
import type { BlockIndex, IndexedTx, Spend } from "./block-index.ts"
import { paidTo } from "./esplora-shapes.ts"
import type { Htlc } from "./htlc.ts"

/**
 * Observes one HTLC in the chain and the mempool. The leaf that a spend reveals gives its kind: the
 * redeem leaf carries the secret, the two other leaves are refunds.
 */
export function observeSwap(index: BlockIndex, htlc: Htlc): SwapObservation {
  const deposits = findDeposits(index, htlc)
  const spends = deposits.map(({ spend }) => spend).filter((spend) => spend !== null)
  const redeem = spends.find((spend) => leafOf(spend) === hex(htlc.leaves.redeem.script))
  const refundLeaves = [hex(htlc.leaves.refund.script), hex(htlc.leaves.instant.script)]
  const refund = spends.find((spend) => refundLeaves.includes(leafOf(spend)))
  return {
    initiated: deposits.length === 0 ? null : describeDeposits(index, deposits),
    redeemed:
      redeem === undefined
        ? null
        : { ...observedTransaction(index, redeem.by), secret: hex(witnessOf(redeem)[1]) },
    refunded: refund === undefined ? null : observedTransaction(index, refund.by),
  }
}

/** All outputs that pay the HTLC, oldest first, each with the input that spent it. */
export function findDeposits(index: BlockIndex, htlc: Htlc): Deposit[] {
  return index
    .history(htlc.output)
    .reverse()
    .flatMap((entry) =>
      paidTo(entry, htlc.output).map(({ vout, value }) => ({
        entry,
        vout,
        value,
        spend: index.findSpend(entry.txid, vout),
      })),
    )
}

export type Deposit = {
  readonly entry: IndexedTx
  readonly vout: number
  readonly value: bigint
  readonly spend: Spend | null
}

/**
 * The youngest of several deposits gives the confirmations, because the whole sum is not confirmed
 * before it.
 */
function describeDeposits(
  index: BlockIndex,
  deposits: readonly Deposit[],
): NonNullable<SwapObservation["initiated"]> {
  const entries = [...new Set(deposits.map(({ entry }) => entry))]
  return {
    ...observedTransaction(index, mustExist(entries.at(-1), "youngest deposit")),
    txHash: entries.map((entry) => `${entry.txid}:${entry.block?.height ?? 0}`).join(","),
    filledUnits: deposits.reduce((sum, { value }) => sum + value, 0n),
  }
}

function observedTransaction(index: BlockIndex, entry: IndexedTx): ObservedTransaction {
  return {
    txHash: entry.txid,
    blockNumber: BigInt(entry.block?.height ?? 0),
    confirmations: entry.block === null ? 0 : index.blocks.length - entry.block.height,
    timestampMs: entry.firstSeenMs,
  }
}

/**
 * The script is the last but one witness element (BIP 341). These spends have no annex, because
 * standard nodes do not relay one.
 */
function leafOf(spend: Spend): string {
  return hex(witnessOf(spend).at(-2))
}

function witnessOf(spend: Spend): readonly Uint8Array[] {
  return mustExist(spend.by.tx.ins[spend.vin], "spending input").witness
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("hex")
}
