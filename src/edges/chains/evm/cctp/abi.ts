import { parseAbi } from "viem"

/**
 * The used part of TokenMessengerV2. `depositForBurn` returns nothing; some published ABIs give it
 * a nonce. `getMinFeeAmount` is of version 2.1: a contract without it has no least fee.
 */
export const messengerAbi = parseAbi([
  "function depositForBurn(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold)",
  "function getMinFeeAmount(uint256 amount) view returns (uint256)",
  "function remoteTokenMessengers(uint32 domain) view returns (bytes32)",
  "function localMinter() view returns (address)",
  "function localMessageTransmitter() view returns (address)",
  "function isDenylisted(address account) view returns (bool)",
  "event DepositForBurn(address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller, uint256 maxFee, uint32 indexed minFinalityThreshold, bytes hookData)",
  "event MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken, uint256 feeCollected)",
])

/** The used part of MessageTransmitterV2. */
export const transmitterAbi = parseAbi([
  "function receiveMessage(bytes message, bytes attestation) returns (bool)",
  "function usedNonces(bytes32 nonce) view returns (uint256)",
  "function localDomain() view returns (uint32)",
  "function version() view returns (uint32)",
  "function signatureThreshold() view returns (uint256)",
  "function isEnabledAttester(address attester) view returns (bool)",
  "function paused() view returns (bool)",
  "event MessageSent(bytes message)",
  "event MessageReceived(address indexed caller, uint32 sourceDomain, bytes32 indexed nonce, bytes32 sender, uint32 indexed finalityThresholdExecuted, bytes messageBody)",
])

/** The used part of TokenMinterV2. */
export const minterAbi = parseAbi([
  "function burnLimitsPerMessage(address token) view returns (uint256)",
  "function getLocalToken(uint32 remoteDomain, bytes32 remoteToken) view returns (address)",
  "function paused() view returns (bool)",
])

/** The part of USDC that a transfer of ordinary tokens does not have. */
export const usdcAbi = parseAbi([
  "function isBlacklisted(address account) view returns (bool)",
  "function minterAllowance(address minter) view returns (uint256)",
  "function paused() view returns (bool)",
])
