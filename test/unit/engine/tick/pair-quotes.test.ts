import { beforeEach, describe, expect, test } from "vitest"
import type { Quote } from "#domain/quote.ts"
import { serviceFor } from "#engine/context.ts"
import { createQuoteReader, type QuoteReader } from "#engine/rules/tick/pair-quotes.ts"
import { AppError } from "#lib/app-error.ts"
import type { QuoteRequest, ServicePort } from "#ports/service.ts"
import { ARB, BTC, createWorld, ETH } from "../../../support/fake-world.ts"
import { failure, never } from "../../../support/faults.ts"
import { createManualClock, type ManualClock, settle } from "../../../support/manual-clock.ts"

let clock: ManualClock
let asked: QuoteRequest[]
let answer: (request: QuoteRequest) => Promise<readonly Quote[]>
let reader: QuoteReader

beforeEach(() => {
  const world = createWorld()
  const { context } = world.start()
  world.close()
  clock = createManualClock(0)
  asked = []
  answer = async ({ from, to, sourceUnits }) => [
    {
      from,
      to,
      sourceUnits,
      destinationUnits: sourceUnits,
      sourceFiat: 1n,
      destinationFiat: 1n,
      solverId: "s",
      estimatedSeconds: 1,
    },
  ]
  const service: ServicePort = {
    ...serviceFor(context, { service: "main" }),
    fetchQuotes: (request) => {
      asked.push(request)
      return answer(request)
    },
  }
  reader = createQuoteReader({ ...context, clock, services: new Map([["main", service]]) })
})

const amounts = (): bigint[] => asked.map(({ sourceUnits }) => sourceUnits)

function outOfBounds(): AppError {
  const serviceText = "expected amount to be within the range of 500 to 9000"
  return new AppError({
    code: "service.amount_bounds",
    disposition: "refused",
    message: serviceText,
    details: { serviceText },
  })
}

