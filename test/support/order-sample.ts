import { parseAssetId } from "#domain/asset.ts"
import type { CreatedOrder, VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { OrderTerms } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { OrderData, OrderInput, TransactionPurpose } from "#order/data.ts"
import { POLICY } from "./fake-world.ts"
import { UNTOUCHED_LEG } from "./untouched-leg.ts"

const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const OWNERS = { sourceOwner: "base_sepolia/wallet", destinationOwner: "bitcoin_testnet/wallet" }
const SECRET_HASH = "ab".repeat(32)

/** A consistent sample of an order's data. Tests of the pure rooms change one field at a time. */
export const SAMPLE = {
  input: {
    id: "order-1",
    rule: "manual",
    occurrence: null,
    request: { from: FROM, to: TO, sourceUnits: 10_000n, ...OWNERS },
    policy: POLICY,
    createdAt: 0,
    nonce: "1",
  } satisfies OrderInput,
  quote: {
    from: FROM,
    to: TO,
    sourceUnits: 10_000n,
    destinationUnits: 9_970n,
    sourceFiat: 10_000_000_000n,
    destinationFiat: 9_970_000_000n,
    solverId: "solver",
    estimatedSeconds: 20,
  } satisfies Quote,
  terms: {
    from: FROM,
    to: TO,
    sourceUnits: 10_000n,
    destinationUnits: 9_970n,
    ...OWNERS,
  } satisfies OrderTerms,
  created: {
    orderId: "aa",
    depositRequest: {
      family: "evm",
      transaction: { to: "0xhtlc", valueUnits: 0n, data: "", gasLimit: 1n, chainId: 1n },
      approval: null,
      typedData: {},
    },
  } satisfies CreatedOrder,
  // CAST: a test may use a deposit without verification.
  deposit: {
    chain: "base_sepolia",
    family: "evm",
    htlc: "0xhtlc",
    asset: FROM,
    units: 10_000n,
    redeemer: "solver",
    refundTo: OWNERS.sourceOwner,
    secretHash: SECRET_HASH,
    timelock: 600n,
    htlcKind: "contract",
    isRefundableByUs: true,
    hasTypedData: true,
    extras: { typedData: {} },
    findings: [],
  } as unknown as VerifiedDeposit,
  order: {
    orderId: "aa",
    nonce: "1",
    version: "v1",
    source: leg({
      asset: FROM,
      chain: "base_sepolia",
      initiator: OWNERS.sourceOwner,
      redeemer: "solver",
      units: 10_000n,
    }),
    destination: leg({
      asset: TO,
      chain: "bitcoin_testnet",
      initiator: "solver",
      redeemer: OWNERS.destinationOwner,
      units: 9_970n,
      timelock: 100n,
    }),
    deadlineMs: 600_000,
    affiliateFees: [],
  } satisfies ServiceOrder,
}

export function samplePlan(kind: TransactionPurpose, attempt: number): TransactionPlan {
  return {
    chain: SAMPLE.deposit.chain,
    account: OWNERS.sourceOwner,
    action: kind === "deposit" ? "initiate" : kind === "revoke" ? "approve" : kind,
    attempt,
    unsigned: `${kind} ${attempt}`,
    digest: `${kind} ${attempt}`,
    resources: ["nonce:0"],
    spends: [],
    maxFeeUnits: 1n,
    fromHeight: 0n,
    expiresAtHeight: null,
  }
}

export function sampleTransaction(plan: TransactionPlan): SignedTransaction {
  return { plan, raw: `signed ${plan.unsigned}`, txid: `txid ${plan.unsigned}` }
}

export const NOTHING_SEEN: OrderData["seen"] = {
  sourceInitiated: null,
  sourceRedeemed: null,
  sourceRefunded: null,
  destinationInitiated: null,
  destinationRedeemed: null,
  refundableAtHeight: null,
  sourceHeight: null,
}

function leg(
  known: Pick<ReportedLeg, "asset" | "chain" | "initiator" | "redeemer" | "units"> &
    Partial<ReportedLeg>,
): ReportedLeg {
  return {
    ...UNTOUCHED_LEG,
    swapId: "aa",
    timelock: 600n,
    secretHash: SECRET_HASH,
    ...known,
  }
}
