import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { Reason } from "#domain/reason.ts"
import { answerRepeatedBytes } from "#engine/orders/deposit/answer-repeated-bytes.ts"
import { answerRefusal, planTransaction } from "#engine/orders/deposit/plan-transaction.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { isLegUnread } from "#engine/watches/unread-legs.ts"
import type { OrderData } from "#order/data.ts"
import { encodeOrder } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const APPROVE = sampleTransaction(samplePlan("approve", 0))
const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const MINED = {
  status: "mined",
  ok: true,
  height: 5n,
  confirmations: 9,
  seen: true,
  final: true,
  feeUnits: 7n,
} as const
const EVM = familyNamed("evm").traits
const rejects = (error: Error) => () => Promise.reject(error)

/** An order whose next transaction is planned on the source chain. */
function scene(over: Partial<OrderData>, chain: Partial<ChainPort>): Job {
  const data = sampleData({ approve: [APPROVE], deposit: [DEPOSIT] }, over)
  const journal = { listReserved: () => new Set<string>(), listSigners: () => [] }
  const port = {
    traits: EVM,
    observeTransaction: async () => MINED,
    fetchHeight: async () => 9n,
    findMissingApproval: async () => null,
    planTransaction: async () => samplePlan("revoke", 0),
    ...chain,
  }
  return sampleJob(data, { chain: port, journal: { ...journal, findHolder: () => null } })
}

describe("a revocation whose endpoints cannot agree", () => {
  const silent = failure("transient", "chain.disagreement")
  const reads: readonly (readonly [string, (error: Error) => Partial<ChainPort>])[] = [
    ["the height", (error) => ({ fetchHeight: rejects(error) })],
    ["the allowance", (error) => ({ findMissingApproval: rejects(error) })],
  ]

  test.each(reads)("about %s waits for four tries, and then sets it to zero", async (_what, of) => {
    const asked: unknown[] = []
    const planning = (tries: number) =>
      planTransaction("revoke")(
        scene(
          { tries },
          {
            ...of(silent),
            planTransaction: async (request) => {
              asked.push(request)
              return samplePlan("revoke", 0)
            },
          },
        ),
      )
    await expect(planning(3)).rejects.toBe(silent)
    expect(await planning(4)).toMatchObject({ event: { type: "transaction.planned" } })
    expect(asked).toMatchObject([{ action: "approve", spender: SAMPLE.deposit.htlc, units: 0n }])
  })

  test.each(reads)("about %s is an error where the chain refuses the question", async (_, of) => {
    for (const error of [failure("refused"), new Error("a mistake of ours")])
      await expect(planTransaction("revoke")(scene({ tries: 9 }, of(error)))).rejects.toBe(error)
  })
})

describe("a plan of a refund without an answer", () => {
  const order = { ...sampleData(), serviceOrder: SAMPLE.order }
  const plan = async (tries: number, error: Error) => {
    const job = scene({ ...order, tries }, { planTransaction: rejects(error) })
    const result = await planTransaction("refund")(job).catch((thrown: unknown) => thrown)
    return { result, isUnread: isLegUnread(job.context, job.data.id, "source") }
  }

  test.each(["transient", "uncertain"] as const)(
    "(%s) is tried a few times; then the order is observed again",
    async (disposition) => {
      const error = failure(disposition, "chain.unreachable")
      expect(await plan(3, error)).toEqual({ result: error, isUnread: true })
      const reasons = [{ code: "chain.unreachable", message: error.message }]
      expect(await plan(4, error)).toEqual({
        result: { event: { type: "order.declined", reasons } },
        isUnread: true,
      })
    },
  )

  test("stays an error where the chain has answered, or by a mistake of ours", async () => {
    for (const error of [failure("refused"), failure("hold"), new Error("a mistake of ours")])
      expect(await plan(9, error)).toEqual({ result: error, isUnread: false })
  })
})

