import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters, sha256 } from "viem"
import type { DecodedDeposit } from "#domain/deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { readAddress, readBytes32 } from "./wallet.ts"

/**
 * The HTLC as callers see it (field notes). The layout of `orders(bytes32)` differs between versions, so that view is left out.
 * Its errors are those known by name; a revert with another one is reported by its selector.
 */
export const htlcAbi = parseAbi([
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function refund(bytes32 orderId)",
  "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount)",
  "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "event Refunded(bytes32 indexed orderID)",
  "error DuplicateOrder(bytes32 orderID)",
  "error OrderNotInitiated(bytes32 orderID)",
  "error OrderFulfilled(bytes32 orderID, uint256 fulfilledAt)",
  "error OrderNotExpired(bytes32 orderID, uint256 blockNumber, uint256 refundableFrom)",
  "error WrongValue(uint256 sent, uint256 amount)",
  "error InsufficientBalance(address owner, uint256 balance, uint256 needed)",
  "error InsufficientAllowance(address owner, address spender, uint256 allowance, uint256 needed)",
])

/** ERC-20, with the errors of ERC-6093. */
export const tokenAbi = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
])

/** What a deposit locks, in the contract's own words. */
export type Terms = {
  readonly redeemer: Hex
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: Hex
}

export function encodeInitiate({ redeemer, timelock, units, secretHash }: Terms): Hex {
  return encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args: [redeemer, timelock, units, secretHash] })
}

/** The terms of a decoded deposit. Throws `evm.deposit_terms` (refused) for one whose call could not be read. */
export function termsOf(deposit: DecodedDeposit): Terms {
  const { timelock, units } = deposit
  const [redeemer, secretHash] = [readAddress(deposit.redeemer), readBytes32(deposit.secretHash)]
  if (redeemer !== null && secretHash !== null) return { redeemer, timelock, units, secretHash }
  throw new AppError({
    code: "evm.deposit_terms",
    disposition: "refused",
    message: "The deposit names no readable redeemer or secret hash; look at the order in the journal",
    details: { redeemer: deposit.redeemer.slice(0, 80), secretHash: deposit.secretHash.slice(0, 80) },
  })
}

/**
 * The order ids that the known contract versions give these terms, those that cover more of them first (field notes):
 * v3 with the contract, v2 with all terms, v1 with chain, secret hash and initiator only.
 */
export function deriveOrderIds(chainId: number, htlc: Hex, initiator: Hex, terms: Terms): OrderIds {
  const { redeemer, timelock, units, secretHash } = terms
  const id = BigInt(chainId)
  const all = [id, secretHash, initiator, redeemer, timelock, units] as const
  return {
    v3: sha256(encodeAbiParameters(LAYOUT_V3, [...all, htlc])),
    v2: sha256(encodeAbiParameters(LAYOUT_V2, all)),
    v1: sha256(encodeAbiParameters(LAYOUT_V1, [id, secretHash, initiator])),
  }
}

export type OrderIds = { readonly v3: Hex; readonly v2: Hex; readonly v1: Hex }

const LAYOUT_V1 = parseAbiParameters("uint256, bytes32, address")
const LAYOUT_V2 = parseAbiParameters("uint256, bytes32, address, address, uint256, uint256")
const LAYOUT_V3 = parseAbiParameters("uint256, bytes32, address, address, uint256, uint256, address")
