import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { leaveOnlyIf } from "#domain/may-leave.ts"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { broadcastTransaction } from "#engine/orders/deposit/broadcast-transaction.ts"
import { bumpTransactionWork } from "#engine/orders/deposit/bump-transaction.ts"
import { checkAllowance, chooseDepositWay } from "#engine/orders/deposit/check-allowance.ts"
import { observeTransaction } from "#engine/orders/observe/observe-transaction.ts"
import type { OrderData, OwnSecret, TransactionPurpose } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const TO = SAMPLE.input.request.to.split(":")[0] ?? ""
const APPROVE = sampleTransaction(samplePlan("approve", 0))
const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const BUMP = sampleTransaction(samplePlan("deposit", 1))
const REVOKE = sampleTransaction(samplePlan("revoke", 0))
const VOID = sampleTransaction(samplePlan("void", 0))
const REDEEM = sampleTransaction(samplePlan("redeem", 0))
const UNSEEN = { status: "unseen" } as const
const PENDING = { status: "pending" } as const
const MINED = {
  status: "mined",
  ok: true,
  height: 5n,
  confirmations: 9,
  seen: true,
  final: true,
  feeUnits: 7n,
} as const
const BLOCK = { txid: APPROVE.txid, height: 5n, final: true }
const TOLD: OwnSecret = {
  nonce: "1",
  hash: SAMPLE.order.source.secretHash,
  status: "revealed",
  revealedAt: 1,
  isTold: true,
}

type Tracks = {
  readonly [kind in TransactionPurpose]?: Partial<OrderData["transactions"]["deposit"]>
}
type Scene = {
  readonly kind?: TransactionPurpose
  readonly tracks?: Tracks
  readonly over?: Partial<OrderData>
  readonly shown?: Readonly<Record<string, TransactionObservation | Error>>
  readonly nowMs?: number
  readonly laterMs?: number
  readonly repeated?: boolean
  readonly fails?: Error
  readonly settled?: object
  readonly isPaused?: boolean
  readonly isSent?: boolean
  readonly bump?: object | null | Error
  readonly traits?: object
  readonly port?: Partial<ChainPort>
}

function scene(given: Scene) {
  const { kind = "deposit", tracks = {}, over = {}, shown = {}, nowMs = 500, laterMs = 0 } = given
  const fresh = sampleData({}, over)
  const known = { deposit: { signed: [DEPOSIT] }, ...tracks }
  const transactions = Object.fromEntries(
    Object.entries(fresh.transactions).map(([purpose, track]) => {
      const own = known[purpose as TransactionPurpose] ?? {}
      return [purpose, { ...track, ...own }]
    }),
  ) as OrderData["transactions"]
  const done: string[] = []
  const observe = async ({ txid }: SignedTransaction) => {
    done.push(`look ${txid}`)
    const seen = shown[txid] ?? UNSEEN
    if (seen instanceof Error) throw seen
    return seen
  }
  const port: Partial<ChainPort> = {
    traits: { ...familyNamed("evm").traits, ...given.traits },
    observeTransaction: observe,
    broadcastTransaction: async ({ txid }, mayLeave = () => true) => {
      leaveOnlyIf(mayLeave)
      done.push(`send ${txid}`)
      if (given.fails !== undefined) throw given.fails
    },
    observeLeg: async () => ({ ...emptyLeg(9n), refundableAt: 900n }),
    fetchHeight: async () => 9n,
    planBump: async (last) => {
      done.push(`bump ${last.digest}`)
      if (given.bump instanceof Error) throw given.bump
      return (given.bump === undefined ? { ...last, attempt: 1 } : given.bump) as never
    },
    ...given.port,
  }
  const settled = given.settled ?? SAMPLE.order
  const companion = { purpose: "approve", txid: APPROVE.txid }
  const body = JSON.stringify({ txid: DEPOSIT.txid, companion })
  const events = [{ type: "transaction.sent", body }]
  const journal = {
    isOurs: () => true,
    listEvents: () => (given.isSent === true ? events : []) as never,
    readFlag: (key: string) => (given.isPaused === true && key === PAUSE_FLAG ? "now" : null),
    listReserved: () => new Set<string>(),
    listSigners: () => [],
    findHolder: () => null,
  }
  const job = sampleJob(
    { ...fresh, transactions },
    { chain: port, journal, service: { fetchOrder: async () => settled as never } },
    { nowMs, repeated: given.repeated ?? false, begin: async () => void done.push("begin") },
  )
  Object.assign(job.context.clock, { now: () => nowMs + laterMs })
  Object.assign(job.context.log, { info: () => undefined })
  Object.assign(job.context.chains.get(TO as never) ?? {}, port)
  return { job, done, kind }
}

