import { afterEach, describe, expect, test } from "vitest"
import type { SignedTransaction } from "#domain/transaction.ts"
import type { EngineContext } from "#engine/context.ts"
import { createOrder } from "#engine/orders/deposit/create-order.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { untilHere, withDurableCalls } from "#engine/orders/outgoing-calls.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { ServicePort } from "#ports/service.ts"
import { settle } from "../../support/manual-clock.ts"
import { SAMPLE } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

let flush: () => void = () => undefined
let refuses = false
const journal: Journal = openJournal(":memory:", {
  group: {
    schedule: (run) => {
      flush = run
    },
    beforeCommit: () => {
      if (refuses) throw new Error("database or disk is full")
    },
    onFailure: () => undefined,
  },
})
afterEach(() => {
  refuses = false
  flush()
})

const { chain } = SAMPLE.deposit

/** A chain and a service that write down which of their methods were called. */
function scene(
  lease: Pick<EngineContext, "proveLease" | "countProofs"> = {},
  parts: { readonly journal?: Journal; readonly clock?: unknown } = {},
) {
  const called: string[] = []
  const recording = <Port>(): Port =>
    new Proxy(
      {},
      {
        get: (_, name) => async () => {
          called.push(String(name))
          return String(name)
        },
      },
      // CAST: every method exists, and the tests do not look at the types of answers.
    ) as Port
  const chains = new Map([[chain, recording<ChainPort>()]])
  const services = new Map(["main", "second"].map((name) => [name, recording<ServicePort>()]))
  // CAST: only these parts are read.
  const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) }
  const log = { warn: () => undefined }
  const context = withDurableCalls({
    journal,
    chains,
    services,
    clock,
    log,
    settings: {},
    ...lease,
    ...parts,
  } as unknown as EngineContext)
  // CAST: as above; the arguments do not matter.
  const call = async (owner: "chain" | "service", name: string): Promise<unknown> => {
    const port = owner === "chain" ? context.chains.get(chain) : context.services.get("main")
    return (port as unknown as Record<string, () => Promise<unknown>>)[name]?.()
  }
  return { called, call, context }
}

const OUTGOING = [
  ["chain", "signTransaction"],
  ["chain", "signTypedData"],
  ["chain", "broadcastTransaction"],
  ["service", "submitOrder"],
  ["service", "submitSignature"],
  ["service", "revealSecret"],
] as const

test.each(OUTGOING)(
  "the %s's %s waits for the proof of the lease, after the disk",
  async (owner, name) => {
    const proofs: PromiseWithResolvers<void>[] = []
    const proveLease = (): Promise<void> => {
      const proof = Promise.withResolvers<void>()
      proofs.push(proof)
      return proof.promise
    }
    const { called, call } = scene({ proveLease })
    journal.writeFlag("known", `proof ${name}`)
    const answer = call(owner, name)
    await settle()
    expect(proofs).toHaveLength(0)
    flush()
    await settle()
    expect([proofs.length, called]).toEqual([1, []])
    proofs[0]?.resolve()
    expect(await answer).toBe(name)
  },
)

test.each(OUTGOING)(
  "the %s's %s takes an acknowledgement as its proof from its own moment on",
  async (owner, name) => {
    let acknowledged = 7
    const since: (number | undefined)[] = []
    const proveLease = async (moment?: number): Promise<void> => void since.push(moment)
    const { call } = scene({ proveLease, countProofs: () => acknowledged })
    journal.writeFlag("known", `moment of ${name}`)
    const answer = call(owner, name)
    // The log acknowledges the write that the call waits for.
    acknowledged = 8
    flush()
    await answer
    expect(since).toEqual([7])
  },
)

test("a call that asks once more takes no acknowledgement from before its pause", async () => {
  let acknowledged = 7
  const since: (number | undefined)[] = []
  const proveLease = async (moment?: number): Promise<void> => {
    since.push(moment)
    if (since.length > 1) return
    acknowledged = 8
    throw new AppError({
      code: "cluster.unreachable",
      disposition: "uncertain",
      message: "No answer",
    })
  }
  const clock = {
    now: () => 0,
    sleep: (ms: number) => (ms < 1_000 ? settle() : new Promise<void>(() => undefined)),
  }
  const { context } = scene({ proveLease, countProofs: () => acknowledged }, { clock })
  // CAST: only the action decides here.
  const voiding = { plan: { action: "void" } } as unknown as SignedTransaction
  await context.chains.get(chain)?.broadcastTransaction(voiding)
  expect(since).toEqual([7, 8])
})

test.each(OUTGOING)(
  "the %s's %s is not made without the lease, also when nothing waits for the disk",
  async (owner, name) => {
    const { called, call } = scene({
      proveLease: () => Promise.reject(new Error("the lease is lost")),
    })
    await expect(call(owner, name)).rejects.toThrow("the lease is lost")
    expect(called).toEqual([])
  },
)

