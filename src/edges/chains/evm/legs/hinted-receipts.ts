import type { Address, Hex, TransactionReceipt } from "viem"
import type { KeptLast } from "#lib/kept-last.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { EvmClient } from "../nodes/endpoint.ts"
import type { At } from "../rpc.ts"
import { hashesIn } from "./hints.ts"
import { readHtlcLogs } from "./read-htlc-logs.ts"
import { findReceipt } from "./read-transaction.ts"

/**
 * The receipts of the transactions that the service names. They are advice: each is asked apart
 * from the reads that matter, with a limit of its own, and one that fails counts for nothing.
 */
export type HintedReceipts = {
  /**
   * Asks for those whose blocks no earlier read has shown, so that the reads about the chosen block
   * can check the blocks of the contracts' events in the same request. Never rejects.
   */
  readonly begin: (advisor: EvmClient, places: KeptLast<bigint>) => Promise<void>
  /** Each receipt; `null` where the endpoint has none. */
  readonly read: (at: At) => Promise<readonly (TransactionReceipt | null)[]>
}

export function createHintedReceipts(
  { hints }: LegQuery,
  htlcs: readonly Address[],
): HintedReceipts {
  const hashes = [hints.initiateTx, hints.redeemTx, hints.refundTx].flatMap(hashesIn)
  const distinct = [...new Set(hashes)].slice(0, MAX_HINTS)
  const begun = new Map<EvmClient, Map<Hex, TransactionReceipt | null>>()
  const find = (advisor: EvmClient, hash: Hex) => findReceipt(advisor, hash).catch(() => null)
  const findPlace: FindPlace = async (advisor, places, hash) => {
    const receipt = await findReceipt(advisor, hash)
    if (receipt !== null && readHtlcLogs(receipt.logs, htlcs).length > 0)
      places.keep(hash, receipt.blockNumber, 0)
    return receipt
  }
  return {
    begin: async (advisor, places) => {
      const unknown = distinct.filter((hash) => places.find(hash) === null)
      const receipts = await Promise.all(
        unknown.map((hash) => findPlace(advisor, places, hash).catch(() => null)),
      )
      begun.set(advisor, new Map(unknown.map((hash, index) => [hash, receipts[index] ?? null])))
    },
    read: async (at) => {
      for (const hash of distinct) at.foresee(hash)
      const known = begun.get(at.advisor)
      return Promise.all(
        distinct.map((hash) => (known?.has(hash) ? known.get(hash) : find(at.advisor, hash))),
      ).then((found) => found.map((receipt) => receipt ?? null))
    },
  }
}

type FindPlace = (
  advisor: EvmClient,
  places: KeptLast<bigint>,
  hash: Hex,
) => Promise<TransactionReceipt | null>

/**
 * The service writes the hints, and a long one must not make us ask for thousands of transactions.
 */
const MAX_HINTS = 8
