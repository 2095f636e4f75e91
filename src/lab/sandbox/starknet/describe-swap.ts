import { mustExist } from "#lib/assert.ts"
import type { LocalSwap, SwapRequest } from "../local-chain.ts"
import { splitU256 } from "./contract.ts"
import { formatAddress, formatFelt, parseFelt, selectorOf } from "./felt.ts"
import { deriveOrderId } from "./htlc.ts"
import { type HtlcVariant, splitHash } from "./htlc-variant.ts"
import { describeInitiate, type InitiateMessage } from "./typed-data.ts"

/** Describes a swap with the solver as the other party. */
export function describeSwap(options: {
  side: LocalSwap["side"]
  chain: string
  chainId: bigint
  htlc: string
  variant: HtlcVariant
  solver: bigint
  request: SwapRequest
}): LocalSwap {
  const { side, chain, chainId, htlc, variant, solver, request } = options
  const owner = parseFelt(request.owner)
  const [initiator, redeemer] = side === "source" ? [owner, solver] : [solver, owner]
  const place = { chainId, htlc: parseFelt(htlc), initiator }
  return {
    side,
    chain,
    asset: request.assetId,
    units: request.units.toString(),
    owner: request.owner,
    swapId: deriveOrderId(variant, place, toMessage(request, redeemer)).toString(16),
    initiator: formatAddress(initiator),
    redeemer: formatAddress(redeemer),
    timelock: request.timelock,
    secretHash: request.secretHash,
    extra: { htlc },
  }
}

/**
 * The create answer for a Starknet source (service interface §2): a call to send, or typed data to
 * sign.
 */
export function describeDepositRequest(
  swap: LocalSwap,
  chain: { readonly variant: HtlcVariant; readonly chainId: bigint; readonly chainName: string },
): Record<string, unknown> {
  const { variant, chainId, chainName } = chain
  const htlc = mustExist(swap.extra["htlc"], "htlc")
  return {
    typed_data: describeInitiate(
      messageOf(swap),
      { variant, chainId, htlc: parseFelt(htlc) },
      chainName,
    ),
    transaction: {
      to: htlc,
      selector: formatFelt(selectorOf("initiate")),
      calldata: encodeInitiate(swap, variant).map(formatFelt),
    },
  }
}

/** The calldata of the entry point `initiate`. */
export function encodeInitiate(swap: LocalSwap, variant: HtlcVariant): bigint[] {
  const { redeemer, timelock, units, secretHash } = messageOf(swap)
  return [redeemer, timelock, ...splitU256(units), ...splitHash(variant, secretHash)]
}

function toMessage(
  request: { units: bigint; timelock: number; secretHash: string },
  redeemer: bigint,
): InitiateMessage {
  return {
    redeemer,
    timelock: BigInt(request.timelock),
    units: request.units,
    secretHash: request.secretHash,
  }
}

function messageOf(swap: LocalSwap): InitiateMessage {
  return toMessage({ ...swap, units: BigInt(swap.units) }, parseFelt(swap.redeemer))
}
