import { createHash } from "node:crypto"
import type { EvmChainOptions } from "#chains/evm/create-chain.ts"
import type { EvmDepositRequest } from "#chains/evm/deposit-request.ts"
import { everyDepth } from "#chains/evm/finality.ts"
import { encodeInitiate, type Terms } from "#chains/evm/htlc.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"

/**
 * For tests: a chain, two assets, and an order as the service would describe it. Keys and addresses
 * are made up.
 */
export function sampleOptions(
  rpc: readonly string[],
  change: Partial<EvmChainOptions> = {},
): EvmChainOptions {
  return {
    chain: toChainId("base_sepolia"),
    chainId: 84_532,
    rpc,
    key: new Secret(`0x${"5e".repeat(32)}`, "env:EVM_KEY"),
    finality: everyDepth(2),
    maxFeePerGasUnits: 500_000_000_000n,
    maxTipPerGasUnits: 10_000_000_000n,
    timeoutMs: 20_000,
    assets: sampleAssets,
    clock: systemClock,
    ...change,
  }
}

export const wbtc = parseAssetId("base_sepolia:wbtc")
export const eth = parseAssetId("base_sepolia:eth")
export const tokenAddress = requireAddress(`0x${"11".repeat(20)}`)
export const htlcAddress = requireAddress(`0x${"22".repeat(20)}`)
export const nativeHtlc = requireAddress(`0x${"44".repeat(20)}`)
export const strangerAddress = requireAddress(`0x${"99".repeat(20)}`)

const chain = toChainId("base_sepolia")
export const sampleAssets: readonly Asset[] = [
  { id: wbtc, chain, decimals: 8, token: tokenAddress, htlc: [htlcAddress] },
  { id: eth, chain, decimals: 18, token: null, htlc: [nativeHtlc] },
]

export const sampleTerms: Terms = {
  redeemer: requireAddress(`0x${"33".repeat(20)}`),
  timelock: 43_200n,
  units: 1_000_000n,
  secretHash: "5f".repeat(32),
}

export type EvmRequest = EvmDepositRequest

export function sampleRequest(
  change: Partial<EvmRequest["transaction"]> = {},
  typedData: unknown = null,
): EvmRequest {
  const transaction = {
    to: htlcAddress,
    valueUnits: 0n,
    data: encodeInitiate(sampleTerms),
    gasLimit: 200_000n,
    chainId: 84_532n,
    ...change,
  }
  return { family: "evm", transaction, approval: null, typedData }
}

/** As the interface document shows it; numbers in hex. */
export function sampleTypedData() {
  return {
    domain: {
      name: "HTLC",
      version: "1",
      chainId: "0x14a34",
      verifyingContract: htlcAddress as string,
    }, // CAST: a text on the wire.
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
      redeemer: sampleTerms.redeemer as string, // CAST: a text on the wire.
      timelock: "0xa8c0",
      amount: "0xf4240",
      secretHash: `0x${sampleTerms.secretHash}`,
    },
  }
}

/** This family does not read the order; `verifyDeposit` compares it. */
export const noOrder = Object.freeze({}) as ServiceOrder // CAST: never read here.

/** These tests do not cover `verifyDeposit`: a deposit without findings passes. */
export function asVerified(deposit: DecodedDeposit): VerifiedDeposit {
  if (deposit.findings.length > 0) throw new Error(deposit.findings.map(({ code }) => code).join())
  // CAST: stands in for core/guards/verify-deposit.ts, which other rooms' tests cover; JSON as the
  // journal keeps it.
  return { ...deposit, extras: JSON.parse(JSON.stringify(deposit.extras)) } as VerifiedDeposit
}

export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
}