test.each(OUTGOING)(
  "the %s's %s waits until everything written before it is on disk",
  async (owner, name) => {
    const { called, call } = scene()
    journal.writeFlag("known", name)
    const answer = call(owner, name)
    await settle()
    expect(called).toEqual([])
    flush()
    expect(await answer).toBe(name)
    expect(called).toEqual([name])
  },
)

test.each(OUTGOING)(
  "the %s's %s is not made when the disk refuses what it follows from",
  async (owner, name) => {
    const { called, call } = scene()
    journal.writeFlag("known", `${name} again`)
    const answer = call(owner, name)
    refuses = true
    flush()
    await expect(answer).rejects.toMatchObject({ code: "journal.write_failed" })
    expect(called).toEqual([])
  },
)

/** Asks the service for an order, as the work with this number. */
function askForOrder(context: EngineContext, workId?: number): Promise<unknown> {
  const data = { ...sampleData(), service: "main", quote: { affiliateBps: 0 } }
  const work = {
    repeated: false,
    begin: async () => undefined,
    nowMs: data.stateSince,
    workId,
  }
  // CAST: the performer reads only these parts before it calls the service.
  return createOrder({ context, data, ...work } as unknown as Job)
}

test(
  "no order is asked for when the disk has refused its quote before the performer asked the " +
    "journal",
  async () => {
    const { called, context } = scene()
    await expect(askForOrder(context, 99)).rejects.toMatchObject({ code: "journal.stale_work" })
    expect(called).toEqual([])
    await askForOrder(context)
    expect(called).toEqual(["submitOrder"])
  },
)

test(
  "an order's request sends its write to the log beside the disk, and its call takes the " +
    "acknowledgement as proof",
  async () => {
    const since: (number | undefined)[] = []
    const disk = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    let asked = 0
    let isPendingHere = true
    const slow = {
      ...journal,
      isPendingHere: () => isPendingHere,
      durableHere: () => disk.promise,
      durable: () => {
        asked += 1
        return sent.promise
      },
    }
    const proveLease = async (moment?: number): Promise<void> => void since.push(moment)
    const { called, context } = scene({ proveLease, countProofs: () => 7 }, { journal: slow })
    const created = askForOrder(context)
    await settle()
    expect([asked, called]).toEqual([1, []])
    isPendingHere = false
    disk.resolve()
    await settle()
    expect([asked, called, since]).toEqual([2, [], []])
    sent.resolve()
    await created
    expect([since, called]).toEqual([[7], ["submitOrder"]])
  },
)

test("a refused write is no failure of the service", async () => {
  const restingOf = (): string | null => journal.readFlag("service/main/rest")
  const { context } = scene()
  journal.writeFlag("known", "before an order")
  const asked = askForOrder(context)
  refuses = true
  flush()
  await expect(asked).rejects.toMatchObject({ code: "journal.write_failed" })
  refuses = false
  expect(restingOf()).toBeNull()
})

test("a read waits for nothing, and neither does a call after a written journal", async () => {
  const { called, call } = scene()
  journal.writeFlag("known", "read")
  await call("chain", "observeTransaction")
  flush()
  await call("chain", "broadcastTransaction")
  expect(called).toEqual(["observeTransaction", "broadcastTransaction"])
})

test("waiting for the disk also waits for what others wrote meanwhile", async () => {
  journal.writeFlag("known", "first")
  void journal.durable().then(() => journal.writeFlag("known", "second"))
  let done = false
  const waiting = untilHere(journal).then(() => {
    done = true
  })
  flush()
  await settle()
  expect(done).toBe(false)
  flush()
  await waiting
})

describe("a call that may not leave any more", () => {
  const lease = { proveLease: async () => undefined }
  // CAST: the transaction does not matter.
  const send = ({ context }: ReturnType<typeof scene>, mayLeave: () => boolean) =>
    context.chains
      .get(chain)
      ?.broadcastTransaction({ plan: { action: "initiate" } } as never, mayLeave)

  test("stays here where nothing waits, and leaves while it may", async () => {
    const made = scene()
    await expect((async () => send(made, () => false))()).rejects.toMatchObject({
      code: "engine.kept_here",
    })
    expect(made.called).toEqual([])
    await send(made, () => true)
    expect(made.called).toEqual(["broadcastTransaction"])
  })

  test.each([
    ["the disk", {}, true],
    ["the lease", lease, false],
    ["disk and lease", lease, true],
  ])("stays here after the wait for %s", async (what, parts, isPending) => {
    const made = scene(parts)
    if (isPending) journal.writeFlag("known", `may leave: ${what}`)
    let isPaused = false
    const call = send(made, () => !isPaused)
    isPaused = true
    flush()
    await expect(call).rejects.toMatchObject({ code: "engine.kept_here" })
    expect(made.called).toEqual([])
  })
})

