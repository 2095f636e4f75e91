import { createHash } from "node:crypto"
import { networkOf } from "#chains/bitcoin/address.ts"
import type { BitcoinOptions } from "#chains/bitcoin/create-chain.ts"
import { deriveHtlc } from "#chains/bitcoin/htlc.ts"
import { secp } from "#chains/bitcoin/keys/secp.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { UNTOUCHED_LEG } from "../../support/untouched-leg.ts"

/**
 * For tests: a well-formed order from this chain, with a deposit address derived from its own keys.
 */
export function sampleOrder(
  delegate: string,
  units: bigint,
  change: Partial<ReportedLeg> = {},
): ServiceOrder {
  const terms = {
    refundKey: delegate,
    redeemKey: serviceKey,
    secretHash: sampleSecretHash,
    timelock: 144,
  }
  const source = {
    ...emptyLeg,
    swapId: deriveHtlc(terms, networkOf("regtest")).address,
    delegate,
    units,
    ...change,
  }
  return {
    orderId: "ab".repeat(32),
    nonce: "1",
    version: "v2",
    source,
    destination: { ...emptyLeg, timelock: 12n },
    deadlineMs: null,
    affiliateFees: [],
  }
}

export const btc = parseAssetId("bitcoin_testnet:btc")
export const sampleSecret = "5e".repeat(32)
export const sampleSecretHash = createHash("sha256")
  .update(Buffer.from(sampleSecret, "hex"))
  .digest("hex")
export const serviceKey = xOnlyOf(7)

/** Key number `n` of the tests: the scalar `n`. */
export function wifOf(n: number, network: "mainnet" | "regtest" = "regtest"): string {
  return secp.fromPrivateKey(scalar(n), { network: networkOf(network) }).toWIF()
}

export function xOnlyOf(n: number): string {
  return Buffer.from(secp.fromPrivateKey(scalar(n)).publicKey)
    .toString("hex")
    .slice(2)
}

export function sampleOptions(
  esplora: readonly string[],
  change: Partial<BitcoinOptions> = {},
): BitcoinOptions {
  return {
    chain: toChainId("bitcoin_testnet"),
    network: "regtest",
    esplora,
    key: new Secret(wifOf(1), "env:BITCOIN_WIF"),
    addressType: "p2wpkh",
    confirmations: 2,
    maxFeeRate: 50,
    timeoutMs: 500,
    assets: [{ id: btc, chain: toChainId("bitcoin_testnet"), decimals: 8, token: null, htlc: [] }],
    clock: systemClock,
    ...change,
  }
}

/** These tests do not cover `verifyDeposit`: a deposit without findings passes. */
export function asVerified(deposit: DecodedDeposit): VerifiedDeposit {
  // CAST: stands in for core/guards/verify-deposit.ts, which other rooms' tests cover.
  return deposit as VerifiedDeposit
}

export function sampleQuery(change: Partial<LegQuery>): LegQuery {
  return {
    side: "source",
    asset: btc,
    htlc: null,
    secretHash: sampleSecretHash,
    units: 100_000n,
    owner: "",
    initiator: null,
    redeemer: null,
    timelock: 144n,
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight: 0n,
    ...change,
  }
}

const emptyLeg: ReportedLeg = {
  ...UNTOUCHED_LEG,
  swapId: "",
  chain: "bitcoin_testnet",
  asset: btc,
  initiator: "",
  redeemer: serviceKey,
  timelock: 144n,
  units: 0n,
  secretHash: sampleSecretHash,
}

function scalar(n: number): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? n : 0))
}
