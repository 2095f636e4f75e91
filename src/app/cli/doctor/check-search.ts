import type { Asset } from "#domain/asset.ts"
import { findRemedy } from "#health/remedies.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type Diagnosis, doubtful } from "./diagnosis.ts"

/** Most orders end within a day. */
const SPAN_MS = 24 * 3_600_000

/**
 * Observes the HTLC of an order that does not exist, as the daemon observes each order: with its
 * own questions, over the blocks of a day. Nothing is found where each endpoint can search. Where
 * each HTLC has an address of its own, no contract is searched.
 */
export async function checkSearch(
  port: ChainPort,
  assets: readonly Pick<Asset, "id" | "htlc">[],
  blockMs: number,
): Promise<Diagnosis[]> {
  if (port.traits.htlcPlace === "address") return []
  const searched = assets.filter(({ htlc }) => htlc.length > 0)
  const found = searched.map(async ({ id }): Promise<Diagnosis[]> => {
    const check = `orders of ${id}`
    try {
      const height = await port.fetchHeight()
      const blocks = BigInt(Math.ceil(SPAN_MS / blockMs))
      const fromHeight = height > blocks ? height - blocks : 0n
      const { doubts = [] } = await port.observeLeg(queryOf(port.account, id, fromHeight))
      return doubts.map(({ code, message }) => doubtful(check, message, remedyOf(code)))
    } catch (error) {
      const code = error instanceof AppError ? error.code : ""
      const why = error instanceof Error ? error.message : String(error)
      const words = why.slice(0, 200)
      return [doubtful(check, `they could not be searched: ${words}`, remedyOf(code))]
    }
  })
  return (await Promise.all(found)).flat()
}

function remedyOf(code: string): string {
  return findRemedy(code, "Check the node of this chain; orders are observed through it.").todo
}

function queryOf(
  account: string,
  asset: Asset["id"],
  fromHeight: bigint,
): Parameters<ChainPort["observeLeg"]>[0] {
  return {
    side: "source",
    asset,
    htlc: null,
    secretHash: "d0".repeat(32),
    units: 1n,
    owner: account,
    initiator: account,
    redeemer: account,
    timelock: 1n,
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight,
  }
}
