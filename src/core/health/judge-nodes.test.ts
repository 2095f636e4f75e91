import { expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { judgeChainNodes } from "./judge-nodes.ts"
import type { ChainNodes, EndpointReading } from "./readings.ts"

const NOW = 1_800_000_000_000
const SILENT_AFTER = 30_000

function endpoint(change: Partial<EndpointReading> = {}): EndpointReading {
  const times = { answeredMs: NOW - 1_000, sinceMs: NOW - 1_000, askedMs: NOW - 1_000, tookMs: 20 }
  const tip = { height: 1_000n, blockAtMs: NOW - 3_000, network: "84532", expected: "84532" }
  return { host: "a.example", ...times, ...tip, error: null, ...change }
}

function chain(
  endpoints: readonly EndpointReading[],
  change: Partial<ChainNodes> = {},
): ChainNodes {
  const base = {
    chain: toChainId("base_sepolia"),
    needed: 1,
    agreement: null,
    staleMs: 120_000,
    blockMs: 2_000,
  }
  return { ...base, endpoints, ...change }
}

const judge = (nodes: ChainNodes) => judgeChainNodes(nodes, SILENT_AFTER, NOW)
const slowSince = (slowSinceMs: number) => endpoint({ tookMs: 2_000, slowSinceMs })
const failed = (sinceMs: number) =>
  endpoint({ error: "ECONNREFUSED", answeredMs: sinceMs, sinceMs })

test.each([
  ["a fresh answer", endpoint(), "good", null],
  ["no answer for the allowed time", failed(NOW - SILENT_AFTER), "silent", "node.silent"],
  ["no answer for a moment less", failed(NOW - SILENT_AFTER + 1), "failing", null],
  ["no answer ever, just asked", endpoint({ answeredMs: null, sinceMs: NOW }), "unasked", null],
  [
    "no answer ever",
    endpoint({ answeredMs: null, sinceMs: NOW - SILENT_AFTER, error: "ENOTFOUND" }),
    "silent",
    "node.silent",
  ],
  [
    "a watch that stands still",
    endpoint({ answeredMs: NOW - 3 * SILENT_AFTER }),
    "silent",
    "node.silent",
  ],
  ["another network", endpoint({ network: "1" }), "wrong-network", "node.wrong_network"],
  [
    "another network that then gives errors for longer than allowed",
    endpoint({ network: "1", error: "ECONNREFUSED", sinceMs: NOW - 2 * SILENT_AFTER }),
    "wrong-network",
    "node.wrong_network",
  ],
  ["an old newest block", endpoint({ blockAtMs: NOW - 120_001 }), "behind", "node.behind"],
  ["a newest block at the limit", endpoint({ blockAtMs: NOW - 120_000 }), "good", null],
  ["a fast block far ahead", endpoint({ blockAtMs: NOW + 180_001 }), "ahead", "node.ahead"],
  ["a fast block at the limit", endpoint({ blockAtMs: NOW + 180_000 }), "good", null],
  ["a block of tomorrow", endpoint({ blockAtMs: NOW + 24 * 3_600_000 }), "ahead", "node.ahead"],
  ["a slow answer", endpoint({ tookMs: 2_000 }), "slow", null],
  ["slow answers for less than the allowed time", slowSince(NOW - SILENT_AFTER + 1), "slow", null],
  ["a limit of requests", endpoint({ limit: "rate limited", slowSinceMs: NOW }), "slow", null],
  ["slow answers for the allowed time", slowSince(NOW - SILENT_AFTER), "slow", "node.slow"],
])("%s", (_name, reading, state, code) => {
  expect(judge(chain([reading])).map((one) => [one.state, one.alarm?.code ?? null])).toEqual([
    [state, code],
  ])
})

test("an answer that is as old as a round of the watch with hung endpoints is no silence", () => {
  const slow = endpoint({ answeredMs: NOW - 18_000, tookMs: 2_300, slowSinceMs: NOW - 40_000 })
  expect(judgeChainNodes(chain([slow]), 5_000, NOW)).toMatchObject([{ state: "slow" }])
})

test("a head far below another endpoint's is behind, also where blocks come only on request", () => {
  const low = endpoint({ host: "b.example", height: 960n })
  expect(judge(chain([endpoint(), low], { staleMs: null })).map(({ state }) => state)).toEqual([
    "good",
    "behind",
  ])
  // 40 blocks of one second are no minute.
  expect(
    judge(chain([endpoint(), low], { staleMs: null, blockMs: 1_000 })).map(({ state }) => state),
  ).toEqual(["good", "good"])
})

test("one of three endpoints that claims an impossible head is ahead, and makes no other one behind", () => {
  const liar = endpoint({ host: "c.example", height: 1_000_000_000n })
  const judged = judge(chain([endpoint(), endpoint({ host: "b.example" }), liar]))
  expect(judged.map(({ state }) => state)).toEqual(["good", "good", "ahead"])
  expect(judged[2]?.alarm).toMatchObject({ code: "node.ahead", endpoint: "c.example" })
})

test("an endpoint of another network makes no other one behind", () => {
  const foreign = endpoint({ host: "b.example", height: 9_999_999n, network: "1" })
  expect(judge(chain([endpoint(), foreign])).map(({ state }) => state)).toEqual([
    "good",
    "wrong-network",
  ])
})

test("heights that fall more than once show unequal nodes behind one address", () => {
  const falls = { times: 2, blocks: 5_000n, lastMs: NOW - 5_000 }
  const found = (change: Partial<typeof falls>) =>
    judge(chain([endpoint({ falls: { ...falls, ...change } })]))[0]
  expect(found({})).toMatchObject({ state: "behind", alarm: { code: "node.behind" } })
  expect(found({})?.alarm?.message).toMatch(/heights that fall, 2 times, at last by 5000 blocks/)
  for (const one of [{ times: 1 }, { blocks: 21n }, { lastMs: NOW - 700_000 }])
    expect(found(one)?.state).toBe("good")
})

test("a third failure within minutes is one, also while the endpoint answers in between", () => {
  const breaks = { times: 3, sinceMs: NOW - 50_000, lastMs: NOW - 5_000, fault: "HTTP 502" }
  const found = (change: Partial<typeof breaks>, more: Partial<EndpointReading> = {}) =>
    judge(chain([endpoint({ breaks: { ...breaks, ...change }, ...more })]))[0]
  expect(found({})).toMatchObject({ state: "failing", alarm: { code: "node.failing" } })
  expect(found({})?.alarm?.message).toMatch(/again and again.*\(3 times\): HTTP 502$/)
  expect(found({}, { error: "HTTP 502" })?.alarm?.code).toBe("node.failing")
  for (const one of [{ times: 2 }, { lastMs: NOW - 120_001 }]) {
    expect(found(one)?.state).toBe("good")
    expect(found(one, { error: "HTTP 502" })?.alarm).toBeNull()
  }
})
