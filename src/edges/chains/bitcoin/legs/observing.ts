import type { Reason } from "#domain/reason.ts"
import type { Esplora } from "../esplora.ts"
import type { Depths } from "../finality.ts"
import type { Place } from "../nodes/endpoint.ts"
import type { Inclusion } from "../proof/inclusion.ts"
import type { Wallet } from "../wallet.ts"
import type { Outpoints } from "./outpoints.ts"

export type Observing = {
  readonly wallet: Wallet
  readonly esplora: Esplora
  /** Absent: each observation finds the outputs of an HTLC again. */
  readonly outpoints?: Outpoints
  /** The confirmations that a transaction of this value (satoshi) needs. */
  depthsOf(units: bigint): Depths
  /**
   * Checks by headers and Merkle paths that a block contains a transaction. Absent: the endpoints'
   * agreement is enough.
   */
  readonly inclusion?: InclusionCheck | undefined
}

/**
 * `unproven`: no proof yet, so nothing is final because of it. `contradicted`: a proof shows that
 * it is false.
 */
export type InclusionCheck = {
  (included: Included): Promise<Inclusion>
  /**
   * Reads newer headers, so that an observation need not wait for thousands of them. Absent where
   * none are read.
   */
  readonly follow?: (tip: bigint) => Promise<void>
}

/** One transaction in a block, at an agreed height. */
export type Included = Place & { readonly txid: string }

/**
 * How deep a transaction is, and what follows from it. Nothing is `final` unless enough endpoints
 * agree and, where headers are checked, the inclusion is proven. Nothing is `seen` while the
 * endpoints contradict each other.
 */
export async function judgeDepth(
  { inclusion }: Pick<Observing, "inclusion">,
  { txid, height, blockHash }: Included,
  at: {
    readonly height: bigint
    readonly depths: Depths
    readonly agreed: boolean
    readonly split: boolean
  },
): Promise<JudgedDepth> {
  // Counts from 1: the transaction's own block is its first confirmation.
  const confirmations = Number(at.height < height ? 1n : at.height - height + 1n)
  const { seen, reveal, ending } = at.depths
  const mayEnd = at.agreed && confirmations >= Math.min(reveal, ending)
  const proof: Inclusion =
    mayEnd && inclusion !== undefined
      ? await inclusion({ txid, height, blockHash })
      : { status: "proven", confirmations }
  // Several servers together could claim a height that no work stands behind.
  const proven =
    at.agreed && proof.status === "proven" ? Math.min(confirmations, proof.confirmations) : 0
  return {
    depth: {
      confirmations,
      seen: confirmations >= seen && !at.split && proof.status !== "contradicted",
      revealable: proven >= reveal,
      final: proven >= ending,
    },
    doubts: proof.status === "contradicted" ? [contradicted(txid, height, blockHash)] : [],
  }
}

type JudgedDepth = {
  readonly depth: {
    readonly confirmations: number
    readonly seen: boolean
    readonly revealable: boolean
    readonly final: boolean
  }
  readonly doubts: readonly Reason[]
}

function contradicted(txid: string, height: bigint, blockHash: string): Reason {
  return {
    code: "chain.disagreement",
    message:
      "the endpoints show a transaction in a block, and the headers with the most work " +
      "contradict it",
    txid,
    height: height.toString(),
    block: blockHash,
  }
}
