import { createHash } from "node:crypto"
import { createRefusal } from "../create-refusal.ts"
import type { LocalSwap } from "../local-chain.ts"
import type { Htlc, HtlcLeaf } from "./htlc.ts"
import { publicKey, SOLVER_SECRET, serviceSecret } from "./sandbox-keys.ts"

/**
 * The redeem path: the solver redeems a source deposit, and the service redeems a destination
 * deposit for its owner.
 */
export function redeemPath(swap: LocalSwap, secret: string, solverAddress: string): SpendPath {
  const preimage = Buffer.from(secret, "hex")
  if (createHash("sha256").update(preimage).digest("hex") !== swap.secretHash) {
    throw createRefusal("sandbox.secret", "this secret does not hash to the swap's secret hash")
  }
  const isSource = swap.side === "source"
  if (!isSource && swap.delegate !== publicKey(serviceSecret(swap.secretHash))) {
    throw createRefusal("sandbox.redeem_key", "only the user holds the redeem key of this swap")
  }
  return {
    leaf: (htlc) => htlc.leaves.redeem,
    key: isSource ? SOLVER_SECRET : serviceSecret(swap.secretHash),
    payTo: isSource ? solverAddress : swap.owner,
    sequence: 0xfffffffd,
    secret: preimage,
  }
}

/**
 * The refund path to the initiator. Throws `sandbox.refund_key` (refused) if only the user holds
 * the refund key.
 */
export function refundPath(swap: LocalSwap, solverAddress: string): SpendPath {
  const isSource = swap.side === "source"
  const key = isSource ? serviceSecret(swap.secretHash) : SOLVER_SECRET
  if (isSource && swap.delegate !== publicKey(key)) {
    throw createRefusal(
      "sandbox.refund_key",
      "the user holds the refund key of this deposit, so only the user can refund it",
    )
  }
  return {
    leaf: (htlc) => htlc.leaves.refund,
    key,
    payTo: isSource ? swap.owner : solverAddress,
    sequence: swap.timelock,
  }
}

/** The leaf, the key and the receiver with which the sandbox spends an HTLC. */
export type SpendPath = {
  leaf(htlc: Htlc): HtlcLeaf
  key: Uint8Array
  payTo: string
  sequence: number
  secret?: Uint8Array
}
