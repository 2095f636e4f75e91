import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { PAUSE_FLAG } from "#domain/pause.ts"
import { signTypedData } from "#engine/orders/deposit/sign-typed-data.ts"
import { submitSignature } from "#engine/orders/deposit/submit-signature.ts"
import { observeInitiation } from "#engine/orders/observe/observe-initiation.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { NOTHING_SEEN } from "../../../support/order-sample.ts"
import { emptyLeg, PINNED, sampleData, sampleJob } from "../../../support/sample-job.ts"

/* A gasless signature that left can still be used, so its order never ends by a guess. */

const INITIATED = {
  txid: "relayed",
  height: 11n,
  confirmations: 1,
  seen: false,
  revealable: false,
  final: false,
  units: 10_000n,
}
const EARLY = 999
const LATE = 1_000

describe("a signature that is handed to the relay", () => {
  test("the first time is handed over within its time only", async () => {
    const { handed, event } = await handOver({ nowMs: EARLY })
    expect(handed).toEqual(["begin", "submit"])
    expect(event).toMatchObject({ type: "gasless.submitted", refused: false })
    const late = await handOver({ nowMs: LATE })
    expect(late).toMatchObject({ handed: [], event: { type: "order.declined" } })
  })

  test("is handed over again after a crash, once the chain was read", async () => {
    for (const again of [{ repeated: true }, { submissions: 1 }]) {
      const unused = await handOver({ ...again, nowMs: EARLY })
      expect(unused).toMatchObject({
        handed: ["read", "begin", "submit"],
        event: { type: "gasless.submitted" },
      })
      const used = await handOver({
        ...again,
        nowMs: EARLY,
        leg: { ...emptyLeg(11n), initiated: INITIATED },
      })
      expect(used).toMatchObject({
        handed: ["read"],
        event: { type: "gasless.initiated", txid: "relayed" },
      })
    }
  })

  test("is never handed over late, and never counts as unsent once it may be out", async () => {
    for (const again of [{ repeated: true }, { submissions: 1 }]) {
      const { handed, event } = await handOver({ ...again, nowMs: LATE })
      expect(handed).toEqual(["read"])
      expect(event).toMatchObject({ type: "gasless.submitted", refused: false })
    }
  })

  test("waits while its scope is paused", async () => {
    const { handed, event } = await handOver({ nowMs: EARLY, pausedAt: "2026-01-01" })
    expect({ handed, type: event.type }).toEqual({ handed: [], type: "work.deferred" })
  })

  test("waits when an alarm paused everything while the chain was read", async () => {
    const { handed, event } = await handOver({
      nowMs: EARLY,
      repeated: true,
      pausedAt: "2026-01-01",
    })
    expect({ handed, type: event.type }).toEqual({ handed: ["read"], type: "work.deferred" })
  })

  test("may have arrived although the relay refused it", async () => {
    const error = new AppError({ code: "service.refused", disposition: "refused", message: "no" })
    expect((await handOver({ nowMs: EARLY, error })).event).toMatchObject({
      type: "gasless.submitted",
      refused: true,
    })
    expect((await handOver({ nowMs: EARLY, error: new Error("lost") })).event).toMatchObject({
      refused: false,
    })
  })
})

describe("a late signature", () => {
  test("leads to a revocation first", async () => {
    expect(await observeLate({ cleared: false })).toMatchObject({ type: "gasless.late" })
  })

  test("is disarmed once no allowance is left", async () => {
    expect(await observeLate({})).toMatchObject({ type: "gasless.disarmed" })
  })

  test("waits while endpoints that lag may still show the allowance", async () => {
    expect(await observeLate({ missing: { setUnits: 0n }, tries: 9 })).toMatchObject({
      type: "work.deferred",
    })
  })

  test("is in doubt when an allowance stays", async () => {
    expect(await observeLate({ missing: { setUnits: 0n }, tries: 10 })).toMatchObject({
      type: "order.held",
      reasons: [{ code: "gasless.in_doubt" }],
    })
  })

  test("that was used between the two readings is a deposit", async () => {
    const used = { ...emptyLeg(11n), initiated: INITIATED }
    expect(await observeLate({ legs: [emptyLeg(10n), used] })).toMatchObject({
      type: "gasless.initiated",
    })
  })

  test("is not disarmed by a node below the revocation, neither at the first look nor at the last", async () => {
    expect(await observeLate({ legs: [emptyLeg(9n), emptyLeg(10n)] })).toMatchObject({
      type: "work.deferred",
    })
    expect(await observeLate({ legs: [emptyLeg(10n), emptyLeg(9n)] })).toMatchObject({
      type: "work.deferred",
    })
  })
})

