import { parseAbi } from "viem"
import type { ContractsVersion } from "../local-chain.ts"

/**
 * The calls, events and errors of the HTLCs of all versions, with the errors of the token. `orders`
 * and `Initiated` differ between versions (`currentAbi`, `olderAbi`). Version 1 takes a signature
 * without the initiator; only version 3 has destination data; only an HTLC of a token has
 * `initiateWithSignature`.
 */
export const htlcAbi = parseAbi([
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData) payable",
  "function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData) payable",
  "function initiateWithSignature(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes signature)",
  "function initiateWithSignature(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes signature)",
  "function redeem(bytes32 orderID, bytes secret)",
  "function refund(bytes32 orderID)",
  "function instantRefund(bytes32 orderID, bytes signature)",
  "function initialise(address _token)",
  "function token() view returns (address)",
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "event Refunded(bytes32 indexed orderID)",
  "error HTLC__DuplicateOrder()",
  "error HTLC__HTLCAlreadyInitialized()",
  "error HTLC__IncorrectSecret()",
  "error HTLC__InvalidInitiatorSignature()",
  "error HTLC__InvalidRedeemerSignature()",
  "error HTLC__OrderFulfilled()",
  "error HTLC__OrderNotExpired()",
  "error HTLC__OrderNotInitiated()",
  "error HTLC__SameFunderAndRedeemer()",
  "error HTLC__SameInitiatorAndRedeemer()",
  "error HTLC__ZeroAddressInitiator()",
  "error HTLC__ZeroAddressRedeemer()",
  "error HTLC__ZeroAmount()",
  "error HTLC__ZeroTimelock()",
  "error NativeHTLC__DuplicateOrder()",
  "error NativeHTLC__IncorrectFundsRecieved()",
  "error NativeHTLC__IncorrectSecret()",
  "error NativeHTLC__InsufficientBalance()",
  "error NativeHTLC__InvalidRedeemerSignature()",
  "error NativeHTLC__OrderFulfilled()",
  "error NativeHTLC__OrderNotExpired()",
  "error NativeHTLC__OrderNotInitiated()",
  "error NativeHTLC__SameFunderAndRedeemer()",
  "error NativeHTLC__SameInitiatorAndRedeemer()",
  "error NativeHTLC__ZeroAddressInitiator()",
  "error NativeHTLC__ZeroAddressRedeemer()",
  "error NativeHTLC__ZeroAmount()",
  "error NativeHTLC__ZeroTimelock()",
  "error InvalidShortString()",
  "error StringTooLong(string str)",
  "error SafeERC20FailedOperation(address token)",
  "error InsufficientBalance(address owner, uint256 balance, uint256 needed)",
  "error InsufficientAllowance(address owner, address spender, uint256 allowance, uint256 needed)",
])

/** Version 3: the amount is indexed, and an order ends with the block that fulfilled it. */
export const currentAbi = parseAbi([
  "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount)",
  "function orders(bytes32 orderID) view returns (address initiator, address redeemer, uint256 initiatedAt, uint256 timelock, uint256 amount, uint256 fulfilledAt)",
])

/** Versions 1 and 2: the amount is data, and an order starts with a flag. */
export const olderAbi = parseAbi([
  "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount)",
  "function orders(bytes32 orderID) view returns (bool isFulfilled, address initiator, address redeemer, uint256 initiatedAt, uint256 timelock, uint256 amount)",
])

/**
 * The contracts of one version, by the asset that they hold, and the version of their EIP-712
 * domain.
 */
export const CONTRACTS = {
  v1: { token: "HtlcV1", native: "NativeHtlcV1", domainVersion: "1" },
  v2: { token: "HtlcV2", native: "NativeHtlcV2", domainVersion: "2" },
  v3: { token: "HtlcV3", native: "NativeHtlcV3", domainVersion: "3" },
} as const satisfies Record<
  ContractsVersion,
  { token: string; native: string; domainVersion: string }
>