async function send(given: Scene) {
  const { job, done, kind } = scene(given)
  const { event } = await broadcastTransaction(kind)(job)
  return { event, type: event.type, sent: done.filter((one) => one.startsWith("send")), done }
}

describe("a second sending", () => {
  const again = { repeated: true }
  test.each<[string, Scene, readonly string[]]>([
    ["sends what no node shows", again, [DEPOSIT.txid]],
    ["sends nothing that waits", { ...again, shown: { [DEPOSIT.txid]: PENDING } }, []],
    [
      "sends a higher fee beside one that waits",
      {
        ...again,
        tracks: { deposit: { signed: [DEPOSIT, BUMP] } },
        shown: { [DEPOSIT.txid]: PENDING },
      },
      [BUMP.txid],
    ],
    ["sends nothing that a block has", { ...again, shown: { [DEPOSIT.txid]: MINED } }, []],
  ])("%s", async (_what, given, txids) => {
    expect((await send(given)).sent).toEqual(txids.map((txid) => `send ${txid}`))
  })

  test("fails without an answer, but for a told secret's redemption", async () => {
    const silent = failure("transient")
    await expect(send({ ...again, shown: { [DEPOSIT.txid]: silent } })).rejects.toBe(silent)
    const redeem = {
      ...again,
      kind: "redeem",
      tracks: { redeem: { signed: [REDEEM], sentAt: 1 } },
      shown: { [REDEEM.txid]: silent },
    } as const
    expect((await send({ ...redeem, over: { ownSecret: TOLD } })).sent).toHaveLength(1)
    await expect(send(redeem)).rejects.toBe(silent)
  })

  const leg = (over: object) => ({ ...SAMPLE.order.source, ...over })
  test.each<[string, object, boolean]>([
    ["nothing", SAMPLE.order, true],
    ["a refund", { ...SAMPLE.order, source: leg({ refundTx: "x" }) }, false],
    ["a redemption", { ...SAMPLE.order, source: leg({ redeemTx: "x" }) }, false],
    [
      "a refund of the payout",
      { ...SAMPLE.order, destination: { ...SAMPLE.order.destination, refundTx: "x" } },
      false,
    ],
  ])("of a deposit leaves unless the service reports %s", async (_what, settled, leaves) => {
    expect((await send({ ...again, settled })).sent).toHaveLength(leaves ? 1 : 0)
  })
})

describe("a window that is over", () => {
  test("stops a deposit and an approval, and nothing that protects the funds", async () => {
    const late = { nowMs: 1_000 }
    expect((await send(late)).event).toEqual({ type: "transaction.late" })
    const approve = { kind: "approve", tracks: { approve: { signed: [APPROVE] } } } as const
    expect((await send({ ...late, ...approve })).event).toEqual({
      type: "transaction.late",
      unsent: true,
    })
    const refund = sampleTransaction(samplePlan("refund", 0))
    const back = { kind: "refund", tracks: { refund: { signed: [refund] } } } as const
    expect((await send({ ...late, ...back })).sent).toHaveLength(1)
  })

  test("while the process stood still keeps a deposit here", async () => {
    const { type, sent } = await send({ nowMs: 500, laterMs: 500 })
    expect([type, sent]).toEqual(["work.deferred", []])
    expect((await send({ nowMs: 500, laterMs: 499 })).type).toBe("transaction.sent")
  })
})

describe("a pause", () => {
  test("keeps back what was never sent towards a deposit", async () => {
    expect((await send({ isPaused: true })).type).toBe("work.deferred")
    const again = await send({ isPaused: true, isSent: true, repeated: true })
    expect(again.type).toBe("transaction.sent")
    const revoke = { kind: "revoke", tracks: { revoke: { signed: [REVOKE] } } } as const
    expect((await send({ isPaused: true, ...revoke })).sent).toHaveLength(1)
  })
})

describe("the void of a deposit whose approval was in a block when the void was planned", () => {
  const pair = { approve: { signed: [APPROVE], isPaired: true }, void: { signed: [VOID] } }
  const given: Scene = { kind: "void", tracks: pair }
  const rival = { status: "excluded", by: "rival", final: false } as const
  test.each<[string, Scene, boolean]>([
    ["not an approval that never left, in a pause", { isPaused: true }, false],
    ["an approval that left before and that no node shows", { isPaused: true, isSent: true }, true],
    ["no approval whose nonce is used", { shown: { [APPROVE.txid]: rival } }, false],
    ["no approval that a block has", { shown: { [APPROVE.txid]: MINED } }, false],
  ])("sends %s", async (_what, more, leaves) => {
    const { sent, event } = await send({ ...given, ...more })
    expect(sent).toEqual([...(leaves ? [APPROVE] : []), VOID].map(({ txid }) => `send ${txid}`))
    expect(event.type).toBe("transaction.sent")
    expect("companion" in event).toBe(leaves)
  })
})

