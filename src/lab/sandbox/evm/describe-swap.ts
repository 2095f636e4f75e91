import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseAbiParameters,
  sha256,
} from "viem"
import { assert } from "#lib/assert.ts"
import {
  CONTRACTS_VERSIONS,
  type ContractsVersion,
  type LocalSwap,
  type SwapRequest,
} from "../local-chain.ts"
import type { EvmAsset } from "./deploy-assets.ts"
import { CONTRACTS, htlcAbi } from "./htlc-abi.ts"

/**
 * Describes a swap with the solver as the other party. The search for its events starts at
 * `fromHeight`.
 */
export function describeSwap(options: {
  side: "source" | "destination"
  chain: string
  chainId: number
  asset: EvmAsset
  solver: Hex
  version: ContractsVersion
  fromHeight: bigint
  request: SwapRequest
}): LocalSwap {
  const { side, request, solver, version } = options
  const { htlc } = options.asset
  const owner = getAddress(request.owner)
  const terms = {
    initiator: side === "source" ? owner : solver,
    redeemer: side === "source" ? solver : owner,
    timelock: BigInt(request.timelock),
    units: request.units,
    secretHash: withPrefix(request.secretHash),
  }
  return {
    side,
    chain: options.chain,
    asset: request.assetId,
    units: request.units.toString(),
    owner,
    swapId: deriveOrderId(version, { chainId: options.chainId, htlc }, terms).slice(2),
    initiator: terms.initiator,
    redeemer: terms.redeemer,
    timelock: request.timelock,
    secretHash: request.secretHash.toLowerCase(),
    extra: { htlc, version, fromHeight: options.fromHeight.toString() },
  }
}

export type Terms = {
  readonly initiator: Hex
  readonly redeemer: Hex
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: Hex
}

/** The terms of a swap, with the types of the contract. */
export function termsOf(swap: LocalSwap): Terms {
  return {
    initiator: getAddress(swap.initiator),
    redeemer: getAddress(swap.redeemer),
    timelock: BigInt(swap.timelock),
    units: BigInt(swap.units),
    secretHash: withPrefix(swap.secretHash),
  }
}

export function htlcOf(swap: LocalSwap): Hex {
  return getAddress(swap.extra["htlc"] ?? "")
}

export function versionOf(swap: LocalSwap): ContractsVersion {
  const version = CONTRACTS_VERSIONS.find((each) => each === swap.extra["version"])
  assert(version !== undefined, "a swap of an EVM chain names the version of its contract", {
    swap: swap.swapId,
  })
  return version
}

/**
 * Derives the order id: SHA-256 over chain id, secret hash and initiator (version 1), all terms
 * (2), and the contract too (3).
 */
export function deriveOrderId(
  version: ContractsVersion,
  where: { chainId: number; htlc: Hex },
  terms: Terms,
): Hex {
  const { secretHash, initiator, redeemer, timelock, units } = terms
  const short = [BigInt(where.chainId), secretHash, initiator] as const
  const long = [...short, redeemer, timelock, units] as const
  switch (version) {
    case "v1":
      return sha256(encodeAbiParameters(parseAbiParameters("uint256, bytes32, address"), short))
    case "v2":
      return sha256(encodeAbiParameters(LONG_LAYOUT, long))
    case "v3":
      return sha256(
        encodeAbiParameters([...LONG_LAYOUT, { type: "address" }], [...long, where.htlc]),
      )
  }
}

const LONG_LAYOUT = parseAbiParameters("uint256, bytes32, address, address, uint256, uint256")

export function encodeInitiate(terms: Terms, destinationData: Hex | null = null): Hex {
  const args = [terms.redeemer, terms.timelock, terms.units, terms.secretHash] as const
  return destinationData === null
    ? encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args })
    : encodeFunctionData({
        abi: htlcAbi,
        functionName: "initiate",
        args: [...args, destinationData],
      })
}

/**
 * The create answer for an EVM source (service interface §2): a transaction to send, or typed data
 * to sign.
 *
 * `typed_data` is `null` for the native asset: native funds have no allowance, so a signature
 * cannot move them. The interface shows no native EVM asset; live deployments send `null` if
 * gasless initiation is impossible. Destination data only goes to contracts of version 3, because
 * the others do not take it.
 */
export function describeDepositRequest(
  chainId: number,
  asset: EvmAsset,
  swap: LocalSwap,
  request: Pick<SwapRequest, "destinationData">,
): Record<string, unknown> {
  const terms = termsOf(swap)
  const { destinationData } = request
  const data =
    destinationData === undefined || versionOf(swap) !== "v3" ? null : withPrefix(destinationData)
  const transaction = {
    to: asset.htlc,
    value: numberToHex(asset.token === null ? terms.units : 0n),
    data: encodeInitiate(terms, data),
    gas_limit: numberToHex(INITIATE_GAS_LIMIT),
    chain_id: chainId,
  }
  return { transaction, typed_data: asset.token === null ? null : typedDataOf(chainId, swap, data) }
}

/** An initiation with a token costs about 180 000 gas; the limit leaves a margin. */
const INITIATE_GAS_LIMIT = 300_000n

function typedDataOf(
  chainId: number,
  swap: LocalSwap,
  destinationData: Hex | null,
): Record<string, unknown> {
  const terms = termsOf(swap)
  const version = CONTRACTS[versionOf(swap)].domainVersion
  return {
    domain: {
      name: "HTLC",
      version,
      chainId: numberToHex(chainId),
      verifyingContract: htlcOf(swap),
    },
    primaryType: "Initiate",
    types: {
      EIP712Domain: [
        { name: "name", type: "string" },
        { name: "version", type: "string" },
        { name: "chainId", type: "uint256" },
        { name: "verifyingContract", type: "address" },
      ],
      Initiate: [
        { name: "redeemer", type: "address" },
        { name: "timelock", type: "uint256" },
        { name: "amount", type: "uint256" },
        { name: "secretHash", type: "bytes32" },
      ],
    },
    message: {
      redeemer: terms.redeemer,
      timelock: numberToHex(terms.timelock),
      amount: numberToHex(terms.units),
      secretHash: terms.secretHash,
      // Newer answers carry it here too. The type does not name it, so it is not signed.
      ...(destinationData === null ? {} : { destinationData }),
    },
  }
}

export function withPrefix(hex: string): Hex {
  // CAST: the template adds the prefix, and the encoder checks the digits.
  return (hex.startsWith("0x") ? hex.toLowerCase() : `0x${hex.toLowerCase()}`) as Hex
}