describe("a refused plan", () => {
  const [lagging = "none"] = EVM.refusalsOfLaggingNodes
  const [existing = "none"] = EVM.refusalsOfExistingDeposit
  const reason = (code: string): Reason => ({ code, message: "refused" })
  const answer = (
    kind: "deposit" | "refund" | "redeem" | "revoke" | "void",
    codes: readonly string[],
    over: Partial<OrderData> = {},
  ) => {
    const job = scene({ tries: 0, ...over }, {})
    Object.assign(job.context.chains.get(SAMPLE.input.request.to.split(":")[0] as never) ?? {}, {
      traits: EVM,
      account: "payee",
    })
    return answerRefusal(job, kind, codes.map(reason)).event.type
  }

  test.each(["fees.above_cap", "funds.insufficient", "funds.gas"])(
    "may pass with time: %s",
    (code) => {
      for (const kind of ["deposit", "refund", "redeem", "revoke", "void"] as const)
        expect(answer(kind, [code], { tries: 99 }), kind).toBe("work.deferred")
    },
  )

  test("of a node that lags passes for four tries", () => {
    expect(answer("deposit", [lagging], { tries: 3 })).toBe("work.deferred")
    expect(answer("deposit", [lagging], { tries: 4 })).toBe("order.declined")
    expect(answer("deposit", [lagging, "other"], { tries: 3 })).toBe("order.declined")
  })

  test("ends the step of a deposit, a refund and a redemption, and no other one", () => {
    for (const kind of ["deposit", "refund", "redeem"] as const)
      expect(answer(kind, ["other"])).toBe("order.declined")
    for (const kind of ["revoke", "void"] as const)
      expect(answer(kind, ["other"])).toBe("work.deferred")
  })

  test("by a deposit that exists is for a person, unless a relay may have made it", () => {
    expect(answer("deposit", [existing])).toBe("order.held")
    expect(answer("refund", [existing])).toBe("order.declined")
    const gasless = {
      digest: "x",
      signature: "y",
      signedAt: 0,
      submissions: 1,
      refused: false,
    } as const
    expect(answer("deposit", [existing], { gasless })).not.toBe("order.held")
  })

  test("holds the order after ten minutes without gas, but never a deposit", () => {
    const late = { stateSince: -600_001 }
    expect(answer("revoke", ["funds.gas"], { stateSince: -600_000 })).toBe("work.deferred")
    expect(answer("revoke", ["funds.gas"], late)).toBe("order.held")
    expect(answer("redeem", ["funds.gas"], late)).toBe("order.held")
    expect(answer("deposit", ["funds.gas"], late)).toBe("work.deferred")
  })
})

describe("the void of a deposit whose approval waits too", () => {
  const approve = { plan: null, signed: [APPROVE], sentAt: 0, mined: null, isPaired: true } as const
  const shown = (approval: object) => async (transaction: typeof APPROVE) =>
    (transaction.txid === APPROVE.txid ? approval : { status: "unseen" }) as never
  const plan = async (approval: object, refuses = false) => {
    const asked: string[] = []
    const { transactions } = sampleData({ deposit: [DEPOSIT] })
    const job = scene(
      { transactions: { ...transactions, approve } },
      {
        observeTransaction: shown(approval),
        planTransaction: async (request) => {
          const of = request.action === "void" ? request.voids.unsigned : request.action
          asked.push(of)
          const refused = [{ code: "funds.gas", message: "no gas" }]
          if (refuses && of === APPROVE.plan.unsigned) return { refused }
          return { ...samplePlan("void", 0), digest: of, resources: [`nonce:${of}`] }
        },
      },
    )
    return { asked, result: await planTransaction("void")(job) }
  }

  test.each(["pending", "unseen"])("voids both while the approval is %s", async (status) => {
    const { asked, result } = await plan({ status })
    expect(asked).toEqual(["deposit 0", "approve 0"])
    expect(result).toMatchObject({
      event: {
        type: "transaction.planned",
        plan: { digest: "deposit 0" },
        companion: { purpose: "revoke", plan: { digest: "approve 0" } },
      },
      reserve: ["base_sepolia/wallet/nonce:approve 0", "base_sepolia/wallet/nonce:deposit 0"],
    })
  })

  test("is alone once the approval is in a block", async () => {
    const { asked, result } = await plan(MINED)
    expect(asked).toEqual(["deposit 0"])
    expect(result.event).not.toHaveProperty("companion")
  })

  test("waits where the approval's void is refused", async () => {
    const { result } = await plan({ status: "pending" }, true)
    expect(result).toMatchObject({ event: { type: "work.deferred" } })
  })
})

describe("bytes that an ended order signed before", () => {
  const ended = (over: Partial<OrderData>, signers: readonly string[], state = "rejected") => {
    const snapshot = encodeOrder({ state: state as never, data: sampleData({}, over) })
    const journal = {
      listSigners: () => signers.map((purpose) => ({ orderId: "earlier", purpose })) as never,
      findOrder: (id: string) => (id === "earlier" ? ({ snapshot } as never) : null),
    }
    return answerRepeatedBytes(sampleJob(sampleData(), { journal }), "revoke", APPROVE.plan)
  }
  const CLEAR = { allowanceCleared: true }

  test("are free where they are an approval that never left, and nothing else", () => {
    expect(ended(CLEAR, ["approve"])).toBeNull()
    expect(ended(CLEAR, [])).toBeNull()
    for (const purpose of ["revoke", "void", "deposit", "refund"])
      expect(ended(CLEAR, [purpose])?.event, purpose).toMatchObject({ type: "work.deferred" })
    expect(ended(CLEAR, ["approve", "revoke"])?.event.type).toBe("work.deferred")
    expect(ended({ allowanceCleared: false }, ["approve"])?.event.type).toBe("work.deferred")
  })

  test("are not free where the order is damaged, and free where it is gone", () => {
    const journal = (row: object | null) => ({
      listSigners: () => [{ orderId: "earlier", purpose: "approve" }] as never,
      findOrder: () => row as never,
    })
    const of = (row: object | null) =>
      answerRepeatedBytes(
        sampleJob(sampleData(), { journal: journal(row) }),
        "revoke",
        APPROVE.plan,
      )
    expect(of({ snapshot: "{" })?.event.type).toBe("work.deferred")
    expect(of(null)).toBeNull()
  })
})