describe("an approval that a reorganisation dropped", () => {
  test("stays here in a pause if its newest bytes never left", async () => {
    const approve = { signed: [APPROVE, { ...APPROVE, txid: "higher" }], mined: BLOCK }
    const given: Scene = {
      kind: "revoke",
      tracks: { approve, revoke: { signed: [REVOKE] } },
      isSent: true,
    }
    expect((await send({ ...given, isPaused: true })).sent).toEqual([`send ${REVOKE.txid}`])
    expect((await send(given)).sent).toHaveLength(2)
  })

  const mined = { approve: { signed: [APPROVE], mined: BLOCK } }
  test.each<[string, Scene, readonly string[]]>([
    ["a deposit", { tracks: mined }, [APPROVE.txid, DEPOSIT.txid]],
    [
      "a deposit, unless a node shows it",
      { tracks: mined, shown: { [APPROVE.txid]: PENDING } },
      [DEPOSIT.txid],
    ],
    [
      "no deposit where it was never mined",
      { tracks: { approve: { signed: [APPROVE] } } },
      [DEPOSIT.txid],
    ],
    [
      "a revocation of its allowance",
      { kind: "revoke", tracks: { ...mined, revoke: { signed: [REVOKE] } } },
      [APPROVE.txid, REVOKE.txid],
    ],
    [
      "no revocation that voids it",
      {
        kind: "revoke",
        tracks: {
          ...mined,
          revoke: { signed: [{ ...REVOKE, plan: { ...REVOKE.plan, action: "void" } }] },
        },
      },
      [REVOKE.txid],
    ],
  ])("is sent again before %s", async (_what, given, txids) => {
    expect((await send(given)).sent).toEqual(txids.map((txid) => `send ${txid}`))
  })
})

describe("a sending that fails", () => {
  const refused = failure("refused", "chain.refused")
  const uncertain = failure("uncertain", "chain.conflict")
  const refund = sampleTransaction(samplePlan("refund", 0))
  const back = { kind: "refund", tracks: { refund: { signed: [refund] } } } as const
  const late = { nowMs: 600_001 }

  test("of a refused deposit leads to its void, and of another refusal to an error", async () => {
    expect((await send({ fails: refused })).event).toEqual({ type: "transaction.late" })
    await expect(send({ ...back, fails: refused })).rejects.toBe(refused)
    expect((await send({ ...back, ...late, fails: refused })).event).toMatchObject({
      type: "order.held",
      reasons: [{ code: "refund.unaffordable" }, { code: "chain.refused" }],
    })
  })

  test("without a word for ten minutes holds a refund", async () => {
    await expect(send({ ...back, nowMs: 600_000, fails: uncertain })).rejects.toBe(uncertain)
    expect((await send({ ...back, ...late, fails: uncertain })).event).toMatchObject({
      reasons: [{ code: "refund.stuck" }, { code: "chain.conflict" }],
    })
  })

  test("by a mistake of ours is an error", async () => {
    const mistake = new Error("x")
    await expect(send({ fails: mistake })).rejects.toBe(mistake)
  })

  test("of a redemption leads to a higher fee after its wait", async () => {
    const redeem = { kind: "redeem", tracks: { redeem: { signed: [REDEEM], sentAt: 1 } } } as const
    const own = { ownSecret: TOLD }
    // A twenty-fourth of the payout's lock of a hundred seconds.
    const at = async (nowMs: number) =>
      (await send({ ...redeem, over: own, nowMs, fails: refused }).catch(() => null))?.type ?? null
    expect([await at(4_166), await at(4_167)]).toEqual([null, "transaction.stuck"])
  })
})

