import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { observeInitiation } from "#engine/orders/observe/observe-initiation.ts"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import { step } from "#order/step.ts"
import {
  NOTHING_SEEN,
  SAMPLE,
  samplePlan,
  sampleTransaction,
} from "../../../support/order-sample.ts"
import { emptyLeg } from "../../../support/sample-job.ts"

const APPROVED = {
  plan: null,
  signed: [sampleTransaction(samplePlan("approve", 0))],
  sentAt: 0,
  mined: null,
}
const EXISTS = { code: "evm.order_exists", message: "the contract has it" }

test("a node below a height that was observed before cannot disarm a signature", async () => {
  expect(await observe(9n)).toMatchObject({ type: "work.deferred" })
  expect(await observe(10n)).toMatchObject({ type: "gasless.disarmed" })
})

const RECEIPT = { txid: "paid", units: 9_970n }
const REDEEMED = { txid: "paid", height: 4n, final: false, at: 1, paidUnits: 9_970n }

test("a booked payout that the chain does not show any more is gone with the deposit", async () => {
  expect(await observe(10n, { receipt: RECEIPT }, { redeemed: null })).toMatchObject({
    payoutGone: true,
  })
  expect(await observe(10n, { receipt: RECEIPT }, { redeemed: REDEEMED })).not.toHaveProperty(
    "payoutGone",
  )
  expect(await observe(10n, {}, { redeemed: null })).not.toHaveProperty("payoutGone")
})

test("a payout that enough endpoints do not agree on, or that was final, is not called gone", async () => {
  const destinationRedeemed = { ...REDEEMED, final: true }
  expect(await observe(10n, { receipt: RECEIPT }, { redeemed: null, agreed: false })).toMatchObject(
    {
      type: "work.deferred",
    },
  )
  const seen = { ...NOTHING_SEEN, sourceHeight: 10n, destinationRedeemed }
  expect(await observe(10n, { receipt: RECEIPT, seen }, { redeemed: null })).not.toHaveProperty(
    "payoutGone",
  )
})

test("a disarmed order gives up the booked refund, and the payout that is gone", () => {
  const data = { ...sample(), receipt: RECEIPT, returned: { txid: "back", units: 10_000n } }
  const armed = { state: "gasless-confirming", data } as const
  const disarmed = (gone: object) =>
    step(armed, {
      type: "gasless.disarmed",
      reasons: [{ code: "gasless.disarmed", message: "" }],
      at: 2,
      ...gone,
    })
  expect(disarmed({}).order.data).toMatchObject({ returned: null, receipt: RECEIPT })
  expect(disarmed({ payoutGone: true }).order.data).toMatchObject({ returned: null, receipt: null })
})

