import fc from "fast-check"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import type { ServicePort } from "#ports/service.ts"
import { ask, fixture, order, replies, startStub } from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})

describe("any answer of the service", () => {
  const calls: readonly ((service: ServicePort) => Promise<unknown>)[] = [
    (service) => service.fetchQuotes(ask),
    (service) => service.submitOrder(order),
    (service) => service.fetchOrder("ab"),
    (service) => service.findOrders("0x44"),
    (service) => service.submitSignature("ab", "0x"),
  ]

  async function onlyCoded(text: string, status: number, index: number): Promise<void> {
    stub.answer = replies(status, text)
    const call = calls[index % calls.length]
    await call?.(stub.client()).catch((error: unknown) => {
      expect(error).toBeInstanceOf(AppError)
      expect(error).toHaveProperty("code", expect.stringMatching(/^service\./))
    })
  }

  const status = fc.constantFrom(200, 200, 200, 202, 204, 301, 400, 404, 429, 500)

  test("arbitrary text and JSON throw nothing but coded errors", async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((result) => JSON.stringify({ status: "Ok", result })),
    )
    await fc.assert(fc.asyncProperty(text, status, fc.nat(), onlyCoded), { numRuns: 150 })
  })

  test("a deeply nested body throws nothing but coded errors", async () => {
    await onlyCoded(`{"status":"Ok","result":${"[".repeat(200_000)}`, 200, 2)
    await onlyCoded(
      `{"status":"Ok","result":${'{"a":'.repeat(90_000)}1${"}".repeat(90_000)}}`,
      200,
      1,
    )
  })

  test(
    "a good answer with one value replaced throws nothing but coded errors, and every amount " +
      "round-trips",
    async () => {
      const names = [
        "quote",
        "create-evm",
        "create-starknet",
        "create-bitcoin",
        "create-solana-2026",
        "order",
        "order-2026",
      ] as const
      const value = fc.oneof(
        fc.jsonValue(),
        fc.bigInt().map(String),
        fc.constantFrom("1e3", "0x10", "01", " 1", "1.0", "", "٣"),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...names),
          fc.nat(),
          value,
          async (name, place, replacement) => {
            stub.answer = replies(200, replaceOne(fixture(name), place, replacement))
            const service = stub.client()
            if (name === "quote") await rounds(service.fetchQuotes(ask))
            else if (name.startsWith("create")) await rounds(service.submitOrder(order))
            else await rounds(service.fetchOrder((name === "order" ? "e1" : "e2").repeat(32)))
          },
        ),
        { numRuns: 200 },
      )
    },
  )

  /** Every bigint that was read appears in the answer, digit for digit or as hex. */
  async function rounds(work: Promise<unknown>): Promise<void> {
    const found = await work.catch((error: unknown) => {
      expect(error).toHaveProperty("code", expect.stringMatching(/^service\./))
      return null
    })
    JSON.stringify(found, (key, item: unknown) => {
      if (typeof item !== "bigint" || /fiat/i.test(key) || item === 0n)
        return typeof item === "bigint" ? String(item) : item
      expect(lastAnswer.includes(String(item)) || lastAnswer.includes(item.toString(16))).toBe(true)
      return String(item)
    })
  }

  let lastAnswer = ""

  function replaceOne(text: string, place: number, replacement: unknown): string {
    const values = [...text.matchAll(/: ("[^"]*"|\d+|null|\[\])/g)]
    const match = values[place % values.length]
    const index = (match?.index ?? 0) + 2
    lastAnswer =
      text.slice(0, index) +
      JSON.stringify(replacement) +
      text.slice(index + (match?.[1]?.length ?? 0))
    return lastAnswer
  }
})