describe("a higher fee", () => {
  const bump = async (given: Scene) => {
    const { job, done, kind } = scene(given)
    const { event, reserve } = await bumpTransactionWork.perform(job, {
      kind: "bumpTransaction",
      purpose: kind,
    })
    const codes = "reasons" in event ? (event.reasons ?? []).map(({ code }) => code) : []
    return { event, reserve, codes, bumps: done.filter((one) => one.startsWith("bump")) }
  }
  const paired = { approve: { signed: [APPROVE], isPaired: true } }

  test("is planned for the newest bytes, and reserves their nonce", async () => {
    const { event, reserve, bumps } = await bump({
      tracks: { deposit: { signed: [DEPOSIT, BUMP] } },
    })
    expect(event).toMatchObject({ type: "transaction.planned", plan: { attempt: 1 } })
    expect(event).not.toHaveProperty("companion")
    expect(reserve).toEqual(["base_sepolia/wallet/nonce:0"])
    expect(bumps).toEqual(["bump deposit 1"])
  })

  test("of a pair is planned for both, while the first waits", async () => {
    const both = await bump({ tracks: paired, shown: { [APPROVE.txid]: PENDING } })
    expect(both.event).toMatchObject({ companion: { purpose: "approve" } })
    expect([both.reserve?.length, both.bumps]).toEqual([2, ["bump deposit 0", "bump approve 0"]])
    const alone = await bump({ tracks: paired, shown: { [APPROVE.txid]: MINED } })
    expect(alone.event).not.toHaveProperty("companion")
  })

  test("that the chain refuses or cannot plan waits with its present one", async () => {
    const refused = [{ code: "fees.above_cap", message: "" }]
    expect(await bump({ bump: { refused } })).toMatchObject({
      event: { type: "transaction.unbumpable" },
      codes: ["fees.above_cap", "deposit.stuck"],
    })
    expect((await bump({ bump: null })).codes).toEqual(["deposit.stuck"])
    expect((await bump({ bump: failure("refused", "chain.no") })).codes).toEqual([
      "chain.no",
      "deposit.stuck",
    ])
    const silent = failure("transient")
    await expect(bump({ bump: silent })).rejects.toBe(silent)
  })

  test("of a deposit waits in a pause, and of a refund does not", async () => {
    expect((await bump({ isPaused: true })).event).toEqual({ type: "transaction.unbumpable" })
    const refund = sampleTransaction(samplePlan("refund", 0))
    const back = { kind: "refund", tracks: { refund: { signed: [refund] } } } as const
    expect((await bump({ isPaused: true, ...back })).event.type).toBe("transaction.planned")
  })
})

describe("a transaction that is looked at", () => {
  const observed = async (given: Scene) => {
    const { job, kind } = scene(given)
    return (await observeTransaction(kind)(job)).event
  }
  const sentAt = (ms: number, over: object = {}) => {
    return { tracks: { deposit: { signed: [DEPOSIT], sentAt: ms, ...over } } }
  }
  const { stuckAfterMs } = SAMPLE.input.policy
  const open = { over: { sendUntilMs: 1_000_000 } }

  test("a second after its sending is looked for again, and then sent again", async () => {
    const at = async (nowMs: number) => (await observed({ ...open, ...sentAt(1_000), nowMs })).type
    expect([await at(1_999), await at(2_000), await at(999)]).toEqual([
      "work.deferred",
      "transaction.unseen",
      "transaction.unseen",
    ])
    expect((await observed({ ...open, ...sentAt(0), nowMs: 0 })).type).toBe("work.deferred")
  })

  const pending = { shown: { [DEPOSIT.txid]: PENDING } }
  test("that waits for too long gets a higher fee, by its own wait and outside of a pause", async () => {
    const at = async (waitedMs: number, given: Scene = {}) =>
      (await observed({ ...open, ...pending, ...sentAt(5_000), nowMs: 5_000 + waitedMs, ...given }))
        .type
    expect([await at(stuckAfterMs), await at(stuckAfterMs + 1)]).toEqual([
      "transaction.pending",
      "transaction.stuck",
    ])
    expect(await at(stuckAfterMs + 1, { isPaused: true })).toBe("transaction.pending")
    const later = sentAt(5_000, { waitsSince: 6_000 })
    expect(await at(stuckAfterMs + 1, later)).toBe("transaction.pending")
    const twice = { ...sentAt(5_000, { signed: [DEPOSIT, BUMP] }), shown: { [BUMP.txid]: PENDING } }
    expect(await at(2 * stuckAfterMs, twice)).toBe("transaction.pending")
    expect(await at(2 * stuckAfterMs + 1, twice)).toBe("transaction.stuck")
  })

  test("that is late and waits is voided where the deadline asks for a block", async () => {
    const late = { ...pending, ...sentAt(900), nowMs: 1_000 }
    const type = async (deadlineAsksFor: string, given: Scene = {}) =>
      (await observed({ ...late, traits: { deadlineAsksFor }, ...given })).type
    expect(await type("mined")).toBe("transaction.late")
    expect(await type("seen")).toBe("transaction.pending")
    expect(await type("mined", { nowMs: 999 })).toBe("transaction.pending")
  })

  test("and that is an approval out of its time ends, unless a block has it", async () => {
    const approve = {
      kind: "approve",
      tracks: { approve: { signed: [APPROVE], sentAt: 1 } },
    } as const
    const type = async (seen: TransactionObservation, nowMs = 1_000) =>
      (await observed({ ...approve, shown: { [APPROVE.txid]: seen }, nowMs })).type
    expect([await type(PENDING), await type(UNSEEN), await type(MINED)]).toEqual([
      "transaction.late",
      "transaction.late",
      "transaction.mined",
    ])
    expect(await type(PENDING, 999)).toBe("transaction.pending")
  })

  test("that nodes dropped gets a higher fee, but for one towards a deposit", async () => {
    const dropped = async (kind: "refund" | "deposit", waitsSince: number | null) => {
      const transaction = sampleTransaction(samplePlan(kind, 0))
      const track = { signed: [transaction], sentAt: 1, waitsSince }
      return (
        await observed({ ...open, kind, tracks: { [kind]: track }, nowMs: stuckAfterMs + 9_000 })
      ).type
    }
    expect(await dropped("refund", 1)).toBe("transaction.stuck")
    expect(await dropped("refund", null)).toBe("transaction.unseen")
    expect(await dropped("deposit", 1)).toBe("transaction.unseen")
  })

  test("behind an approval that no node shows is sent again with it", async () => {
    const pair = { approve: { signed: [APPROVE], isPaired: true } }
    const given = {
      ...open,
      ...pending,
      tracks: { ...pair, deposit: { signed: [DEPOSIT], sentAt: 1_000 } },
    }
    expect((await observed({ ...given, nowMs: 2_000 })).type).toBe("transaction.unseen")
    expect((await observed({ ...given, nowMs: 1_999 })).type).toBe("transaction.pending")
    const shown = { ...pending.shown, [APPROVE.txid]: PENDING }
    expect((await observed({ ...given, nowMs: 2_000, shown })).type).toBe("transaction.pending")
  })
})

