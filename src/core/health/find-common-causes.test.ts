import { expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { describeOverview } from "./describe-overview.ts"
import { findProblems } from "./find-problems.ts"
import type { ChainNodes, EndpointReading, Readings, ServiceReading } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const HOUR = 3_600_000
const MINUTE = 60_000

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

test.each([
  [
    "the proxy of all of them refuses connections",
    "the connection is refused (ECONNREFUSED), through the proxy 10.0.0.1:3128",
    /reaches nothing through its proxy: none of 3 hosts/,
    /HTTPS_PROXY.*No endpoint is to be replaced/,
  ],
  [
    "the proxy opens no way",
    "the proxy answers HTTP 403 and opens no way to the host",
    /reaches nothing through its proxy/,
    /NO_PROXY/,
  ],
  [
    "the network wants a login",
    'the answer is a web page "Welcome", not JSON',
    /the same web page from every host.*"Welcome"/,
    /Log in to this machine's network/,
  ],
])("%s: one cause", (_what, error, says, todo) => {
  const nodes = ["a", "b"].map((name) => chain(name, endpoint(`${name}.example`, failing(error))))
  const services = [service(failing(error))]
  expect(codesOf({ nodes, services })).toEqual(["machine.offline"])
  const [cause] = findProblems({ ...well, nodes, services }, 30_000)
  expect(cause?.sentence).toMatch(says)
  expect(cause?.todo).toMatch(todo)
})

test("different pages of different hosts are pages of their own", () => {
  const page = (title: string) => failing(`HTTP 502 (a web page "${title}")`)
  const nodes = ["a", "b"].map((name) => chain(name, endpoint(`${name}.example`, page(name))))
  expect(codesOf({ nodes })).toEqual(["node.silent", "node.silent"])
})

test.each([
  ["drops each packet", ["no connection in time (ETIMEDOUT)"]],
  ["has no name server that answers", ["no whole answer within 10000 ms"]],
  ["rejects each connection", ["the connection is refused (ECONNREFUSED)"]],
  ["fails in several ways", ["no whole answer within 10000 ms", "EAI_AGAIN", "ECONNREFUSED"]],
])("a network that %s is one cause beside local hosts", (_name, errors) => {
  const at = (index: number) => failing(errors[index % errors.length] ?? "")
  const nodes = [
    chain("a", endpoint("a.example", at(0))),
    chain("b", endpoint("b.example", at(1))),
    chain("c", endpoint("127.0.0.1:8545")),
  ]
  const services = [service(at(2))]
  expect(codesOf({ nodes, services })).toEqual(["machine.offline"])
  const [cause] = findProblems({ ...well, nodes, services }, 30_000)
  expect(cause?.sentence).toMatch(/^This machine reaches no host: none of 3 hosts/)
  expect(cause?.todo).toMatch(/network, firewall and name service.*No endpoint is to be replaced/)
  expect(codesOf({ nodes, services: [service()] })).toEqual(["node.silent", "node.silent"])
})

test("local hosts that are down are no lost network", () => {
  const down = failing("the connection is refused (ECONNREFUSED)")
  const nodes = [
    chain("a", endpoint("127.0.0.1:1", down)),
    chain("b", endpoint("localhost:2", down)),
    chain("c", endpoint("c.example", down)),
  ]
  expect(codesOf({ nodes })).not.toContain("machine.offline")
})

test("one host that answers, be it an error, shows that the network works", () => {
  const lost = chain("a", endpoint("a.example", lookup("a.example")))
  expect(codesOf({ nodes: [lost, chain("b", endpoint("b.example"))] })).toEqual(["node.silent"])
  const busy = chain("b", endpoint("b.example", failing("HTTP 503")))
  expect(codesOf({ nodes: [lost, busy] })).toEqual(["node.silent", "node.silent"])
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

test("chains with fast blocks show a clock that is minutes off", () => {
  const at = (ms: number) => ({ blockAtMs: NOW + ms })
  const slow = { ...chain("c", endpoint("c", at(-25 * MINUTE))), blockMs: 10 * MINUTE }
  const pair = (a: number, b: number) => [
    chain("a", endpoint("a", at(a))),
    chain("b", endpoint("b", at(b))),
    slow,
  ]
  const ahead = pair(-10 * MINUTE, -10 * MINUTE - 12_000)
  expect(codesOf({ nodes: ahead })).toContain("clock.differs")
  expect(codesOf({ nodes: ahead })).not.toContain("node.behind")
  expect(codesOf({ nodes: pair(5 * MINUTE, 5 * MINUTE) })).toContain("clock.differs")
  expect(codesOf({ nodes: pair(-10 * MINUTE, -11 * MINUTE) })).not.toContain("clock.differs")
  expect(codesOf({ nodes: pair(-2 * MINUTE, -2 * MINUTE) })).not.toContain("clock.differs")
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

test("a lock of another program is the cause, with the program that has to end", () => {
  const message = "/data: another process holds the lock of the file (SQLITE_BUSY); end it"
  const diskFault = { code: "system.busy", message }
  const [first] = findProblems({ ...well, diskFault }, 30_000)
  expect(first).toMatchObject({ code: "system.busy", level: "trouble" })
  expect(first?.todo).toMatch(/^End the program that holds/)
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

test("a chain that gives no answer explains that its assets were not compared", () => {
  const message = "a:eth was not compared with its chain yet, so its new deposits wait: HTTP 503"
  const waitsFor = [{ code: "asset.unchecked", message, asset: "a:eth" }]
  const daemon = { ...well.daemon, waitsFor }
  const nodes = (change: Partial<EndpointReading>) => [chain("a", endpoint("a.example", change))]
  expect(codesOf({ daemon, nodes: nodes(failing("HTTP 503")) })).toEqual(["node.silent"])
  expect(codesOf({ daemon, nodes: nodes(lookup("a.example")) })).toEqual(["node.silent"])
  const both = [...nodes(lookup("a.example")), chain("b", endpoint("b", lookup("b")))]
  expect(codesOf({ daemon, nodes: both })).toEqual(["machine.offline"])
  const [alone] = findProblems({ ...well, daemon, nodes: nodes({}) }, 30_000)
  expect(alone).toMatchObject({
    code: "asset.unchecked",
    todo: expect.stringMatching(/^It tries again by itself\. If it lasts/),
  })
  expect(alone?.meaning).toMatch(/^New deposits of this asset wait/)
  const unread = (asset: string) => [
    {
      chain: toChainId("a"),
      code: "wallet.unread",
      found: `The balance of ${asset} cannot be read since 09:30: Contract not found`,
      todo: "Compare",
      endpoints: [],
    },
  ]
  expect(codesOf({ daemon, wallets: unread("a:eth") })).toEqual(["wallet.unread"])
  expect(codesOf({ daemon, wallets: unread("a:other") })).toHaveLength(2)
  const [mismatch] = findProblems(
    {
      ...well,
      daemon: { ...daemon, waitsFor: [{ ...waitsFor[0], code: "asset.mismatch", message }] },
    },
    30_000,
  )
  expect(mismatch).toMatchObject({ command: "ballast reload", needsPerson: true })
})

test("a read that fails once is told as no doubt while its endpoint begins to fail", () => {
  const reason = { code: "evm.nonsense", message: "The answer of an endpoint cannot be read" }
  const agreement = { agreeing: 0, reasons: [reason], atMs: NOW }
  const nodes = (change: Partial<EndpointReading>) => [
    { ...chain("a", endpoint("a.example", change)), agreement },
  ]
  expect(codesOf({ nodes: nodes({ error: "HTTP 503", sinceMs: NOW - 5_000 }) })).toEqual([])
  expect(codesOf({ nodes: nodes(failing("HTTP 503")) })).toEqual(["node.silent"])
  const [doubt] = findProblems({ ...well, nodes: nodes({}) }, 30_000)
  expect(doubt).toMatchObject({ code: "evm.nonsense", todo: "Repair or replace the endpoint." })
})

test("an endpoint that shows heads and answers no balance is named with the node's words", () => {
  const reads = {
    method: "eth_getBalance",
    fault: "missing trie node",
    sinceMs: NOW - 40_000,
    lastMs: NOW - 5_000,
    times: 3,
  }
  const found = (change: Partial<typeof reads>) =>
    findProblems(
      { ...well, nodes: [chain("a", endpoint("a.example", { reads: { ...reads, ...change } }))] },
      30_000,
    )
  expect(found({})).toMatchObject([{ code: "node.failing", level: "attention" }])
  expect(found({})[0]?.sentence).toBe(
    "The endpoint a.example of a shows new blocks, and eth_getBalance fails since " +
      "2026-03-04 09:29 UTC (3 times): missing trie node; reads through it wait; no order is " +
      "affected",
  )
  expect([...found({ times: 2 }), ...found({ sinceMs: NOW - 34_000 })]).toEqual([])
})

test.each([
  ["HTTP 410", /Correct the URL/],
  ["the TLS certificate is not valid at this time (CERT_HAS_EXPIRED)", /renew its certificate/],
  ["its issuer is not known here (DEPTH_ZERO_SELF_SIGNED_CERT)", /NODE_EXTRA_CA_CERTS/],
  ["the TLS certificate is that of another host (ERR_TLS_CERT_ALTNAME_INVALID)", /Correct the URL/],
  ["the answer is broken JSON: Unexpected end of JSON input", /Repair the node/],
])("the remedy of a silent node follows its error %s", (error, todo) => {
  const [found] = findProblems(
    { ...well, nodes: [chain("a", endpoint("a.example", failing(error)))] },
    30_000,
  )
  expect(found?.todo).toMatch(todo)
})

test.each([
  ["HTTP 400 (client too old)", /operator/],
  ["HTTP 451", /operator/],
  ["HTTP 503", /operator/],
  ["HTTP 404", /Check the url/],
  ["the connection is refused (ECONNREFUSED)", /Check the url/],
  ["the TLS certificate is not valid at this time (CERT_HAS_EXPIRED)", /renew its certificate/],
])("the remedy of a failing service follows its error %s", (error, todo) => {
  const [found] = findProblems({ ...well, services: [service(failing(error))] }, 30_000)
  expect(found?.todo).toMatch(todo)
})

test("a head in the future is not the work of our clock while another chain has our time", () => {
  const ahead = endpoint("a.example", { blockAtMs: NOW + 10 * 3_600_000 })
  const todoOf = (...others: Readings["nodes"]) =>
    findProblems({ ...well, nodes: [chain("a", ahead), ...others] }, 30_000)[0]?.todo
  expect(todoOf()).toMatch(/^Set this machine's clock/)
  expect(todoOf(chain("b", endpoint("b.example", {})))).toMatch(/^Repair or replace the endpoint/)
  const old = endpoint("b.example", { blockAtMs: NOW - 3_600_000 })
  expect(todoOf(chain("b", old))).toMatch(/^Set this machine's clock/)
})

test("an endpoint on another network needs another URL, also where a read of the port shows it", () => {
  const reason = { code: "evm.wrong_chain", message: "The endpoint is on another network (1)" }
  const agreement = { agreeing: 0, reasons: [reason], atMs: NOW }
  const nodes = [{ ...chain("a", endpoint("a.example", {})), agreement }]
  expect(findProblems({ ...well, nodes }, 30_000)[0]?.todo).toMatch(/^Correct the URL/)
})

test("a deleted socket is no daemon that hangs", () => {
  const lostSocket = "/data/ballast.sock"
  const daemon = { ...well.daemon, answers: false, pid: 7, lostSocket }
  const [found] = findProblems({ ...well, daemon }, 30_000)
  expect(found?.sentence).toMatch(/process 7\) runs.*its socket \/data\/ballast.sock is deleted/)
  expect(found).toMatchObject({ code: "daemon.unreachable", command: "kill -TERM 7" })
})

test("a verdict keeps to one short sentence, and its problem shows the whole", () => {
  const message = `Transaction 0x${"f5".repeat(32)} used the nonce; ${"words ".repeat(30)}`
  const clockJump = { code: "clock.jump", message }
  const { verdict, problems } = describeOverview({ ...well, clockJump }, 30_000)
  expect(verdict.length).toBeLessThanOrEqual(201)
  expect(verdict).toMatch(/words…$/)
  expect(problems[0]?.sentence).toBe(message)
})
