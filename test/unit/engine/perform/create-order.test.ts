import { describe, expect, test } from "vitest"
import { createOrder } from "#engine/orders/deposit/create-order.ts"
import type { WorkResult } from "#engine/orders/stepper.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const MALFORMED = new AppError({
  code: "service.malformed",
  disposition: "uncertain",
  message: "The service did not create the order: its result is no order",
})

test("a service whose answers to an order request can never be read gets four requests", async () => {
  const asked = [0, 1, 2, 3].map((creations) => perform({ creations }))
  const codes = await Promise.all(asked.map((one) => one.catch(({ code }: AppError) => code)))
  expect(codes.slice(0, 3)).toEqual(["service.malformed", "service.malformed", "service.malformed"])
  expect(codes[3]).toMatchObject({
    event: { type: "order.declined", reasons: [{ code: "service.malformed" }] },
  })
})

test("the reason of a new request is the answer that could not be read", async () => {
  const { code, message } = MALFORMED
  const again = await perform({ reasons: [{ code, message }] }, { repeated: true, nowMs: 1_000 })
  expect(again).toMatchObject({
    event: {
      type: "quote.outdated",
      reasons: [{ code: "create.unknown", message: expect.stringContaining("is no order") }],
    },
  })
})

describe("an order request", () => {
  const NOW = 1_000_000
  const refused = (disposition: AppError["disposition"]) =>
    new AppError({ code: "service.price", disposition, message: "moved" })

  type Scene = {
    readonly data?: Partial<OrderData>
    /** Since the quote, in milliseconds. */
    readonly ageMs?: number
    readonly repeated?: boolean
    readonly answer?: Error
    readonly isGone?: boolean
    readonly services?: readonly string[]
  }

  async function ask({ data = {}, ageMs = 0, answer, ...scene }: Scene) {
    const sent: object[] = []
    const quote = { ...SAMPLE.quote, ...data.quote }
    const known = { stateSince: NOW - ageMs, patienceSince: NOW, ...data, quote }
    const submitOrder = async (request: object) => {
      sent.push(request)
      if (answer !== undefined) throw answer
      return SAMPLE.created
    }
    const durable = async (): Promise<void> => undefined
    const journal = {
      durable,
      durableHere: durable,
      isPendingHere: () => false,
      hasWork: () => scene.isGone !== true,
    }
    const over = { nowMs: NOW, workId: 1, repeated: scene.repeated === true }
    // CAST: the request carries what the chain adds to it.
    const chain = { sourceExtras: { extra: 1 } } as never
    const job = sampleJob(sampleData({}, known), { service: { submitOrder }, journal, chain }, over)
    const { services = ["main"] } = scene
    const all = new Map([...job.context.services].filter(([name]) => services.includes(name)))
    const context = { ...job.context, services: all, newNonce: () => "2" }
    const { event } = await createOrder({ ...job, context })
    return { event, sent }
  }

  test("has the quote, the owners and the nonce, and its answer the terms", async () => {
    const { event, sent } = await ask({})
    const { from, to, sourceUnits, sourceOwner, destinationOwner } = SAMPLE.input.request
    const owners = { sourceOwner, destinationOwner }
    expect(sent).toEqual([
      { quote: SAMPLE.quote, ...owners, sourceExtras: { extra: 1 }, affiliateFees: [], nonce: "1" },
    ])
    expect(event).toEqual({
      type: "order.created",
      created: SAMPLE.created,
      terms: { from, to, sourceUnits, destinationUnits: 9_970n, ...owners },
      affiliateBps: 0,
    })
  })

  const affiliate = { asset: SAMPLE.quote.from, address: "0x1", feeBps: 30 }
  const withFees = { ...sampleData().policy, affiliateFees: [affiliate] }

  test.each<[string, string, Scene]>([
    ["of a quote of a minute", "order.created", { ageMs: 60_000 }],
    ["of an older quote", "quote.old", { ageMs: 60_001 }],
    ["of a quote from before the clock was set back", "quote.old", { ageMs: -1 }],
    [
      "of a quote with the same affiliate fees",
      "order.created",
      {
        data: { policy: withFees, quote: { ...SAMPLE.quote, affiliateBps: 30 } },
      },
    ],
    ["of a quote without the affiliate fees", "affiliate.sum", { data: { policy: withFees } }],
    [
      "of a quote with affiliate fees of before",
      "affiliate.sum",
      {
        data: { quote: { ...SAMPLE.quote, affiliateBps: 30 } },
      },
    ],
    ["to a service that is gone", "config.service_missing", { services: [] }],
    ["that may have been sent", "create.unknown", { repeated: true, ageMs: 501 }],
    [
      "after its patience",
      "order.patience",
      { data: { patienceSince: 0, policy: { ...withFees, patienceMs: 9 } } },
    ],
  ])("%s: %s", async (_name, expected, scene) => {
    const { event, sent } = await ask(scene)
    const [reason] = "reasons" in event ? event.reasons : []
    expect(reason?.code ?? event.type).toBe(expected)
    expect(sent).toHaveLength(expected === "order.created" ? 1 : 0)
  })

  test("that may have been sent waits, longer after each one, up to a minute", async () => {
    const waits = [0, 1, 3, 6, 7, 20].map(async (creations) => {
      const { event } = await ask({ repeated: true, data: { creations } })
      return "waitMs" in event ? event.waitMs : null
    })
    expect(await Promise.all(waits)).toEqual([500, 1_000, 4_000, 32_000, 60_000, 60_000])
    const due = await ask({ repeated: true, ageMs: 500 })
    expect(due.event).toMatchObject({
      type: "quote.outdated",
      reasons: [{ code: "create.unknown" }],
    })
    const rest = await ask({ repeated: true, ageMs: 499 })
    expect(rest.event).toMatchObject({ type: "work.deferred", waitMs: 1 })
  })

  test("is not sent for an order that has moved on", async () => {
    await expect(ask({ isGone: true })).rejects.toMatchObject({ code: "journal.stale_work" })
  })

  test("that is refused is asked again, and three times at most", async () => {
    const answer = refused("refused")
    for (const [creations, waitMs] of [
      [0, 500],
      [2, 2_000],
    ] as const) {
      const { event } = await ask({ answer, data: { creations } })
      expect(event).toMatchObject({
        type: "work.deferred",
        waitMs,
        reasons: [{ code: "service.price" }],
      })
    }
    await expect(ask({ answer, data: { creations: 3 } })).rejects.toBe(answer)
  })

  test.each([refused("uncertain"), refused("transient"), new RangeError("a bug")])(
    "that fails otherwise is the worker's: %s",
    async (answer) => {
      await expect(ask({ answer })).rejects.toBe(answer)
      await expect(ask({ answer, data: { creations: 9 } })).rejects.toBe(answer)
    },
  )
})

function perform(
  over: Partial<OrderData>,
  at: { readonly repeated?: boolean; readonly nowMs?: number } = {},
): Promise<WorkResult> {
  const data = sampleData({}, { quote: SAMPLE.quote, stateSince: 0, patienceSince: 0, ...over })
  const submitOrder = async (): Promise<never> => {
    throw MALFORMED
  }
  const durable = async (): Promise<void> => undefined
  const journal = { durable, durableHere: durable, isPendingHere: () => false }
  const { context, ...job } = sampleJob(data, { service: { submitOrder }, journal }, at)
  return createOrder({ ...job, context: { ...context, newNonce: () => "2" } })
}
