import { type Abi, decodeErrorResult, isHex } from "viem"
import { tokenAbi } from "./htlc.ts"

/**
 * Decodes the data of a revert to text: `Error(string)`, `Panic(uint256)`, ERC-6093, an error of an
 * HTLC of version 3, or else the raw bytes.
 */
export function decodeRevert(data: string): string {
  if (!isHex(data)) return data
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data })
    return `${errorName}(${(args ?? []).join(", ")})`
  } catch {
    return data // The raw bytes are the most exact text for an unknown selector.
  }
}

/** The contract already has an order with these terms. Versions 1 and 2 give the reason as text. */
export function isDuplicateOrder(revert: string): boolean {
  return /HTLC__DuplicateOrder\(\)|duplicate order/i.test(revert)
}

/** The contract has an order with this id, which cannot be refunded: it is locked, or closed. */
export function isKnownOrder(revert: string): boolean {
  return /HTLC__Order(NotExpired|Fulfilled)\(\)|order (not expired|fulfilled)/i.test(revert)
}

/** The contract has no order with this id. */
export function isUnknownOrder(revert: string): boolean {
  return /HTLC__OrderNotInitiated\(\)|order not initiated/i.test(revert)
}

/**
 * The four contracts of version 3: for tokens and for native coins, each also in a form that counts
 * blocks of Arbitrum.
 */
const CONTRACTS = ["HTLC", "NativeHTLC", "ArbHTLC", "ArbNativeHTLC"]

/**
 * The errors of all four; those of tokens (`HTLCAlreadyInitialized`) or of native coins
 * (`IncorrectFundsRecieved`) alone included.
 */
const FAULTS = [
  "DuplicateOrder",
  "HTLCAlreadyInitialized",
  "IncorrectFundsRecieved",
  "IncorrectSecret",
  "InvalidInitiatorSignature",
  "InvalidRedeemerSignature",
  "OrderFulfilled",
  "OrderNotExpired",
  "OrderNotInitiated",
  "SameFunderAndRedeemer",
  "SameInitiatorAndRedeemer",
  "ZeroAddressInitiator",
  "ZeroAddressRedeemer",
  "ZeroAmount",
  "ZeroTimelock",
]

type AbiError = Extract<Abi[number], { type: "error" }>

const ERRORS: readonly AbiError[] = [
  ...tokenAbi.filter((item) => item.type === "error"),
  ...CONTRACTS.flatMap((contract) => FAULTS.map((fault) => errorOf(`${contract}__${fault}`))),
]

function errorOf(name: string): AbiError {
  return { type: "error", name, inputs: [] }
}