describe("quotes", () => {
  test("are remembered for half a minute", async () => {
    await reader.read(ETH, BTC, [100n, 400n])
    await reader.read(ETH, BTC, [200n, 800n])
    clock.set(29_999)
    expect((await reader.read(ETH, BTC, [7n])).quotes).toHaveLength(2)
    expect(amounts()).toEqual([100n, 400n])
    clock.set(30_000)
    expect(reader.recall()).toEqual([])
    await reader.read(ETH, BTC, [7n])
    expect(amounts()).toEqual([100n, 400n, 7n])
  })

  test("are requested again when one amount is remembered and two are needed", async () => {
    await reader.read(ETH, BTC, [100n])
    await reader.read(ETH, BTC, [100n, 400n], "line")
    expect(amounts()).toEqual([100n, 100n, 400n])
  })

  test("are requested within the bounds that a refusal states, now and later", async () => {
    answer = async ({ from, to, sourceUnits }) => {
      if (sourceUnits < 500n || sourceUnits > 9_000n) throw outOfBounds()
      return [
        {
          from,
          to,
          sourceUnits,
          destinationUnits: 1n,
          sourceFiat: 1n,
          destinationFiat: 1n,
          solverId: "s",
          estimatedSeconds: 1,
        },
      ]
    }
    const { quotes, bounds } = await reader.read(ETH, BTC, [100n, 400_000n])
    expect(quotes.map(({ sourceUnits }) => sourceUnits)).toEqual([500n, 9_000n])
    expect(bounds).toEqual({ minUnits: 500n, maxUnits: 9_000n })
    clock.set(60_000)
    await reader.read(ETH, BTC, [50n])
    expect(amounts()).toEqual([100n, 500n, 9_000n, 500n])
  })

  test("keep to stated bounds after an hour, and ask once whether they still hold", async () => {
    const refuse = answer
    answer = async (request) => {
      if (request.sourceUnits > 9_000n) throw outOfBounds()
      return refuse(request)
    }
    await reader.read(ETH, BTC, [1_000n, 400_000n], "line")
    clock.set(61 * 60_000)
    asked.splice(0)
    const later = await reader.read(ETH, BTC, [1_000n, 2_000n], "line")
    expect(later.bounds).toEqual({ minUnits: 500n, maxUnits: 9_000n })
    clock.set(62 * 60_000)
    answer = refuse
    const wider = await reader.read(ETH, BTC, [1_000n, 400_000n], "line")
    expect(amounts()).toContain(400_000n)
    expect(wider.bounds).toBeNull()
  })

  test.each([
    ["500 to 9000", 500n],
    ["500 to 500", 500n],
    ["0 to 90", 90n],
    ["0 to 0", 100n],
    ["501 to 500", 100n],
    ["500 and more", 100n],
  ])("of 100 after the bounds %s are of %i", async (said, units) => {
    reader.learn(ETH, BTC, [
      { code: "service.amount_bounds", message: `within the range of ${said}` },
    ])
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([units])
  })

  test("take no bounds from another refusal", async () => {
    reader.learn(ETH, BTC, [{ code: "service.no_pair", message: "the range of 500 to 9000" }])
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([100n])
  })

  test("take the bounds from the refusal of an order", async () => {
    reader.learn(ETH, BTC, [
      { code: "service.amount_bounds", message: "within the range of 500 to 9000" },
    ])
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([500n])
  })

  test("that fail carry their cause, and are requested again after ten seconds", async () => {
    answer = async () => Promise.reject(failure("transient", "service.unavailable"))
    expect(await reader.read(ETH, BTC, [100n, 400n])).toMatchObject({
      quotes: [],
      cause: { code: "service.unavailable" },
    })
    await reader.read(ETH, BTC, [100n, 400n])
    expect(asked).toHaveLength(1)
    clock.set(11_000)
    await reader.read(ETH, BTC, [100n, 400n])
    expect(asked).toHaveLength(2)
  })

  test("for a refused amount do not hide the quotes of another amount", async () => {
    const honest = answer
    answer = async (request) => {
      if (request.sourceUnits === 100n) throw failure("refused", "service.refused")
      return honest(request)
    }
    expect(await reader.read(ETH, BTC, [100n, 400n])).toMatchObject({
      quotes: [{ sourceUnits: 400n }],
      cause: null,
    })
  })

  test("of a pair that does not exist make it unavailable", async () => {
    answer = async () => Promise.reject(failure("refused", "service.no_pair"))
    expect(await reader.read(ETH, BTC, [100n, 400n])).toMatchObject({ available: false })
    expect(asked).toHaveLength(1)
  })

  test(
    "are asked for again once a clock that was ahead is set back, although a service was " +
      "silent then",
    async () => {
      clock.set(3_600_000)
      answer = never
      const first = reader.read(ETH, BTC, [100n])
      await settle()
      clock.set(3_608_000)
      expect(await first).toMatchObject({ cause: { code: "view.silent" } })
      clock.set(10_000)
      void reader.read(ARB, BTC, [100n])
      await settle()
      expect(asked).toHaveLength(2)
    },
  )

  test("of a silent service cost one wait, and not one for every pair", async () => {
    answer = never
    const first = reader.read(ETH, BTC, [100n, 400n])
    await settle()
    clock.set(8_000)
    expect(await first).toMatchObject({ cause: { code: "view.silent" } })
    expect(await reader.read(ARB, BTC, [100n, 400n])).toMatchObject({
      cause: { code: "view.silent" },
    })
    expect(asked).toHaveLength(1)
  })

  test("of a silent service are given up after eight seconds", async () => {
    answer = never
    let isOver = false
    const reading = reader.read(ETH, BTC, [100n]).then((found) => {
      isOver = true
      return found
    })
    await settle()
    clock.set(7_999)
    await settle()
    expect(isOver).toBe(false)
    clock.set(8_000)
    expect(await reading).toMatchObject({ cause: { code: "view.silent" } })
    clock.set(17_999)
    expect(await reader.read(ETH, BTC, [100n], "exact")).toMatchObject({
      cause: { code: "view.silent" },
    })
    expect(amounts()).toEqual([100n])
    answer = async () => []
    clock.set(18_000)
    await reader.read(ETH, BTC, [200n], "exact")
    expect(amounts()).toEqual([100n, 200n])
  })

  test("without an offer of a solver are missing", async () => {
    answer = async () => []
    expect(await reader.read(ETH, BTC, [100n])).toMatchObject({
      quotes: [],
      cause: { code: "quote.none" },
      available: true,
    })
  })

  /** A refusal that states these bounds. */
  const refusal = (said: string, code = "service.amount_bounds"): AppError =>
    new AppError({ code, disposition: "refused", message: `the range of ${said}` })
  const bounds = (said: string) => [
    { code: "service.amount_bounds", message: "refused", serviceText: `range of ${said}` },
  ]
  const sizes = async (...question: Parameters<QuoteReader["read"]>) =>
    (await reader.read(...question)).quotes.map(({ sourceUnits }) => sourceUnits)

  test("of a later amount count where there was no offer for the first", async () => {
    const honest = answer
    answer = async (request) => (request.sourceUnits === 100n ? [] : honest(request))
    expect(await sizes(ETH, BTC, [100n, 400n])).toEqual([400n])
  })

  test("come by their size", async () => {
    expect(await sizes(ETH, BTC, [400n, 100n, 200n])).toEqual([100n, 200n, 400n])
  })

  test("are asked for once more in stated bounds, and not again", async () => {
    let least = 400
    answer = async () => {
      least += 100
      throw refusal(`${least} to 9000`)
    }
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([100n, 500n])
  })

  test("are not asked for again in bounds that they keep, nor after another refusal", async () => {
    answer = async () => Promise.reject(refusal("50 to 9000"))
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([100n])
    reader.learn(ARB, BTC, bounds("500 to 9000"))
    answer = async () => Promise.reject(refusal("1 to 2", "service.refused"))
    await reader.read(ARB, BTC, [100n])
    expect(amounts()).toEqual([100n, 500n])
  })

  test("hide no bug", async () => {
    answer = async () => Promise.reject(new RangeError("a bug"))
    await expect(reader.read(ETH, BTC, [100n])).rejects.toThrow("a bug")
  })

  test("of a line do not stand for exact amounts, nor those for each other", async () => {
    await reader.read(ETH, BTC, [100n, 400n], "line")
    asked.splice(0)
    await reader.read(ETH, BTC, [100n], "exact")
    await reader.read(ETH, BTC, [400n], "exact")
    await reader.read(ETH, BTC, [400n], "exact")
    expect(amounts()).toEqual([100n, 400n])
  })

  test("of a line are remembered for a line, and so is a failure", async () => {
    await reader.read(ETH, BTC, [100n, 400n], "line")
    await reader.read(ETH, BTC, [100n, 400n], "line")
    expect(amounts()).toEqual([100n, 400n])
    answer = async () => Promise.reject(refusal("", "service.refused"))
    await reader.read(ARB, BTC, [7n])
    await reader.read(ARB, BTC, [7n], "line")
    expect(amounts()).toEqual([100n, 400n, 7n])
  })

  test("of a line have a farther amount, as it was asked for", async () => {
    expect(await sizes(ETH, BTC, [100n], "line")).toEqual([25n, 100n])
    const honest = answer
    answer = (request) =>
      honest({ ...request, sourceUnits: request.sourceUnits + (asked.length > 3 ? 1n : 0n) })
    expect(await sizes(ARB, BTC, [100n], "line")).toEqual([100n])
    expect(amounts()).toEqual([100n, 25n, 100n, 25n, 400n])
  })

  test("of a line go to the next farther amount after a refusal", async () => {
    const honest = answer
    answer = async (request) => {
      if (request.sourceUnits < 50n) throw refusal("50 to 9000")
      return honest(request)
    }
    expect(await sizes(ETH, BTC, [100n], "line")).toEqual([100n, 400n])
    expect(amounts()).toEqual([100n, 25n, 400n])
  })

  test("are forgotten where a refusal of an order states bounds, and only then", async () => {
    await reader.read(ETH, BTC, [100n])
    await reader.read(ETH, BTC, [100n], "exact")
    reader.learn(ETH, BTC, [{ code: "service.no_pair", message: "the range of 500 to 9000" }])
    reader.learn(ARB, BTC, bounds("500 to 9000"))
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([100n, 100n])
    reader.learn(ETH, BTC, bounds("500 to 9000"))
    await reader.read(ETH, BTC, [100n])
    await reader.read(ETH, BTC, [100n], "exact")
    expect(amounts()).toEqual([100n, 100n, 500n, 500n])
  })

  test("keep to bounds for an hour, and until the clock is set back", async () => {
    const hourMs = 3_600_000
    clock.set(hourMs)
    reader.learn(ETH, BTC, bounds("500 to 9000"))
    reader.learn(ETH, BTC, [{ code: "service.refused", message: "range of 1 to 2" }])
    clock.set(2 * hourMs - 1)
    await reader.read(ETH, BTC, [100n], "exact")
    expect(amounts()).toEqual([500n])
    reader.learn(ARB, BTC, bounds("500 to 9000"))
    clock.set(3 * hourMs - 1)
    await reader.read(ARB, BTC, [100n], "exact")
    expect(amounts()).toEqual([500n, 100n])
    reader.learn(ETH, BTC, bounds("500 to 9000"))
    clock.set(3 * hourMs - 2)
    await reader.read(ETH, BTC, [100n], "exact")
    expect(amounts()).toEqual([500n, 100n, 100n])
  })

  test("of a time that is still to come are asked for again", async () => {
    clock.set(3_600_000)
    await reader.read(ETH, BTC, [100n])
    clock.set(3_599_999)
    expect(reader.recall()).toEqual([])
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([100n, 100n])
  })

  test("keep to the least bounds that there are", async () => {
    reader.learn(ETH, BTC, bounds("0 to 1"))
    await reader.read(ETH, BTC, [100n])
    expect(amounts()).toEqual([1n])
  })

  test.each([
    ["service.pair_closed", { available: false, closed: true }],
    ["service.no_pair", { available: false }],
    ["service.refused", { available: true }],
  ])("of a pair refused with %s say so, and whether another amount helps", async (code, parts) => {
    answer = async () => Promise.reject(refusal("", code))
    const found = await reader.read(ETH, BTC, [100n, 400n])
    expect(found).toEqual({ quotes: [], bounds: null, cause: expect.anything(), ...parts })
    expect(asked).toHaveLength(parts.available ? 2 : 1)
  })
})
