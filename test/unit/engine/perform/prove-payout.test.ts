import { beforeEach, describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { leaveOnlyIf } from "#domain/may-leave.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import {
  payoutWithSecret,
  provePayout,
  recordLostPayout,
} from "#engine/orders/observe/prove-payout.ts"
import { revealSecret } from "#engine/orders/observe/reveal-secret.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { ServicePort } from "#ports/service.ts"
import type { SecretDecision } from "#ports/signing-record.ts"
import {
  NOTHING_SEEN,
  SAMPLE,
  samplePlan,
  sampleTransaction,
} from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const HEIGHT = 1_000n
const NOW = 500_000
const UNITS = SAMPLE.terms.destinationUnits
/** Half of this lock is enough time for the service and for two fee bumps. */
const TIMELOCK = 400n
const AT = { txid: "a", height: 900n, confirmations: 9, seen: true, revealable: true, final: true }
const PAYOUT: LegObservation = {
  ...emptyLeg(HEIGHT),
  initiated: { ...AT, units: UNITS },
  refundableAt: HEIGHT + TIMELOCK,
}
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const NAME = { service: "main", nonce: "1" }
const OWN = {
  nonce: "1",
  hash: keeper.hashOf(NAME),
  status: "unknown",
  revealedAt: null,
  isTold: false,
} as const

const DEPOSIT: LegObservation = { ...emptyLeg(9n), initiated: { ...AT, units: 1n } }
const SILENT = new AppError({ code: "evm.unreachable", disposition: "transient", message: "gone" })

let isSilent: boolean
let leg: LegObservation
let over: Partial<OrderData>
let signed: Parameters<typeof sampleData>[0]
let port: object
let journal: object
let settings: object
let firstHeight: bigint | null
let asked: object[]
let askHeadroom: ((use: object) => Promise<void>) | undefined
let decided: SecretDecision[]
let known: readonly SecretDecision[]
let source: LegObservation | null
let told: ServicePort["revealSecret"]
let reported: Partial<ServiceOrder["source"]> | null
let delegate: string | null
/** The orders whose redemptions stand before this one. */
let queued: number
beforeEach(() => {
  queued = 0
  isSilent = false
  leg = PAYOUT
  over = {}
  signed = {}
  port = {}
  journal = {}
  settings = {}
  firstHeight = null
  asked = []
  askHeadroom = undefined
  decided = []
  known = []
  source = DEPOSIT
  told = async () => ({ answer: "Redeemed" })
  reported = {}
  delegate = null
})

function jobOf(more: Partial<Job> = {}): Job {
  const destination = { ...SAMPLE.order.destination, timelock: TIMELOCK, delegate }
  const serviceOrder = { ...SAMPLE.order, destination }
  const data = sampleData(signed, { ownSecret: OWN, serviceOrder, ...over })
  const parts = {
    countInFlight: () => 1,
    countPaidOn: () => 2,
    countRedeemedOn: () => queued,
    findOrder: () => null,
    keepSpace: () => true,
    listSecretDecisions: () => known,
    hasWork: () => true,
    durable: async () => undefined,
    durableHere: async () => undefined,
    isPendingHere: () => false,
    decideSecret: ({ decision }: { decision: SecretDecision }) => void decided.push(decision),
    ...journal,
  }
  const service: Partial<ServicePort> = {
    revealSecret: told,
    fetchOrder: async () => {
      if (reported === null) throw SILENT
      return { ...SAMPLE.order, source: { ...SAMPLE.order.source, ...reported } }
    },
  }
  // CAST: only these parts of the port are used.
  const chain = {
    traits: familyNamed("evm").traits,
    observeLeg: async () => {
      if (source === null) throw SILENT
      return source
    },
  } as unknown as ChainPort
  const job = sampleJob(data, { journal: parts, service, chain }, { nowMs: NOW, ...more })
  const to = chainOf(data.request.to)
  // Each redemption keeps back fifty times its fee of 2.
  const payoutChain = {
    chain: to,
    account: "us",
    traits: familyNamed("evm").traits,
    observeLeg: async () => {
      if (isSilent) throw SILENT
      return leg
    },
    estimateRedeemFee: async () => 2n,
    capRedeemFee: () => 30n,
    native: { fetchNativeBalance: async () => 207n, fetchLeastBalance: async () => 7n },
    ...port,
  }
  // CAST: only these parts of the port are used.
  const chains = new Map([...job.context.chains, [to, payoutChain as unknown as ChainPort]])
  const ownSecrets = { keeper, modeOf: () => "own", maxServiceSecret: null }
  if (firstHeight !== null) job.context.memory.firstHeights.set(to, firstHeight)
  // CAST: the settings of a proof.
  const context = {
    ...job.context,
    chains,
    settings: { ...job.context.settings, ownSecrets, ...settings },
    ...(askHeadroom === undefined ? {} : { keyRecord: { askHeadroom } }),
  } as Job["context"]
  return { ...job, context }
}

