import { afterEach, describe, expect, test } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { SLOWNESS } from "../../support/slowness.ts"
import { answerOf, FAMILIES, PROBES, type Reply, serve, timeoutMs } from "./askers.ts"

/* What a node may write into its answers; `every-client.test.ts` has the transport. */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const NODES = Object.entries({ ...FAMILIES, ...PROBES })

async function open(reply: (path: string, body: string) => Reply) {
  const server = await serve(reply)
  stops.push(server.stop)
  return server
}

const honest = (path: string, body: string): Reply => ({ body: answerOf(path, body) })
const world = (clock: Clock = createHastyClock(timeoutMs)) => ({ clock, paces: createPaces(clock) })

test.each(Object.entries(FAMILIES))(
  "the reads of %s that its node fails are counted, in the node's words",
  async (_name, ask) => {
    let isOver = false
    const { url } = await open((path, body) =>
      isOver ? honest(path, body) : { status: 500, body: "" },
    )
    const shared = world()
    const { reads } = shared.paces(url, timeoutMs)
    await expect(ask(url, shared)).rejects.toThrow()
    expect(reads.worst()).toMatchObject({ fault: "HTTP 500" })
    isOver = true
    await ask(url, shared)
    expect(reads.worst()).toBeNull()
  },
)

const RPC = NODES.filter(([name]) => !name.includes("bitcoin"))

/** What some nodes and their gateways write into an answer beside its result. */
const NO_ERRORS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["`error: null`", { error: null }],
  ["`error: false`", { error: false }],
  ["an empty text of an error", { error: "" }],
  ["another version", { jsonrpc: "1.0" }],
]

test.each(RPC.flatMap(([name, ask]) => NO_ERRORS.map((row) => [name, ...row, ask] as const)))(
  "%s takes %s beside a result for no error",
  async (_name, _what, over, ask) => {
    const { url } = await open((path, body) => ({ body: answerOf(path, body, over) }))
    await expect(ask(url, world())).resolves.toBeDefined()
  },
)

const PROBES_OF_RPC = Object.entries(PROBES).filter(([name]) => !name.includes("bitcoin"))
test.each([...RPC, ...PROBES_OF_RPC])(
  "%s believes no answer with the id of another call",
  async (_name, ask) => {
    const node = await open((path, body) => ({ body: answerOf(path, body, { id: 8 }) }))
    await expect(ask(node.url, world())).rejects.toThrow(/the id 8 of another call/)
  },
)

test.each(RPC)("%s believes no result beside a status of 429", async (_name, ask) => {
  const { url } = await open((path, body) => ({ status: 429, body: answerOf(path, body) }))
  await expect(ask(url, world(jumpingClock()))).rejects.toThrow(/429|rate limited/)
})

/** To write it in decimal digits takes seconds. */
const GIANT = `0x${"f".repeat(3_000_000)}`

describe.each(NODES)("%s", (_name, ask) => {
  test("refuses JSON that is nested without end", async () => {
    const { url } = await open(() => ({ body: `{"result":${"[".repeat(100_000)}` }))
    await expect(ask(url, world())).rejects.toThrow()
  })

  test("refuses a giant quantity, without making a number of it", async () => {
    const { url } = await open((_path, body) => {
      const one = { jsonrpc: "2.0", id: body.startsWith("[") ? 0 : 1, result: GIANT }
      return { body: JSON.stringify(body.startsWith("[") ? [one] : one) }
    })
    const before = process.cpuUsage()
    await expect(ask(url, world())).rejects.toThrow()
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000 * SLOWNESS)
  })
})

/** A sleep ends at once and moves the time. */
function jumpingClock(): Clock {
  let nowMs = 0
  return {
    ...systemClock,
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
  }
}