describe("a signature that the relay has", () => {
  const OPEN = 600_000
  const AT = {
    txid: "in",
    height: 5n,
    confirmations: 1,
    seen: true,
    revealable: true,
    final: true,
    units: 1n,
  }
  const approve = (status: string): { over: Partial<OrderData>; port: object } => ({
    over: { transactions: { ...sample().transactions, approve: APPROVED } },
    port: { observeTransaction: async () => ({ status, ok: true, final: true }) },
  })
  const way = (name: OrderData["policy"]["way"]) => ({ ...sample().policy, way: name })
  const refused = { digest: "", signature: "", signedAt: 0, submissions: 1, refused: true }
  const told = async (over: Partial<OrderData>, scene: Scene = {}): Promise<string> => {
    const event = await observe(
      10n,
      { sendUntilMs: OPEN, allowanceCleared: false, ...over },
      {},
      scene,
    )
    return event.type.replace("gasless.", "")
  }

  test.each<[string, string, Partial<OrderData>, Scene?]>([
    ["waits eight seconds", "work.deferred", {}, { nowMs: 8_000 }],
    ["is given again then", "missing", {}, { nowMs: 8_001 }],
    ["counts the seconds of its state", "work.deferred", { stateSince: 1 }, { nowMs: 8_001 }],
    [
      "is kept for a while where the way is free",
      "missing",
      { policy: way("auto") },
      { nowMs: 20_000 },
    ],
    ["falls through then", "fell_through", { policy: way("auto") }, { nowMs: 20_001 }],
    [
      "never falls through where it is the only way",
      "missing",
      { policy: way("gasless") },
      { nowMs: 20_001 },
    ],
    ["falls through when it is refused", "fell_through", { policy: way("auto"), gasless: refused }],
    [
      "waits when it is refused and the only way",
      "work.deferred",
      { policy: way("gasless"), gasless: refused },
    ],
    ["has a deposit that no node shows", "work.deferred", { reasons: [EXISTS], tries: 9 }],
    ["has had one for long", "order.held", { reasons: [EXISTS], tries: 10 }],
    [
      "lost its approval",
      "approval.lost",
      approve("unseen").over,
      { ...approve("unseen"), nowMs: 8_001 },
    ],
    ["keeps its approval", "missing", approve("mined").over, { ...approve("mined"), nowMs: 8_001 }],
    [
      "is asked about its approval only then",
      "work.deferred",
      approve("unseen").over,
      { ...approve("unseen"), nowMs: 8_000 },
    ],
    ["is too late, and its allowance is there", "late", {}, { nowMs: OPEN }],
    ["belongs to an abandoned order", "late", { ending: "abandoned" }],
    ["belongs to an order without its allowance", "disarmed", { allowanceCleared: true }],
  ])("%s: %s", async (_name, expected, over, scene) => {
    expect(await told(over, scene)).toBe(expected)
  })

  test("was used when the chain shows it, also at the last look", async () => {
    const landed = [{ initiated: AT }]
    const port = (shown: readonly object[]) => {
      const left = [...shown]
      return { observeLeg: async () => ({ ...emptyLeg(10n), ...left.shift() }) }
    }
    expect(await told({}, { port: port(landed) })).toBe("initiated")
    const cleared = { allowanceCleared: true }
    expect(await told(cleared, { port: port([{}, ...landed]) })).toBe("initiated")
    expect(await told(cleared, { port: port([{}, { height: 9n }]) })).toBe("work.deferred")
    expect(await told(cleared, { port: port([{}, { agreed: false }]) })).toBe("work.deferred")
    expect(await told(cleared, { port: port([{ agreed: false }, {}]) })).toBe("disarmed")
  })

  test("stays in doubt while an allowance is left, and is a person's then", async () => {
    const port = { findMissingApproval: async () => ({}) }
    expect(await told({ allowanceCleared: true, tries: 9 }, { port })).toBe("work.deferred")
    expect(await told({ allowanceCleared: true, tries: 10 }, { port })).toBe("order.held")
    const none = { traits: { ...familyNamed("evm").traits, allowances: "none" } }
    expect(await told({ allowanceCleared: true, tries: 0 }, { port: none })).toBe("order.held")
    // Where no allowance is, none is revoked.
    expect(await told({ ending: "abandoned" }, { port: none })).toBe("order.held")
  })

  test("is not disarmed below the block of its revocation", async () => {
    const { transactions } = sample()
    const mined = { txid: "r", height: 11n, seen: true, final: true }
    const revoke = { ...transactions.revoke, mined }
    const over = { allowanceCleared: true, transactions: { ...transactions, revoke } }
    expect(await told(over)).toBe("work.deferred")
  })

  test("is unread while its chain is silent, and a failure that holds is thrown", async () => {
    const silent = (disposition: "transient" | "hold") => async () => {
      throw new AppError({ code: "evm.unreachable", disposition, message: "gone" })
    }
    const unread: unknown[] = []
    const noteUnread = (error: unknown): unknown => unread.push(error)
    const first = await observe(
      10n,
      { reasons: [OLD, UNREAD] },
      {},
      { port: { observeLeg: silent("transient") }, noteUnread },
    )
    expect(first).toMatchObject({
      type: "work.deferred",
      waitMs: 5_000,
      reasons: [OLD, { code: UNREAD.code }],
    })
    expect(unread).toHaveLength(1)
    await expect(told({}, { port: { observeLeg: silent("hold") } })).rejects.toMatchObject({
      disposition: "hold",
    })
    await expect(
      told({}, { port: { observeLeg: async () => Promise.reject(new Error("a bug")) } }),
    ).rejects.toThrow("a bug")
  })
})

const OLD = { code: "gasless.waiting", message: "before" }
const UNREAD = { code: "gasless.unread", message: "before" }

function sample(): OrderData {
  const { deposit, order: serviceOrder } = SAMPLE
  return {
    ...createOrderData(SAMPLE.input),
    deposit,
    serviceOrder,
    terms: SAMPLE.terms,
    sendUntilMs: 0,
    gasless: { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false },
    allowanceCleared: true,
    seen: { ...NOTHING_SEEN, sourceHeight: 10n },
  }
}

type Scene = {
  readonly nowMs?: number
  readonly port?: object
  readonly noteUnread?: NonNullable<Job["noteUnread"]>
}

async function observe(
  height: bigint,
  over: Partial<OrderData> = {},
  payout: object = {},
  { nowMs = 1, port = {}, ...more }: Scene = {},
) {
  const data: OrderData = { ...sample(), ...over }
  const chain = {
    traits: familyNamed("evm").traits,
    findMissingApproval: async () => null,
    observeLeg: async ({ side }: { side: string }) => ({
      ...emptyLeg(height),
      ...(side === "destination" ? payout : {}),
    }),
    ...port,
  }
  // CAST: the performer uses only this part of the context.
  const context = {
    chains: new Map([
      [SAMPLE.deposit.chain, chain],
      [chainOf(data.request.to), chain],
    ]),
    settings: { assets: new Map([[data.request.from, { token: "0xtoken" }]]) },
    journal: { readFlag: () => null, writeFlag: () => undefined },
    clock: systemClock,
    memory: createMemory(),
  } as unknown as EngineContext
  const job = {
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs,
    ...more,
  }
  return (await observeInitiation(job)).event
}
