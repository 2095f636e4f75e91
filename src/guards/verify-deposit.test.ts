import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { type DepositEvidence, verifyDeposit } from "./verify-deposit.ts"

const [FROM, TO] = [parseAssetId("bitcoin_testnet:btc"), parseAssetId("base_sepolia:wbtc")]
const HASH = "ab".repeat(32)

describe("the judge", () => {
  test("lets through what is as asked", () => {
    expect(verifyDeposit(evidence())).toMatchObject({ ok: true, deposit: { units: 1_000n } })
  })

  test("returns every mismatch at once, each with what was expected and what was found", () => {
    const codes = codesOf({
      decoded: { units: 1_001n, secretHash: "cd".repeat(32), timelock: 1n },
      destination: { redeemer: "thief", units: 1n, redeemTx: "tx" },
      facts: { secretHashKnown: true, nowMs: 2_000 },
    })
    expect(codes).toEqual([
      "verify.deposit_amount",
      "verify.destination_amount",
      "verify.destination_owner",
      "verify.secret_hash_source",
      "verify.secret_hash_reused",
      "verify.timelock",
      "verify.timelock_source",
      "verify.timelock_margin",
      "verify.destination_redeem",
      "verify.deadline",
    ])
    const verdict = verifyDeposit(evidence({ decoded: { units: 1_001n } }))
    expect(verdict).toMatchObject({ reasons: [{ expected: "1000", found: "1001" }] })
  })

  test("pays no address that it cannot derive", () => {
    expect(codesOf({ decoded: { htlcKind: "underivable-address", isRefundableByUs: false } })).toEqual([
      "verify.htlc_underivable",
    ])
    // CAST: a stored deposit could lack the field.
    expect(codesOf({ decoded: { htlcKind: undefined as never } })).toEqual(["verify.htlc_underivable"])
  })

  test("accepts a refund key that is the service's", () => {
    expect(codesOf({ decoded: { isRefundableByUs: false } })).toEqual([])
  })

  test("repeats what either chain found, and wants a margin between the locks", () => {
    const found = { code: "x.y", message: "odd", expected: "a", found: "b" }
    expect(codesOf({ decoded: { findings: [found] } })).toEqual(["x.y"])
    expect(codesOf({ facts: { destinationFindings: [found] } })).toEqual(["x.y"])
    expect(codesOf({ destination: { timelock: 97n } })).toEqual(["verify.timelock_margin"])
    expect(codesOf({ destination: { timelock: 96n } })).toEqual([])
  })
})

type Change = {
  decoded?: Partial<DecodedDeposit>
  destination?: Partial<ReportedLeg>
  facts?: Partial<DepositEvidence["facts"]>
}

function codesOf(change: Change): string[] {
  const verdict = verifyDeposit(evidence(change))
  return verdict.ok ? [] : verdict.reasons.map(({ code }) => code)
}

function evidence({ decoded, destination, facts }: Change = {}): DepositEvidence {
  const same = (a: string, b: string): boolean => a === b
  const bounds = { min: 3n, max: 1_000n, secondsPerUnit: 600 }
  return {
    terms: {
      from: FROM,
      to: TO,
      sourceUnits: 1_000n,
      destinationUnits: 990n,
      sourceOwner: "us",
      destinationOwner: "us2",
    },
    // CAST: the only part of a policy that the judge reads.
    policy: { timelocks: { source: bounds, destination: bounds } } as OrderPolicy,
    created: { orderId: "0xAA", depositRequest: { family: "bitcoin", to: "htlc", units: 1_000n } },
    order: {
      orderId: "aa",
      nonce: "1",
      version: null,
      source: leg({}),
      destination: leg({
        asset: TO,
        chain: "base_sepolia",
        units: 990n,
        redeemer: "us2",
        initiator: "solver",
        timelock: 12n,
        ...destination,
      }),
      deadlineMs: null,
      affiliateFees: [],
    },
    decoded: {
      chain: toChainId("bitcoin_testnet"),
      family: "bitcoin",
      htlc: "htlc",
      asset: FROM,
      units: 1_000n,
      redeemer: "solver",
      refundTo: "us",
      secretHash: HASH,
      timelock: 144n,
      htlcKind: "derivable-address",
      isRefundableByUs: true,
      hasTypedData: false,
      extras: {},
      findings: [],
      ...decoded,
    },
    facts: {
      nowMs: 1_000,
      sendUntilMs: 2_000,
      secretHashKnown: false,
      sameOnSource: same,
      sameOnDestination: same,
      isSourceAddress: () => true,
      destinationFindings: [],
      ...facts,
    },
  }
}

function leg(change: Partial<ReportedLeg>): ReportedLeg {
  return {
    swapId: "htlc",
    chain: "bitcoin_testnet",
    asset: FROM,
    initiator: "us",
    redeemer: "solver",
    delegate: null,
    timelock: 144n,
    units: 1_000n,
    filledUnits: 0n,
    secretHash: HASH,
    secret: null,
    initiateTx: null,
    redeemTx: null,
    refundTx: null,
    instantRefundTx: null,
    requiredConfirmations: 1,
    currentConfirmations: 0,
    ...change,
  }
}
