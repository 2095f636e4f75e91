import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  parseAbi,
  parseAbiParameters,
  sha256,
} from "viem"

/**
 * The HTLC of one EVM asset (field notes): the functions that open an order in any version, our
 * refund and redemption, and the events in the form of versions 1 and 2 (`read-htlc-logs.ts` reads
 * every form). Version 1 recovers the initiator from the signature; versions 2 and 3 take it as an
 * argument. Only version 3 has destination data and the calls on behalf.
 */
export const htlcAbi = parseAbi([
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData) payable",
  "function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData) payable",
  "function initiateWithSignature(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes signature)",
  "function initiateWithSignature(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes signature)",
  "function refund(bytes32 orderId)",
  "function redeem(bytes32 orderId, bytes secret)",
  "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount)",
  "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "event Refunded(bytes32 indexed orderID)",
])

/** The used part of ERC-20, with the errors of ERC-6093. */
export const tokenAbi = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
])

/**
 * The terms of one order. `timelock` in blocks; `secretHash` is 32 bytes of lower-case hex without
 * `0x`.
 */
export type Terms = {
  readonly redeemer: Address
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: string
}

/**
 * A deposit as a call: its terms, and data for the solver. The contract only logs
 * `destinationData`; it moves no funds. `null` for the call without it. `initiator` is `null` if
 * the sender is the initiator.
 */
type DepositCall = {
  readonly terms: Terms
  readonly destinationData: Hex | null
  readonly initiator: Address | null
}

/** The longest `destinationData` that Ballast sends: every byte costs gas. */
const MAX_DESTINATION_DATA_BYTES = 512

/** Encodes the deposit that we send ourselves: `initiate`, with or without destination data. */
export function encodeInitiate(
  { redeemer, timelock, units, secretHash }: Terms,
  destinationData: Hex | null = null,
): Hex {
  const args = [redeemer, timelock, units, `0x${secretHash}`] as const
  return destinationData === null
    ? encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args })
    : encodeFunctionData({
        abi: htlcAbi,
        functionName: "initiate",
        args: [...args, destinationData],
      })
}

function encodeOnBehalf(initiator: Address, { terms, destinationData }: DepositCall): Hex {
  const { redeemer, timelock, units, secretHash } = terms
  const args = [initiator, redeemer, timelock, units, `0x${secretHash}`] as const
  return destinationData === null
    ? encodeFunctionData({ abi: htlcAbi, functionName: "initiateOnBehalf", args })
    : encodeFunctionData({
        abi: htlcAbi,
        functionName: "initiateOnBehalf",
        args: [...args, destinationData],
      })
}

/**
 * Decodes a call of `initiate` or `initiateOnBehalf`, each with or without destination data; `null`
 * for any other bytes, and for destination data above `MAX_DESTINATION_DATA_BYTES`. Accepts only
 * the canonical encoding, because a different encoding of the same arguments is suspicious.
 */
export function decodeDeposit(data: string): DepositCall | null {
  if (data.length > MAX_CALL_DIGITS) return null
  const lower = data.toLowerCase()
  const call = readDeposit(lower)
  if (call === null || sizeOf(call.destinationData) > MAX_DESTINATION_DATA_BYTES) return null
  const { initiator, terms, destinationData } = call
  const canonical =
    initiator === null ? encodeInitiate(terms, destinationData) : encodeOnBehalf(initiator, call)
  return canonical === lower ? call : null
}

/** Prefix, selector, and at most six words, the length and the destination data. */
const MAX_CALL_DIGITS = 2 + 8 + 64 * 7 + 2 * MAX_DESTINATION_DATA_BYTES

function sizeOf(data: Hex | null): number {
  return data === null ? 0 : (data.length - 2) / 2
}

function readDeposit(data: string): DepositCall | null {
  const call = decode(htlcAbi, data)
  if (call?.functionName === "initiate") {
    const [redeemer, timelock, units, secretHash, destinationData = null] = call.args
    return {
      terms: termsOf(redeemer, timelock, units, secretHash),
      destinationData,
      initiator: null,
    }
  }
  if (call?.functionName !== "initiateOnBehalf") return null
  const [initiator, redeemer, timelock, units, secretHash, destinationData = null] = call.args
  return { terms: termsOf(redeemer, timelock, units, secretHash), destinationData, initiator }
}

function termsOf(redeemer: Address, timelock: bigint, units: bigint, secretHash: Hex): Terms {
  return { redeemer, timelock, units, secretHash: secretHash.slice(2) }
}

/**
 * Decodes the initiator and the terms of any function that opens an order. `null` for any other
 * call, such as one through another contract. `initiator` is `null` for a relayed call of version
 * 1, which does not name it.
 */
