import { networks } from "bitcoinjs-lib"
import { createRefusal } from "../create-refusal.ts"
import type { LocalSwap, SwapRequest } from "../local-chain.ts"
import { deriveHtlc, type Htlc } from "./htlc.ts"
import { requireOutput } from "./regtest-address.ts"
import { publicKey, SOLVER_KEY, serviceSecret } from "./sandbox-keys.ts"

/**
 * Describes a swap with the solver as the other party.
 *
 * The user may send the refund key of a source or the redeem key of a destination (`delegate`);
 * otherwise the service holds it, and pays a destination to `redeemer`. `instantRefundTx` is empty
 * here, as on many real orders; see `LocalBitcoinChain`.
 */
export function describeSwap(
  side: LocalSwap["side"],
  chain: string,
  request: SwapRequest,
): LocalSwap {
  const serviceKey = publicKey(serviceSecret(request.secretHash))
  const parties =
    side === "source"
      ? { initiator: request.owner, redeemer: SOLVER_KEY, delegate: request.delegate ?? serviceKey }
      : { initiator: SOLVER_KEY, redeemer: request.owner, delegate: request.delegate ?? serviceKey }
  const swap = {
    side,
    chain,
    asset: request.assetId,
    units: request.units.toString(),
    owner: request.owner,
    ...parties,
    instantRefundTx: "",
    timelock: request.timelock,
    secretHash: request.secretHash,
    extra: {},
  }
  requireOutput(request.owner)
  return { ...swap, swapId: htlcOf({ ...swap, swapId: "" }).address }
}

/**
 * Derives the HTLC of a swap from its fields. Throws `sandbox.swap_field` (refused) if a key or
 * hash is malformed.
 */
export function htlcOf(swap: LocalSwap): Htlc {
  const { secretHash, timelock, delegate = "" } = swap
  const keys =
    swap.side === "source"
      ? { refundKey: delegate, redeemKey: swap.redeemer }
      : { refundKey: swap.initiator, redeemKey: delegate }
  const wrong = Object.entries({ secretHash, ...keys }).find(
    ([, text]) => !/^[0-9a-f]{64}$/.test(text),
  )
  if (wrong)
    throw createRefusal(
      "sandbox.swap_field",
      `${wrong[0]} must be 32 bytes in lower-case hex, not "${wrong[1]}"`,
    )
  return deriveHtlc({ ...keys, secretHash, timelock }, networks.regtest)
}
