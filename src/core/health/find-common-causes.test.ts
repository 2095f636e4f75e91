import { expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { findProblems } from "./find-problems.ts"
import type { ChainNodes, EndpointReading, Readings, ServiceReading } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const HOUR = 3_600_000

const endpoint = (host: string, change: Partial<EndpointReading> = {}): EndpointReading => ({
  host,
  answeredMs: NOW,
  sinceMs: NOW,
  askedMs: NOW,
  tookMs: 20,
  height: 100n,
  blockAtMs: NOW - 12_000,
  network: "1",
  expected: "1",
  error: null,
  ...change,
})
const chain = (name: string, ...endpoints: readonly EndpointReading[]): ChainNodes => ({
  chain: toChainId(name),
  needed: 1,
  agreement: null,
  staleMs: 600_000,
  blockMs: 12_000,
  endpoints,
})
const failing = (error: string) => ({ error, sinceMs: NOW - 60_000, answeredMs: NOW - 60_000 })
const service = (change: Partial<ServiceReading> = {}): ServiceReading => ({
  name: "main",
  host: "swap.example",
  answeredMs: NOW,
  sinceMs: NOW,
  askedMs: NOW,
  error: null,
  inFlight: 0,
  rest: null,
  ...change,
})
const well: Readings = {
  nowMs: NOW,
  daemon: {
    answers: true,
    pid: 7,
    lastSeenMs: NOW,
    startedAtMs: NOW,
    version: "1",
    waitsFor: [],
  },
  mode: "live",
  pause: null,
  pausedChains: [],
  pausedRules: [],
  nodes: [],
  services: [],
  treasury: [],
  gas: [],
  orders: [],
  rules: [],
  limits: [],
  alarms: [],
  freeBytes: null,
  clockJump: null,
}
const codesOf = (change: Partial<Readings>): readonly string[] =>
  findProblems({ ...well, ...change }, 30_000).map(({ code }) => code)
const lookup = (host: string) => failing(`getaddrinfo EAI_AGAIN ${host}`)

test("no name can be looked up: one cause in place of each silent node and service", () => {
  const nodes = [
    chain("a", endpoint("a.example", lookup("a.example"))),
    chain("b", endpoint("b.example", lookup("b.example"))),
  ]
  const services = [service(lookup("swap.example"))]
  expect(codesOf({ nodes, services })).toEqual(["machine.offline"])
  const [cause] = findProblems({ ...well, nodes, services }, 30_000)
  expect(cause?.sentence).toMatch(/cannot .* any name \(DNS\): none of 3 hosts .* 1 min/)
  const unreachable = chain(
    "b",
    endpoint("b.example", failing("connect ENETUNREACH 192.0.2.1:443")),
  )
  const [network] = findProblems({ ...well, nodes: [...nodes.slice(0, 1), unreachable] }, 30_000)
  expect(network?.sentence).toMatch(/^This machine has no network/)
})

test("one host that answers, or refuses, shows that the network works", () => {
  const lost = chain("a", endpoint("a.example", lookup("a.example")))
  expect(codesOf({ nodes: [lost, chain("b", endpoint("b.example"))] })).toEqual(["node.silent"])
  const refuses = chain("b", endpoint("b.example", failing("connect ECONNREFUSED 192.0.2.1:443")))
  expect(codesOf({ nodes: [lost, refuses] })).toEqual(["node.silent", "node.silent"])
})

test("our clock differs from all chains: one cause in place of old nodes and the clock's jump", () => {
  const at = (ms: number) => ({ blockAtMs: NOW + ms })
  const clockJump = { code: "clock.jump", message: "The clock jumped" }
  const behind = [
    chain("a", endpoint("a", at(-72 * HOUR))),
    chain("b", endpoint("b", at(-73 * HOUR))),
  ]
  expect(codesOf({ nodes: behind, clockJump })).toEqual(["clock.differs"])
  expect(findProblems({ ...well, nodes: behind }, 30_000)[0]?.sentence).toContain(
    "is 3 d ahead of the newest blocks of all 2 chains",
  )
  const ahead = [chain("a", endpoint("a", at(6 * HOUR))), chain("b", endpoint("b", at(6 * HOUR)))]
  expect(codesOf({ nodes: ahead })).toEqual(["clock.differs"])
})

test("one chain that stands still, or chains that differ, leave our clock alone", () => {
  const at = (ms: number) => ({ blockAtMs: NOW + ms })
  const still = chain("a", endpoint("a", at(-3 * HOUR)))
  expect(codesOf({ nodes: [still, chain("b", endpoint("b"))] })).toEqual(["node.behind"])
  const other = chain("b", endpoint("b", at(-20 * HOUR)))
  expect(codesOf({ nodes: [still, other] })).toEqual(["node.behind", "node.behind"])
})

test("a provider that limits our requests is not a wrong endpoint", () => {
  const limited = (host: string) => endpoint(host, failing("HTTP 429"))
  const [both] = findProblems({ ...well, nodes: [chain("a", limited("a"), limited("b"))] }, 30_000)
  expect(both).toMatchObject({
    code: "node.silent",
    sentence: expect.stringContaining("(HTTP 429)"),
    todo: expect.stringContaining("limits our requests"),
  })
  const answers = { limit: "rate limited until 2026-01-01T00:00:00.000Z", slowSinceMs: 0 }
  const [slow] = findProblems({ ...well, nodes: [chain("a", endpoint("a", answers))] }, 30_000)
  expect(slow).toMatchObject({
    code: "node.slow",
    sentence: expect.stringContaining("(rate limited until 2026"),
    todo: expect.stringContaining("limits our requests"),
  })
  const reason = { code: "evm.rpc", message: "HTTP 429: Too Many Requests" }
  const agreement = { agreeing: 0, reasons: [reason], atMs: NOW }
  const doubted = { ...chain("a", endpoint("a")), agreement }
  expect(findProblems({ ...well, nodes: [doubted] }, 30_000)[0]?.todo).toMatch(
    /limits our requests/,
  )
})

test("a disk that takes no write stands before the low space and the signer that it stops", () => {
  const diskFault = {
    code: "system.disk_read_only",
    message: "/data: the disk mounted at / is read-only (EROFS); mount it writable. Then try again",
  }
  const signer = { sinceMs: NOW - HOUR, error: "no answer" }
  const [first, ...others] = findProblems({ ...well, freeBytes: 0, signer, diskFault }, 30_000)
  expect(others).toEqual([])
  expect(first).toMatchObject({
    code: "system.disk_read_only",
    kind: "disk",
    level: "trouble",
    sentence: "/data: the disk mounted at / is read-only (EROFS)",
    todo: expect.stringMatching(/^Mount it writable/),
  })
})

test("a daemon that does not run shows the error of its last exit", () => {
  const lastExit = { atMs: NOW - HOUR, exit: 78, code: "config.invalid", message: "line 1:\n  x" }
  const daemon = { ...well.daemon, answers: false, pid: null, lastExit }
  expect(findProblems({ ...well, daemon }, 30_000)[0]).toMatchObject({
    code: "daemon.stopped",
    sentence: expect.stringContaining(
      "it ended with exit 78 at 2026-03-04 08:30 UTC: line 1: x [config.invalid]",
    ),
    todo: "Mend that, then start it; it goes on from the journal.",
  })
})