/** The verdict with the codes of its reasons and alerts. */
async function prove(): Promise<string> {
  const proof = await provePayout(jobOf())
  if (proof.status === "proven")
    return `proven ${proof.isForService ? "for the service" : "for us"}`
  const alerts = proof.status === "unproven" ? proof.alerts : []
  return [
    proof.status,
    ...proof.reasons.map(({ code }) => code.replace("secret.", "")),
    ...alerts.map(({ code }) => `(${code})`),
  ].join(" ")
}

describe("a payout", () => {
  const half = TIMELOCK / 2n
  const least = (TIMELOCK * 2n + 6n) / 7n
  const left = (units: bigint): Partial<LegObservation> => ({ refundableAt: HEIGHT + units })
  test.each<[string, string, Partial<LegObservation>, (bigint | null)?]>([
    ["with its whole lock", "proven for the service", {}],
    ["with half of its lock", "proven for the service", left(half)],
    ["with less", "late late", left(half - 1n), 899n],
    [
      "with less, of one endpoint alone",
      "unproven payout_young",
      { ...left(half - 1n), agreed: false },
      899n,
    ],
    ["with less, that was there before the process", "proven for us", left(half - 1n), 900n],
    ["with less, where no height is known", "proven for us", left(half - 1n)],
    ["with two sevenths, that was there before", "proven for us", left(least), 900n],
    ["with less than that", "late late", left(least - 1n), 900n],
    ["that is not there", "unproven payout_missing", { initiated: null, refundableAt: null }],
    ["that is not there, with a lock", "late payout_missing", { initiated: null, ...left(1n) }],
    [
      "that is young",
      "unproven payout_young",
      { initiated: { ...AT, units: UNITS, revealable: false } },
    ],
    ["that is too small", "unproven payout_units", { initiated: { ...AT, units: UNITS - 1n } }],
    [
      "that is redeemed",
      "unproven payout_closed",
      { redeemed: { ...AT, paidUnits: null, secret: null } },
    ],
    ["that went back", "unproven payout_closed", { refunded: { ...AT, paidUnits: null } }],
    ["without an end", "unproven payout_closed", { refundableAt: null }],
  ])("%s: %s", async (_name, expected, changed, first = null) => {
    leg = { ...PAYOUT, ...changed }
    // The look at the payout notes the first height, where there is none.
    firstHeight = first
    expect(await prove()).toBe(expected)
  })
})

describe("our secret stays ours while", () => {
  test.each<[string, string, () => void]>([
    [
      "another key is configured",
      "unproven key_changed",
      () => (over = { ownSecret: { ...OWN, hash: "00" } }),
    ],
    [
      "a refund was signed",
      "unproven refund_signed",
      () => (signed = { refund: [sampleTransaction(samplePlan("refund", 0))] }),
    ],
    [
      "we cannot redeem",
      "unproven unredeemable",
      () => (port = { estimateRedeemFee: async () => null }),
    ],
    ["the disk is full", "unproven no_space", () => (journal = { keepSpace: () => false })],
    ["a unit of gas is missing", "unproven no_gas", () => (port = gas(206n))],
    [
      "the cap is not there for each order",
      "unproven no_gas",
      () => (port = { ...gas(206n), estimateRedeemFee: async () => 0n, capRedeemFee: () => 100n }),
    ],
    ["the payee is frozen", "unproven frozen (alarm.payout_blocked)", () => (port = frozen())],
  ])("%s: %s", async (_name, expected, change) => {
    change()
    expect(await prove()).toBe(expected)
  })

  test("an obstacle of our own becomes an alarm after a minute", async () => {
    port = gas(0n)
    const since = (ago: number) => ({
      seen: {
        ...NOTHING_SEEN,
        destinationInitiated: { txid: "a", height: 1n, final: true, at: NOW - ago },
      },
    })
    over = since(59_999)
    expect(await prove()).toBe("unproven no_gas")
    over = since(60_000)
    expect(await prove()).toBe("unproven no_gas (alarm.payout_blocked)")
  })

  test("an order at least is reckoned with, and the payout itself may pay", async () => {
    journal = { countPaidOn: () => 0 }
    port = gas(107n)
    expect(await prove()).toBe("proven for the service")
    port = gas(106n)
    expect(await prove()).toBe("unproven no_gas")
    port = { native: undefined }
    expect(await prove()).toBe("proven for the service")
  })
})

