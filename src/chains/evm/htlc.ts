import {
  type Address,
  decodeErrorResult,
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

/** The HTLC of one EVM asset (field notes): the functions that open an order, our refund, and the events. */
export const htlcAbi = parseAbi([
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function initiateWithSignature(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes signature)",
  "function refund(bytes32 orderId)",
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

/** The terms of one order. `timelock` in blocks; `secretHash` is 32 bytes of lower-case hex without `0x`. */
export type Terms = {
  readonly redeemer: Address
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: string
}

export function encodeInitiate({ redeemer, timelock, units, secretHash }: Terms): Hex {
  const args = [redeemer, timelock, units, `0x${secretHash}`] as const
  return encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args })
}

/**
 * Decodes the terms of `initiate(address,uint256,uint256,bytes32)`; `null` for any other bytes. Accepts only the
 * canonical encoding, because a different encoding of the same arguments is suspicious.
 */
export function decodeInitiate(data: string): Terms | null {
  if (!INITIATE.test(data)) return null
  const call = decode(htlcAbi, data.toLowerCase())
  if (call?.functionName !== "initiate") return null
  const [redeemer, timelock, units, secretHash] = call.args
  const terms = { redeemer, timelock, units, secretHash: secretHash.slice(2) }
  return encodeInitiate(terms) === data.toLowerCase() ? terms : null
}

/** Selector and four words. */
const INITIATE = /^0x[0-9a-f]{264}$/i

/**
 * Decodes the initiator and the terms of either initiate function. `null` for any other call, such as one through
 * another contract.
 */
export function decodeInitiation(tx: { from: Address; input: Hex }): (Terms & { initiator: Address }) | null {
  const call = decode(htlcAbi, tx.input)
  if (call?.functionName === "initiate") {
    const [redeemer, timelock, units, secretHash] = call.args
    return { initiator: tx.from, redeemer, timelock, units, secretHash: secretHash.slice(2) }
  }
  if (call?.functionName !== "initiateWithSignature") return null
  const [initiator, redeemer, timelock, units, secretHash] = call.args
  return { initiator, redeemer, timelock, units, secretHash: secretHash.slice(2) }
}

export function encodeRefund(orderId: Hex): Hex {
  return encodeFunctionData({ abi: htlcAbi, functionName: "refund", args: [orderId] })
}

export function isRefund(data: Hex): boolean {
  const call = decode(htlcAbi, data)
  return call?.functionName === "refund" && encodeRefund(call.args[0]) === data
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

/** No account owns this much of a token; wallets write 2^256 - 1, 2^255 or 2^160 - 1 for an unlimited allowance. */
export function isUnlimited(units: bigint): boolean {
  return units >= 2n ** 128n
}

/**
 * Derives the order ids that the contract versions give to these terms (field notes). `v2` and `v3` hash every term, so
 * a match proves all of them; a match of `v1` proves only the initiator.
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
const V3_LAYOUT = parseAbiParameters("uint256, bytes32, address, address, uint256, uint256, address")

/** Decodes the data of a revert to text: `Error(string)`, `Panic(uint256)`, ERC-6093, or else the raw bytes. */
export function decodeRevert(data: string): string {
  if (!isHex(data)) return data
  try {
    const { errorName, args } = decodeErrorResult({ abi: tokenAbi, data })
    return `${errorName}(${(args ?? []).join(", ")})`
  } catch {
    return data // The raw bytes are the most exact text for an unknown selector.
  }
}

/** Compares without regard to EIP-55 letter case. */
export function sameAddress(a: string, b: string): boolean {
  const address = readAddress(a)
  return address !== null && address === readAddress(b)
}

/**
 * Returns the address with its EIP-55 checksum; `null` if the text is not an address. Ignores a wrong checksum in the
 * text.
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
