import type { LocalSwap, SwapRequest } from "../local-chain.ts"
import { splitU256 } from "./contract.ts"
import { formatAddress, formatFelt, parseFelt, selectorOf } from "./felt.ts"
import { deriveOrderId, toWords } from "./htlc.ts"
import { describeInitiate, type InitiateMessage } from "./typed-data.ts"

/** Describes a swap with the solver as the other party. */
export function describeSwap(options: {
  side: LocalSwap["side"]
  chain: string
  chainId: bigint
  htlc: string
  solver: bigint
  request: SwapRequest
}): LocalSwap {
  const { side, chain, chainId, htlc, solver, request } = options
  const owner = parseFelt(request.owner)
  const [initiator, redeemer] = side === "source" ? [owner, solver] : [solver, owner]
  return {
    side,
    chain,
    asset: request.assetId,
    units: request.units.toString(),
    owner: request.owner,
    swapId: deriveOrderId(chainId, initiator, toMessage(request, redeemer)).toString(16),
    initiator: formatAddress(initiator),
    redeemer: formatAddress(redeemer),
    timelock: request.timelock,
    secretHash: request.secretHash,
    extra: { htlc },
  }
}

/** The create answer for a Starknet source (service interface §2): a call to send, or typed data to sign. */
export function describeDepositRequest(swap: LocalSwap, chainName: string): Record<string, unknown> {
  return {
    typed_data: describeInitiate(messageOf(swap), chainName),
    transaction: {
      to: swap.extra["htlc"],
      selector: formatFelt(selectorOf("initiate")),
      calldata: encodeInitiate(swap).map(formatFelt),
    },
  }
}

/** The calldata of the entry point `initiate`. */
export function encodeInitiate(swap: LocalSwap): bigint[] {
  const { redeemer, timelock, units, words } = messageOf(swap)
  return [redeemer, timelock, ...splitU256(units), ...words]
}

function toMessage(
  request: { units: bigint; timelock: number; secretHash: string },
  redeemer: bigint,
): InitiateMessage {
  return {
    redeemer,
    timelock: BigInt(request.timelock),
    units: request.units,
    words: toWords(request.secretHash),
  }
}

function messageOf(swap: LocalSwap): InitiateMessage {
  return toMessage({ ...swap, units: BigInt(swap.units) }, parseFelt(swap.redeemer))
}