export function decodeInitiation(tx: {
  from: Address
  input: Hex
}): (Terms & { initiator: Address | null }) | null {
  const deposit = readDeposit(tx.input)
  if (deposit !== null) return { ...deposit.terms, initiator: deposit.initiator ?? tx.from }
  const call = decode(htlcAbi, tx.input)
  if (call?.functionName !== "initiateWithSignature") return null
  if (call.args.length === 5) {
    const [redeemer, timelock, units, secretHash] = call.args
    return { ...termsOf(redeemer, timelock, units, secretHash), initiator: null }
  }
  const [initiator, redeemer, timelock, units, secretHash] = call.args
  return { ...termsOf(redeemer, timelock, units, secretHash), initiator }
}

export function encodeRefund(orderId: Hex): Hex {
  return encodeFunctionData({ abi: htlcAbi, functionName: "refund", args: [orderId] })
}

/** The view of one stored order. Its answer has one of two forms; `read-orders.ts` reads both. */
export function encodeOrders(orderId: Hex): Hex {
  return encodeFunctionData({ abi: ordersAbi, functionName: "orders", args: [orderId] })
}

const ordersAbi = parseAbi(["function orders(bytes32 orderId) view"])

export function isRefund(data: Hex): boolean {
  const call = decode(htlcAbi, data)
  return call?.functionName === "refund" && encodeRefund(call.args[0]) === data
}

/**
 * The contract pays the redeemer of the order, for any sender. `secret` is 32 bytes of hex without
 * `0x`.
 */
export function encodeRedeem(orderId: Hex, secret: string): Hex {
  return encodeFunctionData({
    abi: htlcAbi,
    functionName: "redeem",
    args: [orderId, `0x${secret}`],
  })
}

/**
 * The secret (hex) of the canonical call with 32 bytes, a longer one would cost more gas; `null`
 * for any other call.
 */
export function readRedeemSecret(data: Hex): string | null {
  const call = decode(htlcAbi, data)
  if (call?.functionName !== "redeem") return null
  const [orderId, given] = call.args
  const secret = given.slice(2)
  return secret.length === 64 && encodeRedeem(orderId, secret) === data ? secret : null
}

export function encodeApprove(spender: Address, units: bigint): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [spender, units] })
}

/** `null` for anything but a canonical `approve(address,uint256)`. */
export function decodeApprove(data: string): { spender: Address; units: bigint } | null {
  const call = decode(tokenAbi, data.toLowerCase())
  if (call?.functionName !== "approve") return null
  const [spender, units] = call.args
  return encodeApprove(spender, units) === data.toLowerCase() ? { spender, units } : null
}

/**
 * No account owns this much of a token; wallets write 2^256 - 1, 2^255 or 2^160 - 1 for an
 * unlimited allowance.
 */
export function isUnlimited(units: bigint): boolean {
  return units >= 2n ** 128n
}

/**
 * Derives the order ids that the contract versions give to these terms (field notes). `v2` and `v3`
 * hash every term, so a match proves all of them; a match of `v1` proves only the initiator.
 */
export function deriveOrderIds(
  terms: Terms & { initiator: Address },
  where: { chainId: number; htlc: Address },
): { readonly v1: Hex; readonly v2: Hex; readonly v3: Hex } {
  const { initiator, redeemer, timelock, units } = terms
  const short = [BigInt(where.chainId), `0x${terms.secretHash}`, initiator] as const
  const long = [...short, redeemer, timelock, units] as const
  return {
    v1: sha256(encodeAbiParameters(V1_LAYOUT, short)),
    v2: sha256(encodeAbiParameters(V2_LAYOUT, long)),
    v3: sha256(encodeAbiParameters(V3_LAYOUT, [...long, where.htlc])),
  }
}

const V1_LAYOUT = parseAbiParameters("uint256, bytes32, address")
const V2_LAYOUT = parseAbiParameters("uint256, bytes32, address, address, uint256, uint256")
const V3_LAYOUT = parseAbiParameters(
  "uint256, bytes32, address, address, uint256, uint256, address",
)

/** Compares without regard to EIP-55 letter case. */
export function sameAddress(a: string, b: string): boolean {
  const address = readAddress(a)
  return address !== null && address === readAddress(b)
}

/**
 * Returns the address with its EIP-55 checksum; `null` if the text is not an address. Ignores a
 * wrong checksum in the text.
 */
export function readAddress(text: string): Address | null {
  return /^0x[0-9a-f]{40}$/i.test(text) ? getAddress(text.toLowerCase()) : null
}

function decode<const abi extends typeof htlcAbi | typeof tokenAbi>(abi: abi, data: string) {
  if (!isHex(data)) return null
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return null // The bytes are not a call of this contract.
  }
}
