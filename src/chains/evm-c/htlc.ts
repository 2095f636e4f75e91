import { type Address, encodeAbiParameters, type Hex, parseAbi, sha256 } from "viem"

/** The HTLC's interface, one contract per asset (field notes: selectors 0x97ffc7ae, 0x7249fbb6; events). The native one is payable. */
export const htlcAbi = parseAbi([
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)",
  "function refund(bytes32 orderId)",
  "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount)",
  "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "event Refunded(bytes32 indexed orderID)",
])

export const tokenAbi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function balanceOf(address owner) view returns (uint256)",
  "event Transfer(address indexed from, address indexed to, uint256 amount)",
])

/** EIP-712 type of a gasless initiation (service interface §2). */
export const initiateFields = [
  { name: "redeemer", type: "address" },
  { name: "timelock", type: "uint256" },
  { name: "amount", type: "uint256" },
  { name: "secretHash", type: "bytes32" },
] as const

export type SwapFacts = {
  readonly chainId: number
  readonly htlc: Address
  readonly secretHash: Hex
  readonly initiator: Address
  readonly redeemer: Address
  readonly timelock: bigint
  readonly units: bigint
}

/** The order id by the contract's versions v1, v2 and v3 (field notes): sha256 over the ABI-encoded facts. */
export function deriveOrderIds(facts: SwapFacts): readonly [v1: Hex, v2: Hex, v3: Hex] {
  const { secretHash, initiator, redeemer, timelock, units, htlc } = facts
  const chainId = BigInt(facts.chainId)
  const [u, b, a] = [{ type: "uint256" }, { type: "bytes32" }, { type: "address" }] as const
  return [
    sha256(encodeAbiParameters([u, b, a], [chainId, secretHash, initiator])),
    sha256(encodeAbiParameters([u, b, a, a, u, u], [chainId, secretHash, initiator, redeemer, timelock, units])),
    sha256(
      encodeAbiParameters([u, b, a, a, u, u, a], [chainId, secretHash, initiator, redeemer, timelock, units, htlc]),
    ),
  ]
}

export function withPrefix(hex: string): Hex {
  return `0x${hex.replace(/^0x/i, "").toLowerCase()}`
}
