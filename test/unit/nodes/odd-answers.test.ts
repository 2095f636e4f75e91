import { afterEach, describe, expect, test } from "vitest"
import type { Clock } from "#lib/clock.ts"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import {
  answerOf,
  FAMILIES,
  failureOf,
  OTHERS,
  PROBES,
  type Reply,
  serve,
  timeoutMs,
} from "./askers.ts"

/*
 * Unusual answers of real servers: each is read as its server means it, or refused with words that
 * say why.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const NODES = Object.entries({ ...FAMILIES, ...PROBES })
const ALL = [...NODES, ...Object.entries(OTHERS)]
const RPC = NODES.filter(([name]) => !name.includes("bitcoin"))
const READERS = ALL.filter(([name]) => name !== "webhook")

async function open(reply: (path: string, body: string) => Reply) {
  const server = await serve(reply)
  stops.push(server.stop)
  return server
}

const world = (clock: Clock = createHastyClock(timeoutMs)) => ({ clock, paces: createPaces(clock) })

/** What else stands beside a result for "no error". */
const NO_ERRORS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["an empty object of an error", { error: {} }],
  ["an empty list of errors", { error: [] }],
  ["the code 0 without words", { error: { code: 0, message: "" } }],
  ["the number 0", { error: 0 }],
  ["a list of fields of a gateway", { usage: { credits: 3 }, warnings: ["rate limit at 80 %"] }],
]

describe.each(RPC)("%s", (_name, ask) => {
  test.each(NO_ERRORS)("takes %s beside a result for no error", async (_what, over) => {
    const { url } = await open((path, body) => ({ body: answerOf(path, body, over) }))
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("reads ids that a gateway writes as texts, and answers in another order", async () => {
    const { url } = await open((path, body) => {
      const answer = JSON.parse(answerOf(path, body))
      const all = [answer].flat().map((one) => ({ ...one, id: `${one.id}` }))
      return { body: JSON.stringify(Array.isArray(answer) ? all.toReversed() : all[0]) }
    })
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("reads an answer that has a status of 201 and blank lines around it", async () => {
    const { url } = await open((path, body) => ({
      status: 201,
      body: `\r\n\r\n${answerOf(path, body)}\n\n`,
    }))
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("says what is wrong where neither a result nor an error is there", async () => {
    const { url } = await open(() => ({ body: '{"jsonrpc":"2.0","id":1,"error":null}' }))
    const failure = await failureOf(ask(url, world()))
    expect(failure.message).not.toMatch(/undefined is not|Cannot read/)
  })
})

/** No number of a block, and no price. */
const NO_NUMBERS: readonly unknown[] = [
  -5,
  "-0x10",
  "1e999999",
  `${"9".repeat(400)}`,
  "0x",
  "",
  null,
  true,
  { value: 16 },
  "NaN",
  "Infinity",
]

const COUNTING = READERS.filter(([name]) => /^(bitcoin|price|the probe)/.test(name))

describe.each(COUNTING)("%s", (_name, ask) => {
  test("makes nothing of what is no number", async () => {
    for (const value of NO_NUMBERS) {
      const { url } = await open((path, body) => {
        if (path.endsWith("/blocks/tip/height")) return { body: `${value}` }
        if (path.includes("/block/"))
          return { body: JSON.stringify({ height: value, timestamp: value }) }
        if (body.includes("jsonrpc")) return { body: withResult(path, body, value) }
        return { body: JSON.stringify({ price: value }) }
      })
      expect([value, await failureOf(ask(url, world()))]).toEqual([value, expect.any(Error)])
    }
  })
})

/** Every number of an answer is another value. */
function withResult(path: string, body: string, value: unknown): string {
  const answer = JSON.parse(answerOf(path, body))
  const all = [answer].flat().map((one) => {
    const isText = typeof one.result === "string" && !/^0x10$/.test(one.result)
    return {
      ...one,
      result: isText
        ? one.result
        : typeof one.result === "object"
          ? { number: value, timestamp: value, block_number: value }
          : value,
    }
  })
  return JSON.stringify(Array.isArray(answer) ? all : all[0])
}
