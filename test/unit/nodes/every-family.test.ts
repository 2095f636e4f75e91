import { afterEach, describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import { serve } from "./askers.ts"
import { type Chain, FAMILIES, type Family, Refusal } from "./families.ts"

/*
 * One quorum reader: what holds for the endpoints of one family holds for those of all. A row is a
 * situation of the nodes, and a fact that enough of them must agree on.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const HONEST: Chain = { network: "ours", height: 1_000, ageMs: 0, units: 5 }
const HOUR_MS = 3_600_000

/** How a node answers its `count`-th question; a chain is that which it shows. */
type Behaviour = (count: number) => Chain | "silence" | "refusal" | "limit" | "page"

const show =
  (change: Partial<Chain> = {}): Behaviour =>
  () => ({ ...HONEST, ...change })
const inTurn =
  (...chains: readonly Partial<Chain>[]): Behaviour =>
  (count) => ({ ...HONEST, ...chains[count % chains.length] })
const does =
  (what: Exclude<ReturnType<Behaviour>, Chain>): Behaviour =>
  () =>
    what

const honest = show()
const AGREED = 5n
const SPLIT = /disagreement|contradict/
const SHORT = /agreement_short/

type Row = readonly [
  name: string,
  nodes: readonly Behaviour[],
  needed: number,
  found: bigint | RegExp,
]

const ROWS: readonly Row[] = [
  ["all agree", [honest, honest, honest], 2, AGREED],
  ["one of three lies", [show({ units: 6 }), honest, honest], 2, AGREED],
  ["one of two lies", [show({ units: 6 }), honest], 2, SPLIT],
  ["two of three lie, each in its way", [show({ units: 6 }), show({ units: 7 }), honest], 2, SPLIT],
  ["two lie against two", [show({ units: 6 }), honest, show({ units: 6 }), honest], 2, SPLIT],
  ["one of two lies, and one is enough", [show({ units: 6 }), honest], 1, SPLIT],
  [
    "two of five lie, three are needed",
    [0, 1, 2].map(() => honest).concat(show({ units: 6 }), show({ units: 6 })),
    3,
    AGREED,
  ],
  ["one claims a far head", [show({ height: 9_999_999, units: 6 }), honest, honest], 2, AGREED],
  [
    "one is a block behind, with the fact of then",
    [show({ height: 999, units: 4 }), honest, honest],
    2,
    AGREED,
  ],
  [
    "one stalled a day ago",
    [show({ height: 10, ageMs: 24 * HOUR_MS, units: 4 }), honest, honest],
    2,
    AGREED,
  ],
  [
    "one is a balancer of unequal nodes",
    [inTurn({}, { height: 999, units: 4 }), honest, honest],
    2,
    AGREED,
  ],
  ["one has pruned the fact", [does("refusal"), honest, honest], 2, AGREED],
  ["one is silent", [does("silence"), honest, honest], 2, AGREED],
  ["one limits its requests", [does("limit"), honest, honest], 2, AGREED],
  ["one shows the page of a proxy", [does("page"), honest, honest], 2, AGREED],
  [
    "one is on another network",
    [show({ network: "another", units: 6 }), honest, honest],
    2,
    AGREED,
  ],
  ["one of two is on another network", [show({ network: "another", units: 6 }), honest], 2, SHORT],
  ["one of two is silent", [does("silence"), honest], 2, SHORT],
]

describe.each(Object.entries(FAMILIES))("%s, where", (_name, family) => {
  test.each(ROWS)("%s", async (_what, nodes, needed, found) => {
    // Without an answer that counts, the time-out alone ends a read.
    const timeoutMs = found === SHORT ? 40 : 2_000
    const { read } = await open(family, nodes, needed, timeoutMs)
    const answer = await read().catch(describeError)
    if (found instanceof RegExp) expect(answer).toMatch(found)
    else expect(answer).toBe(found)
  })

  test.each([
    ["above", 3],
    ["at", 0],
    ["below", -2],
  ])("a lone node changes to another network, %s its last head", async (_where, step) => {
    let chain = HONEST
    const { read } = await open(family, [() => chain], 1)
    expect(await read()).toBe(AGREED)
    chain = { ...chain, network: "another", height: chain.height + step, units: 6 }
    expect(await read().catch(describeError)).toMatch(/another (network|cluster)|on chain 1/)
    chain = { ...HONEST, height: HONEST.height + 3 }
    expect(await read()).toBe(AGREED)
  })

  test("a node of three changes to another network after an hour", async () => {
    let chain: Chain = HONEST
    const { read, pass } = await open(family, [() => chain, honest, honest], 2)
    expect(await read()).toBe(AGREED)
    chain = { ...chain, network: "another", units: 6 }
    pass(HOUR_MS)
    expect(await read()).toBe(AGREED)
  })
})

function describeError(error: unknown): string {
  if (!(error instanceof AppError)) return String(error)
  return `${error.code} ${error.message} ${plainJson(error.details)}`
}

async function open(
  family: Family,
  nodes: readonly Behaviour[],
  needed: number,
  timeoutMs = 2_000,
) {
  const servers = await Promise.all(nodes.map((behave) => startNode(family, behave)))
  let passedMs = 0
  // Waits of our own are short; exchanges take their real time.
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + passedMs,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
  }
  const pass = (ms: number): void => {
    passedMs += ms
  }
  return { read: family.open({ urls: servers, needed, timeoutMs, clock }), pass }
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

async function startNode(family: Family, behave: Behaviour): Promise<string> {
  let count = 0
  const { url, stop } = await serve((path, body) => {
    const shown = behave(count++)
    if (shown === "silence") return null
    if (shown === "limit") return { status: 429, body: "" }
    if (shown === "page") return { status: 502, body: "<html>bad gateway</html>" }
    const chain = shown === "refusal" ? HONEST : shown
    if (body === "") {
      if (shown === "refusal" && path.startsWith("/address")) return { status: 500, body: "" }
      return { body: JSON.stringify(family.answer(path, [], chain)).replace(/^"|"$/g, "") }
    }
    // CAST: the clients' own requests: a call or a list of them.
    const sent = JSON.parse(body) as Call | readonly Call[]
    const answerOne = ({ id, method, params }: Call) => {
      try {
        if (shown === "refusal" && /Balance|Nonce/.test(method)) throw new Refusal(-32_000)
        return { jsonrpc: "2.0", id, result: family.answer(method, params, chain) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } }
      }
    }
    return {
      body: JSON.stringify(Array.isArray(sent) ? sent.map(answerOne) : answerOne(sent as Call)),
    }
  })
  stops.push(stop)
  return url
}
