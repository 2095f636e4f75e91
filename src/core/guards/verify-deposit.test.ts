import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { type DepositEvidence, verifyDeposit } from "./verify-deposit.ts"

const FROM = parseAssetId("bitcoin_testnet:btc")
const TO = parseAssetId("base_sepolia:wbtc")
const HASH = "ab".repeat(32)

describe("the comparison of a deposit with its terms", () => {
  test("passes a deposit that matches the terms", () => {
    expect(verifyDeposit(evidence())).toMatchObject({ ok: true, deposit: { units: 1_000n } })
  })

  test("returns every mismatch at once, each with the expected and the found value", () => {
    const codes = codesOf({
      decoded: { units: 1_001n, secretHash: "cd".repeat(32), timelock: 1n },
      destination: { redeemer: "thief", units: 1n, redeemTx: "tx" },
      context: { secretHashKnown: true, nowMs: 2_000 },
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
    expect(
      codesOf({ decoded: { htlcKind: "underivable-address", isRefundableByUs: false } }),
    ).toEqual(["verify.htlc_underivable"])
    // CAST: a stored deposit could lack the field.
    expect(codesOf({ decoded: { htlcKind: undefined as never } })).toEqual([
      "verify.htlc_underivable",
    ])
  })

  test("accepts nothing but our own secret hash, and our own key in a redeem leaf", () => {
    const ours = { hash: HASH, delegate: null }
    expect(codesOf({ context: { ownSecret: ours } })).toEqual([])
    expect(codesOf({ context: { ownSecret: { ...ours, hash: "ef".repeat(32) } } })).toEqual([
      "verify.secret_hash_own",
    ])
    expect(
      codesOf({ destination: { secretHash: "ef".repeat(32) }, context: { ownSecret: ours } }),
    ).toEqual(["verify.secret_hash_legs", "verify.secret_hash_own"])
    const leaf = { ...ours, delegate: "cd".repeat(32) }
    expect(
      codesOf({ destination: { delegate: `0x${"CD".repeat(32)}` }, context: { ownSecret: leaf } }),
    ).toEqual([])
    const foreign = ["verify.destination_delegate"]
    expect(
      codesOf({ destination: { delegate: "99".repeat(32) }, context: { ownSecret: leaf } }),
    ).toEqual(foreign)
    expect(codesOf({ destination: { delegate: null }, context: { ownSecret: leaf } })).toEqual(
      foreign,
    )
    expect(
      codesOf({ destination: { delegate: "99".repeat(32) }, context: { ownSecret: ours } }),
    ).toEqual(foreign)
  })

  test("accepts a Bitcoin refund key of the service", () => {
    expect(codesOf({ decoded: { isRefundableByUs: false } })).toEqual([])
  })

  test("includes the findings of both chains, and requires a margin between the locks", () => {
    const found = { code: "x.y", message: "odd", expected: "a", found: "b" }
    expect(codesOf({ decoded: { findings: [found] } })).toEqual(["x.y"])
    expect(codesOf({ context: { destinationFindings: [found] } })).toEqual(["x.y"])
    expect(codesOf({ destination: { timelock: 97n } })).toEqual(["verify.timelock_margin"])
    expect(codesOf({ destination: { timelock: 96n } })).toEqual([])
  })
})

describe("one field that differs", () => {
  const tx = "0xdone"
  test.each<[string, string, Change]>([
    ["another order", "verify.order_id", { order: { orderId: "bb" } }],
    ["another asset to sell", "verify.source_asset", { source: { asset: TO } }],
    ["another asset to buy", "verify.destination_asset", { destination: { asset: FROM } }],
    ["another source chain", "verify.source_chain", { source: { chain: "base" } }],
    ["another destination chain", "verify.destination_chain", { destination: { chain: "base" } }],
    [
      "a deposit on another chain",
      "verify.deposit_chain",
      { decoded: { chain: toChainId("base") } },
    ],
    ["a deposit of another asset", "verify.deposit_asset", { decoded: { asset: TO } }],
    ["a deposit of an unknown asset", "verify.deposit_asset", { decoded: { asset: null } }],
    ["a deposit of more", "verify.deposit_amount", { decoded: { units: 1_001n } }],
    ["another amount of the source leg", "verify.source_amount", { source: { units: 999n } }],
    ["a smaller payout", "verify.destination_amount", { destination: { units: 989n } }],
    ["another redeemer of the deposit", "verify.redeemer", { decoded: { redeemer: "thief" } }],
    ["another depositor", "verify.initiator", { source: { initiator: "thief" } }],
    ["another payee", "verify.destination_owner", { destination: { redeemer: "thief" } }],
    ["a secret hash of zeros", "verify.secret_hash_form", zeros()],
    [
      "another secret of the destination",
      "verify.secret_hash_legs",
      { destination: { secretHash: "cd".repeat(32) } },
    ],
    [
      "a secret hash of another order",
      "verify.secret_hash_reused",
      { context: { secretHashKnown: true } },
    ],
    ["another lock of the deposit", "verify.timelock", { decoded: { timelock: 145n } }],
    [
      "a destination lock below its bounds",
      "verify.timelock_destination",
      { destination: { timelock: 2n } },
    ],
    ["a deposit at the last moment", "verify.deadline", { context: { nowMs: 2_000 } }],
    ["a funded source leg", "verify.source_filled", { source: { filledUnits: 1n } }],
    ["a deposited source leg", "verify.source_initiate", { source: { initiateTx: tx } }],
    ["a redeemed source leg", "verify.source_redeem", { source: { redeemTx: tx } }],
    ["a refunded source leg", "verify.source_refund", { source: { refundTx: tx } }],
    ["a known secret", "verify.source_secret", { source: { secret: "s" } }],
    ["a funded destination leg", "verify.destination_filled", { destination: { filledUnits: 1n } }],
  ])("is refused: %s", (_what, code, change) => {
    expect(codesOf(change)).toEqual([code])
  })

  test(
    "is refused for a contract: a refund to another address, whatever the order says about its " +
      "depositor",
    () => {
      const contract = { htlcKind: "contract", refundTo: "solver" } as const
      expect(codesOf({ decoded: contract })).toEqual(["verify.refund_to"])
      expect(codesOf({ decoded: contract, source: { initiator: "solver" } })).toEqual([
        "verify.refund_to",
        "verify.initiator",
      ])
    },
  )

  test(
    "is no redeemer that is written as a key on both sides, which the chain does not compare " +
      "as an address",
    () => {
      const sameOnSource = (a: string, b: string): boolean => a === b && a === "us"
      expect(codesOf({ context: { sameOnSource } })).toEqual([])
      expect(codesOf({ context: { sameOnSource }, decoded: { redeemer: "thief" } })).toEqual([
        "verify.redeemer",
      ])
    },
  )

  test("is refused outside either bound of a lock, and accepted on the bound", () => {
    const at = (timelock: bigint) => codesOf({ decoded: { timelock }, source: { timelock } })
    expect([at(1_000n), at(1_001n)]).toEqual([[], ["verify.timelock_source"]])
  })

  test("is refused when fast source blocks or slow destination blocks leave no margin", () => {
    const bounds = { min: 3n, max: 1_000n, secondsPerUnit: 600 }
    const timelocks = (source: object, destination: object) =>
      codesOf({
        timelocks: { source: { ...bounds, ...source }, destination: { ...bounds, ...destination } },
      })
    expect(timelocks({}, {})).toEqual([])
    expect(timelocks({ fastestSeconds: 60 }, {})).toEqual(["verify.timelock_margin"])
    expect(timelocks({}, { slowestSeconds: 6_000 })).toEqual(["verify.timelock_margin"])
  })
})

function zeros(): Change {
  const secretHash = "0".repeat(64)
  return { decoded: { secretHash }, source: { secretHash }, destination: { secretHash } }
}

type Change = {
  order?: Partial<DepositEvidence["order"]>
  source?: Partial<ReportedLeg>
  timelocks?: OrderPolicy["timelocks"]
  decoded?: Partial<DecodedDeposit>
  destination?: Partial<ReportedLeg>
  context?: Partial<DepositEvidence["context"]>
}

function codesOf(change: Change): string[] {
  const verdict = verifyDeposit(evidence(change))
  return verdict.ok ? [] : verdict.reasons.map(({ code }) => code)
}

function evidence({
  order,
  source,
  timelocks,
  decoded,
  destination,
  context,
}: Change = {}): DepositEvidence {
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
    // CAST: the comparison reads only this part of a policy.
    policy: { timelocks: timelocks ?? { source: bounds, destination: bounds } } as OrderPolicy,
    created: { orderId: "0xAA", depositRequest: { family: "bitcoin", to: "htlc", units: 1_000n } },
    order: {
      orderId: "aa",
      nonce: "1",
      version: null,
      source: leg(source ?? {}),
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
      ...order,
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
    context: {
      nowMs: 1_000,
      sendUntilMs: 2_000,
      secretHashKnown: false,
      sameOnSource: same,
      sameOnDestination: same,
      isSourceAddress: () => true,
      destinationFindings: [],
      ...context,
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