describe("while PostgreSQL is silent", () => {
  /** The log never answers. `decisions` is the journal's answer about the order's secret. */
  function silentScene(decisions: boolean | null) {
    const sleeps: (() => void)[] = []
    const silent = {
      ...journal,
      durable: () => new Promise<void>(() => undefined),
      areDecisionsDurable: () => decisions,
    }
    const clock = {
      now: () => 0,
      sleep: () => new Promise<void>((resolve) => sleeps.push(resolve)),
    }
    const { called, context } = scene(
      { proveLease: async () => undefined },
      { journal: silent, clock },
    )
    return {
      called,
      context,
      pass: () => {
        for (const wake of sleeps) wake()
      },
    }
  }
  const secret = new Secret("ab".repeat(32), "secret")
  const planOf = (action: string) => ({ action })
  // CAST: only the action of the plan is read.
  const sign = (context: EngineContext, action: string) =>
    context.chains
      .get(chain)
      ?.signTransaction(planOf(action) as never, { order: "order", deposit: null })
  const broadcast = (context: EngineContext, action: string) =>
    context.chains.get(chain)?.broadcastTransaction({ plan: planOf(action) } as never)

  test.each(["refund", "redeem", "void"])(
    "a %s is signed and sent after a while",
    async (action) => {
      const { called, context, pass } = silentScene(null)
      const calls = Promise.all([sign(context, action), broadcast(context, action)])
      await settle()
      expect(called).toEqual([])
      pass()
      await calls
      expect(called.toSorted()).toEqual(["broadcastTransaction", "signTransaction"])
    },
  )

  test.each(["initiate", "approve", "openTokenAccount"])(
    "an %s is neither signed nor sent",
    async (action) => {
      const { called, context, pass } = silentScene(true)
      const calls = [sign(context, action), broadcast(context, action)]
      await settle()
      pass()
      for (const call of calls) await expect(call).rejects.toMatchObject({ code: "cluster.silent" })
      expect(called).toEqual([])
    },
  )

  test("a refund whose proof had no answer asks again, and does not leave without one", async () => {
    const sleeps: { readonly ms: number; readonly wake: () => void }[] = []
    const clock = {
      now: () => 0,
      sleep: (ms: number) => new Promise<void>((wake) => sleeps.push({ ms, wake })),
    }
    let asked = 0
    const proveLease = async (): Promise<void> => {
      asked += 1
      if (asked === 1)
        throw new AppError({
          code: "cluster.unreachable",
          disposition: "uncertain",
          message: "no answer",
        })
    }
    const { called, context } = scene({ proveLease }, { journal, clock })
    const call = broadcast(context, "refund")
    await settle()
    expect([asked, called]).toEqual([1, []])
    expect(sleeps.map(({ ms }) => ms)).toEqual([10_000, 500])
    for (const { ms, wake } of sleeps) if (ms < 1_000) wake()
    await call
    expect([asked, called]).toEqual([2, ["broadcastTransaction"]])
  })

  test("a refund whose write the log did not take waits for the silence, and leaves then", async () => {
    const sleeps: { readonly ms: number; readonly wake: () => void }[] = []
    const clock = {
      now: () => 0,
      sleep: (ms: number) => new Promise<void>((wake) => sleeps.push({ ms, wake })),
    }
    const unreachable = new AppError({
      code: "cluster.unreachable",
      disposition: "uncertain",
      message: "no answer",
    })
    const unanswered = {
      ...journal,
      durable: () => Promise.reject(unreachable),
      areDecisionsDurable: () => null,
    }
    const { called, context } = scene(
      { proveLease: async () => undefined },
      { journal: unanswered, clock },
    )
    const call = broadcast(context, "refund")
    await settle()
    for (const { ms, wake } of sleeps.splice(0)) ms < 1_000 ? wake() : sleeps.push({ ms, wake })
    await settle()
    expect(called).toEqual([])
    for (const { wake } of sleeps) wake()
    await call
    expect(called).toEqual(["broadcastTransaction"])
  })

  test("no order is created, no typed data is signed or submitted", async () => {
    const { called, context, pass } = silentScene(true)
    const service = context.services.get("main")
    // CAST: the arguments do not matter.
    const calls = [
      service?.submitOrder({} as never),
      service?.submitSignature("order", "signature"),
      context.chains.get(chain)?.signTypedData({} as never, {} as never),
    ]
    await settle()
    pass()
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "cluster.silent" })
    expect(called).toEqual([])
  })

  test("no order is asked for, and the service is not blamed", async () => {
    const { called, context, pass } = silentScene(null)
    const asked = askForOrder(context)
    await settle()
    pass()
    await expect(asked).rejects.toMatchObject({ code: "cluster.silent" })
    expect([called, journal.readFlag("service/main/rest")]).toEqual([[], null])
  })

  test.each([
    [true, ["revealSecret"]],
    [false, []],
    [null, []],
  ])("a secret leaves only when its decision is in the log (%s)", async (decisions, expected) => {
    const { called, context, pass } = silentScene(decisions)
    const call = context.services.get("main")?.revealSecret("order", secret)
    call?.catch(() => undefined)
    await settle()
    pass()
    await settle()
    expect(called).toEqual(expected)
  })

  test("a refund or redemption waits while the decision about its secret is not in the log", async () => {
    const { called, context, pass } = silentScene(false)
    const calls = [sign(context, "refund"), sign(context, "redeem")]
    await settle()
    pass()
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "cluster.silent" })
    expect(called).toEqual([])
  })
})