describe("a signer", () => {
  beforeEach(() => {
    askHeadroom = async (use) => void asked.push(use)
  })

  test.each<[string, object, number]>([
    [
      "the reserve of one order",
      { capRedeemFee: (_: string, stake: object | null) => (stake === null ? 30n : 101n) },
      100,
    ],
    [
      "what a redemption may pay at the end of its lock",
      { capRedeemFee: (_: string, stake: object | null) => (stake === null ? 30n : 99n) },
      99,
    ],
    ["the reserve where there is no cap", { capRedeemFee: () => null }, 100],
  ])("is asked for %s", async (_name, changed, feeUnits) => {
    port = { ...changed, ...gas(1_000n) }
    journal = { countPaidOn: () => 3 }
    expect(await prove()).toBe("proven for the service")
    expect(asked).toMatchObject([
      { order: "order-1", secretHash: OWN.hash, feeUnits: BigInt(feeUnits), others: 2 },
    ])
    journal = { countPaidOn: () => 0 }
    await prove()
    expect(asked[1]).toMatchObject({ others: 0 })
  })

  test("that refuses keeps the secret, and the end of the process is no refusal", async () => {
    const refusal = (disposition: "refused" | "aborted") => async () => {
      throw new AppError({ code: "signer.limit", disposition, message: "no" })
    }
    askHeadroom = refusal("refused")
    expect(await prove()).toBe("unproven no_headroom")
    askHeadroom = refusal("aborted")
    await expect(prove()).rejects.toMatchObject({ code: "signer.limit" })
  })
})

test("a redemption has the secret only once it is told", () => {
  over = { ownSecret: { ...OWN, status: "revealed" } }
  const { payout, secret } = payoutWithSecret(jobOf())
  expect([payout.units, secret]).toEqual([UNITS, keeper.derive(NAME).reveal()])
  over = {}
  expect(() => payoutWithSecret(jobOf())).toThrow(
    expect.objectContaining({ code: "secret.key_changed" }),
  )
  over = { ownSecret: { ...OWN, status: "revealed", hash: "00" } }
  expect(() => payoutWithSecret(jobOf())).toThrow(
    expect.objectContaining({ code: "secret.key_changed" }),
  )
})

describe("a payout of a told secret is lost", () => {
  const refunded = { ...AT, paidUnits: null }
  const BACK = { ...PAYOUT, refunded }
  test.each<
    [string, "lost" | "open" | "nothing", LegObservation, readonly SecretDecision[], null?]
  >([
    ["when it went back for good", "lost", BACK, ["reveal"]],
    [
      "not while it may come again",
      "open",
      { ...PAYOUT, refunded: { ...refunded, final: false } },
      ["reveal"],
    ],
    ["not by one endpoint alone", "open", { ...BACK, agreed: false }, ["reveal"]],
    ["not while it is open", "open", PAYOUT, ["reveal"]],
    [
      "not when it was redeemed",
      "open",
      { ...BACK, redeemed: { ...refunded, secret: null } },
      ["reveal"],
    ],
    ["only once", "nothing", BACK, ["reveal", "lost"]],
    ["only after it was told", "nothing", BACK, ["withhold"]],
    ["only with a secret of ours", "nothing", BACK, ["reveal"], null],
  ])("%s: %s", async (_name, expected, seen, decisions, own) => {
    leg = seen
    known = decisions
    if (own === null) over = { ownSecret: null }
    const recorded = recordLostPayout(jobOf())
    if (expected === "open")
      await expect(recorded).rejects.toMatchObject({ code: "secret.payout_open" })
    else await recorded
    expect(decided).toEqual(expected === "lost" ? ["lost"] : [])
  })
})

