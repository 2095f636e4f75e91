import { createHash } from "node:crypto"
import { createRefusal } from "../create-refusal.ts"
import type { LocalSwap } from "../local-chain.ts"
import type { Htlc, HtlcLeaf } from "./htlc.ts"
import { publicKey, SOLVER_SECRET, serviceSecret } from "./sandbox-keys.ts"

/** The solver takes a source deposit; the service pays a destination deposit to its owner. */
export function redeemPath(swap: LocalSwap, secret: string, solverAddress: string): SpendPath {
  const preimage = Buffer.from(secret, "hex")
  if (createHash("sha256").update(preimage).digest("hex") !== swap.secretHash) {
    throw createRefusal("sandbox.secret", "this secret does not hash to the swap's secret hash")
  }
  const isSource = swap.side === "source"
  return {
    leaf: (htlc) => htlc.leaves.redeem,
    key: isSource ? SOLVER_SECRET : serviceSecret(swap.secretHash),
    payTo: isSource ? solverAddress : swap.owner,
    sequence: 0xfffffffd,
    secret: preimage,
  }
}

/** Back to whoever initiated. Throws `sandbox.refund_key` (refused) where only the user holds that key. */
export function refundPath(swap: LocalSwap, solverAddress: string): SpendPath {
  const isSource = swap.side === "source"
  const key = isSource ? serviceSecret(swap.secretHash) : SOLVER_SECRET
  if (isSource && swap.delegate !== publicKey(key)) {
    throw createRefusal(
      "sandbox.refund_key",
      "the user gave a refund key of their own: only they can refund this deposit",
    )
  }
  return {
    leaf: (htlc) => htlc.leaves.refund,
    key,
    payTo: isSource ? swap.owner : solverAddress,
    sequence: swap.timelock,
  }
}

/** How the sandbox spends an HTLC: which leaf, with which key, to whom. */
export type SpendPath = {
  leaf(htlc: Htlc): HtlcLeaf
  key: Uint8Array
  payTo: string
  sequence: number
  secret?: Uint8Array
}