describe("the way of a deposit", () => {
  test.each<["onchain" | "gasless" | "auto", boolean, "onchain" | "gasless" | null]>([
    ["onchain", true, "onchain"],
    ["gasless", true, "gasless"],
    ["gasless", false, null],
    ["auto", true, "gasless"],
    ["auto", false, "onchain"],
  ])("%s, with typed data %s: %s", (way, hasTypedData, expected) => {
    const deposit = { ...SAMPLE.deposit, hasTypedData }
    const policy = { ...SAMPLE.input.policy, way }
    expect(chooseDepositWay(sampleData({}, { deposit, policy }))).toBe(expected)
  })

  test("that cannot be taken ends the order, with the findings", async () => {
    const found = { code: "x.odd", message: "", expected: "a", found: "b" }
    const deposit = { ...SAMPLE.deposit, hasTypedData: false, gaslessFindings: [found] }
    const policy = { ...SAMPLE.input.policy, way: "gasless" as const }
    const { job } = scene({ over: { deposit, policy } })
    const { event } = await checkAllowance(job)
    expect(event).toMatchObject({
      type: "order.declined",
      reasons: [{ code: "gasless.unavailable" }, { code: "x.odd" }],
    })
    const late = scene({ nowMs: 1_000 })
    expect((await checkAllowance(late.job)).event).toMatchObject({
      reasons: [{ code: "deposit.too_late" }],
    })
  })

  test("needs no allowance where the chain has none, or the asset is no token", async () => {
    const ready = async (allowances: string, token: string | null = "0x") => {
      const asked: string[] = []
      const { job } = scene({
        traits: { allowances },
        port: {
          findMissingApproval: async () => {
            asked.push("allowance")
            return null
          },
        },
      })
      const assets = new Map([[SAMPLE.input.request.from, { token, pinned: [] }]])
      Object.assign(job.context.settings, { assets })
      const { event, reserve = [] } = await checkAllowance(job)
      return [event.type, asked.length, reserve.length]
    }
    expect(await ready("none")).toEqual(["allowance.ready", 0, 0])
    expect(await ready("separate", null)).toEqual(["allowance.ready", 0, 0])
    expect(await ready("separate")).toEqual(["allowance.ready", 1, 1])
    expect(await ready("carried")).toEqual(["allowance.ready", 0, 1])
  })
})