describe("the step of an order that tells its secret", () => {
  /** The event with its word and the codes of its reasons, and what the journal decided. */
  async function reveal(more: Partial<Job> = {}): Promise<string> {
    const { event } = await revealSecret(jobOf(more))
    const isTold = "told" in event && event.told ? " told" : ""
    const reasons = "reasons" in event ? (event.reasons ?? []) : []
    const shown = reasons.map(({ code }) => code.replace("secret.", ""))
    return [
      `${event.type.replace("secret.", "")}${isTold}`,
      ...shown,
      ...decided.map((one) => `[${one}]`),
    ].join(" ")
  }
  const late = (): void => {
    leg = { ...PAYOUT, refundableAt: HEIGHT + 1n }
    firstHeight = 1n
  }
  const unproven = (): void => {
    leg = { ...PAYOUT, initiated: null }
  }
  const answer = (disposition: "uncertain" | "aborted") => async () => {
    throw new AppError({ code: "service.late", disposition, message: "late" })
  }
  const redeemed = { ...AT, paidUnits: null, secret: null }
  test.each<[string, string, () => void, Partial<Job>?]>([
    ["a proven payout", "revealed told [reveal]", () => undefined],
    ["where only our key redeems", "revealed [reveal]", () => (delegate = "us")],
    [
      "too late for the service",
      "revealed [reveal]",
      () => (leg = { ...PAYOUT, refundableAt: HEIGHT + 199n }),
    ],
    [
      "too late for the service, again",
      "revealed told [reveal]",
      () => (leg = { ...PAYOUT, refundableAt: HEIGHT + 199n }),
      { repeated: true },
    ],
    [
      "an answer that got lost",
      "revealed told service.late [reveal]",
      () => (told = answer("uncertain")),
    ],
    ["an unproven payout", "kept payout_missing", unproven],
    [
      "an unproven payout, decided before",
      "revealed payout_missing",
      () => {
        unproven()
        known = ["reveal"]
      },
    ],
    [
      "an unproven payout, decided before, again",
      "revealed told payout_missing",
      () => {
        unproven()
        known = ["reveal"]
      },
      { repeated: true },
    ],
    [
      "a silent payout, decided before",
      "revealed payout_unread",
      () => {
        isSilent = true
        known = ["reveal"]
      },
    ],
    [
      "a silent payout after some tries",
      "kept payout_unread",
      () => {
        isSilent = true
        over = { tries: 3 }
      },
    ],
    ["a late payout", "withheld late [withhold]", late],
    [
      "a late payout, decided before",
      "revealed late",
      () => {
        late()
        known = ["reveal"]
      },
    ],
    [
      "a late payout of a taken source",
      "revealed told [reveal]",
      () => {
        late()
        source = { ...DEPOSIT, redeemed }
      },
    ],
    [
      "a late payout of a shown secret",
      "revealed told [reveal]",
      () => {
        late()
        reported = { secret: keeper.derive(NAME).reveal() }
      },
    ],
    [
      "a late payout of a silent service",
      "withheld late [withhold]",
      () => {
        late()
        reported = null
      },
    ],
    [
      "a late payout of a silent source",
      "kept late source_unread",
      () => {
        late()
        source = null
      },
    ],
    [
      "a late payout of a source of one endpoint alone",
      "kept late source_unread",
      () => {
        late()
        source = { ...DEPOSIT, agreed: false }
      },
    ],
    [
      "a late payout of an empty source",
      "kept late source_unread",
      () => {
        late()
        source = emptyLeg(9n)
      },
    ],
    [
      "a late payout of a source taken by one endpoint alone",
      "kept late source_unread",
      () => {
        late()
        source = { ...DEPOSIT, agreed: false, redeemed }
      },
    ],
    [
      "a shown secret",
      "revealed told [reveal]",
      () => (over = { ownSecret: { ...OWN, isShown: true } }),
    ],
    [
      "a shown secret, decided before",
      "revealed told",
      () => {
        over = { ownSecret: { ...OWN, isShown: true } }
        known = ["withhold"]
      },
    ],
    [
      "a shown secret after a refund",
      "revealed told",
      () => {
        over = { ownSecret: { ...OWN, isShown: true } }
        signed = { refund: [sampleTransaction(samplePlan("refund", 0))] }
      },
    ],
  ])("%s: %s", async (_name, expected, change, more) => {
    change()
    expect(await reveal(more)).toBe(expected)
  })

  // Forty seconds for two bumps, and three for each redemption before ours.
  const half = { ...PAYOUT, refundableAt: HEIGHT + TIMELOCK / 2n }
  test.each<[string, string, number, (() => void)?]>([
    ["as many redemptions before it as there is time for", "revealed told [reveal]", 53],
    ["one more", "kept queue_long", 54],
    ["many, at a chain without nonces", "revealed told [reveal]", 99, () => (port = {})],
    ["many, decided before", "revealed told [reveal]", 99, () => (known = ["reveal"])],
  ])("%s: %s", async (_name, expected, before, change = () => undefined) => {
    port = { nonces: {} }
    queued = before
    leg = half
    change()
    expect(await reveal()).toBe(expected)
  })

  test("is kept behind those that this process tells in the same moment", async () => {
    port = { nonces: {} }
    leg = half
    const { data, context } = jobOf()
    const tell = async (before: number, state: string) => {
      queued = before
      journal = { findOrder: () => ({ state }) }
      const job = jobOf()
      Object.assign(job.context, { memory: context.memory })
      return (await revealSecret(job)).event
    }
    expect(await tell(53, "revealing")).toMatchObject({ type: "secret.revealed" })
    expect(await tell(53, "revealing")).toMatchObject({ type: "secret.kept" })
    context.memory.laneTurns.set(chainOf(data.request.to), 20_000)
    expect(await tell(8, "revealed")).toMatchObject({ type: "secret.revealed" })
    expect(await tell(9, "revealed")).toMatchObject({
      reasons: [{ code: "secret.queue_long", queueSeconds: "180", leftUnits: "200" }],
    })
  })

  test("is decided, begun and on disk before the secret leaves", async () => {
    const calls: string[] = []
    journal = {
      decideSecret: ({ decision }: { decision: SecretDecision }) => calls.push(decision),
      durableHere: async () => void calls.push("on disk"),
    }
    told = async (orderId, secret, mayLeave) => {
      calls.push(`${orderId} ${secret.reveal() === keeper.derive(NAME).reveal()} ${mayLeave?.()}`)
      return { answer: "Redeemed" }
    }
    await revealSecret(jobOf({ begin: async () => void calls.push("begun") }))
    expect(calls).toEqual(["reveal", "begun", "on disk", "aa true true"])
  })

  test.each<[string, () => void]>([
    ["to tell it", () => undefined],
    ["to keep it", late],
  ])("is not decided for an order that went on: %s", async (_name, change) => {
    change()
    journal = { hasWork: () => false }
    await expect(reveal({ workId: 7 })).rejects.toMatchObject({ code: "journal.stale_work" })
    expect(decided).toEqual([])
  })

  test("keeps its alerts, tries a silent payout three times, and ends with its process", async () => {
    port = frozen()
    const { event } = await revealSecret(jobOf())
    const alert = expect.objectContaining({ code: "alarm.payout_blocked" })
    expect(event).toMatchObject({
      type: "secret.kept",
      alerts: [alert],
      reasons: [{ code: "frozen" }, alert],
    })
    port = {}
    expect((await revealSecret(jobOf())).event).not.toHaveProperty("alerts")
    leg = { ...PAYOUT, initiated: null }
    expect((await revealSecret(jobOf())).event).not.toHaveProperty("alerts")
    leg = PAYOUT
    isSilent = true
    over = { tries: 2 }
    await expect(reveal()).rejects.toBe(SILENT)
    over = { tries: 3 }
    const unread: unknown[] = []
    await reveal({ noteUnread: (error) => unread.push(error) })
    expect(unread).toEqual([SILENT])
    isSilent = false
    over = {}
    told = async () => {
      leaveOnlyIf(() => false)
      return { answer: "" }
    }
    await expect(reveal()).rejects.toMatchObject({ code: "engine.kept_here" })
    told = answer("aborted")
    await expect(reveal()).rejects.toMatchObject({ disposition: "aborted" })
  })
})

function gas(units: bigint): object {
  return { native: { fetchNativeBalance: async () => units, fetchLeastBalance: async () => 7n } }
}

function frozen(): object {
  return { contracts: { checkPayout: async () => [{ code: "frozen", message: "frozen" }] } }
}
