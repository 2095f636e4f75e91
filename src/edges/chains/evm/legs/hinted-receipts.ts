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
  /** `null` for one that the endpoint lacks. */
  readonly read: (at: At) => Promise<readonly (TransactionReceipt | null)[]>
  /** No initiation is named whose receipt the endpoint may have. */
  readonly lacks: (at: Pick<At, "advisor">) => boolean
  /** One that `read` has given; else `null`. */
  readonly find: (at: Pick<At, "advisor">, hash: Hex) => TransactionReceipt | null
}

export function createHintedReceipts(
  { hints }: LegQuery,
  htlcs: readonly Address[],
  known: Hex | null = null,
): HintedReceipts {
  // The place of a known initiation is all that its receipt would tell.
  const begins = hashesIn(hints.initiateTx).filter((hash) => hash !== known)
  const hashes = [...begins, ...[hints.redeemTx, hints.refundTx].flatMap(hashesIn)]
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
      const given = begun.get(at.advisor) ?? new Map<Hex, TransactionReceipt | null>()
      begun.set(at.advisor, given)
      return Promise.all(
        distinct.map(async (hash) => {
          const receipt = given.get(hash) ?? (given.has(hash) ? null : await find(at.advisor, hash))
          given.set(hash, receipt)
          return receipt
        }),
      )
    },
    lacks: ({ advisor }) => begins.every((hash) => begun.get(advisor)?.get(hash) === null),
    find: ({ advisor }, hash) => begun.get(advisor)?.get(hash) ?? null,
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
