import type { AssetId } from "#domain/asset.ts"
import { chainOf } from "#domain/asset.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { DepositEvidence } from "#guards/verify-deposit.ts"
import { UNTOUCHED_LEG } from "./untouched-leg.ts"

const HASH = "ab".repeat(32)

/**
 * The evidence of an order in which everything agrees. Only the two timelocks and the policy decide
 * whether it passes.
 */
export function evidenceOf(
  { from, to }: { readonly from: AssetId; readonly to: AssetId },
  policy: OrderPolicy,
  timelocks: { readonly source: bigint; readonly destination: bigint },
): DepositEvidence {
  const same = (a: string, b: string): boolean => a === b
  return {
    terms: {
      from,
      to,
      sourceUnits: 1_000n,
      destinationUnits: 990n,
      sourceOwner: "us",
      destinationOwner: "us2",
    },
    policy,
    created: { orderId: "aa", depositRequest: { family: "any", to: "htlc", units: 1_000n } },
    order: {
      orderId: "aa",
      nonce: "1",
      version: null,
      deadlineMs: null,
      affiliateFees: [],
      source: leg(from, {
        initiator: "us",
        redeemer: "solver",
        units: 1_000n,
        timelock: timelocks.source,
      }),
      destination: leg(to, {
        initiator: "solver",
        redeemer: "us2",
        units: 990n,
        timelock: timelocks.destination,
      }),
    },
    decoded: {
      chain: chainOf(from),
      family: "any",
      htlc: "htlc",
      asset: from,
      units: 1_000n,
      redeemer: "solver",
      refundTo: "us",
      secretHash: HASH,
      timelock: timelocks.source,
      htlcKind: "contract",
      isRefundableByUs: true,
      hasTypedData: false,
      extras: {},
      findings: [],
    },
    context: {
      nowMs: 1_000,
      sendUntilMs: 2_000,
      secretHashKnown: false,
      isSourceAddress: () => true,
      sameOnSource: same,
      sameOnDestination: same,
      destinationFindings: [],
    },
  }
}

function leg(
  asset: AssetId,
  known: Pick<ReportedLeg, "initiator" | "redeemer" | "units" | "timelock">,
): ReportedLeg {
  return {
    ...UNTOUCHED_LEG,
    swapId: "htlc",
    chain: chainOf(asset),
    asset,
    secretHash: HASH,
    ...known,
  }
}