test("a late signature is not disarmed by endpoints that do not agree", async () => {
  const doubtful = { ...emptyLeg(10n), agreed: false }
  expect(await observeLate({ legs: [emptyLeg(10n), doubtful] })).toMatchObject({
    type: "work.deferred",
  })
})

describe("typed data", () => {
  test("is claimed and signed within its time only", async () => {
    expect(await sign(EARLY)).toMatchObject({
      done: ["claim", "sign"],
      event: { type: "gasless.signed" },
    })
    expect(await sign(LATE)).toMatchObject({ done: [], event: { type: "order.declined" } })
  })

  test("is not signed for a contract that has changed", async () => {
    const { done, event } = await sign(EARLY, "0xother")
    expect({ done, type: event.type }).toEqual({ done: [], type: "order.declined" })
  })
})

type HandOver = {
  readonly nowMs: number
  readonly repeated?: boolean
  readonly submissions?: number
  readonly leg?: LegObservation
  readonly error?: Error
  readonly pausedAt?: string | null
}

async function handOver({
  submissions = 0,
  leg = emptyLeg(10n),
  error,
  pausedAt = null,
  ...over
}: HandOver) {
  const handed: string[] = []
  const data = sampleData({}, { gasless: signature(submissions) })
  const chain = {
    observeLeg: async () => {
      handed.push("read")
      return leg
    },
  }
  const journal = { readFlag: (key: string) => (key === PAUSE_FLAG ? pausedAt : null) }
  const service = {
    submitSignature: async () => {
      handed.push("submit")
      if (error) throw error
      return { answer: "accepted" }
    },
  }
  const job = sampleJob(
    data,
    { chain, service, journal },
    { ...over, begin: async () => void handed.push("begin") },
  )
  return { event: (await submitSignature(job)).event, handed }
}

type Late = {
  readonly tries?: number
  readonly cleared?: boolean
  readonly missing?: { setUnits: bigint } | null
  readonly legs?: readonly LegObservation[]
}

/** The look at a late order with its revocation in block 10. */
async function observeLate({
  cleared = true,
  missing = null,
  tries = 0,
  legs = [emptyLeg(10n), emptyLeg(10n)],
}: Late) {
  const readings = [...legs]
  const known = sampleData(
    {},
    { tries, gasless: signature(1), allowanceCleared: cleared, seen: NOTHING_SEEN },
  )
  const revoke = {
    ...known.transactions.revoke,
    mined: { txid: "revocation", height: 10n, final: true },
  }
  const data: OrderData = { ...known, transactions: { ...known.transactions, revoke } }
  const chain: Partial<ChainPort> = {
    traits: familyNamed("evm").traits,
    findMissingApproval: async () => missing,
    observeLeg: async () => readings.shift() ?? emptyLeg(0n),
  }
  return (await observeInitiation(sampleJob(data, { chain }, { nowMs: LATE }))).event
}

async function sign(nowMs: number, code = PINNED.code) {
  const done: string[] = []
  const chain: Partial<ChainPort> = {
    signTypedData: async () => {
      done.push("sign")
      return { digest: "digest", signature: "signature" }
    },
    contracts: {
      fetchContractIdentity: async () => ({ code }),
      checkPayout: async () => [],
      fetchFeedPrice: () => null,
    },
  }
  const job = sampleJob(
    sampleData(),
    { chain, journal: { claimSignature: () => void done.push("claim") } },
    { nowMs },
  )
  return { event: (await signTypedData(job)).event, done }
}

function signature(submissions: number): NonNullable<OrderData["gasless"]> {
  return { digest: "", signature: "signature", signedAt: 0, submissions, refused: false }
}
